package engine

import (
	"bytes"
	"encoding"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// A Decoder is the state of one decode. Its methods take the index of a value's
// first word and return that of the word after the value. An error that they
// return ends the decode; one that is saved does not.
type Decoder struct {
	data    []byte
	Index   syntax.Index
	words   []syntax.Word // of the index
	on      option.Flag
	saved   error        // the first
	savedAt int          // the position in the text that saved is about; -1 for none
	top     reflect.Type // of the pointer that was handed over
	root    reflect.Type // that a text method of the root reports
	Space   int          // in front of the value, in a stream
	Lent    bool         // parts of data have been given to methods, which may keep them
	scratch []byte       // of unquoted strings
	kept    kept

	// Those of one pass.
	depth int // of the arrays and objects that are open
	rooms [rooms]room

	v2     version2 // nil by the rules of v1
	others []int    // the words of names that are no fields, of the objects around

	// Of an object with many of them.
	otherNames map[string]struct{}
	otherFrom  int // where the object's names start in others
	otherCount int // up to where they are in otherNames

	// members lists what option.CheckMembers has found.
	members []MemberError

	// trail lists the fields that are being decoded, each inside the one
	// before: where errors happen.
	trail []*field
}

var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// Take returns a Decoder for one value.
func Take() *Decoder { return decoders.Get().(*Decoder) }

// maxWords is how large an index is kept for the next decode.
const maxWords = 1 << 20

// Release makes the decoder ready for the next call.
func (d *Decoder) Release() {
	d.reset()
	decoders.Put(d)
}

// reset makes the decoder ready for the next call. It keeps nothing of this
// one but memory that nobody else can write to.
func (d *Decoder) reset() {
	if d.Index.Cap() > maxWords {
		d.Index = syntax.Index{}
	}
	if cap(d.scratch) > buffer.Large {
		d.scratch = nil
	}
	d.Space, d.Lent = 0, false
	d.members = nil
	d.data, d.words, d.saved, d.top, d.root, d.trail = nil, nil, nil, nil, nil, d.trail[:0]
}

// start decodes data, which has been indexed, into what v points to, by n if it
// is not nil.
func (d *Decoder) start(data []byte, v reflect.Value, n *Node, on option.Flag) error {
	switch {
	case !v.IsValid():
		return &InvalidUnmarshalError{}
	case v.Kind() != reflect.Pointer || v.IsNil():
		return &InvalidUnmarshalError{Type: v.Type()}
	case n == nil:
		n = rootNode(v.Type(), on)
	}
	d.data, d.words, d.on, d.top, d.root = data, d.Index.Words(), on, v.Type(), v.Type()
	if _, err := d.value(n, 0, mem.OfPointer(v), 0); err != nil {
		return d.inContext(err)
	}
	if d.saved == nil && d.members != nil {
		return d.membersError(0)
	}
	return d.placed(d.saved)
}

func (d *Decoder) save(err error) {
	if d.saved == nil {
		d.saved, d.savedAt = d.inContext(err), -1
	}
}

// misfit saves that the value that begins or ends at offset, less one, does not fit the
// type.
func (d *Decoder) misfit(value string, t reflect.Type, offset int) {
	d.misfitFor(value, t, offset, nil)
}

// misfitFor is misfit with a cause.
func (d *Decoder) misfitFor(value string, t reflect.Type, offset int, cause error) {
	if d.saved == nil {
		d.save(d.misfitError(value, t, offset, cause))
		d.savedAt = offset - 1
	}
}

// misfitOf saves that the value at t does not fit the type; number is what it
// is called if it is one. By the rules of v2 it returns that.
func (d *Decoder) misfitOf(t int, number string, typ reflect.Type) error {
	if d.v2 != nil {
		return d.v2.refuse(t, typ, nil, 0)
	}
	switch pos := d.words[t].Pos(); d.data[pos] {
	case '{':
		d.misfit("object", typ, pos+1)
	case '[':
		d.misfit("array", typ, pos+1)
	case '"':
		d.misfit("string", typ, d.end(t))
	case 't', 'f':
		d.misfit("bool", typ, d.end(t))
	case 'n':
		d.misfit("null", typ, d.end(t))
	default:
		d.misfit(number, typ, d.end(t))
	}
	return nil
}

// end returns the position after the value at t.
func (d *Decoder) end(t int) int {
	w := d.words[t]
	switch pos := w.Pos(); d.data[pos] {
	case '{', '[':
		return syntax.End(d.words, t)
	case '"':
		return w.StringEnd(d.data)
	case 't', 'n':
		return pos + len("true")
	case 'f':
		return pos + len("false")
	}
	return w.NumberEnd(d.data)
}

// after returns the index of the word after the value at t.
func (d *Decoder) after(t int) int {
	if c := d.data[d.words[t].Pos()]; c == '{' || c == '[' {
		return syntax.After(d.words, t)
	}
	return t + 1
}

// skip returns the word behind the value at t, which is not decoded.
func (d *Decoder) skip(t int) (int, error) {
	if d.v2 != nil {
		return d.v2.skipV2(t)
	}
	return d.after(t), nil
}

// isPlain reports whether a string is at t that stands for its bytes, which are ASCII.
func (d *Decoder) isPlain(t int) bool {
	w := d.words[t]
	return w.Plain() && d.data[w.Pos()] == '"'
}

// raw returns the text of the value at t, with no room behind it.
func (d *Decoder) raw(t int) []byte {
	end := d.end(t)
	return d.data[d.words[t].Pos():end:end]
}

// textOf returns what the string at t stands for: a part of the input, or of the
// scratch space, good until the next call.
func (d *Decoder) textOf(t int) []byte {
	text, _ := d.unquoted(t)
	return text
}

// textToKeep is text for a method that may keep what it is given, as some do
// though they must not: a part of the caller's input, or memory of its own.
func (d *Decoder) textToKeep(t int) []byte {
	text, aliases := d.unquoted(t)
	if !aliases || d.on&option.CopyInput != 0 {
		return bytes.Clone(text)
	}
	d.Lent = true
	return text
}

// rawToKeep is raw for such a method of n.
func (d *Decoder) rawToKeep(n *Node, t int) []byte {
	raw := d.raw(t)
	switch {
	case n.shape.Type == rawMessage: // which copies it
	case d.on&option.CopyInput != 0:
		raw = bytes.Clone(raw)
	default:
		d.Lent = true
	}
	return raw
}

// unquoted returns what the string at t stands for, as textOf does, and reports
// whether it aliases the input.
func (d *Decoder) unquoted(t int) (text []byte, aliases bool) {
	w := d.words[t]
	pos, end := w.Pos(), w.StringEnd(d.data)
	if body := d.data[pos+1 : end-1 : end-1]; w.Plain() || !w.Escaped() && syntax.ValidUTF8(body) {
		return body, true
	}
	d.scratch, _ = syntax.AppendUnquoted(d.scratch[:0], d.data[pos:end])
	return d.scratch, false
}

// value decodes the value at t into the place of n's type at a+off. Without a
// node it is skipped.
func (d *Decoder) value(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	if n == nil {
		return d.skip(t)
	}
	w := d.words[t]
	c := d.data[w.Pos()]
	if c == 'n' {
		return t + 1, d.null(n, t, a, off)
	}
	if n.op <= nodeString {
		if d.scalar(n, t, a, off) {
			return t + 1, nil
		}
		return d.after(t), d.misfitScalar(n, t, a, off)
	}
	switch n.op {
	case nodeStruct:
		if c != '{' {
			break
		}
		return d.structInto(n, t, a, off)
	case nodeSlice:
		if c != '[' {
			break
		}
		return d.sliceInto(n, t, a, off)
	case nodeArray:
		if c != '[' {
			break
		}
		return d.arrayInto(n, t, a, off)
	case nodeMap:
		if c != '{' {
			break
		}
		return d.mapInto(n, t, a, off)
	case nodePointer:
		if c == 0 {
			if isNull, err := d.v2.brokenNull(); isNull {
				return t, err
			}
		}
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.shape.Elem.Type)
		}
		return d.value(n.elem, t, to, 0)
	case nodeInterface:
		return d.after(t), d.iface(n, t, a, off)
	case nodeOption:
		return d.after(t), d.option(n, t, a, off)
	case nodeUnion:
		return d.after(t), d.union(n, t, a, off)
	case nodeBytes:
		if c == '[' && d.on&option.CheckMembers == 0 && (d.v2 == nil || d.has(option.FormatBytesWithLegacySemantics)) {
			return d.sliceInto(n, t, a, off)
		}
		if d.v2 != nil {
			return d.after(t), d.v2.bytesV2(n, t, a, off)
		}
		if c != '"' {
			break
		}
		b, err := bytesOf(d.textOf(t), a.Bytes(off))
		if err != nil {
			d.misfitBase64(n, t, err)
			return t + 1, nil
		}
		a.SetBytes(off, b)
		return t + 1, nil
	case nodeNumber:
		return d.after(t), d.numberInto(n, t, a, off)
	case nodeTime:
		if d.v2 != nil {
			return d.after(t), d.v2.timeV2(t, mem.At[time.Time](a, off))
		}
		return d.after(t), d.failed(d.time(t, mem.At[time.Time](a, off)))
	case nodeMarshaler, nodeText:
		return d.after(t), d.failed(d.method(n, t, a, off))
	case nodeQuoted, nodeByteArray, nodeMethods, nodeFunctions, nodeFail:
		return d.v2.valueV2(n, t, a, off)
	}
	return d.after(t), d.misfitOf(t, "number", n.shape.Type)
}

