package decoding

import (
	"math"
	"slices"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// Custom implements [decode.Rules]. It compiles a type that version 2 decodes with a function of
// the call, with a method of the type, or by a special rule, in this order of precedence. A
// function or method that takes a stream may decline the value. Its node n therefore refers to a
// second node, n.Elem, for the next function, method or rule. The second node is compiled with a
// larger Key.Declined.
func (compiler) Custom(c *decode.Compiler, key decode.Key, n *decode.Node) bool {
	s, mode := key.Shape, c.Mode
	n.Quoted = n.Quoted || mode.Flags&option.StringifyNumbers != 0
	if key.Declined == plainNode {
		return false
	}
	if key.Declined == 0 {
		if calls := mode.Types.Of(s.Type); len(calls) > 0 {
			key.Declined = 1
			n.Decode, n.Null, n.Once = functions, functions, true
			n.Op, n.Calls, n.Pointer, n.Elem = opCustom, calls, mem.AddressTypeOf(s.Type), c.Node(key)
			return true
		}
	}
	switch {
	case s.Type == rules.NumberType && key.Name && mode.Flags&option.CallMethodsWithLegacySemantics != 0:
		n.Op = decode.NodeString // version 1 does not call Number's methods for a member name
		return true
	case s.Type == rules.NumberType:
		n.Op, n.Decode = opCustom, number
		n.Quoted = key.Name || mode.Flags&option.StringifyNumbers != 0 || key.Quoted && mode.Flags&rules.PlainNumbers == 0
		return true
	case s.Kind == shape.Option, s.Union != nil:
		return false
	case s.Kind == shape.Time:
		if key.Quoted && mode.Flags&option.ReportErrorsWithLegacySemantics == 0 {
			refuse(n, rules.ErrString)
		} else {
			n.Op, n.Decode = decode.NodeTime, readTime
		}
		return true
	case key.Declined <= 1:
		methods := rules.DecodeMethods(s.Type)
		if key.Name && mode.Flags&option.CallMethodsWithLegacySemantics != 0 {
			methods = slices.DeleteFunc(methods, func(m rules.MethodForm) bool { return m <= rules.MethodJSON })
		}
		if len(methods) == 0 {
			break
		}
		n.Decode, n.Null, n.Once = byMethods, byMethods, true
		n.Op, n.Methods, n.Pointer, n.Quoted = opCustom, methods, mem.AddressTypeOf(s.Type), key.Quoted
		if methods[0] <= rules.MethodStandard {
			key.Declined = 2
			n.Elem = c.Node(key)
		}
		return true
	}
	switch {
	case s.Type == rules.DurationType && mode.Flags&option.FormatDurationAsNano == 0:
		refuse(n, rules.ErrDuration)
		return true
	case key.Quoted && mode.RefusesString(s):
		refuse(n, rules.ErrString)
		return true
	}
	legacy := mode.Flags&option.StringifyWithLegacySemantics != 0
	switch k := s.Kind; {
	case k >= shape.Int8 && k <= shape.Float64:
		if key.Quoted || key.Name || mode.Flags&option.StringifyNumbers != 0 {
			quote(c, n, decode.Key{Shape: s, Most: math.MaxInt})
			return true
		}
	case (k == shape.Bool || k == shape.String) && key.Quoted && legacy:
		quote(c, n, decode.Key{Shape: s, Most: math.MaxInt})
		return true
	case k == shape.Pointer && key.Quoted && legacy:
		quote(c, n, decode.Key{Shape: s, Most: key.Most, Quoted: true})
		return true
	case k == shape.Bytes:
		if !mode.IsBytes(s) {
			n.Op, n.Elem = decode.NodeSlice, c.Nested(s.Elem, math.MaxInt)
			return true
		}
		n.Op, n.Decode, n.Elem = decode.NodeBytes, readBytes, c.Nested(s.Elem, math.MaxInt)
		return true
	case k == shape.Interface && s.Sum == nil:
		n.Op, n.Decode = decode.NodeInterface, intoInterface
		return true
	case k == shape.Array && s.Elem.Kind == shape.Uint8:
		if mode.Flags&option.FormatByteArrayAsArray == 0 && mode.IsBytes(s) {
			n.Op, n.Decode, n.Elem = opCustom, readByteArray, c.Nested(s.Elem, math.MaxInt)
			return true
		}
	case k == shape.Chan, k == shape.Func, k == shape.UnsafePointer, k == shape.Complex64, k == shape.Complex128, k == shape.Invalid:
		refuse(n, nil)
		return true
	case k == shape.Map:
		n.Op, n.Decode, n.Elem = decode.NodeMap, readMap, c.Nested(s.Elem, math.MaxInt)
		n.Keys = c.Node(decode.Key{Shape: s.Key, Methods: true, Most: math.MaxInt, Name: true})
		n.Key = decode.KeyMethod
		if n.Keys.Op == decode.NodeString {
			n.Key = decode.KeyString
			n.Fill = decode.FillOf(s, n.Elem)
		}
		return true
	}
	return false
}

// Operations of version 2.
const (
	opCustom = decode.NodeCustom + iota
	// opQuoted is for a scalar in a JSON string.
	opQuoted
)

// plainNode is the value of Key.Declined for the element of a quoted scalar. The element decodes the
// scalar inside the quotes, and calls no functions or methods.
const plainNode = 3

// quote makes n the node of a scalar in a JSON string. key identifies the node of the scalar.
func quote(c *decode.Compiler, n *decode.Node, key decode.Key) {
	key.Methods, key.Declined = true, plainNode
	n.Op, n.Decode, n.Elem = opQuoted, quoted, c.Node(key)
}

// refuse makes n the node of a type that cannot be decoded, for the given reason or nil.
func refuse(n *decode.Node, fault error) {
	n.Op, n.Fault, n.Decode, n.Null, n.Once = opCustom, fault, refused, refusedNull, true
}

// compiler implements [decode.Rules].
type compiler struct{}

// Members implements [decode.Rules].
func (compiler) Members(s *shape.Shape) ([]shape.Member, *shape.Member) {
	return s.Object().Members, s.Object().Rest
}

// Quoted implements [decode.Rules]. Custom compiles fields with the tag option "string".
func (compiler) Quoted() decode.Row { return nil }

// Fault implements [decode.Rules].
func (compiler) Fault(k *rules.Key, s *shape.Shape) *shape.Fault { return k.FaultOf(s) }
