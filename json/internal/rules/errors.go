package rules

import (
	"errors"
	"io"

	"github.com/hone-go/hone/json/internal/stream"
)

// IsSyntactic reports whether err is about the text or the reader, and not about a Go value.
// Such an error ends a decode, whatever the options are.
func IsSyntactic(err error) bool {
	switch err.(type) {
	case *stream.SyntacticError, *stream.IOError:
		return true
	}
	return false
}

// The causes that a [SemanticError] of decoding may have. Encoding/json/v2
// has the same texts, and does not export them.
var (
	ErrNotString   = errors.New("JSON value must be string type")
	ErrTooFew      = errors.New("too few array elements")
	ErrTooMany     = errors.New("too many array elements")
	ErrNilField    = errors.New("cannot set embedded pointer to unexported struct type")
	ErrFiniteTypes = errors.New("cannot derive concrete type for nil interface with finite type set")
)

// The causes that a type itself has: the tag option string on a type that has no quoted form,
// and a duration without a format.
var (
	ErrString   = errors.New("invalid use of `string` tag option")
	ErrDuration = errors.New("no default representation")
)

// ErrDeclined means that a function or a method leaves the value to the next one. It never
// reaches a caller.
var ErrDeclined = errors.New("declined")

// NotUnsupported returns the error of a method or a function. A method that takes or returns
// text may not decline, so errors.ErrUnsupported becomes another error, with the text of
// encoding/json/v2. By names the method.
func NotUnsupported(err error, by string) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return errors.New(unsupportedBy[by] + " may not return errors.ErrUnsupported")
	}
	return err
}

// unsupportedBy has the name that the error gives a method or a function.
var unsupportedBy = map[string]string{
	"MarshalJSON": "MarshalJSON method", "AppendText": "AppendText method", "MarshalText": "MarshalText method",
	"MarshalFunc":   "marshal function of type func(T) ([]byte, error)",
	"UnmarshalJSON": "UnmarshalJSON method", "UnmarshalText": "UnmarshalText method", "UnmarshalFunc": "unmarshal function of type func([]byte, T) error",
}

// The errors of a method that was given a stream: it wrote or read none or several values, or
// it declined after it had used the stream.
var (
	ErrSingle   = errors.New("must read or write exactly one value")
	ErrMutation = errors.New("unsupported calls must not read or write any tokens")
)

// UnexpectedEnd returns err, and io.ErrUnexpectedEOF for io.EOF: a caller would take io.EOF for
// the proper end of a stream.
func UnexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// ErrRestNotObject is for the text that a struct keeps its other members in, if that is not an
// object.
var ErrRestNotObject = errors.New("embedded raw value must be a JSON object")
