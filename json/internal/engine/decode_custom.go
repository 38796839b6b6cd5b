package engine

import (
	"math"
	"reflect"
	"slices"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// custom makes a node of v2 that functions or methods decode, or that v2 refuses. It reports
// whether it did.
func (customNodes) custom(c *nodeCompiler, key nodeKey, n *Node) bool {
	s, mode := key.shape, c.mode
	if key.declined == 0 {
		if calls := mode.types.of(s.Type); len(calls) > 0 {
			key.declined = 1
			n.op, n.calls, n.pointer, n.elem = nodeFunctions, calls, mem.AddressTypeOf(s.Type), c.node(key)
			return true
		}
	}
	switch {
	case s.Type == numberType && key.name && mode.flags&option.CallMethodsWithLegacySemantics != 0:
		n.op = nodeString // as the methods of Number are not called for names
		return true
	case s.Type == numberType:
		n.op = nodeNumber
		n.quoted = key.name || mode.flags&option.StringifyNumbers != 0 || key.quoted && mode.flags&plainNumbers == 0
		return true
	case s.Kind == shape.Option, s.Union != nil:
		return false
	case s.Kind == shape.Time:
		if key.quoted && mode.flags&option.ReportErrorsWithLegacySemantics == 0 {
			n.op, n.fault = nodeFail, errString
		} else {
			n.op = nodeTime
		}
		return true
	case key.declined <= 1:
		methods := decodeMethods(s.Type)
		if key.name && mode.flags&option.CallMethodsWithLegacySemantics != 0 {
			methods = slices.DeleteFunc(methods, func(m methodForm) bool { return m <= methodJSON })
		}
		if len(methods) == 0 {
			break
		}
		n.op, n.methods, n.pointer, n.quoted = nodeMethods, methods, mem.AddressTypeOf(s.Type), key.quoted
		if methods[0] <= methodStandard {
			key.declined = 2
			n.elem = c.node(key)
		}
		return true
	}
	switch {
	case s.Type == durationType && mode.flags&option.FormatDurationAsNano == 0:
		n.op, n.fault = nodeFail, errDuration
		return true
	case key.quoted && mode.refusesString(s):
		n.op, n.fault = nodeFail, errString
		return true
	}
	legacy := mode.flags&option.StringifyWithLegacySemantics != 0
	switch k := s.Kind; {
	case k >= shape.Int8 && k <= shape.Float64:
		if key.quoted || key.name || mode.flags&option.StringifyNumbers != 0 {
			n.op, n.elem = nodeQuoted, c.node(nodeKey{shape: s, methods: true, most: math.MaxInt, declined: plainNode})
			return true
		}
	case (k == shape.Bool || k == shape.String) && key.quoted && legacy:
		n.op, n.elem = nodeQuoted, c.node(nodeKey{shape: s, methods: true, most: math.MaxInt, declined: plainNode})
		return true
	case k == shape.Bytes:
		if !mode.isBytes(s) {
			n.op, n.elem = nodeSlice, c.node(nodeKey{shape: s.Elem, methods: true, most: math.MaxInt})
			return true
		}
	case k == shape.Array && s.Elem.Kind == shape.Uint8:
		if mode.flags&option.FormatByteArrayAsArray == 0 && mode.isBytes(s) {
			n.op, n.elem = nodeByteArray, c.node(nodeKey{shape: s.Elem, methods: true, most: math.MaxInt})
			return true
		}
	case k == shape.Chan, k == shape.Func, k == shape.UnsafePointer, k == shape.Complex64, k == shape.Complex128, k == shape.Invalid:
		n.op = nodeFail
		return true
	case k == shape.Map:
		n.op = nodeMap
		n.elem = c.node(nodeKey{shape: s.Elem, methods: true, most: math.MaxInt})
		n.keys = c.node(nodeKey{shape: s.Key, methods: true, most: math.MaxInt, name: true})
		n.key = keyMethod
		if n.keys.op == nodeString {
			n.key = keyString
			n.fill = fillOf(s, n.elem)
		}
		return true
	}
	return false
}

// plainNode in a nodeKey asks for the node of a scalar itself.
const plainNode = 3

// isBytes reports whether a slice or an array of bytes is read from base64.
func (m *decodeMode) isBytes(s *shape.Shape) bool {
	return m.flags&option.FormatBytesWithLegacySemantics != 0 || s.Elem.Type.PkgPath() == ""
}

// StartCall decodes data into what v points to by the options of v2. Last says that nothing
// may come behind the value. At is the place of data in a stream, if it is a part of one;
// end is how long the value is, and status what the index knows of it.
func (d *decoder) StartCall(c *DecodeCall, data []byte, v reflect.Value, end int, status syntax.Status, at *stream.Decoder) error {
	d.use(c, at)
	d.data, d.text, d.broken = data, data, -1
	if at != nil {
		d.offset = at.NextOffset()
	}
	if status != syntax.Complete {
		d.broken = d.Index.Break(data, d.readErr != nil)
		d.data = append(slices.Clone(data), 0)
		// Behind a number that starts with zero there may be digits, which are none of its.
		if words := d.Index.Words(); d.broken > 0 {
			w := words[d.broken-1]
			if pos := w.Pos(); pos < len(data) && (data[pos] == '0' || data[pos] == '-') {
				if end := w.NumberEnd(data); end < len(data) && data[end]-'0' <= 9 {
					d.data[end] = 0
				}
			}
		}
	} else {
		d.data = data[:end:end] // as a number that starts with zero may have digits behind it
	}
	d.words = d.Index.Words()
	trailing := at == nil && syntax.SkipSpace(data, end) < len(data)
	if trailing && status == syntax.Complete && d.has(option.ReportErrorsWithLegacySemantics) && d.strict(0, len(d.words)) {
		return d.trailing(end)
	}
	if err := d.run(0, v); err != nil || !trailing {
		return err
	}
	return d.trailing(end)
}

// use makes d decode by the options of v2. At is the stream that the value is a part of, or
// nil.
func (d *decoder) use(c *DecodeCall, at *stream.Decoder) {
	d.call, d.from, d.prefix, d.on = *c, at, nil, c.Set.On
	if d.has(option.WithinCall) {
		d.on &^= option.CheckMembers // a method decides by itself what it lacks
	}
}

// run decodes the value at t into what v points to.
func (d *decoder) run(t int, v reflect.Value) error {
	if d.has(option.ReportErrorsWithLegacySemantics) && !d.checked {
		// What is wrong with the text goes before what is wrong with values.
		if after := d.after(t); d.broken >= 0 && after >= d.broken || !d.strict(t, after) {
			return d.syntax(0)
		}
		d.checked = true
	}
	n := d.call.mode.node(v.Type().Elem())
	if _, err := d.value(n, t, mem.OfPointer(v), 0); err != nil {
		return err
	}
	if d.saved == nil && d.members != nil {
		return d.membersError(t)
	}
	return d.saved
}

// node returns the node for a type.
func (m *decodeMode) node(t reflect.Type) *Node {
	if n := m.nodes.Get(t); n != nil {
		return n
	}
	c := nodeCompiler{mode: m, nodes: map[nodeKey]*Node{}, limited: m.flags&option.ByTags != 0}
	n := c.node(nodeKey{shape: shape.Of(t), methods: true, most: math.MaxInt, name: m.name})
	n.direct = mayBeDirect(n)
	return m.nodes.Put(t, n)
}

// valueV2 decodes a value by a node of a kind that v1 does not have.
func (d *decoder) valueV2(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	switch n.op {
	case nodeFunctions:
		return d.functions(n, t, a, off)
	case nodeMethods:
		return d.methods(n, t, a, off)
	case nodeQuoted:
		return d.after(t), d.quotedV2(n, t, a, off)
	case nodeByteArray:
		if d.data[d.words[t].Pos()] == '[' && d.has(option.FormatBytesWithLegacySemantics) {
			return d.arrayInto(n, t, a, off)
		}
		return d.after(t), d.byteArray(n, t, a, off)
	}
	form := beforeRead
	if n.fault == nil && d.has(option.ReportErrorsWithLegacySemantics) {
		form = ofWhole
	}
	return d.after(t), d.refuse(t, n.shape.Type, n.fault, form)
}

func (d *Decoder) has(f option.Flag) bool { return d.on&f != 0 }

// merges reports whether null leaves what cannot be nil as it is, and values are merged by
// the rules of v1.
func (d *Decoder) merges() bool { return d.v2 == nil || d.has(option.MergeWithLegacySemantics) }

// uniqueNames reports whether no object may have a name twice.
func (d *Decoder) uniqueNames() bool { return d.v2 != nil && !d.has(option.AllowDuplicateNames) }

// onlyUTF8 reports whether strings must be of Unicode characters.
func (d *decoder) onlyUTF8() bool { return d.v2 != nil && !d.has(option.AllowInvalidUTF8) }

// strict reports whether the options of v2 take the strings and names of words[t:end].
func (d *decoder) strict(t, end int) bool {
	names, utf := d.uniqueNames(), d.onlyUTF8()
	if !names && !utf {
		return true
	}
	if d.words[t].Pos() < len(d.data) {
		if c := d.data[d.words[t].Pos()]; c != '{' && c != '[' && c != '"' {
			return true
		}
	}
	return stream.Strict(d.data, d.words, t, end, names, utf, &d.inText)
}

// isUnicode reports whether the string at t is of Unicode characters, or need not be.
func (d *decoder) isUnicode(t int) bool {
	w := d.words[t]
	return w.Plain() || !d.onlyUTF8() || stream.IsUnicode(d.data, w)
}
