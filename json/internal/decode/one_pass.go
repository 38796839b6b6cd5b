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

// One pass decodes a value without an index: it checks the syntax while it stores values. It
// requires a zero target, and types without methods that could observe the decoding. On errors,
// names with escapes, repeated members and other rare cases the pass gives up. It then clears the
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

// Direct decodes data into the value that v points to in one pass, and reports whether it
// succeeded. If not, the value is unchanged, and the next directPause decodes of its type skip the
// pass. If n is nil, Direct looks up the node for v's type.
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
	d.Data, d.depth = data, 0
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
	case nodeSum:
		return d.readSum(n, i, a, off)
	// The target is zero, so the pointer is nil. If the pass gives up, the new value becomes
	// garbage.
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

// readIndexed builds an index of the value at i and decodes the value with it. It is for kinds
// without a read method. For an unknown member it only checks the value. It gives up on any error.
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
	// The value is invalid or incomplete, or its index would be too large.
	if status != syntax.Complete || d.Index.Dense() {
		return -1
	}
	if n != nil || d.V2 != nil {
		// Positions in this index are relative to the value. On an error the pass gives up, so that
		// the decode over an index of the whole text returns the error with the right offset.
		d.Data, d.Words = text[:end:end], d.Index.Words()
		_, err := d.Value(n, 0, a, off)
		d.Data = whole
		if err != nil || d.Saved != nil || d.Members != nil {
			return -1
		}
	}
	return i + end
}

// readString returns the string at i, and the position after it. Version 2 decodes a string with escapes
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
	if d.V2 == nil {
		return d.readEscaped(i, end)
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

// readEscaped is like readString, for a string with escapes or invalid UTF-8. end is the position of the
// first byte that is not a plain character. Version 1 replaces invalid UTF-8 and half surrogate pairs.
func (d *Decoder) readEscaped(i, end int) (string, int) {
	for d.Data[end] != '"' {
		// A control character is invalid.
		if d.Data[end] != '\\' {
			return "", -1
		}
		if end = syntax.ReadEscape(d.Data, end); end < 0 {
			return "", -1
		}
		if end, _ = syntax.ReadText(d.Data, end); end >= len(d.Data) {
			return "", -1
		}
	}
	d.scratch, _ = syntax.AppendUnquoted(d.scratch[:0], d.Data[i:end+1])
	return d.Intern(d.scratch), end + 1
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
// more is false. It returns a negative i unchanged.
func (d *Decoder) nextElement(i int, bracket byte) (next int, more bool) {
	// Most texts have no white space here.
	if data := d.Data; uint(i) < uint(len(data)-1) && data[i] == ',' && data[i+1] > ' ' {
		return i + 1, true
	}
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

// A directSet is the set of the fields that an object has, as bits. It is of a fixed size, because the pass decodes
// only structs of up to directFields fields.
type directSet [directFields / 64]uint64

// readStruct decodes an object into a struct. It gives up if a member repeats.
func (d *Decoder) readStruct(n *Node, i int, a mem.Pointer, off uintptr) int {
	var seen directSet // on the stack
	o, next, others := n.object, 0, len(d.Others)
	i, more := d.firstElement(i, '}')
	for more {
		var at int
		at, i = d.readName(o, next, i, others)
		switch {
		case i < 0:
			return -1
		// No field matches the member. Check and skip the value.
		case at < 0:
			i = d.readIndexed(nil, i, a, off)
		default:
			word, bit := &seen[at/64], uint64(1)<<(at%64)
			// Give up on a repeated member: the result depends on the type and the options.
			if *word&bit != 0 {
				return -1
			}
			*word |= bit
			next = at + 1
			if f := &o.fields[at]; f.node != nil {
				i = d.read(f.node, i, a, off+f.offset)
			} else {
				// The field is read-only for the input. Check and skip the value.
				i = d.readIndexed(nil, i, a, off)
			}
		}
		i, more = d.nextElement(i, '}')
	}
	d.Others = d.Others[:others]
	if o.expects != nil && d.On&option.CheckMembers != 0 && i > 0 && !d.setExpected(o, &seen, a, off) {
		return -1
	}
	return i
}

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
		d.setDefault(value, f.node.Shape.Type, a, off+f.offset)
	}
	return true
}

// readName returns the index of the field for the name at i, and the position of the value. The index is
// negative if no field matches. readName first compares the name with the name of the field next, because
// members usually come in the order of the fields. The argument others is the index in d.Others of the
// first unknown name of this object.
func (d *Decoder) readName(o *object, next, i, others int) (field, value int) {
	data := d.Data
	if data[i] != '"' {
		return 0, -1
	}
	if next < len(o.fields) {
		if name := &o.fields[next].name; name.isAt(data, i+1) {
			end := i + len(name.text) + 2
			// Most texts have no white space here, or one space after the colon.
			if end+2 < len(data) && data[end] == ':' {
				if data[end+1] > ' ' {
					return next, end + 1
				}
				if data[end+1] == ' ' && data[end+2] > ' ' {
					return next, end + 2
				}
			}
			return next, d.readColon(end)
		}
	}
	end, wide := syntax.ReadText(data, i+1)
	if end >= len(data) || data[end] != '"' {
		return 0, -1
	}
	name := data[i+1 : end]
	if wide && !syntax.ValidUTF8(name) {
		return 0, -1
	}
	// Version 2 is case-sensitive. A call with an option that changes this does not use the pass.
	if d.V2 != nil {
		field = shape.FindExact(&o.names, name)
	} else {
		field, _ = shape.Find(&o.names, name)
	}
	if field >= 0 {
		return field, d.readColon(end + 1)
	}
	if d.On&option.RejectUnknownMembers != 0 || d.On&option.CheckMembers != 0 && o.unknown == "refused" || d.V2 != nil && !d.isNew(i, end+1, others) {
		return 0, -1
	}
	return -1, d.readColon(end + 1)
}

// isNew reports whether the name at data[i:end] differs from the names at d.Others[from:]. It
// appends the name's position to d.Others.
func (d *Decoder) isNew(i, end, from int) bool {
	names := d.Others[from:]
	// Comparing each pair of names takes quadratic time. Give up, because the decode over an index
	// stores many unknown names in a map.
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
	if count != n.Shape.Len && (d.V2 != nil || d.On&option.CheckMembers != 0) {
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
