package rules

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/hone-go/hone/json/internal/stream"
)

func IsSyntactic(err error) bool {
	switch err.(type) {
	case *stream.SyntacticError, *stream.IOError:
		return true
	}
	return false
}

var (
	ErrNotString   = errors.New("JSON value must be string type")
	ErrTooFew      = errors.New("too few array elements")
	ErrTooMany     = errors.New("too many array elements")
	ErrNilField    = errors.New("cannot set embedded pointer to unexported struct type")
	ErrFiniteTypes = errors.New("cannot derive concrete type for nil interface with finite type set")
)

// SyntaxErrorOf returns what encoding/json says of text that is not valid JSON.
func SyntaxErrorOf(data []byte) error {
	var raw RawMessage
	return json.Unmarshal(data, &raw)
}

var (
	ErrString   = errors.New("invalid use of `string` tag option")
	ErrDuration = errors.New("no default representation")
)

// ErrDeclined says that a function or a method leaves the value to others.
var ErrDeclined = errors.New("declined")

// NotUnsupported returns the error of a method or a function, which may not be that with
// which others say that they leave a value to the engine.
func NotUnsupported(err error, by string) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return errors.New(unsupportedBy[by] + " may not return errors.ErrUnsupported")
	}
	return err
}

var unsupportedBy = map[string]string{
	"MarshalJSON": "MarshalJSON method", "AppendText": "AppendText method", "MarshalText": "MarshalText method",
	"MarshalFunc":   "marshal function of type func(T) ([]byte, error)",
	"UnmarshalJSON": "UnmarshalJSON method", "UnmarshalText": "UnmarshalText method", "UnmarshalFunc": "unmarshal function of type func([]byte, T) error",
}

var (
	ErrSingle   = errors.New("must read or write exactly one value")
	ErrMutation = errors.New("unsupported calls must not read or write any tokens")
)

// UnexpectedEnd returns err, but for the end of a stream, which would be taken for a proper
// one.
func UnexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

var ErrRestNotObject = errors.New("embedded raw value must be a JSON object")
