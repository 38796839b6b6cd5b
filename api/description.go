package api

import (
	"reflect"

	"github.com/hone-go/hone/shape"
)

// A Description describes a handler: a document of the API is made from it.
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
	// TakesElements and SendsElements are the types of the elements if the body and the
	// answer are [Elements]; nil if they are not.
	TakesElements, SendsElements reflect.Type
	// TakesBytes is set if the body is an io.Reader.
	TakesBytes bool
}

// An Answer describes one form of success.
type Answer struct {
	Statuses []int
	// Type is the type of the form: Out, or one of the types that a union of forms may hold.
	Type reflect.Type
	// Body is the type of the content; nil if there is none.
	Body reflect.Type
	// Sends are the media types of the content, the first the default.
	Sends []string
	// Elements is the type of the elements if the content is [Elements].
	Elements reflect.Type
	// Fields are the header fields and the cookies that the answer may have.
	Fields []shape.Param
}
