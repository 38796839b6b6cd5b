package rules

import (
	"errors"
	"io"

	"github.com/hone-go/hone/json/internal/stream"
)

// IsSyntactic reports whether err is about the JSON text or the reader, and not about a Go value.
func IsSyntactic(err error) bool {
	switch err.(type) {
	case *stream.SyntacticError, *stream.IOError:
		return true
	}
	return false
}

// Causes of a [SemanticError] of decoding. encoding/json/v2 uses the same messages, but does not
// export the errors.
var (
	ErrNotString   = errors.New("JSON value must be string type")
	ErrTooFew      = errors.New("too few array elements")
	ErrTooMany     = errors.New("too many array elements")
	ErrNilField    = errors.New("cannot set embedded pointer to unexported struct type")
	ErrFiniteTypes = errors.New("cannot derive concrete type for nil interface with finite type set")
)

// ErrPointerCycle is the cause of an error of decoding into interfaces that contain pointers to each
// other. encoding/json follows a cycle of such pointers until the stack is full.
var ErrPointerCycle = errors.New("pointers in interfaces are nested too deep, or form a cycle")

// Causes that depend only on the type: the tag option "string" on a type that has no quoted form,
// and a duration without a format.
var (
	ErrString   = errors.New("invalid use of `string` tag option")
	ErrDuration = errors.New("no default representation")
)

// ErrDeclined means that a function or a method declines a value. The next function or method then
// encodes or decodes the value. ErrDeclined is never returned to a caller.
var ErrDeclined = errors.New("declined")

// NotUnsupported returns err, the error of the method or function with the given name. Methods
// that take or return text may not decline a value, so errors.ErrUnsupported is replaced by the
// error that encoding/json/v2 returns for it.
func NotUnsupported(err error, method string) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return errors.New(unsupportedBy(method) + " may not return errors.ErrUnsupported")
	}
	return err
}

// unsupportedBy describes the method or function with the given name, for the error of
// NotUnsupported.
func unsupportedBy(method string) string {
	switch method {
	case "MarshalFunc":
		return "marshal function of type func(T) ([]byte, error)"
	case "UnmarshalFunc":
		return "unmarshal function of type func([]byte, T) error"
	}
	return method + " method"
}

// Errors of a method that received a stream: it did not write or read exactly one value, or it
// declined after it had used the stream.
var (
	ErrSingle   = errors.New("must read or write exactly one value")
	ErrMutation = errors.New("unsupported calls must not read or write any tokens")
)

// UnexpectedEnd returns err, but replaces io.EOF by io.ErrUnexpectedEOF, because a caller would
// treat io.EOF as the regular end of the stream.
func UnexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// ErrRestNotObject is the cause of the error for a field of unknown members whose JSON text is not
// an object.
var ErrRestNotObject = errors.New("embedded raw value must be a JSON object")
