package call

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
	if key.Declined == 0 {
		if calls := mode.Types.Of(s.Type); len(calls) > 0 {
			key.Declined = 1
			n.Op, n.Calls, n.Pointer, n.Elem = decode.NodeFunctions, calls, mem.AddressTypeOf(s.Type), c.Node(key)
			return true
		}
	}
	switch {
	case s.Type == rules.NumberType && key.Name && mode.Flags&option.CallMethodsWithLegacySemantics != 0:
		n.Op = decode.NodeString // version 1 does not call Number's methods for a member name
		return true
	case s.Type == rules.NumberType:
		n.Op = decode.NodeNumber
		n.Quoted = key.Name || mode.Flags&option.StringifyNumbers != 0 || key.Quoted && mode.Flags&rules.PlainNumbers == 0
		return true
	case s.Kind == shape.Option, s.Union != nil:
		return false
	case s.Kind == shape.Time:
		if key.Quoted && mode.Flags&option.ReportErrorsWithLegacySemantics == 0 {
			n.Op, n.Fault = decode.NodeFail, rules.ErrString
		} else {
			n.Op = decode.NodeTime
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
		n.Op, n.Methods, n.Pointer, n.Quoted = decode.NodeMethods, methods, mem.AddressTypeOf(s.Type), key.Quoted
		if methods[0] <= rules.MethodStandard {
			key.Declined = 2
			n.Elem = c.Node(key)
		}
		return true
	}
	switch {
	case s.Type == rules.DurationType && mode.Flags&option.FormatDurationAsNano == 0:
		n.Op, n.Fault = decode.NodeFail, rules.ErrDuration
		return true
	case key.Quoted && mode.RefusesString(s):
		n.Op, n.Fault = decode.NodeFail, rules.ErrString
		return true
	}
	legacy := mode.Flags&option.StringifyWithLegacySemantics != 0
	switch k := s.Kind; {
	case k >= shape.Int8 && k <= shape.Float64:
		if key.Quoted || key.Name || mode.Flags&option.StringifyNumbers != 0 {
			n.Op, n.Elem = decode.NodeQuoted, c.Node(decode.Key{Shape: s, Methods: true, Most: math.MaxInt, Declined: decode.PlainNode})
			return true
		}
	case (k == shape.Bool || k == shape.String) && key.Quoted && legacy:
		n.Op, n.Elem = decode.NodeQuoted, c.Node(decode.Key{Shape: s, Methods: true, Most: math.MaxInt, Declined: decode.PlainNode})
		return true
	case k == shape.Pointer && key.Quoted && legacy:
		n.Op, n.Elem = decode.NodeQuoted, c.Node(decode.Key{Shape: s, Methods: true, Most: key.Most, Quoted: true, Declined: decode.PlainNode})
		return true
	case k == shape.Bytes:
		if !mode.IsBytes(s) {
			n.Op, n.Elem = decode.NodeSlice, c.Node(decode.Key{Shape: s.Elem, Methods: true, Most: math.MaxInt})
			return true
		}
	case k == shape.Array && s.Elem.Kind == shape.Uint8:
		if mode.Flags&option.FormatByteArrayAsArray == 0 && mode.IsBytes(s) {
			n.Op, n.Elem = decode.NodeByteArray, c.Node(decode.Key{Shape: s.Elem, Methods: true, Most: math.MaxInt})
			return true
		}
	case k == shape.Chan, k == shape.Func, k == shape.UnsafePointer, k == shape.Complex64, k == shape.Complex128, k == shape.Invalid:
		n.Op = decode.NodeFail
		return true
	case k == shape.Map:
		n.Op = decode.NodeMap
		n.Elem = c.Node(decode.Key{Shape: s.Elem, Methods: true, Most: math.MaxInt})
		n.Keys = c.Node(decode.Key{Shape: s.Key, Methods: true, Most: math.MaxInt, Name: true})
		n.Key = decode.KeyMethod
		if n.Keys.Op == decode.NodeString {
			n.Key = decode.KeyString
			n.Fill = c.Mode.FillOf(s, n.Elem)
		}
		return true
	}
	return false
}

// compiler implements [decode.Rules].
type compiler struct{}

// Fault implements [decode.Rules].
func (compiler) Fault(k *rules.Key, s *shape.Shape) *shape.Fault { return k.FaultOf(s) }
