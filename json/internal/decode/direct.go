package decode

import (
	"bytes"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// A value can be decoded in one pass, which checks the text while it stores values. This needs a
// target that is zero, and a type without methods that could observe how it is decoded. On anything
// unusual the pass gives up: it clears the target, which leaves no trace, and the decode over an
// index starts from the beginning. So the pass needs no code for errors, names with escapes,
// repeated members and other rare cases.
//
// The methods named read take the position of a value's first byte and return the position after
// the value, or a negative number to give up.

// The limits of one pass.
const (
	// directZero is the largest target, in bytes, that is compared with zero.
	directZero = 4 << 10
	// directPause is the number of decodes of a type that skip the pass after it gave up.
	directPause = 16
	// directFields is the largest number of fields of a struct.
	directFields = 256
)

// Direct decodes data into the value that v points to in one pass, by n if it is not nil, and
// reports whether it did. If not, it has changed nothing. A type on which it gave up skips the pass
// for the next directPause decodes.
func (d *Decoder) Direct(data []byte, v reflect.Value, n *Node, on option.Flag) bool {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return false
	}
	if n == nil {
		n = NodeOf(v.Type(), on)
	}
	if !n.TriesOnePass(v) {
		return false
	}
	d.On, d.top, d.root = on, v.Type(), v.Type()
	return d.OnePass(n, data, v)
}

// TriesOnePass reports whether the value that v points to is to be decoded in one pass: its type
// allows it, the pass did not give up on it recently, and the value is zero.
func (n *Node) TriesOnePass(v reflect.Value) bool {
	if !n.direct {
		return false
	}
	if n.pause.Load() > 0 {
		n.pause.Add(-1)
		return false
	}
	return mem.OfPointer(v).IsZero(n.Shape.Type)
}

// OnePass decodes data into the zero value that v points to, and reports whether it did. If not, it
// resets the value to zero, and restores the state of the Decoder.
func (d *Decoder) OnePass(n *Node, data []byte, v reflect.Value) bool {
	d.Data, d.depth = data, 0
	a := mem.OfPointer(v)
	if i := syntax.SkipSpace(data, 0); i < len(data) {
		if i = d.read(n, i, a, 0); i >= 0 && syntax.SkipSpace(data, i) == len(data) {
			return true
		}
	}
	// The target was zero before, so clearing it undoes the pass. The garbage collector frees the
	// memory that the pass allocated.
	a.Value(0, n.Shape.Type).SetZero()
	n.pause.Store(directPause)
	d.Saved, d.Members, d.fieldPath, d.Others = nil, nil, d.fieldPath[:0], d.Others[:0]
	// A busy room has elements in it. It is dropped, since clearing it would cost more.
	for i := range d.rooms {
		if d.rooms[i].busy {
			d.rooms[i] = room{}
		}
	}
	return false
}

