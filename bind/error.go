package bind

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/shape"
)

// A Source is the part of a request from which a value is read.
type Source = shape.Source

// The sources.
const (
	FromPath   = shape.FromPath
	FromQuery  = shape.FromQuery
	FromHeader = shape.FromHeader
	FromCookie = shape.FromCookie
	FromForm   = shape.FromForm
)

// The causes of an [Error], in addition to errors of strconv, time and unmarshalers.
var (
	ErrTooMany   = errors.New("more than 10,000 parameters")
	ErrSemicolon = errors.New("semicolon in a parameter")
	ErrNoText    = errors.New("the type cannot be converted from text")
	ErrFile      = errors.New("a field for a file must be a pointer or a slice")
	ErrRequired  = errors.New("is required")  // see Input.ByTags
	ErrUnknown   = errors.New("is not known") // see Input.Known
)

var errEmbedded = errors.New("query/param/form tags are not allowed with anonymous struct field") // Echo's text

// A LimitError is the cause of an [Error] for a parameter whose value is zero although its limits do
// not allow zero. It is returned only if the parameter may be absent, so that the field is zero too
// if the request lacks the parameter; see [Input.ByTags].
type LimitError struct {
	Detail string // such as "must be at least 1"
}

func (e *LimitError) Error() string { return e.Detail }

// An Error reports a parameter that could not be bound, that is missing, or that matches no field.
type Error struct {
	Source Source
	Name   string       // name of the parameter or header; "" for an error of the whole query or form
	Field  string       // ".Since" or, inside a slice, ".Tags[3]"
	Value  string       // as sent, decoded if possible; truncated after 64 bytes
	Type   reflect.Type // type of the field, or of the slice's element
	Err    error        // the cause; never nil
}

// Error names the parameter. It omits the value, which may be secret, and the Go names. Both
// are in the fields of the Error.
func (e *Error) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("bind: %s: %s", e.Source, e.Reason())
	}
	return fmt.Sprintf("bind: %s %q: %s", e.Source, e.Name, e.Reason())
}

// Reason describes the error without Go terms. It omits the text of errors that methods of the
// program returned. Err has that text.
func (e *Error) Reason() string {
	var parse *time.ParseError
	var escape url.EscapeError
	var limit *LimitError
	kind := reflect.Invalid
	if e.Type != nil {
		kind = e.Type.Kind()
	}
	switch {
	case errors.As(e.Err, &parse):
		return "not a time such as " + time.Date(2006, 1, 2, 15, 4, 5, 0, time.UTC).Format(parse.Layout)
	case errors.Is(e.Err, strconv.ErrRange):
		return "a number too large or too small"
	case errors.As(e.Err, &limit):
		return limit.Detail
	case errors.As(e.Err, &escape):
		return escape.Error()
	case e.Err == ErrTooMany, e.Err == ErrSemicolon, e.Err == ErrNoText, e.Err == ErrFile, e.Err == ErrRequired, e.Err == ErrUnknown, e.Err == ErrNotSendable, e.Err == errQuotes, e.Err == errEmbedded:
		return e.Err.Error()
	case e.Type == durationType:
		return "not a duration such as 1m30s"
	case !errors.Is(e.Err, strconv.ErrSyntax):
	case kind == reflect.Bool:
		return "neither true nor false"
	case kind >= reflect.Int && kind <= reflect.Int64:
		return "not a whole number"
	case kind >= reflect.Uint && kind <= reflect.Uint64:
		return "not a whole number of at least 0"
	case kind == reflect.Float32 || kind == reflect.Float64:
		return "not a number"
	}
	return "not a value of this kind"
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errors are the errors of a request, at most one for each field that could not be set.
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

// Unwrap returns the individual errors, for errors.Is and errors.As.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i := range e {
		errs[i] = e[i]
	}
	return errs
}

// A TypeError reports a type that cannot be bound from any request.
type TypeError struct {
	Root   reflect.Type // the type to be bound
	Field  string       // ".Filter"; "" for the root
	Type   reflect.Type // the type that cannot be bound
	Reason string
}

func (e *TypeError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("bind: cannot bind %v: %s", e.Root, e.Reason)
	}
	return fmt.Sprintf("bind: cannot bind %v: field %s of type %v: %s", e.Root, e.Field, e.Type, e.Reason)
}

// maxValue is the maximum number of bytes of a value that an Error keeps.
const maxValue = 64

func shorten(s string) string {
	if len(s) > maxValue {
		return strings.Clone(s[:maxValue]) + "…"
	}
	return strings.Clone(s)
}
