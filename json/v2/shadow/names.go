package shadow

import (
	"github.com/hone-go/hone/json/jsontext"
	json "github.com/hone-go/hone/json/v2"
)

// Types of package json/v2.
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

// ErrUnknownName is the cause of a [SemanticError] for a member that matches no field of the
// struct. Only decoding with [RejectUnknownMembers] returns it.
var ErrUnknownName = json.ErrUnknownName

// WithMarshalers is [json.WithMarshalers].
func WithMarshalers(v *Marshalers) Options { return json.WithMarshalers(v) }

// WithUnmarshalers is [json.WithUnmarshalers].
func WithUnmarshalers(v *Unmarshalers) Options { return json.WithUnmarshalers(v) }

// JoinMarshalers is [json.JoinMarshalers].
func JoinMarshalers(ms ...*Marshalers) *Marshalers { return json.JoinMarshalers(ms...) }

// JoinUnmarshalers is [json.JoinUnmarshalers].
func JoinUnmarshalers(us ...*Unmarshalers) *Unmarshalers { return json.JoinUnmarshalers(us...) }

// MarshalFunc is [json.MarshalFunc].
func MarshalFunc[T any](fn func(T) ([]byte, error)) *Marshalers { return json.MarshalFunc(fn) }

// MarshalToFunc is [json.MarshalToFunc].
func MarshalToFunc[T any](fn func(*jsontext.Encoder, T) error) *Marshalers {
	return json.MarshalToFunc(fn)
}

// UnmarshalFunc is [json.UnmarshalFunc].
func UnmarshalFunc[T any](fn func([]byte, T) error) *Unmarshalers { return json.UnmarshalFunc(fn) }

// UnmarshalFromFunc is [json.UnmarshalFromFunc].
func UnmarshalFromFunc[T any](fn func(*jsontext.Decoder, T) error) *Unmarshalers {
	return json.UnmarshalFromFunc(fn)
}

// JoinOptions is [json.JoinOptions].
func JoinOptions(srcs ...Options) Options { return json.JoinOptions(srcs...) }

// GetOption is [json.GetOption].
func GetOption[T any](opts Options, setter func(T) Options) (T, bool) {
	return json.GetOption(opts, setter)
}

// DefaultOptionsV2 is [json.DefaultOptionsV2].
func DefaultOptionsV2() Options { return json.DefaultOptionsV2() }