// read reads the value at position i into the zeroed memory for n's type at a+off. It returns the
// position after the value, or a negative number to give up. So do the other methods whose names
// begin with read.
func (d *Decoder) read(n *Node, i int, a mem.Pointer, off uintptr) int {
	c := d.Data[i]
	if c == 'n' {
		// RawMessage accepts null as text, and a check of members may refuse null.
		if n.Op == nodeMarshaler || d.On&option.CheckMembers != 0 && !n.null {
			return d.readIndexed(n, i, a, off)
		}
		return syntax.ReadLiteral(d.Data, i)
	}
	switch n.Op {
	case NodeString:
		if c != '"' {
			return -1
		}
		s, end := d.readString(i)
		mem.Store(a, off, s)
		return end
	case NodeBool:
		if c != 't' && c != 'f' {
			return -1
		}
		mem.Store(a, off, c == 't')
		return syntax.ReadLiteral(d.Data, i)
	case NodeFloat64:
		v, end := syntax.ReadFloat(d.Data, i)
		if end >= 0 {
			mem.Store(a, off, v)
		}
		return end
	case NodeFloat32:
		end := syntax.ReadNumber(d.Data, i)
		if end < 0 || !StoreNumber(n.Op, d.Data, i, end, a, off) {
			return -1
		}
		return end
	case nodeInt8, nodeInt16, nodeInt32, nodeInt64:
		v, end := syntax.ReadInt(d.Data, i)
		if end < 0 || !storeInt(n.Op, v, a, off) {
			return -1
		}
		return end
	case NodeUint8, nodeUint16, nodeUint32, nodeUint64:
		v, end := syntax.ReadUint(d.Data, i)
		if end < 0 || !storeUint(n.Op, v, a, off) {
			return -1
		}
		return end
	case NodeStruct:
		if c != '{' {
			return -1
		}
		return d.readStruct(n, i, a, off)
	case NodeSlice:
		if c != '[' {
			return -1
		}
		return d.readSlice(n, i, a, off)
	case nodeArray:
		if c != '[' {
			return -1
		}
		return d.readArray(n, i, a, off)
	case NodeMap:
		if c != '{' {
			return -1
		}
		if n.Fill != nil {
			return n.Fill.read(d, n, i, a, off)
		}
	// The pointer is nil, since the target is zero. The new value is dropped if the pass gives up.
	case nodePointer:
		return d.read(n.Elem, i, a.SetNew(off, n.Shape.Elem.Type), 0)
	case NodeTime:
		if d.V2 != nil {
			break
		}
		end, _ := syntax.ReadText(d.Data, i+1)
		if c != '"' || end >= len(d.Data) || d.Data[end] != '"' || readTime(mem.At[time.Time](a, off), d.Data[i:end+1:end+1]) != nil {
			return -1
		}
		return end + 1
	}
	return d.readIndexed(n, i, a, off)
}

// readIndexed decodes the value at i over an index of that value alone. It serves the kinds that
// have no read method, and unknown members, which are only checked. It gives up on any error.
func (d *Decoder) readIndexed(n *Node, i int, a mem.Pointer, off uintptr) int {
	whole := d.Data
	text := whole[i:]
	if n == nil && d.V2 == nil {
		end, status := d.Index.CheckNested(text, d.depth)
		if status != syntax.Complete {
			return -1
		}
		return i + end
	}
	end, status := d.Index.BuildNested(text, d.depth)
	// The value is invalid, is not complete, or would need too large an index.
	if status != syntax.Complete || d.Index.Dense() {
		return -1
	}
	if n != nil || d.V2 != nil {
		// On any error the pass gives up, since errors and their offsets come from the index of the
		// whole text. Positions in this index are relative to the value.
		d.Data, d.Words = text[:end:end], d.Index.Words()
		_, err := d.Value(n, 0, a, off)
		d.Data = whole
		if err != nil || d.Saved != nil || d.Members != nil {
			return -1
		}
	}
	return i + end
}

// readString returns the string at i, and the position after it. It decodes a string with escapes
// over an index.
func (d *Decoder) readString(i int) (s string, end int) {
	end, wide := syntax.ReadText(d.Data, i+1)
	if end >= len(d.Data) {
		return "", -1
	}
	body := d.Data[i+1 : end]
	if d.Data[end] == '"' && (!wide || syntax.ValidUTF8(body)) {
		if d.On&option.AliasInput != 0 {
			return mem.String(body), end + 1
		}
		return d.Intern(body), end + 1
	}
	whole := d.Data
	length, status := d.Index.BuildNested(whole[i:], 0)
	if status != syntax.Complete {
		return "", -1
	}
	d.Data, d.Words = whole[i:], d.Index.Words()
	s, ok := d.textUTF8(0)
	if d.Data = whole; !ok {
		return "", -1
	}
	return s, i + length
}

// opened returns the position of the first element of the array or object that opens at i. If
// there is none, it returns the position after the closing bracket, and more is false.
func (d *Decoder) opened(i int, bracket byte) (next int, more bool) {
	i = syntax.SkipSpace(d.Data, i+1)
	// Text that ends here, or is nested too deeply, is left to the index, which reports the error.
	if d.depth++; i >= len(d.Data) || d.depth > syntax.MaxDepth {
		return -1, false
	}
	if d.Data[i] == bracket {
		d.depth--
		return i + 1, false
	}
	return i, true
}

