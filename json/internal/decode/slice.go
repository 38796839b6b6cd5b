package decode

import (
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// sliceInto decodes an array into a slice. What the slice held within its
// capacity is decoded into, as encoding/json has it.
func (d *Decoder) sliceInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	count, after, start := d.Words[t].Count(), syntax.After(d.Words, t), t
	limited := n.Most < count
	if limited {
		count = n.Most // which is one at least
	}
	t += ContainerWords
	if t == after {
		a.SetEmptySlice(off)
		return after, nil
	}
	if d.V2 != nil && !d.Merges() && a.Cap(off) > 0 {
		v := a.Value(off, n.Shape.Type)
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
	stride := n.Shape.Elem.Size
	simple := n.Elem.Op <= NodeString
	for i := 0; i < count; i++ {
		if i == end {
			first, end = grow(a, off, n, end, count), count
		}
		if simple && d.scalar(n.Elem, t, first, uintptr(i)*stride) {
			t++
			continue
		}
		var err error
		if t, err = d.Value(n.Elem, t, first.Add(uintptr(i)*stride), 0); err != nil {
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
		return d.Skip(start) // as no more than that is known of the rest
	}
	return after, nil
}

// grow makes room for count elements in the slice of n's type at a+off, of which the first
// few have been decoded. It returns the first element, and the length is count.
func grow(a mem.Pointer, off uintptr, n *Node, few, count int) mem.Pointer {
	v := n.Pointer.Value(a, off)
	v.SetLen(min(few, v.Cap())) // an element may have changed the slice
	v.Grow(count - v.Len())
	v.SetLen(count)
	first, _ := a.Slice(off)
	return first
}

// longSliceInto is the end of sliceInto for an array whose length the index
// does not hold.
func (d *Decoder) longSliceInto(n *Node, start, after int, a mem.Pointer, off uintptr) (int, error) {
	i, t := 0, start+ContainerWords
	for ; t < after && i < n.Most; i++ {
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

// ArrayInto decodes an array into an array, whose tail is zeroed.
func (d *Decoder) ArrayInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	after, start, before := syntax.After(d.Words, t), t, d.Saved
	stride := n.Shape.Elem.Size
	simple := n.Elem.Op <= NodeString
	i := 0
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
	for ; i < n.Shape.Len; i++ {
		a.Value(off+uintptr(i)*stride, n.Shape.Elem.Type).SetZero()
	}
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

const ContainerWords = syntax.ContainerWords

// A room is where the elements of a slice are read to.
type room struct {
	node *Node
	at   mem.Pointer // of a slice of zeros
	busy bool
	last int // the length of the last slice
	same int // how many had that, one after the other
}

const (
	rooms    = 64       // that a decoder has
	longRoom = 64 << 10 // bytes that are kept for the next slice
	steady   = 4        // slices of one length, and the next is likely to have it
)

// roomFor returns the room of n, or nil if it is busy.
func (d *Decoder) roomFor(n *Node) *room {
	r := &d.rooms[n.number%rooms]
	if r.busy {
		if r = &d.rooms[uint(n.number+7*d.depth)%rooms]; r.busy {
			return nil
		}
	}
	if r.node != n {
		*r = room{node: n, at: mem.OfPointer(reflect.New(n.Shape.Type))}
	}
	return r
}

// moveTo moves the first count elements to the slice at a+off, whose type is n's.
func (r *room) moveTo(n *Node, count int, a mem.Pointer, off uintptr) {
	from := n.Pointer.Value(r.at, 0)
	r.at.SetLen(0, count)
	to := n.Pointer.Value(a, off)
	if kept := from.Cap() * int(n.Shape.Elem.Size); kept > longRoom && count > from.Cap()/4*3 {
		to.Set(from)
		from.SetZero()
	} else {
		grow(a, off, n, 0, count)
		reflect.Copy(to, from)
		from.Clear()
		if kept > longRoom {
			from.SetZero()
		}
	}
	r.at.SetLen(0, r.at.Cap(0))
	r.busy = false
}
