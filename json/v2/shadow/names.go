package shadow

import (
	"github.com/hone-go/hone/json/jsontext"
	json "github.com/hone-go/hone/json/v2"
)

// These types are package json/v2's.
type (
	Marshaler       = json.Marshaler
	MarshalerTo     = json.MarshalerTo
	Marshalers      = json.Marshalers
	Options         = json.Options
	SemanticError   = json.SemanticError
	Unmarshaler     = json.Unmarshaler
	UnmarshalerFrom = json.UnmarshalerFrom
	Unmarshalers    = json.Unmarshalers
)

// ErrUnknownName is the cause of a [SemanticError] for a member without a field in the struct, if
// [RejectUnknownMembers] is set.
var ErrUnknownName = json.ErrUnknownName

// WithMarshalers is package json/v2's.
func WithMarshalers(v *Marshalers) Options { return json.WithMarshalers(v) }

// WithUnmarshalers is package json/v2's.
func WithUnmarshalers(v *Unmarshalers) Options { return json.WithUnmarshalers(v) }

// JoinMarshalers is package json/v2's.
func JoinMarshalers(ms ...*Marshalers) *Marshalers { return json.JoinMarshalers(ms...) }

// JoinUnmarshalers is package json/v2's.
func JoinUnmarshalers(us ...*Unmarshalers) *Unmarshalers { return json.JoinUnmarshalers(us...) }

// MarshalFunc is package json/v2's.
func MarshalFunc[T any](fn func(T) ([]byte, error)) *Marshalers { return json.MarshalFunc(fn) }

// MarshalToFunc is package json/v2's.
func MarshalToFunc[T any](fn func(*jsontext.Encoder, T) error) *Marshalers {
	return json.MarshalToFunc(fn)
}

// UnmarshalFunc is package json/v2's.
func UnmarshalFunc[T any](fn func([]byte, T) error) *Unmarshalers { return json.UnmarshalFunc(fn) }

// UnmarshalFromFunc is package json/v2's.
func UnmarshalFromFunc[T any](fn func(*jsontext.Decoder, T) error) *Unmarshalers {
	return json.UnmarshalFromFunc(fn)
}

// JoinOptions is package json/v2's.
func JoinOptions(srcs ...Options) Options { return json.JoinOptions(srcs...) }

// GetOption is package json/v2's.
func GetOption[T any](opts Options, setter func(T) Options) (T, bool) {
	return json.GetOption(opts, setter)
}

// DefaultOptionsV2 is package json/v2's.
func DefaultOptionsV2() Options { return json.DefaultOptionsV2() }
