package decode

import (
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// sliceInto decodes an array into a slice. It decodes into the elements that are within the
// slice's capacity, as encoding/json does.
func (d *Decoder) sliceInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	// The index knows the number of elements, so memory is made once.
	count, after, start := d.Words[t].Count(), syntax.After(d.Words, t), t
	limited := n.Most < count
	if limited {
		// Most is at least one, since a limit of n decodes n+1 elements.
		count = n.Most
	}
	t += ContainerWords
	// An empty array makes an empty slice and not nil, with the memory that is there.
	if t == after {
		a.SetEmptySlice(off)
		return after, nil
	}
	// Version 2 decodes each element into a zero value. Old elements that are decoded into are
	// cleared first, and the memory is kept.
	if d.V2 != nil && !d.Merges() && a.Cap(off) > 0 {
		v := a.Value(off, n.Shape.Type)
		v.SetLen(min(count, v.Cap()))
		v.Clear()
	}
	first, length := a.Slice(off)
	// The elements within the capacity are decoded into, beyond the length too: encoding/json
	// finds old values there.
	// End is the number of elements that fit into the memory of the slice.
	end := min(count, a.Cap(off))
	// A word has 24 bits for the count. A longer array is counted as it is walked.
	if count == syntax.MaxCount {
		return d.longSliceInto(n, start, after, a, off)
	}
	// Memory for all elements, or the elements of the slice that is there.
	if end == 0 {
		first, end = grow(a, off, n, 0, count), count
	}
	if end > length {
		a.SetLen(off, end)
	}
	stride := n.Shape.Elem.Size
	simple := n.Elem.Op <= NodeString
	// First and end are loaded once and again only after the slice has grown. An element cannot
	// move them unseen: grow sets them, and Cap is asked again after the loop.
	for i := 0; i < count; i++ {
		if i == end {
			first, end = grow(a, off, n, end, count), count
		}
		// Scalars are stored without a call of Value.
		if simple && d.scalar(n.Elem, t, first, uintptr(i)*stride) {
			t++
			continue
		}
		var err error
		if t, err = d.Value(n.Elem, t, first.Add(uintptr(i)*stride), 0); err != nil {
			// Version 1 keeps the old elements after the one that failed, version 2 cuts them off.
			if d.V2 != nil {
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
	if limited && d.V2 != nil {
		// The elements after the limit were not decoded. Version 2 still checks their text.
		return d.Skip(start)
	}
	return after, nil
}

// grow makes room for count elements in the slice of n's type at a+off, of which the first few
// are decoded. It returns the first element. The length becomes count.
func grow(a mem.Pointer, off uintptr, n *Node, few, count int) mem.Pointer {
	// Reflection allocates, so that the collector knows the type of the elements.
	v := n.Pointer.Value(a, off)
	// An element may have changed the slice, so its length is set again.
	v.SetLen(min(few, v.Cap()))
	v.Grow(count - v.Len())
	v.SetLen(count)
	first, _ := a.Slice(off)
	return first
}

// longSliceInto is the rest of sliceInto for an array whose length does not fit into its word
// of the index.
func (d *Decoder) longSliceInto(n *Node, start, after int, a mem.Pointer, off uintptr) (int, error) {
	i, t := 0, start+ContainerWords
	for ; t < after && i < n.Most; i++ {
		// Growth doubles, as append does, since the count is not known.
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

// ArrayInto decodes an array into a Go array. Elements that the text does not have become zero.
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
	// Elements that the text lacks do not keep their old values.
	for ; i < n.Shape.Len; i++ {
		a.Value(off+uintptr(i)*stride, n.Shape.Elem.Type).SetZero()
	}
	// A document says how many elements an array has, so a check of members is strict about it
	// where version 1 is not.
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

// A room is a slice of zeros into which one pass reads the elements of a slice.
type room struct {
	node *Node
	// The slice, whose elements are zero unless it is busy.
	at mem.Pointer
	// A pass is reading into it.
	busy bool
	// The length of the last slice.
	last int
	// The number of slices in a row that had this length.
	same int
}

// The limits of rooms.
const (
	// The number of rooms of a Decoder.
	rooms = 64
	// The number of bytes of a room that are kept for the next slice.
	longRoom = 64 << 10
	// After so many slices of one length, memory of that length is made for the next.
	steady = 4
)

// roomFor returns the room for n, or nil if its two rooms are busy. A slice of slices needs a
// room for each level.
func (d *Decoder) roomFor(n *Node) *room {
	// The room is found by the number of the node. If it is busy, the slice is inside of
	// another of the same type, and a second place is tried.
	r := &d.rooms[n.number%rooms]
	if r.busy {
		if r = &d.rooms[uint(n.number+7*d.depth)%rooms]; r.busy {
			return nil
		}
	}
	// Another node had the room: it gets a slice of this type.
	if r.node != n {
		*r = room{node: n, at: mem.OfPointer(reflect.New(n.Shape.Type))}
	}
	return r
}

// moveTo moves the first count elements of the room to the slice at a+off. A large room that is
// mostly full is handed over instead, and no more kept.
func (r *room) moveTo(n *Node, count int, a mem.Pointer, off uintptr) {
	from := n.Pointer.Value(r.at, 0)
	r.at.SetLen(0, count)
	to := n.Pointer.Value(a, off)
	// Copying a large slice costs more than the memory that it wastes. The room starts again
	// from nothing, so no memory is shared with the value.
	if kept := from.Cap() * int(n.Shape.Elem.Size); kept > longRoom && count > from.Cap()/4*3 {
		to.Set(from)
		from.SetZero()
	} else {
		grow(a, off, n, 0, count)
		reflect.Copy(to, from)
		// The room keeps no reference to the elements, and its zeros are ready for the next slice.
		from.Clear()
		if kept > longRoom {
			from.SetZero()
		}
	}
	r.at.SetLen(0, r.at.Cap(0))
	r.busy = false
}
