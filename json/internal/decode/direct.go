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

// A value whose target is zero, and whose type has no methods that could observe how it is
// decoded, is decoded in one pass, which checks while it stores. On anything unusual the pass
// gives up: the target becomes zero again, which nobody can tell from leaving it alone, and
// the decode over an index starts from the beginning. So that one alone knows errors, names
// with escapes, members that are there twice, and all that seldom happens.
//
// The methods named read take the position of a value's first byte and return the one after
// the value, or a negative one to give up.

const (
	// directZero is up to how many bytes of a target are compared with zero.
	directZero = 4 << 10
	// directPause is how many decodes of a type go without trying, once the pass gave up.
	directPause = 16
	// directFields is up to how many fields a struct has.
	directFields = 256
)

// Direct decodes data into what v points to in one pass, by n if it is not nil, and reports
// whether it did. If not, it has changed nothing. It does not try each time where it gave up.
func (d *Decoder) Direct(data []byte, v reflect.Value, n *Node, on option.Flag) bool {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return false
	}
	if n == nil {
		n = rootNode(v.Type(), on)
	}
	if !n.TriesOnePass(v) {
		return false
	}
	d.On, d.top, d.root = on, v.Type(), v.Type()
	return d.OnePass(n, data, v)
}

// TriesOnePass reports whether the zero value that v points to is to be decoded in one pass.
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

// OnePass decodes data into the zero value that v points to, and reports whether it did.
func (d *Decoder) OnePass(n *Node, data []byte, v reflect.Value) bool {
	d.Data, d.depth = data, 0
	a := mem.OfPointer(v)
	if i := syntax.SkipSpace(data, 0); i < len(data) {
		if i = d.read(n, i, a, 0); i >= 0 && syntax.SkipSpace(data, i) == len(data) {
			return true
		}
	}
	a.Value(0, n.Shape.Type).SetZero()
	n.pause.Store(directPause)
	d.Saved, d.Members, d.fieldPath, d.Others = nil, nil, d.fieldPath[:0], d.Others[:0]
	for i := range d.rooms {
		if d.rooms[i].busy {
			d.rooms[i] = room{}
		}
	}
	return false
}

// read reads the value at i into the zero place of n's type at a+off.
func (d *Decoder) read(n *Node, i int, a mem.Pointer, off uintptr) int {
	c := d.Data[i]
	if c == 'n' {
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

// readIndexed reads the value at i over an index of its own. Without a node the value is
// checked, and skipped.
func (d *Decoder) readIndexed(n *Node, i int, a mem.Pointer, off uintptr) int {
	whole := d.Data
	text := whole[i:]
	end, status := d.Index.BuildNested(text, d.depth)
	if status != syntax.Complete || d.Index.Dense() {
		return -1
	}
	if n != nil || d.V2 != nil {
		d.Data, d.Words = text[:end:end], d.Index.Words()
		_, err := d.Value(n, 0, a, off)
		d.Data = whole
		if err != nil || d.Saved != nil || d.Members != nil {
			return -1
		}
	}
	return i + end
}

// readString returns the string at i, to be kept, and the position after it.
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

// opened returns the position of the first element of the array or object that opens at i
// and closes with that bracket, or, if there is none, the position behind it.
func (d *Decoder) opened(i int, bracket byte) (next int, more bool) {
	i = syntax.SkipSpace(d.Data, i+1)
	if d.depth++; i >= len(d.Data) || d.depth > syntax.MaxDepth {
		return -1, false
	}
	if d.Data[i] == bracket {
		d.depth--
		return i + 1, false
	}
	return i, true
}

// goesOn returns the position of the element behind the one that ends at i, or, if that was
// the last, the position behind the bracket. An i below zero is returned.
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

// readStruct reads an object into a struct.
func (d *Decoder) readStruct(n *Node, i int, a mem.Pointer, off uintptr) int {
	o := n.object
	var seen [directFields / 64]uint64
	next, others := 0, len(d.Others)
	i, more := d.opened(i, '}')
	for more {
		at, end := d.readName(o, next, i, others)
		i = d.readColon(end)
		switch {
		case i < 0:
			return -1
		case at < 0 || o.fields[at].node == nil:
			i = d.readIndexed(nil, i, a, off)
		default:
			word, bit := &seen[at/64], uint64(1)<<(at%64)
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

// setExpected sets the defaults of members that were not seen, and reports whether all others
// that must be there were.
func (d *Decoder) setExpected(o *object, seen *[directFields / 64]uint64, a mem.Pointer, off uintptr) bool {
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

// readName returns the field that the name at i is of, negative if it is unknown, and the
// position after the name. It tries the field next first. Others is where the unknown names
// of the object start in d.others, which has their positions.
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

// isNew reports whether the name at data[i:end], which no field has, is not one of those at
// d.others[from:], and makes it one.
func (d *Decoder) isNew(i, end, from int) bool {
	names := d.Others[from:]
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

// readColon returns the position of the value behind the colon that comes at i. An i below
// zero is returned.
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

// readArray reads an array into an array.
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

// readSlice reads an array into a slice. How many elements there are is known behind the
// last, so they are read into room that the decoder has and copied to memory of their own,
// unless the last slices of the node had one length: then they are read where they belong.
func (d *Decoder) readSlice(n *Node, i int, a mem.Pointer, off uintptr) int {
	i, more := d.opened(i, ']')
	if !more {
		a.SetEmptySlice(off)
		return i
	}
	r := d.roomFor(n)
	at, atOff, want := a, off, 1
	switch {
	case r == nil:
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
		if count == n.Most {
			return -1
		}
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
