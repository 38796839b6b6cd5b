package bind

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/hone-go/hone/shape"
)

// A Source is the part of a request that a value comes from.
type Source = shape.Source

// The sources.
const (
	FromPath   = shape.FromPath
	FromQuery  = shape.FromQuery
	FromHeader = shape.FromHeader
	FromCookie = shape.FromCookie
	FromForm   = shape.FromForm
)

// Causes of an [Error] that are not those of strconv, time or an unmarshaler.
var (
	ErrTooMany   = errors.New("more than 10,000 parameters")
	ErrSemicolon = errors.New("semicolon in a parameter")
	ErrNoText    = errors.New("no text form is known for the type")
)

// An Error reports a value that its field cannot hold.
type Error struct {
	Source Source
	Name   string       // of the parameter or header; "" if the whole query or form is at fault
	Field  string       // ".Since" or, inside a slice, ".Tags[3]"
	Value  string       // as it was sent, decoded if that is possible; cut off after 64 bytes
	Type   reflect.Type // of the field, or of the slice's element
	Err    error        // the cause; never nil
}

func (e *Error) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("bind: %s: %v", e.Source, e.Err)
	}
	return fmt.Sprintf("bind: %s %q into %s (%v): value %q: %v", e.Source, e.Name, e.Field, e.Type, e.Value, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errors are all the fields of one request that could not be set, at most one
// error for each.
type Errors []*Error

func (e Errors) Error() string {
	var b strings.Builder
	for i, err := range e {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(err.Error())
	}
	return b.String()
}

// Unwrap returns the errors one by one, for errors.Is and errors.As.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i := range e {
		errs[i] = e[i]
	}
	return errs
}

// A TypeError reports a type that cannot be bound, whatever the request.
type TypeError struct {
	Root   reflect.Type // what was to be bound
	Field  string       // ".Filter"; "" for the root
	Type   reflect.Type // the culprit
	Reason string
}

func (e *TypeError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("bind: cannot bind %v: %s", e.Root, e.Reason)
	}
	return fmt.Sprintf("bind: cannot bind %v: field %s of type %v: %s", e.Root, e.Field, e.Type, e.Reason)
}

// maxValue bounds the value that an Error shows.
const maxValue = 64

func shorten(s string) string {
	if len(s) > maxValue {
		return strings.Clone(s[:maxValue]) + "…"
	}
	return strings.Clone(s)
}
