package api

import (
	"reflect"

	"github.com/hone-go/hone/shape"
)

// A Description describes a handler. The API's document is generated from Descriptions.
type Description struct {
	Method string
	Path   string // the path of the pattern, with the prefixes of the API's groups
	Operation
	In  reflect.Type
	Out reflect.Type // nil for a stream of events
	// Answers describe the successful answers: one Answer for Out, or one for each type of a union
	// of structs with different statuses. A stream of events has none.
	Answers []Answer
	// Takes are the media types of the request body, the preferred one first. It is empty if
	// there is no body, and "*/*" if any type is accepted.
	Takes []string
	// Sends are the media types of the answer, the default first. It is empty if the answer
	// has no content.
	Sends []string
	// TakesElements and SendsElements are the types of the elements if the body or the answer
	// is [Elements]; else nil.
	TakesElements, SendsElements reflect.Type
	// TakesBytes reports whether the body is an io.Reader.
	TakesBytes bool
}

// An Answer describes one type of a successful answer.
type Answer struct {
	Statuses []int
	// Type is Out, or one of its types if Out is a union of structs with different statuses.
	Type reflect.Type
	// Body is the type of the content; nil if there is no content.
	Body reflect.Type
	// Sends are the media types of the content, the default first.
	Sends []string
	// Elements is the type of the elements if the content is [Elements].
	Elements reflect.Type
	// Fields are the header fields and the cookies that the answer may have.
	Fields []shape.Param
}
