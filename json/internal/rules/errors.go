package rules

import (
	"errors"
	"io"

	"github.com/hone-go/hone/json/internal/stream"
)

// IsSyntactic reports whether err is about the text or the reader, and not about a Go value. Such
// an error always ends a decode.
func IsSyntactic(err error) bool {
	switch err.(type) {
	case *stream.SyntacticError, *stream.IOError:
		return true
	}
	return false
}

// The causes of a [SemanticError] of decoding. encoding/json/v2 has the same texts, but does not
// export them.
var (
	ErrNotString   = errors.New("JSON value must be string type")
	ErrTooFew      = errors.New("too few array elements")
	ErrTooMany     = errors.New("too many array elements")
	ErrNilField    = errors.New("cannot set embedded pointer to unexported struct type")
	ErrFiniteTypes = errors.New("cannot derive concrete type for nil interface with finite type set")
)

// The causes that depend on the type alone: the tag option string on a type without a quoted form,
// and a duration without a format.
var (
	ErrString   = errors.New("invalid use of `string` tag option")
	ErrDuration = errors.New("no default representation")
)

// ErrDeclined means that a function or a method declines a value, which the next one then encodes
// or decodes. It is never returned to a caller.
var ErrDeclined = errors.New("declined")

// NotUnsupported returns the error of a method or a function called by. Methods that take or return
// text may not decline a value, so errors.ErrUnsupported is replaced by the error of
// encoding/json/v2 for this case.
func NotUnsupported(err error, by string) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return errors.New(unsupportedBy[by] + " may not return errors.ErrUnsupported")
	}
	return err
}

// unsupportedBy has the description of each method or function in the error.
var unsupportedBy = map[string]string{
	"MarshalJSON": "MarshalJSON method", "AppendText": "AppendText method", "MarshalText": "MarshalText method",
	"MarshalFunc":   "marshal function of type func(T) ([]byte, error)",
	"UnmarshalJSON": "UnmarshalJSON method", "UnmarshalText": "UnmarshalText method", "UnmarshalFunc": "unmarshal function of type func([]byte, T) error",
}

// The errors of a method that was given a stream: it wrote or read no value or several values, or
// it declined after it had used the stream.
var (
	ErrSingle   = errors.New("must read or write exactly one value")
	ErrMutation = errors.New("unsupported calls must not read or write any tokens")
)

// UnexpectedEnd returns err, but io.ErrUnexpectedEOF instead of io.EOF, since a caller would take
// io.EOF for the regular end of a stream.
func UnexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// ErrRestNotObject is the cause of an error for a field of unknown members whose text is not an
// object.
var ErrRestNotObject = errors.New("embedded raw value must be a JSON object")