// null decodes null, which is nil to what can be nil and nothing to the rest.
func (d *Decoder) null(n *Node, t int, a mem.Pointer, off uintptr) error {
	if d.refusesNull(n, t) {
		return nil
	}
	if d.v2 != nil {
		return d.v2.nullV2(n, t, a, off)
	}
	switch n.op {
	case nodeMarshaler:
		return d.failed(unmarshalJSON(a.Addr(off, n.shape.Type), d.rawToKeep(n, t)))
	case nodeUnion:
		return d.union(n, t, a, off)
	}
	switch n.shape.Kind {
	case shape.Pointer, shape.Map:
		a.SetNil(off)
	case shape.Slice, shape.Bytes:
		a.ClearSlice(off)
	case shape.Option:
		if mem.Load[bool](a, off+n.shape.Present) {
			a.Value(off, n.shape.Type).SetZero()
		}
	case shape.Interface:
		v := a.Value(off, n.shape.Type)
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() && e.Elem().Kind() == reflect.Pointer {
			return d.into(n, e, t)
		}
		v.SetZero()
	}
	return nil
}

// failed returns an error of a method, or saves it if it does not end the decode.
func (d *Decoder) failed(err error) error {
	if methodsEnd || err == nil || isSyntactic(err) {
		return err
	}
	d.save(err)
	return nil
}

