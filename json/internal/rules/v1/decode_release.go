package v1

import (
	"math"
	"reflect"

	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Release contains the rules of decoding about which the releases differ, for the calls and rows of
// this package. The compiled nodes contain all other differences.
type Release interface {
	// IsLinked reports whether the linked encoding/json has exactly these rules.
	IsLinked() bool

	// Invalid returns the error for data with a syntax error. v is the target of the call.
	Invalid(data []byte, v reflect.Value) error
	// Final returns the error of a call whose decode returned err. length is the length of the input
	// in bytes.
	Final(err error, root reflect.Value, length int) error
	// InContext adds the names of the fields that are being decoded to err, if err contains them.
	InContext(d *Decoder, err error) error
	// WithPath adds the path of the value to the saved error err, if err contains one.
	WithPath(d *Decoder, err error) error

	// TypeError returns the error for a value that cannot be decoded into t.
	TypeError(d *Decoder, value string, t reflect.Type, offset int, cause error) error
	// NotRead saves the error for the value at t, which was expected but not read.
	NotRead(d *Decoder, t int, typ reflect.Type, cause error)
	// NotString saves the error for the value at t, which must be a string because n's type has a
	// text method.
	NotString(d *Decoder, n *decode.Node, t int)
	// NotNumber saves or returns the error for the value at t, which is not a valid Number.
	NotNumber(d *Decoder, t int) error
	// ClosedField saves the error of [decode.Faults.ClosedField].
	ClosedField(d *Decoder, t int, in, to reflect.Type)
	// Overflow implements [decode.Faults].
	Overflow(d *Decoder, t int) (any, error)
	// OverflowInto sets the float v for a number that overflows it, if the rules require this.
	OverflowInto(v reflect.Value, negative bool)

	// Calls reports whether the pointer type p has a method for JSON, with or without a stream of the
	// standard library.
	Calls(p reflect.Type) bool
	// CallJSON calls v's method for JSON.
	CallJSON(v any, raw []byte) error
	// CallText calls v's method UnmarshalText.
	CallText(v any, text []byte) error
	// Failed returns err, the error of a method, if it ends the decode, and otherwise saves it.
	Failed(d *Decoder, err error) error

	// HeldAny decodes the value at t into an empty interface. stored reports whether to store it.
	HeldAny(d *Decoder, t int) (x any, stored bool)
	// NotInterface refuses the value at t, whose target v is an interface with methods.
	NotInterface(d *Decoder, v reflect.Value, t int)
}

// Rows are the rows of a release for types about which the releases differ.
type Rows struct {
	Time, Bytes decode.Row
	// Map decodes maps that require reflection.
	Map decode.Row
	// KeyForm returns the form of map keys of shape s.
	KeyForm func(s *shape.Shape) decode.KeyForm
	// Calls is the method of [Release].
	Calls func(p reflect.Type) bool
}

// Operations of version 1.
const (
	// OpNumber is for a Number.
	OpNumber = decode.NodeCustom + iota
	// OpMarshaler is for a type whose pointer has a method for JSON.
	OpMarshaler
	// OpText is for a type whose pointer implements TextUnmarshaler, and has no other method.
	OpText
)

// Custom implements [decode.Rules].
func (r *Rows) Custom(c *decode.Compiler, key decode.Key, n *decode.Node) bool {
	s := key.Shape
	if s.Kind == shape.Option || s.Union != nil || s.Sum != nil {
		return false
	}
	// The value is addressable, so methods with a pointer receiver are called too. A pointer type
	// has its own node, and the node of its element calls the methods.
	if key.Methods && s.Type.Kind() != reflect.Pointer {
		switch p := reflect.PointerTo(s.Type); {
		case s.Kind == shape.Time:
			n.Op, n.Decode = decode.NodeTime, r.Time
			return true
		case r.Calls(p), rules.UnmarshalsFrom(p):
			n.Op, n.Decode, n.Null, n.Once = OpMarshaler, byMethod, byMethod, s.Type != rules.RawMessageType
			if rules.UnmarshalsFrom(p) {
				// If the method declines, the value is decoded by its kind, as if the type had no
				// methods.
				key.Methods, n.Decode, n.Null = false, byStreamMethod, byStreamMethod
				n.Elem = c.Node(key)
			}
			return true
		case p.Implements(rules.TextUnmarshalerType):
			n.Op, n.Decode, n.Once = OpText, byText, true
			return true
		}
	}
	switch {
	case s.Type == rules.NumberType:
		n.Op, n.Decode = OpNumber, Number
	case s.Kind == shape.Bytes:
		n.Op, n.Decode, n.Elem = decode.NodeBytes, r.Bytes, c.Nested(s.Elem, math.MaxInt)
	case s.Kind == shape.Interface:
		n.Op, n.Decode = decode.NodeInterface, intoInterface
	case s.Kind == shape.Map:
		n.Key = r.KeyForm(s.Key)
		if n.Key == decode.KeyUnsupported || s.Endless() {
			n.Op = decode.NodeUnsupported
			break
		}
		n.Op, n.Decode, n.Elem = decode.NodeMap, r.Map, c.Nested(s.Elem, math.MaxInt)
		if n.Key == decode.KeyString {
			n.Fill = decode.FillOf(s, n.Elem)
		}
		n.Once = n.Key == decode.KeyMethod
	default:
		return false
	}
	return true
}
