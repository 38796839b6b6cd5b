package decode

import (
	"math/bits"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// One pass decodes a value without an index: it checks the syntax while it stores values. It
// requires a zero target, and types without methods that could observe the decoding. On errors,
// names of fields with escapes, repeated members and other rare cases the pass gives up. It then clears the
// target, and the decode over an index starts from the beginning. So the pass contains no code for
// these cases.
//
// The methods whose names start with read take the position of a value's first byte, and return the
// position after the value, or a negative number to give up.

// Limits of the pass.
const (
	// directZero is the size in bytes of the largest target. The pass compares the whole target
	// with zero.
	directZero = 4 << 10
	// directPause is the number of decodes of a type without a pass, after a pass gave up on the
	// type.
	directPause = 16
	// directFields is the maximum number of fields of a struct.
	directFields = 256
)

// A directSet is the set of the fields that an object has, as bits.
type directSet [directFields / 64]uint64

// TriesOnePass reports whether to decode the value that v points to in one pass: its type allows
// it, no pass gave up on the type recently, and the value is zero.
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

// OnePass decodes data into the zero value that v points to, and reports whether it succeeded. If
// not, it resets the value to zero and restores the state of the Decoder.
func (d *Decoder) OnePass(n *Node, data []byte, v reflect.Value) bool {
	d.Data, d.depth, d.staged = data, 0, 0
	a := mem.OfPointer(v)
	if i := syntax.SkipSpace(data, 0); i < len(data) {
		if i = d.read(n, i, a, 0); i >= 0 && syntax.SkipSpace(data, i) == len(data) {
			return true
		}
	}
	// The target was zero before, so SetZero undoes the pass. The garbage collector frees the
	// memory that the pass allocated.
	a.Value(0, n.Shape.Type).SetZero()
	n.pause.Store(directPause)
	d.Saved, d.Members, d.fieldPath, d.Others = nil, nil, d.fieldPath[:0], d.Others[:0]
	// The pass may have stopped within a map or an array of strings.
	d.popNames(0)
	clear(d.lists.strings[:cap(d.lists.strings)])
	// A busy staging slice contains elements. Allocating a new one later is cheaper than clearing
	// it.
	for i := range d.staging {
		if d.staging[i].busy {
			d.staging[i] = stagingSlice{}
		}
	}
	return false
}

// read decodes the value at position i into the zeroed memory of n's type at a+off. Like the other
// methods whose names start with read, it returns the position after the value, or a negative
// number to give up.
func (d *Decoder) read(n *Node, i int, a mem.Pointer, off uintptr) int {
	c := d.Data[i]
	if c == 'n' {
		// RawMessage stores null as text, and with CheckMembers null may be an error.
		if n.Null != nil || d.On&option.CheckMembers != 0 && !n.null {
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
		if n.Key == KeyString {
			return d.readMap(n, i, a, off)
		}
	case nodeSum:
		return d.readSum(n, i, a, off)
	// The target is zero, so the pointer is nil. If the pass gives up, the new value becomes
	// garbage.
	case NodePointer:
		return d.read(n.Elem, i, a.SetNew(off, n.Shape.Elem.Type), 0)
	// All rules accept the times that ReadUTC accepts.
	case NodeTime:
		end, _ := syntax.ReadText(d.Data, i+1)
		if c == '"' && end < len(d.Data) && d.Data[end] == '"' && ReadUTC(mem.At[time.Time](a, off), d.Data[i:end+1:end+1]) {
			return end + 1
		}
	}
	return d.readIndexed(n, i, a, off)
}

// readIndexed builds an index of the value at i and decodes the value with it. It is for kinds
// without a read method. For an unknown member it only checks the value. It gives up on any error.
func (d *Decoder) readIndexed(n *Node, i int, a mem.Pointer, off uintptr) int {
	whole := d.Data
	text := whole[i:]
	if n == nil && d.Checks == nil {
		end, status := d.Index.CheckNested(text, d.depth)
		if status != syntax.Complete {
			return -1
		}
		return i + end
	}
	end, status := d.Index.BuildNested(text, d.depth)
	// The value is invalid or incomplete, or its index would be too large.
	if status != syntax.Complete || d.Index.Dense() {
		return -1
	}
	// Positions in this index are relative to the value. On an error the pass gives up, so that the
	// decode over an index of the whole text returns the error with the right offset.
	d.Data, d.Words = text[:end:end], d.Index.Words()
	_, err := d.Value(n, 0, a, off)
	d.Data = whole
	if err != nil || d.Saved != nil || d.Members != nil {
		return -1
	}
	return i + end
}

// readString returns the string at i, and the position after it.
func (d *Decoder) readString(i int) (s string, end int) {
	text, end, aliases := d.readText(i)
	if aliases && d.On&option.AliasInput != 0 {
		return mem.String(text), end
	}
	return d.Intern(text), end
}

// readText returns the unquoted bytes of the string at i, and the position after it. The bytes alias the
// input or the scratch memory, and are valid until the next call.
func (d *Decoder) readText(i int) (text []byte, end int, aliases bool) {
	end, wide := syntax.ReadText(d.Data, i+1)
	if end >= len(d.Data) {
		return nil, -1, false
	}
	body := d.Data[i+1 : end]
	if d.Data[end] == '"' && (!wide || syntax.ValidUTF8(body)) {
		return body, end + 1, true
	}
	// The string has escapes or invalid UTF-8.
	var exact bool
	d.scratch, end, exact = syntax.ReadUnquoted(d.scratch[:0], d.Data, i)
	if !exact && d.On&option.AllowInvalidUTF8 == 0 {
		return nil, -1, false
	}
	return d.scratch, end, false
}

// firstElement returns the position of the first element of the array or object that starts at i. If the
// array or object is empty, firstElement returns the position after the closing bracket, and more is
// false.
func (d *Decoder) firstElement(i int, bracket byte) (next int, more bool) {
	i = syntax.SkipSpace(d.Data, i+1)
	// Give up if the text ends here or is nested too deeply. The decode over an index returns the
	// error.
	if d.depth++; i >= len(d.Data) || d.depth > syntax.MaxDepth {
		return -1, false
	}
	if d.Data[i] == bracket {
		d.depth--
		return i + 1, false
	}
	return i, true
}

// nextElement returns the position of the next element. The argument i is the end of the current
// element. After the last element nextElement returns the position after the closing bracket, and
// more is false. It returns a negative number to give up, and if i is negative.
func (d *Decoder) nextElement(i int, bracket byte) (next int, more bool) {
	data := d.Data
	if uint(i) >= uint(len(data)) {
		return -1, false
	}
	c := data[i]
	if c <= ' ' {
		if i = syntax.SkipSpace(data, i); i >= len(data) {
			return -1, false
		}
		c = data[i]
	}
	if i++; c != ',' {
		d.depth--
		if c != bracket {
			return -1, false
		}
		return i, false
	}
	if i < len(data)-indentRoom && data[i] == '\n' {
		i = skipIndent(data, i)
	}
	if i = syntax.SkipSpace(data, i); i >= len(data) {
		return -1, false
	}
	return i, true
}

// skipIndent returns the position of the first byte after the line break at i that is not a space, or of
// the seventeenth byte after it. The text must have seventeen more bytes.
func skipIndent(data []byte, i int) int {
	w := syntax.Load8(data, i+1) ^ spaces
	if w == 0 {
		return i + 9 + bits.TrailingZeros64(syntax.Load8(data, i+9)^spaces)>>3
	}
	return i + 1 + bits.TrailingZeros64(w)>>3
}

const (
	// spaces is a word of eight spaces.
	spaces = 0x2020202020202020
	// indentRoom is the number of bytes that must follow a comma for a space and a call of skipIndent.
	indentRoom = 20
)

// setExpected sets the defaults of the fields that the set seen does not contain. It returns false if
// one of these fields is required and has no default, or if a field in the set must not be zero.
func (d *Decoder) setExpected(o *object, seen *directSet, a mem.Pointer, off uintptr) bool {
	for _, z := range o.expects.zeros {
		if seen[z.index/64]>>(z.index%64)&1 != 0 && o.fields[z.index].isZero(a, off) {
			return false
		}
	}
	// For a struct of up to 64 fields one comparison is enough.
	if seen[0]&o.expects.low == o.expects.low && !o.expects.above63 {
		return true
	}
	for _, i := range o.expects.indexes {
		if seen[i/64]>>(i%64)&1 != 0 {
			continue
		}
		value, there := o.expects.values[i]
		if !there {
			return false
		}
		f := &o.fields[i]
		d.Faults.SetDefault(value, f.node.Shape.Type, a, off+f.offset)
	}
	return true
}

// readColon returns the position of the value after the colon at i. If i is negative, it returns a
// negative number.
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

// readArray decodes an array into a Go array. It checks the elements beyond the length of the Go
// array without storing them.
func (d *Decoder) readArray(n *Node, i int, a mem.Pointer, off uintptr) int {
	count := 0
	i, more := d.firstElement(i, ']')
	for more {
		if count < n.Shape.Len {
			i = d.read(n.Elem, i, a, off+uintptr(count)*n.Shape.Elem.Size)
		} else {
			i = d.readIndexed(nil, i, a, off)
		}
		count++
		i, more = d.nextElement(i, ']')
	}
	if count != n.Shape.Len && (d.On&option.UnmarshalArrayFromAnyLength == 0 || d.On&option.CheckMembers != 0) {
		return -1
	}
	return i
}

// readSlice decodes an array into a slice.
//
// The number of elements is not known before the end of the array. The elements are therefore
// decoded into a staging slice, and then copied into memory of the right size. If the last
// slices of this node had equal lengths, memory of this length is allocated first, which saves the
// copy.
func (d *Decoder) readSlice(n *Node, i int, a mem.Pointer, off uintptr) int {
	if end, ok := d.readScalars(n, i, a, off); ok {
		return end
	}
	i, more := d.firstElement(i, ']')
	if !more {
		a.SetEmptySlice(off)
		return i
	}
	r := d.stagingFor(n)
	// If no staging slice is free, decode into the target slice itself, which grows as needed.
	at, atOff, want := a, off, 1
	switch {
	case r == nil:
	// The last slices had equal lengths. Allocate memory of this length, or less if the remaining
	// text is too short for so many elements.
	case r.repeats >= steady:
		want = max(1, min(r.last, (len(d.Data)-i)/2))
	default:
		r.busy = true
		at, atOff, want = r.at, 0, 4
	}
	size := n.Shape.Elem.Size
	first, most := at.Slice(atOff)
	count := 0
	for more {
		// Give up if the array is longer than the tag allows.
		if count == n.Most {
			return -1
		}
		// Growing moves the slice to new memory.
		if count == most {
			first = grow(at, atOff, n, count, max(want, 2*count))
			most = at.Cap(atOff)
			at.SetLen(atOff, most)
		}
		i = d.read(n.Elem, i, first, uintptr(count)*size)
		count++
		if data := d.Data; i >= 0 && i < len(data)-indentRoom && data[i] == ',' {
			after := i + 1
			if data[after] == ' ' {
				after++
			}
			if data[after] == '\n' {
				after = skipIndent(data, after)
			}
			if data[after] > ' ' {
				i = after
				continue
			}
		}
		i, more = d.nextElement(i, ']')
	}
	if i < 0 {
		return -1
	}
	if r == nil || !r.busy {
		a.SetLen(off, count)
		// The guess was too large, and would waste more than a quarter of the memory. Copy the
		// elements to memory of the right size.
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
			r.last, r.repeats = count, 0
		}
		r.repeats++
	}
	return i
}

// readSum reads a case of an internally tagged union, if the tag is the first member of the object. For
// any other object it calls readIndexed.
func (d *Decoder) readSum(n *Node, i int, a mem.Pointer, off uintptr) int {
	s := n.sum
	at := syntax.SkipSpace(d.Data, i+1)
	if s.of.Form != shape.SumInternal || d.Data[i] != '{' || !s.tag.isAt(d.Data, at+1) || d.Data[at] != '"' {
		return d.readIndexed(n, i, a, off)
	}
	at = d.readColon(at + len(s.tag.text) + 2)
	if at < 0 || d.Data[at] != '"' {
		return -1
	}
	end, wide := syntax.ReadText(d.Data, at+1)
	if end >= len(d.Data) || d.Data[end] != '"' || wide {
		return d.readIndexed(n, i, a, off)
	}
	held := s.of.Named(d.Data[at+1 : end])
	if held < 0 {
		return d.readIndexed(n, i, a, off)
	}
	c := &s.cases[held]
	v := c.held.New()
	if end = d.read(c.node, i, v, 0); end >= 0 {
		c.held.Set(a, off, v)
	}
	return end
}
