package decode

import (
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// sliceInto decodes an array into a slice. It reuses the slice's memory up to its capacity, and
// merges into old elements, as encoding/json does.
func (d *Decoder) sliceInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	// The index has the number of elements, so memory is allocated once.
	count, after, start := d.Words[t].Count(), syntax.After(d.Words, t), t
	limited := n.Most < count
	if limited {
		// Most is at least one, since a limit of n decodes n+1 elements.
		count = n.Most
	}
	t += ContainerWords
	// An empty array makes a slice of length zero that is not nil and keeps its memory.
	if t == after {
		a.SetEmptySlice(off)
		return after, nil
	}
	// Version 2 decodes each element into a zero value, so the old elements are cleared. Their
	// memory is reused.
	if d.V2 != nil && !d.Merges() && a.Cap(off) > 0 {
		v := a.Value(off, n.Shape.Type)
		v.SetLen(min(count, v.Cap()))
		v.Clear()
	}
	first, length := a.Slice(off)
	// All elements within the capacity are merged into, even beyond the length, as in
	// encoding/json. End is the number of elements that fit into the memory of the slice.
	end := min(count, a.Cap(off))
	// The count in a word has 24 bits. Longer arrays are counted during the walk.
	if count == syntax.MaxCount {
		return d.longSliceInto(n, start, after, a, off)
	}
	// An empty slice gets memory for all elements.
	if end == 0 {
		first, end = grow(a, off, n, 0, count), count
	}
	if end > length {
		a.SetLen(off, end)
	}
	stride := n.Shape.Elem.Size
	simple := n.Elem.Op <= NodeString
	// First and end change only when the slice grows. If an element changes the slice itself, the
	// check of Cap after the loop finds out.
	for i := 0; i < count; i++ {
		if i == end {
			first, end = grow(a, off, n, end, count), count
		}
		// Scalars are decoded without a call of Value.
		if simple && d.scalar(n.Elem, t, first, uintptr(i)*stride) {
			t++
			continue
		}
		var err error
		if t, err = d.Value(n.Elem, t, first.Add(uintptr(i)*stride), 0); err != nil {
			// Version 1 keeps the old elements after the one that failed, and version 2 removes
			// them.
			if d.V2 != nil {
				length = 0
			}
			a.SetLen(off, min(max(i+1, length), a.Cap(off)))
			return t, err
		}
	}
	// An element may hold a pointer to this slice, and may have changed it.
	if count <= a.Cap(off) {
		a.SetLen(off, count)
	}
	if limited && d.V2 != nil {
		// The elements after the limit were not decoded. Version 2 still checks their text.
		return d.Skip(start)
	}
	return after, nil
}

// grow makes room for count elements in the slice of n's type at a+off, and sets the length to
// count. The first few elements are already decoded and kept. It returns the address of the first
// element.
func grow(a mem.Pointer, off uintptr, n *Node, few, count int) mem.Pointer {
	// Reflection allocates, since the garbage collector needs the type of the elements.
	v := n.Pointer.Value(a, off)
	// An element may have changed the slice, so the length is set again.
	v.SetLen(min(few, v.Cap()))
	v.Grow(count - v.Len())
	v.SetLen(count)
	first, _ := a.Slice(off)
	return first
}

// longSliceInto continues sliceInto for an array whose length does not fit into its word of the
// index.
func (d *Decoder) longSliceInto(n *Node, start, after int, a mem.Pointer, off uintptr) (int, error) {
	i, t := 0, start+ContainerWords
	for ; t < after && i < n.Most; i++ {
		// The capacity doubles, as in append, since the length is not known.
		if i >= a.Cap(off) {
			a.Value(off, n.Shape.Type).Grow(1)
		}
		first, length := a.Slice(off)
		if i >= length {
			a.SetLen(off, i+1)
		}
		var err error
		if t, err = d.Value(n.Elem, t, first.Add(uintptr(i)*n.Shape.Elem.Size), 0); err != nil {
			return t, err
		}
	}
	if i <= a.Cap(off) {
		a.SetLen(off, i)
	}
	if t < after && d.V2 != nil {
		return d.Skip(start)
	}
	return after, nil
}

