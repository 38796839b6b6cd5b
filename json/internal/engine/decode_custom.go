package engine

import (
	"encoding"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/jsontext"
	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/json/internal/hatch"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
	text "github.com/hone-go/hone/json/jsontext"
	"github.com/hone-go/hone/shape"
)

// An UnmarshalerFrom reads itself from a stream of tokens.
type UnmarshalerFrom interface{ UnmarshalJSONFrom(*text.Decoder) error }

var unmarshalerFromType = reflect.TypeFor[UnmarshalerFrom]()

// decodeMethods returns the methods of a pointer to t, in the order in which they are asked.
func decodeMethods(t reflect.Type) (list []methodForm) {
	if k := t.Kind(); k == reflect.Pointer || k == reflect.Interface {
		return nil
	}
	p := reflect.PointerTo(t)
	if p.Implements(unmarshalerFromType) {
		list = append(list, methodStream)
	}
	if readsItself(p) {
		list = append(list, methodStandard)
	}
	if p.Implements(unmarshaler) {
		list = append(list, methodJSON)
	}
	if p.Implements(textUnmarshaler) {
		list = append(list, methodText)
	}
	return list
}

// custom makes a node of v2 that functions or methods decode, or that v2 refuses. It reports
// whether it did.
func (c *nodeCompiler) custom(key nodeKey, n *Node) bool {
	s, mode := key.shape, c.mode
	if key.declined == 0 {
		if calls := mode.types.of(s.Type); len(calls) > 0 {
			key.declined = 1
			n.op, n.calls, n.elem = nodeFunctions, calls, c.node(key)
			return true
		}
	}
	switch {
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
		n.op, n.methods, n.quoted = nodeMethods, methods, key.quoted
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
		n.key = keyText
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
func (d *Decoder) StartCall(c *Call, data []byte, v reflect.Value, end int, status jsontext.Status, at *stream.Decoder) error {
	d.held = *c
	d.call, d.v2, d.from = &d.held, true, at
	d.data, d.text, d.on = data, data, c.Set.On
	d.broken = -1
	if at != nil {
		d.offset = at.NextOffset()
	}
	if status != jsontext.Complete {
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
	if c.Set.Has(option.ReportErrorsWithLegacySemantics) {
		if status != jsontext.Complete || !d.strict(0, len(d.words)) {
			return d.syntax(0)
		}
		if at == nil && jsontext.SkipSpace(data, end) < len(data) {
			return d.trailing()
		}
	}
	n := c.decode.node(v.Type().Elem())
	_, err := d.value(n, 0, mem.OfPointer(v), 0)
	if err == nil {
		err = d.saved
	}
	if err != nil {
		return err
	}
	if at == nil && jsontext.SkipSpace(data, end) < len(data) {
		return d.trailing()
	}
	return nil
}

// node returns the node for a type.
func (m *decodeMode) node(t reflect.Type) *Node {
	if n := m.nodes.Get(t); n != nil {
		return n
	}
	c := nodeCompiler{mode: m, nodes: map[nodeKey]*Node{}}
	return m.nodes.Put(t, c.node(nodeKey{shape: shape.Of(t), methods: true, most: math.MaxInt, name: m.name}))
}

func (d *Decoder) has(f option.Flag) bool { return d.on&f != 0 }

// merges reports whether null leaves what cannot be nil as it is, and values are merged by
// the rules of v1.
func (d *Decoder) merges() bool { return !d.v2 || d.has(option.MergeWithLegacySemantics) }

// uniqueNames reports whether no object may have a name twice.
func (d *Decoder) uniqueNames() bool { return d.v2 && !d.has(option.AllowDuplicateNames) }

// onlyUTF8 reports whether strings must be of Unicode characters.
func (d *Decoder) onlyUTF8() bool { return d.v2 && !d.has(option.AllowInvalidUTF8) }

// strict reports whether the options of v2 take the strings and names of words[t:end].
func (d *Decoder) strict(t, end int) bool {
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
func (d *Decoder) isUnicode(t int) bool {
	return !d.onlyUTF8() || d.words[t].Plain() || d.strict(t, t+1)
}

// readable returns the error of v2 for the value at t, if that cannot be read: as a whole,
// or its first token.
func (d *Decoder) readable(t int, whole bool) error {
	switch c := d.data[d.words[t].Pos()]; {
	case t == d.broken && whole:
		return d.syntax(d.posOf(t))
	case t == d.broken:
		return d.syntax(-1)
	case c == '"':
		if !d.isUnicode(t) {
			return d.syntax(-1)
		}
	case (c == '{' || c == '[') && whole:
		after := jsontext.After(d.words, t)
		if d.broken >= 0 && after > d.broken || !d.strict(t, after) {
			return d.syntax(d.words[t].Pos())
		}
	}
	return nil
}

// brokenValue returns the error for the value where the text breaks, which is read token by
// token if it is an array or an object.
func (d *Decoder) brokenValue() error {
	at := d.posOf(d.broken)
	if k := d.brokenKind; k == '{' || k == '[' {
		at = -1
	}
	return d.syntax(at)
}

// skip returns the word behind the value at t, which is not decoded.
func (d *Decoder) skip(t int) (int, error) {
	if t == d.broken {
		return t, d.brokenValue()
	}
	after := d.after(t)
	if d.v2 && (d.broken >= 0 && after > d.broken || !d.strict(t, after)) {
		return after, d.syntax(-1)
	}
	return after, nil
}

// syntax returns what a stream of tokens says of the text. The value at the position whole,
// if it is not negative, is read as one.
func (d *Decoder) syntax(whole int) error {
	from := d.from
	if from == nil {
		from = &stream.Decoder{Set: d.call.Set}
		from.SetText(d.text)
	} else if d.prefix == nil {
		prefix := from.PointerTo(stream.Next)
		d.prefix = &prefix
	}
	for {
		d.brokenKind = from.PeekKind()
		at := from.NextOffset() - d.offset
		d.brokenAt = int(at)
		var err error
		if whole >= 0 && at >= int64(whole) {
			_, err = from.ReadValue()
		} else {
			_, err = from.ReadToken()
		}
		switch {
		case err == nil && whole >= 0 && at >= int64(whole) && from.StackDepth() == 0:
			return d.unread()
		case err == nil:
			continue
		case err == io.EOF && d.from == nil:
			return d.unread()
		case d.readErr != nil && errors.Is(err, io.ErrUnexpectedEOF):
			return d.readErr
		}
		return err
	}
}

// unread returns the error for a text that ends where a value should be.
func (d *Decoder) unread() error {
	if d.readErr != nil {
		return d.readErr
	}
	return &stream.SyntacticError{ByteOffset: int64(len(d.text)), Err: io.ErrUnexpectedEOF}
}

// trailing returns the error for what comes behind the value.
func (d *Decoder) trailing() error {
	from := &stream.Decoder{Set: d.call.Set}
	from.SetText(d.text)
	if _, err := from.ReadValue(); err != nil {
		return err
	}
	return from.CheckEnd()
}

// pointerAt returns the pointer to the value at a position or, if name is set, to the member
// whose name is there.
func (d *Decoder) pointerAt(pos int, name bool) stream.Pointer {
	var prefix stream.Pointer
	if d.prefix != nil {
		prefix = *d.prefix
	} else if d.from != nil {
		prefix = d.from.PointerTo(stream.Next)
	}
	d.track.Reset()
	d.track.Move(d.text, pos)
	if !name || !d.track.WantsName() {
		return prefix + d.track.Next()
	}
	end, _ := jsontext.SkipString(d.text, pos)
	d.track.Move(d.text, end)
	return prefix + d.track.Previous()
}

// posOf returns where the value at t starts, or the token that is wrong.
func (d *Decoder) posOf(t int) int {
	if t == d.broken {
		_ = d.syntax(-1)
		return d.brokenAt
	}
	return d.words[t].Pos()
}

// A misfitForm says what an error of v2 tells of a value.
type misfitForm uint8

const (
	withValue  misfitForm = 1 << iota // its text, if it is a string or a number
	ofWhole                           // it is read as a whole, and not its first token alone
	beforeRead                        // nothing of it
)

// refuse returns the error of v2 for the value at t, or saves it where others may follow.
func (d *Decoder) refuse(t int, typ reflect.Type, cause error, form misfitForm) error {
	if form&beforeRead == 0 {
		if err := d.readable(t, form&ofWhole != 0); err != nil {
			return err
		}
	}
	if d.saved != nil {
		d.misfits++
		return nil
	}
	pos := d.posOf(t)
	d.before = form&beforeRead != 0
	legacy := d.has(option.ReportErrorsWithLegacySemantics)
	e := newSemantic(true)
	e.ByteOffset, e.GoType, e.Err = d.offset+int64(pos), typ, unexpectedEnd(cause)
	e.JSONPointer = d.pointerAt(pos, form&beforeRead == 0)
	if (form&beforeRead == 0 || legacy) && pos < len(d.text) {
		e.JSONKind = stream.KindOf(d.text[pos])
	}
	if form&withValue != 0 && (e.JSONKind == '"' || e.JSONKind == '0') {
		e.JSONValue = slices.Clone(d.raw(t))
	}
	if legacy && form&beforeRead == 0 {
		if e.JSONKind == '{' || e.JSONKind == '[' {
			e.ByteOffset++
		} else {
			e.ByteOffset += int64(len(d.raw(t)))
		}
	}
	return d.refused(e)
}

// refused returns an error, or saves it where others may follow.
func (d *Decoder) refused(err error) error {
	if !d.has(option.ReportErrorsWithLegacySemantics) {
		return err
	}
	if d.misfits++; d.saved == nil {
		d.saved = err
	}
	return nil
}

// duplicateName returns the error for the name at t, which the object has already.
func (d *Decoder) duplicateName(t int) error {
	pos := d.words[t].Pos()
	return &stream.SyntacticError{ByteOffset: d.offset + int64(pos), JSONPointer: d.pointerAt(pos, true), Err: stream.ErrDuplicateName}
}

// refuseName is refuse for the name at t, of a member of the struct.
func (d *Decoder) refuseName(t int, typ reflect.Type, cause error) error {
	if d.saved != nil {
		d.misfits++
		return nil
	}
	pos := d.words[t].Pos()
	e := newSemantic(true)
	e.ByteOffset, e.GoType, e.Err, e.JSONKind = d.offset+int64(pos), typ, cause, '"'
	if d.has(option.ReportErrorsWithLegacySemantics) {
		e.ByteOffset += int64(len(d.raw(t)))
	}
	e.JSONPointer = d.pointerAt(pos, true)
	return d.refused(e)
}

// nullOfCall decodes null by the rules of v2.
func (d *Decoder) nullOfCall(n *Node, t int, a mem.Pointer, off uintptr) error {
	switch n.op {
	case nodeFunctions:
		_, err := d.functions(n, t, a, off)
		return err
	case nodeMethods:
		_, err := d.methods(n, t, a, off)
		return err
	case nodeUnion:
		return d.union(n, t, a, off)
	case nodeFail:
		if n.shape.Kind == shape.Pointer {
			a.SetNil(off)
			return nil
		}
		if d.has(option.ReportErrorsWithLegacySemantics) && n.fault == nil {
			return nil
		}
		return d.refuse(t, n.shape.Type, n.fault, beforeRead)
	}
	switch n.shape.Kind {
	case shape.Interface:
		if d.merges() {
			v := a.Value(off, n.shape.Type)
			if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() && e.Elem().Kind() == reflect.Pointer {
				e.Elem().SetZero()
				return nil
			}
		}
	case shape.Pointer, shape.Map, shape.Slice, shape.Bytes, shape.Option:
	default:
		if d.merges() {
			return nil
		}
	}
	a.Value(off, n.shape.Type).SetZero()
	return nil
}

// quotedOfCall decodes a scalar that is written as a string.
func (d *Decoder) quotedOfCall(n *Node, t int, a mem.Pointer, off uintptr) error {
	typ, scalar := n.shape.Type, n.elem
	form := ofWhole
	if scalar.op == nodeBool {
		form = 0
	}
	if d.data[d.words[t].Pos()] != '"' {
		return d.refuse(t, typ, nil, form)
	}
	if !d.isUnicode(t) {
		return d.syntax(-1)
	}
	s := string(d.textOf(t))
	legacy := d.has(option.StringifyWithLegacySemantics)
	if legacy && s == "null" {
		if !d.merges() {
			a.Value(off, typ).SetZero()
		}
		return nil
	}
	switch {
	case scalar.op == nodeBool:
		if s != "true" && s != "false" {
			return d.refuse(t, typ, strconv.ErrSyntax, withValue)
		}
		mem.Store(a, off, s == "true")
		return nil
	case scalar.op == nodeString:
		inner, err := stream.AppendUnquote(nil, []byte(s))
		if err != nil {
			return d.refuse(t, typ, &stream.SyntacticError{Err: err}, ofWhole)
		}
		mem.Store(a, off, string(inner))
		return nil
	case legacy:
		if err := parseGo(a.Value(off, typ), s); err != nil {
			return d.refuse(t, typ, err, withValue|ofWhole)
		}
		return nil
	}
	if !jsontext.ValidNumber(s) {
		return d.refuse(t, typ, strconv.ErrSyntax, withValue|ofWhole)
	}
	if storeNumber(scalar.op, []byte(s), 0, len(s), a, off) {
		return nil
	}
	return d.refuseNumber(scalar, t, s, a, off)
}

// parseGo sets v to the number that text writes in Go's syntax.
func parseGo(v reflect.Value, text string) error {
	switch bits := v.Type().Bits(); {
	case v.CanInt():
		x, err := strconv.ParseInt(text, 10, bits)
		if err != nil {
			return errors.Unwrap(err)
		}
		v.SetInt(x)
	case v.CanUint():
		x, err := strconv.ParseUint(text, 10, bits)
		if err != nil {
			return errors.Unwrap(err)
		}
		v.SetUint(x)
	default:
		x, err := strconv.ParseFloat(text, bits)
		if err != nil {
			return errors.Unwrap(err)
		}
		v.SetFloat(x)
	}
	return nil
}

// refuseNumber returns the error for a number that is not one of n's type.
func (d *Decoder) refuseNumber(n *Node, t int, number string, a mem.Pointer, off uintptr) error {
	cause := strconv.ErrRange
	switch {
	case n.op >= nodeFloat32:
		a.Value(off, n.shape.Type).SetFloat(infinity(number[0] == '-'))
	case number[0] == '-' && n.op >= nodeUint8, !isInteger(number):
		cause = strconv.ErrSyntax
	}
	return d.refuse(t, n.shape.Type, cause, withValue|ofWhole)
}

func isInteger(number string) bool {
	for i := range len(number) {
		if c := number[i]; c-'0' > 9 && c != '-' {
			return false
		}
	}
	return true
}

// refuseScalar returns the error of v2 for the value at t, which the scalar n does not take.
func (d *Decoder) refuseScalar(n *Node, t int, a mem.Pointer, off uintptr) error {
	if c := d.data[d.words[t].Pos()]; n.op <= nodeFloat64 && (c == '-' || c-'0' <= 9) {
		return d.refuseNumber(n, t, string(d.raw(t)), a, off)
	}
	form := ofWhole
	if n.op == nodeBool {
		form = 0
	}
	return d.refuse(t, n.shape.Type, nil, form)
}

// numberOfCall decodes a Number.
func (d *Decoder) numberOfCall(n *Node, t int, a mem.Pointer, off uintptr) error {
	switch c := d.data[d.words[t].Pos()]; {
	case c == '"':
		if !d.isUnicode(t) {
			return d.syntax(-1)
		}
		s := d.textOf(t)
		if !jsontext.ValidNumber(string(s)) {
			return d.refuseAsMethod(t, strconv.ErrSyntax, withValue|ofWhole)
		}
		mem.Store(a, off, d.keep(s))
	case (c == '-' || c-'0' <= 9) && !n.quoted:
		mem.Store(a, off, d.keep(d.raw(t)))
	default:
		return d.refuseAsMethod(t, nil, ofWhole)
	}
	return nil
}

// refuseAsMethod is refuse for a Number, whose method v1 does not add a place to.
func (d *Decoder) refuseAsMethod(t int, cause error, form misfitForm) error {
	if !d.has(option.ReportErrorsWithLegacySemantics) {
		return d.refuse(t, numberType, cause, form)
	}
	if err := d.readable(t, true); err != nil {
		return err
	}
	e := newSemantic(true)
	e.JSONKind, e.GoType, e.Err = stream.KindOf(d.data[d.words[t].Pos()]), numberType, cause
	if form&withValue != 0 {
		e.JSONValue = slices.Clone(d.raw(t))
	}
	return d.refused(e)
}

// timeOfCall decodes a time.
func (d *Decoder) timeOfCall(t int, v *time.Time) error {
	raw := d.raw(t)
	if len(raw) == 0 || raw[0] != '"' || !d.isUnicode(t) {
		return d.refuse(t, timeType, nil, ofWhole)
	}
	if readUTC(v, raw) {
		return nil
	}
	s := d.textOf(t)
	var read time.Time
	err := read.UnmarshalText(s)
	if err == nil && !d.has(option.ParseTimeWithLooseRFC3339) {
		err = strictTime(s)
	}
	if err != nil {
		if d.has(option.ReportErrorsWithLegacySemantics) {
			return d.refused(err)
		}
		return d.refuse(t, timeType, err, ofWhole)
	}
	*v = read
	return nil
}

// strictTime returns what is wrong with a time that package time reads and RFC 3339 does not
// have.
func strictTime(b []byte) error {
	fail := func(layout, value, message string) error {
		return &time.ParseError{Layout: time.RFC3339, Value: string(b), LayoutElem: layout, ValueElem: value, Message: message}
	}
	switch zone := b[len(b)-len("Z07:00"):]; {
	case b[len("2006-01-02T")+1] == ':':
		return fail("15", string(b[len("2006-01-02T"):][:1]), "")
	case b[len("2006-01-02T15:04:05")] == ',':
		return fail(".", ",", "")
	case b[len(b)-1] == 'Z':
	case pair(zone[1:]) >= 24:
		return fail("Z07:00", string(zone), ": timezone hour out of range")
	case pair(zone[4:]) >= 60:
		return fail("Z07:00", string(zone), ": timezone minute out of range")
	}
	return nil
}

// bytesOfCall decodes base64 into a slice of bytes.
func (d *Decoder) bytesOfCall(n *Node, t int, a mem.Pointer, off uintptr) error {
	s, err := d.base64(n, t)
	if err != nil || s == nil {
		return err
	}
	b, err := base64.StdEncoding.AppendDecode(a.Bytes(off)[:0], s)
	if err == nil {
		err = d.loose64(s, len(b))
	}
	if err != nil {
		return d.refuse(t, n.shape.Type, err, ofWhole)
	}
	if b == nil {
		b = []byte{}
	}
	a.SetBytes(off, b)
	return nil
}

// base64 returns the text of a string that should be base64, nil if an error was saved.
func (d *Decoder) base64(n *Node, t int) ([]byte, error) {
	if d.data[d.words[t].Pos()] != '"' || !d.isUnicode(t) {
		return nil, d.refuse(t, n.shape.Type, nil, ofWhole)
	}
	s := d.textOf(t)
	if s == nil {
		s = []byte{}
	}
	return s, nil
}

// loose64 returns the error for line ends in base64, unless they are allowed.
func (d *Decoder) loose64(s []byte, size int) error {
	if len(s) == base64.StdEncoding.EncodedLen(size) || d.has(option.ParseBytesWithLooseRFC4648) {
		return nil
	}
	for i, c := range s {
		if c == '\r' || c == '\n' {
			return fmt.Errorf("illegal character %s at offset %d", stream.QuoteRune(s[i:]), i)
		}
	}
	return nil
}

// byteArray decodes base64 into an array of bytes.
func (d *Decoder) byteArray(n *Node, t int, a mem.Pointer, off uintptr) error {
	s, err := d.base64(n, t)
	if err != nil || s == nil {
		return err
	}
	dst := a.Array(off, n.shape.Len)
	b, err := base64.StdEncoding.AppendDecode(dst[:0:len(dst)], s)
	if err == nil {
		err = d.loose64(s, len(b))
	}
	if err == nil {
		clear(dst[copy(dst, b):])
	}
	a.PutArray(off, dst)
	if err != nil {
		return d.refuse(t, n.shape.Type, err, ofWhole)
	}
	if len(b) != len(dst) && !d.has(option.UnmarshalArrayFromAnyLength) {
		return d.refuse(t, n.shape.Type, fmt.Errorf("decoded length of %d mismatches array length of %d", len(b), len(dst)), ofWhole)
	}
	return nil
}

var (
	errNotString   = errors.New("JSON value must be string type")
	errTooFew      = errors.New("too few array elements")
	errTooMany     = errors.New("too many array elements")
	errNilField    = errors.New("cannot set embedded pointer to unexported struct type")
	errFiniteTypes = errors.New("cannot derive concrete type for nil interface with finite type set")
)

// arrayLength returns the error for the array at t, which has not as many elements as n.
// It outweighs errors of the elements.
func (d *Decoder) arrayLength(n *Node, t int, cause, before error) error {
	if d.has(option.UnmarshalArrayFromAnyLength) {
		return nil
	}
	if d.saved = before; before != nil {
		return nil
	}
	end := jsontext.End(d.words, t) - 1
	e := newSemantic(true)
	e.ByteOffset, e.GoType, e.Err, e.JSONKind = d.offset+int64(end), n.shape.Type, cause, ']'
	if d.has(option.ReportErrorsWithLegacySemantics) {
		e.ByteOffset++
	}
	e.JSONPointer = d.pointerAt(d.words[t].Pos(), false)
	return d.refused(e)
}

// A readerOfTokens is a stream that a method or a function is given.
type readerOfTokens struct {
	decoder text.Decoder
	s       *stream.Decoder
	place   decodePlace
}

var readers = sync.Pool{New: func() any {
	r := new(readerOfTokens)
	r.s = hatch.Decoder(&r.decoder)
	return r
}}

// A decodePlace tells where in the text a stream starts.
type decodePlace struct {
	d     *Decoder
	pos   int
	depth int // plus one, 0 if it was not asked for
}

func (p *decodePlace) track() *stream.Track {
	p.d.track.Move(p.d.data, p.pos)
	return &p.d.track
}

func (p *decodePlace) Depth() int {
	if p.depth == 0 {
		p.depth = p.track().Depth() + 1
		if p.d.from != nil {
			p.depth += p.d.from.StackDepth()
		}
	}
	return p.depth - 1
}

func (p *decodePlace) Levels(to *stream.Levels) {
	if p.d.from != nil {
		to.AddDecoder(p.d.from)
	}
	to.AddTrack(p.track())
}

func (p *decodePlace) Level(i int) (object bool, count int64, name []byte) {
	depth := 0
	if o := p.d.from; o != nil {
		if depth = o.StackDepth(); i <= depth {
			object, count, name = o.LevelAt(i)
		}
	}
	switch {
	case i < depth:
		return object, count, name
	case i == depth:
		_, more, _ := p.track().Level(0)
		return object, count + more, name
	}
	return p.track().Level(i - depth)
}

// tokens lets a method or a function read the value at t from a stream.
func (d *Decoder) tokens(t int, typ reflect.Type, stringed, name bool, read func(*text.Decoder) error) error {
	pos := d.words[t].Pos()
	end, whole := len(d.text), false
	if t != d.broken {
		if after := d.after(t); (d.broken < 0 || after <= d.broken) && (d.text[pos] != '"' || d.isUnicode(t)) {
			end, whole = d.end(t), true
		}
	} else if jsontext.SkipSpace(d.text, 0) == len(d.text) {
		return d.syntax(-1)
	} else {
		pos = d.posOf(t)
	}
	r := readers.Get().(*readerOfTokens)
	r.place = decodePlace{d: d, pos: pos}
	r.s.Set = d.call.Set
	r.s.SetPart(d.text[pos:end:end], d.offset+int64(pos), d.lead(pos), &r.place)
	r.s.On |= option.WithinCall
	if stringed {
		r.s.Put(option.StringifyNumbers, true)
	}
	if name {
		r.s.StartName()
	}
	if k := d.brokenKind; t == d.broken && (k == 0 || k == '}' || k == ']') {
		r.s.Fail(d.syntax(pos)) // as it depends on what is around
	}
	finished := false
	defer func() {
		if finished { // or someone may still hold it
			r.s.Set = option.Set{}
			r.s.SetText(nil)
			r.place = decodePlace{}
			readers.Put(r)
		}
	}()
	err := read(&r.decoder)
	finished = true
	count, depth := r.s.Values()
	if err == nil {
		if count == 1 && depth == 0 {
			if t == d.broken {
				return d.syntax(-1)
			}
			return nil
		}
		err = errSingle
	} else if errors.Is(err, errors.ErrUnsupported) {
		if count == 0 && depth == 0 {
			return errDeclined
		}
		err = errMutation
	}
	if d.has(option.ReportErrorsWithLegacySemantics) {
		return d.refused(err)
	}
	if isSyntactic(err) {
		if !whole && d.readErr != nil && errors.Is(err, io.ErrUnexpectedEOF) {
			return d.readErr
		}
		return err
	}
	s, _ := err.(*SemanticError)
	if s == nil {
		s = &SemanticError{Err: err}
	}
	made := says(s, true)
	made.Err = unexpectedEnd(made.Err)
	if made.ByteOffset == 0 {
		last := r.s.LastText()
		made.ByteOffset = r.s.InputOffset() - int64(len(last))
		if count == 0 && depth == 0 || len(last) == 0 {
			made.ByteOffset = r.s.NextOffset()
		}
	}
	if made.JSONPointer == "" {
		where := stream.Ambiguous
		switch {
		case depth == 0 && count == 0:
			where = stream.Next
		case depth == 0 && count == 1:
			where = stream.Previous
		}
		made.JSONPointer = r.s.PointerTo(where)
	}
	if made.GoType == nil {
		made.GoType = typ
	}
	return made
}

// lead returns how many bytes in front of a position separate it from the token before.
func (d *Decoder) lead(pos int) int {
	n := pos
	for n > 0 && strings.IndexByte(" \t\r\n,:", d.text[n-1]) >= 0 {
		n--
	}
	return pos - n
}

func isSyntactic(err error) bool {
	switch err.(type) {
	case *stream.SyntacticError, *stream.IOError:
		return true
	}
	return false
}

// functions decodes by the functions of the call.
func (d *Decoder) functions(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	p := a.Addr(off, n.shape.Type)
	for _, i := range n.calls {
		f := &d.call.from.list[i]
		if f.From == nil {
			if err := d.readable(t, true); err != nil {
				return t, err
			}
			return d.after(t), d.byBytes(t, f.Type, "UnmarshalFunc", func(raw []byte) error { return f.Text(raw, p) })
		}
		err := d.tokens(t, f.Type, false, n.name, func(from *text.Decoder) error { return f.From(from, p) })
		if err != errDeclined {
			return d.after(t), err
		}
	}
	return d.value(n.elem, t, a, off)
}

// byBytes decodes by a method or a function that takes the text of the value.
func (d *Decoder) byBytes(t int, typ reflect.Type, by string, read func([]byte) error) error {
	err := read(d.raw(t))
	if err == nil {
		return nil
	}
	if errors.Is(err, errors.ErrUnsupported) {
		err = errors.New(unsupportedBy[by] + " may not return errors.ErrUnsupported")
	}
	if d.has(option.ReportErrorsWithLegacySemantics) {
		return d.refused(err)
	}
	made := d.refuse(t, typ, err, ofWhole)
	outer, ok := made.(*SemanticError)
	inner, both := err.(*SemanticError)
	if ok && both { // whose places are those in the value
		collapsed := copyOf(inner)
		collapsed.ByteOffset += outer.ByteOffset
		collapsed.JSONPointer = outer.JSONPointer + inner.JSONPointer
		return collapsed
	}
	return made
}

// methods decodes by the methods of the value, or by n.elem where they decline.
func (d *Decoder) methods(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	typ := n.shape.Type
	p := a.Addr(off, typ)
	for _, m := range n.methods {
		switch m {
		case methodStream:
			err := d.tokens(t, typ, n.quoted, n.name, func(from *text.Decoder) error { return p.(UnmarshalerFrom).UnmarshalJSONFrom(from) })
			if err == errDeclined {
				continue
			}
			return d.after(t), err
		case methodStandard:
			if err := d.readable(t, true); err != nil {
				return t, err
			}
			return d.after(t), d.byBytes(t, typ, "UnmarshalJSONFrom", func(raw []byte) error { return d.standardRead(p, raw, n.quoted) })
		case methodJSON:
			if err := d.readable(t, true); err != nil {
				return t, err
			}
			return d.after(t), d.byBytes(t, typ, "UnmarshalJSON", p.(Unmarshaler).UnmarshalJSON)
		case methodText:
			return d.after(t), d.byText(n, t, a, off, p.(encoding.TextUnmarshaler))
		}
	}
	return d.value(n.elem, t, a, off)
}

// byText decodes by a text method.
func (d *Decoder) byText(n *Node, t int, a mem.Pointer, off uintptr, p encoding.TextUnmarshaler) error {
	typ := n.shape.Type
	switch c := d.data[d.words[t].Pos()]; {
	case c == 'n':
		if !d.merges() {
			a.Value(off, typ).SetZero()
		}
		return nil
	case c != '"' || !d.isUnicode(t):
		return d.refuse(t, typ, errNotString, ofWhole)
	}
	err := p.UnmarshalText(slices.Clone(d.textOf(t)))
	if err == nil {
		return nil
	}
	if errors.Is(err, errors.ErrUnsupported) {
		err = errors.New(unsupportedBy["UnmarshalText"] + " may not return errors.ErrUnsupported")
	}
	if _, ok := err.(*SemanticError); ok || isSyntactic(err) || d.has(option.ReportErrorsWithLegacySemantics) {
		return d.refused(err)
	}
	return d.refuse(t, typ, err, ofWhole)
}