// method lets the value's own method decode, by the rules of v1.
func (d *Decoder) method(n *Node, t int, a mem.Pointer, off uintptr) error {
	switch {
	case n.op == nodeMarshaler:
		return unmarshalJSON(a.Addr(off, n.shape.Type), d.rawToKeep(n, t))
	case d.data[d.words[t].Pos()] == '"':
		return answered(a.Addr(off, n.shape.Type).(encoding.TextUnmarshaler).UnmarshalText(d.textToKeep(t)), "UnmarshalText")
	}
	d.misfitText(n, t)
	return nil
}

// iface decodes into an interface: into what it holds if that is a pointer, as
// a value of Go's choice otherwise.
func (d *Decoder) iface(n *Node, t int, a mem.Pointer, off uintptr) error {
	if d.v2 != nil {
		return d.v2.interfaceV2(n, t, a, off)
	}
	empty := n.shape.Type.NumMethod() == 0
	if !empty || a.Any(off) != nil {
		v := a.Value(off, n.shape.Type)
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() {
			if in := e.Elem(); in.Kind() == reflect.Interface && in.Elem().IsValid() && in.Elem().Equal(e) {
				// It holds its own address. Going there would never end.
				if x, ok := d.anyThatFits(t); ok {
					in.Set(reflect.ValueOf(&x).Elem())
				}
				return nil
			}
			return d.into(n, e, t)
		}
	}
	if !empty {
		return d.misfitInterface(n, t)
	}
	if x, ok := d.anyThatFits(t); ok {
		a.SetAny(off, x)
	}
	return nil
}

// anyThatFits is any for a value that is to be kept only if it fits: an array
// or an object does, whatever is in it.
func (d *Decoder) anyThatFits(t int) (x any, ok bool) {
	if keepsInf {
		x, _, _ = d.any(t)
		return x, true
	}
	trial := d.try(reflect.Value{})
	x, _, _ = d.any(t)
	c := d.data[d.words[t].Pos()]
	return x, d.fits(&trial, nil) || c == '{' || c == '['
}

// into decodes into what the pointer e, which an interface holds, points to.
func (d *Decoder) into(n *Node, e reflect.Value, t int) error {
	root := d.root
	if n.slot != nil {
		d.root = n.slot
	}
	_, err := d.value(NodeOf(e.Type()), t, mem.OfPointer(e), 0)
	d.root = root
	return err
}