// goesOn returns the position of the next element after the one that ends at i. After the last
// element it returns the position after the closing bracket, and more is false. It returns a
// negative i unchanged.
func (d *Decoder) goesOn(i int, bracket byte) (next int, more bool) {
	if i < 0 {
		return -1, false
	}
	if i = syntax.SkipSpace(d.Data, i); i >= len(d.Data) {
		return -1, false
	}
	switch d.Data[i] {
	case ',':
		if i = syntax.SkipSpace(d.Data, i+1); i < len(d.Data) {
			return i, true
		}
	case bracket:
		d.depth--
		return i + 1, false
	}
	return -1, false
}

// readStruct reads an object into a struct. It gives up on a repeated member, whose rules are in
// struct.go.
func (d *Decoder) readStruct(n *Node, i int, a mem.Pointer, off uintptr) int {
	o := n.object
	// The fields that were found, as a set of bits on the stack.
	var seen [directFields / 64]uint64
	next, others := 0, len(d.Others)
	i, more := d.opened(i, '}')
	for more {
		at, end := d.readName(o, next, i, others)
		i = d.readColon(end)
		switch {
		case i < 0:
			return -1
		// The member has no field, or its field must not be set: the text is checked and skipped.
		case at < 0 || o.fields[at].node == nil:
			i = d.readIndexed(nil, i, a, off)
		default:
			word, bit := &seen[at/64], uint64(1)<<(at%64)
			// The index handles a repeated member, since its type and the options decide.
			if *word&bit != 0 {
				return -1
			}
			*word |= bit
			next = at + 1
			f := &o.fields[at]
			i = d.read(f.node, i, a, off+f.offset)
		}
		i, more = d.goesOn(i, '}')
	}
	d.Others = d.Others[:others]
	if o.expects != nil && d.On&option.CheckMembers != 0 && i > 0 && !d.setExpected(o, &seen, a, off) {
		return -1
	}
	return i
}

// setExpected sets the defaults of the fields that are not in seen. It reports false if a required
// field is missing.
func (d *Decoder) setExpected(o *object, seen *[directFields / 64]uint64, a mem.Pointer, off uintptr) bool {
	// One comparison for structs of up to 64 fields.
	if seen[0]&o.expects.low == o.expects.low && !o.expects.more {
		return true
	}
	for _, i := range o.expects.all {
		if seen[i/64]>>(i%64)&1 != 0 {
			continue
		}
		value, there := o.expects.values[i]
		if !there {
			return false
		}
		f := &o.fields[i]
		d.setDefault(value, f.node.Shape.Type, a, off+f.offset)
	}
	return true
}

// readName returns the number of the field that the name at i belongs to, and the position after
// the name. The number is negative if the name is unknown. It compares the name of the field next
// first, since members mostly come in the order of the fields. Others is the index in d.Others of
// the first unknown name of this object.
func (d *Decoder) readName(o *object, next, i, others int) (field, end int) {
	if d.Data[i] != '"' {
		return 0, -1
	}
	if next < len(o.fields) && o.fields[next].name.isAt(d.Data, i+1) {
		return next, i + len(o.fields[next].name.text) + 2
	}
	end, wide := syntax.ReadText(d.Data, i+1)
	if end >= len(d.Data) || d.Data[end] != '"' {
		return 0, -1
	}
	name := d.Data[i+1 : end]
	if wide && !syntax.ValidUTF8(name) {
		return 0, -1
	}
	// Version 2 compares names exactly. Calls with options that change this do not use the pass.
	if d.V2 != nil {
		field = shape.FindExact(&o.names, name)
	} else {
		field, _ = shape.Find(&o.names, name)
	}
	if field >= 0 {
		return field, end + 1
	}
	if d.On&option.RejectUnknownMembers != 0 || d.On&option.CheckMembers != 0 && o.unknown == "refused" || d.V2 != nil && !d.isNew(i, end+1, others) {
		return 0, -1
	}
	return -1, end + 1
}

