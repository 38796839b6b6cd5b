package api

import "reflect"

// A Description is what a handler says of itself: all that a document of the API
// is made from.
type Description struct {
	Method string
	Path   string // of the pattern, with the prefixes of the API's groups
	Operation
	In  reflect.Type
	Out reflect.Type // nil for a stream of events
	// Answers are the forms that a success may have: one, unless Out is a union of several.
	// There is none for a stream of events.
	Answers []Answer
	// Takes are the media types of the body, the first the preferred one; none if
	// there is no body, and "*/*" for one of any type.
	Takes []string
	// Sends are the media types of the answer, the first the default; none if it
	// has no content.
	Sends []string
	// TakesElements and SendsElements are the types of what there are [Elements]
	// of, in the body and in the answer; nil if they are something else.
	TakesElements, SendsElements reflect.Type
	// TakesBytes is set if the body is an io.Reader.
	TakesBytes bool
}