// sliceInto decodes an array into a slice. What the slice held within its
// capacity is decoded into, as encoding/json has it.
func (d *Decoder) sliceInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	count, after, start := d.words[t].Count(), syntax.After(d.words, t), t
	limited := n.most < count
	if limited {
		count = n.most // which is one at least
	}
	t += containerWords
	if t == after {
		a.SetEmptySlice(off)
		return after, nil
	}
	if d.v2 != nil && !d.merges() && a.Cap(off) > 0 {
		v := a.Value(off, n.shape.Type)
		v.SetLen(min(count, v.Cap()))
		v.Clear()
	}
	first, length := a.Slice(off)
	end := min(count, a.Cap(off)) // of what fits into the array that is there
	if count == syntax.MaxCount {
		return d.longSliceInto(n, start, after, a, off)
	}
	if end == 0 {
		first, end = grow(a, off, n, 0, count), count
	}
	if end > length {
		a.SetLen(off, end)
	}
	stride := n.shape.Elem.Size
	simple := n.elem.op <= nodeString
	for i := 0; i < count; i++ {
		if i == end {
			first, end = grow(a, off, n, end, count), count
		}
		if simple && d.scalar(n.elem, t, first, uintptr(i)*stride) {
			t++
			continue
		}
		var err error
		if t, err = d.value(n.elem, t, first.Add(uintptr(i)*stride), 0); err != nil {
			if d.v2 != nil {
				length = 0
			}
			a.SetLen(off, min(max(i+1, length), a.Cap(off)))
			return t, err
		}
	}
	// An element may hold a pointer to the slice itself and have changed it.
	if count <= a.Cap(off) {
		a.SetLen(off, count)
	}
	if limited && d.v2 != nil {
		return d.skip(start) // as no more than that is known of the rest
	}
	return after, nil
}

// grow makes room for count elements in the slice of n's type at a+off, of which the first
// few have been decoded. It returns the first element, and the length is count.
func grow(a mem.Pointer, off uintptr, n *Node, few, count int) mem.Pointer {
	v := n.pointer.Value(a, off)
	v.SetLen(min(few, v.Cap())) // an element may have changed the slice
	v.Grow(count - v.Len())
	v.SetLen(count)
	first, _ := a.Slice(off)
	return first
}

// longSliceInto is the end of sliceInto for an array whose length the index
// does not hold.
func (d *Decoder) longSliceInto(n *Node, start, after int, a mem.Pointer, off uintptr) (int, error) {
	i, t := 0, start+containerWords
	for ; t < after && i < n.most; i++ {
		if i >= a.Cap(off) {
			a.Value(off, n.shape.Type).Grow(1)
		}
		first, length := a.Slice(off)
		if i >= length {
			a.SetLen(off, i+1)
		}
		var err error
		if t, err = d.value(n.elem, t, first.Add(uintptr(i)*n.shape.Elem.Size), 0); err != nil {
			return t, err
		}
	}
	if i <= a.Cap(off) {
		a.SetLen(off, i)
	}
	if t < after && d.v2 != nil {
		return d.skip(start)
	}
	return after, nil
}

// arrayInto decodes an array into an array, whose tail is zeroed.
func (d *Decoder) arrayInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	after, start, before := syntax.After(d.words, t), t, d.saved
	stride := n.shape.Elem.Size
	simple := n.elem.op <= nodeString
	i := 0
	zeroes := !d.merges()
	for t += containerWords; t < after && i < n.shape.Len; i++ {
		if simple && d.scalar(n.elem, t, a, off+uintptr(i)*stride) {
			t++
			continue
		}
		if zeroes {
			a.Value(off+uintptr(i)*stride, n.shape.Elem.Type).SetZero()
		}
		var err error
		if t, err = d.value(n.elem, t, a.Add(off+uintptr(i)*stride), 0); err != nil {
			return t, err
		}
	}
	few := i < n.shape.Len
	for ; i < n.shape.Len; i++ {
		a.Value(off+uintptr(i)*stride, n.shape.Elem.Type).SetZero()
	}
	if d.on&option.CheckMembers != 0 && (few || t < after) {
		d.memberFault(MemberError{Offset: d.words[start].Pos(), Detail: "must have " + strconv.Itoa(n.shape.Len) + " elements"})
		return after, nil
	}
	if d.v2 == nil {
		return after, nil
	}
	if few {
		return after, d.v2.arrayLength(n, start, errTooFew, before)
	}
	many := t < after
	for t < after {
		var err error
		if t, err = d.skip(t); err != nil {
			return t, err
		}
	}
	if many {
		return after, d.v2.arrayLength(n, start, errTooMany, before)
	}
	return after, nil
}