// isNew reports whether the name at data[i:end] differs from the names at d.Others[from:], and adds
// it to them.
func (d *Decoder) isNew(i, end, from int) bool {
	names := d.Others[from:]
	// Comparing many unknown names here would take quadratic time. The decode over an index keeps
	// them in a map.
	if len(names) == linearOthers {
		return false
	}
	for _, other := range names {
		if bytes.HasPrefix(d.Data[other:], d.Data[i:end]) {
			return false
		}
	}
	d.Others = append(d.Others, i)
	return true
}

// readColon returns the position of the value after the colon at i. It returns a negative i
// unchanged.
func (d *Decoder) readColon(i int) int {
	if i < 0 {
		return -1
	}
	if i = syntax.SkipSpace(d.Data, i); i >= len(d.Data) || d.Data[i] != ':' {
		return -1
	}
	if i = syntax.SkipSpace(d.Data, i+1); i >= len(d.Data) {
		return -1
	}
	return i
}

// readArray reads an array into a Go array. Elements beyond the length of the Go array are only
// checked.
func (d *Decoder) readArray(n *Node, i int, a mem.Pointer, off uintptr) int {
	count := 0
	i, more := d.opened(i, ']')
	for more {
		if count < n.Shape.Len {
			i = d.read(n.Elem, i, a, off+uintptr(count)*n.Shape.Elem.Size)
		} else {
			i = d.readIndexed(nil, i, a, off)
		}
		count++
		i, more = d.goesOn(i, ']')
	}
	if count != n.Shape.Len && (d.V2 != nil || d.On&option.CheckMembers != 0) {
		return -1
	}
	return i
}

// readSlice reads an array into a slice.
//
// The number of elements is known only at the end, so the elements are read into a room of the
// Decoder, and then copied into memory of the right size. If the last slices of this node had the
// same length, memory of that length is allocated first, which avoids the copy.
func (d *Decoder) readSlice(n *Node, i int, a mem.Pointer, off uintptr) int {
	i, more := d.opened(i, ']')
	if !more {
		a.SetEmptySlice(off)
		return i
	}
	r := d.roomFor(n)
	// Without a room the elements are read directly into the slice, which grows as needed.
	at, atOff, want := a, off, 1
	switch {
	case r == nil:
	// The last slices had the same length. Memory of that length is allocated, unless the rest of
	// the text is too short for as many elements.
	case r.same >= steady:
		want = max(1, min(r.last, (len(d.Data)-i)/2))
	default:
		r.busy = true
		at, atOff, want = r.at, 0, 4
	}
	size := n.Shape.Elem.Size
	first, most := at.Slice(atOff)
	count := 0
	for more {
		// The array is longer than the tag allows. The decode over an index handles that.
		if count == n.Most {
			return -1
		}
		// The slice moves when it grows.
		if count == most {
			first = grow(at, atOff, n, count, max(want, 2*count))
			most = at.Cap(atOff)
			at.SetLen(atOff, most)
		}
		i = d.read(n.Elem, i, first, uintptr(count)*size)
		count++
		i, more = d.goesOn(i, ']')
	}
	if i < 0 {
		return -1
	}
	if r == nil || !r.busy {
		a.SetLen(off, count)
		// The guess was wrong, and more than a quarter would be wasted: the elements are copied to
		// memory of the right size.
		if waste := most - count; waste*int(size) > 64 && waste > count/4 {
			v := n.Pointer.Value(a, off)
			exact := reflect.MakeSlice(v.Type(), count, count)
			reflect.Copy(exact, v)
			v.Set(exact)
		}
	} else {
		r.moveTo(n, count, a, off)
	}
	if r != nil {
		if r.last != count {
			r.last, r.same = count, 0
		}
		r.same++
	}
	return i
}