// ArrayInto decodes an array into a Go array. Elements that the text lacks become zero.
func (d *Decoder) ArrayInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	after, start, before := syntax.After(d.Words, t), t, d.Saved
	stride := n.Shape.Elem.Size
	simple := n.Elem.Op <= NodeString
	i := 0
	// Version 2 decodes each element into a zero value.
	zeroes := !d.Merges()
	for t += ContainerWords; t < after && i < n.Shape.Len; i++ {
		if simple && d.scalar(n.Elem, t, a, off+uintptr(i)*stride) {
			t++
			continue
		}
		if zeroes {
			a.Value(off+uintptr(i)*stride, n.Shape.Elem.Type).SetZero()
		}
		var err error
		if t, err = d.Value(n.Elem, t, a.Add(off+uintptr(i)*stride), 0); err != nil {
			return t, err
		}
	}
	few := i < n.Shape.Len
	// Elements that the text lacks lose their old values.
	for ; i < n.Shape.Len; i++ {
		a.Value(off+uintptr(i)*stride, n.Shape.Elem.Type).SetZero()
	}
	// An OpenAPI document states the length of an array, so a check of members refuses other
	// lengths, which version 1 accepts.
	if d.On&option.CheckMembers != 0 && (few || t < after) {
		d.memberFault(MemberError{Offset: d.Words[start].Pos(), Detail: "must have " + strconv.Itoa(n.Shape.Len) + " elements"})
		return after, nil
	}
	if d.V2 == nil {
		return after, nil
	}
	if few {
		return after, d.V2.ArrayLength(n, start, rules.ErrTooFew, before)
	}
	many := t < after
	for t < after {
		var err error
		if t, err = d.Skip(t); err != nil {
			return t, err
		}
	}
	if many {
		return after, d.V2.ArrayLength(n, start, rules.ErrTooMany, before)
	}
	return after, nil
}

// ContainerWords is the number of words of the index that an array or an object begins with.
const ContainerWords = syntax.ContainerWords

// A room is a slice into which a decode in one pass reads the elements of a slice before their
// number is known. Its elements are zero between uses.
type room struct {
	node *Node
	// The slice, whose elements are zero unless it is busy.
	at mem.Pointer
	// A pass is using the room.
	busy bool
	// The length of the last slice of this node.
	last int
	// The number of successive slices with the length last.
	same int
}

// The limits of rooms.
const (
	// The number of rooms of a Decoder.
	rooms = 64
	// The largest room, in bytes, that is kept for the next slice.
	longRoom = 64 << 10
	// After this many slices of one length, memory of that length is allocated first.
	steady = 4
)

// roomFor returns the room for n, or nil if both rooms for n are busy. A slice of slices needs a
// room for each level.
func (d *Decoder) roomFor(n *Node) *room {
	// The number of the node selects the room. If this room is busy, because slices of one type are
	// nested, a second one is tried.
	r := &d.rooms[n.number%rooms]
	if r.busy {
		if r = &d.rooms[uint(n.number+7*d.depth)%rooms]; r.busy {
			return nil
		}
	}
	// The room belonged to another node, so it gets a new slice, of n's type.
	if r.node != n {
		*r = room{node: n, at: mem.OfPointer(reflect.New(n.Shape.Type))}
	}
	return r
}

// moveTo moves the first count elements of the room to the slice at a+off. A large room that is
// mostly full becomes the slice itself.
func (r *room) moveTo(n *Node, count int, a mem.Pointer, off uintptr) {
	from := n.Pointer.Value(r.at, 0)
	r.at.SetLen(0, count)
	to := n.Pointer.Value(a, off)
	// Copying a large slice costs more than the unused memory at its end. The room loses its
	// memory, so it shares none with the value.
	if kept := from.Cap() * int(n.Shape.Elem.Size); kept > longRoom && count > from.Cap()/4*3 {
		to.Set(from)
		from.SetZero()
	} else {
		grow(a, off, n, 0, count)
		reflect.Copy(to, from)
		// The room keeps no reference to the elements, and is zero for the next slice.
		from.Clear()
		if kept > longRoom {
			from.SetZero()
		}
	}
	r.at.SetLen(0, r.at.Cap(0))
	r.busy = false
}
