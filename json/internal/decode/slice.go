package decode

import (
	"reflect"
	"strconv"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// sliceInto decodes an array into a slice. It reuses the slice's memory up to the capacity, and
// merges values into old elements, as encoding/json does.
func (d *Decoder) sliceInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	// The index stores the number of elements, so memory is allocated only once.
	count, after, start := d.Words[t].Count(), syntax.After(d.Words, t), t
	limited := n.Most < count
	if limited {
		// n.Most is the limit in the tag plus one, so it is at least one.
		count = n.Most
	}
	t += ContainerWords
	// An empty array sets the length to zero. The slice is not nil and keeps its capacity.
	if t == after {
		a.SetEmptySlice(off)
		return after, nil
	}
	// Unless the options merge, each element is decoded into a zero value, so clear the old elements.
	// Their memory is reused.
	if !d.Merges() && a.Cap(off) > 0 {
		v := a.Value(off, n.Shape.Type)
		v.SetLen(min(count, v.Cap()))
		v.Clear()
	}
	first, length := a.Slice(off)
	// As in encoding/json, values are merged into all elements within the capacity, even beyond the
	// length. end is the number of elements that fit into the slice without growing it.
	end := min(count, a.Cap(off))
	// The count in a word has 24 bits. For a longer array the words are counted.
	if count == syntax.MaxCount {
		return d.longSliceInto(n, start, after, a, off)
	}
	// Allocate an empty slice for all elements.
	if end == 0 {
		first, end = grow(a, off, n, 0, count), count
	}
	if end > length {
		a.SetLen(off, end)
	}
	stride := n.Shape.Elem.Size
	simple := n.Elem.Op <= NodeString
	// This loop updates the variables first and end when it grows the slice. If decoding an element
	// changes the slice itself, the check of Cap after the loop detects it.
	for i := 0; i < count; i++ {
		if i == end {
			first, end = grow(a, off, n, end, count), count
		}
		// Decode a scalar without a call of Value.
		if simple && d.scalar(n.Elem, t, first, uintptr(i)*stride) {
			t++
			continue
		}
		var err error
		if t, err = d.Value(n.Elem, t, first.Add(uintptr(i)*stride), 0); err != nil {
			if !n.keepsTail {
				length = 0
			}
			a.SetLen(off, min(max(i+1, length), a.Cap(off)))
			return t, err
		}
	}
	// Decoding an element may have changed the slice, because an element may contain a pointer to
	// the slice.
	if count <= a.Cap(off) {
		a.SetLen(off, count)
	}
	if limited {
		// The elements after the limit were not decoded. Check them if necessary.
		return d.Skip(start)
	}
	return after, nil
}

// grow sets the length of the slice at a+off to count, and returns the address of its first
// element. The argument kept is the number of elements that it keeps. n is the node of the slice.
func grow(a mem.Pointer, off uintptr, n *Node, kept, count int) mem.Pointer {
	// Reflection allocates the memory, because the garbage collector needs the type of the
	// elements.
	v := n.Pointer.Value(a, off)
	// Decoding an element may have changed the slice, so set the length again.
	v.SetLen(min(kept, v.Cap()))
	v.Grow(count - v.Len())
	v.SetLen(count)
	first, _ := a.Slice(off)
	return first
}

// longSliceInto implements sliceInto for an array whose length does not fit into its word in the
// index.
func (d *Decoder) longSliceInto(n *Node, start, after int, a mem.Pointer, off uintptr) (int, error) {
	i, t := 0, start+ContainerWords
	for ; t < after && i < n.Most; i++ {
		// The length is unknown, so Grow doubles the capacity, like append.
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
	if t < after {
		return d.Skip(start)
	}
	return after, nil
}

// ArrayInto decodes an array into a Go array. It sets missing elements to zero.
func (d *Decoder) ArrayInto(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	after, start, before := syntax.After(d.Words, t), t, d.Saved
	stride := n.Shape.Elem.Size
	simple := n.Elem.Op <= NodeString
	i := 0
	// Unless the options merge, each element is decoded into a zero value.
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
	// Set the missing elements to zero.
	for ; i < n.Shape.Len; i++ {
		a.Value(off+uintptr(i)*stride, n.Shape.Elem.Type).SetZero()
	}
	// With CheckMembers the lengths must be equal, because an OpenAPI document states the length of
	// the array.
	many := t < after
	if d.On&option.CheckMembers != 0 && (few || many) {
		d.memberFault(MemberError{Offset: d.Words[start].Pos(), Detail: "must have " + strconv.Itoa(n.Shape.Len) + " elements"})
		return after, nil
	}
	for t < after {
		var err error
		if t, err = d.Skip(t); err != nil {
			return t, err
		}
	}
	switch {
	case d.Has(option.UnmarshalArrayFromAnyLength):
	case few:
		return after, d.Faults.ArrayLength(n, start, rules.ErrTooFew, before)
	case many:
		return after, d.Faults.ArrayLength(n, start, rules.ErrTooMany, before)
	}
	return after, nil
}

// ContainerWords is the number of words in the index at the start of an array or object, before the
// words of its elements.
const ContainerWords = syntax.ContainerWords

// A stagingSlice belongs to the Decoder. One pass decodes the elements of an array or a map into it,
// before their number is known, and then copies them to the target.
type stagingSlice struct {
	node *Node
	// at is the address of the slice. Its elements are zero unless busy is set.
	at mem.Pointer
	// busy is set while a pass is decoding into the slice.
	busy bool
	// last is the length of the last decoded slice of this node.
	last int
	// repeats is the number of consecutive slices, up to the most recent one, that had the length
	// last.
	repeats int
}

// The number and the sizes of staging slices.
const (
	// The number of staging slices of a Decoder.
	stagingSlices = 64
	// The maximum size in bytes of a staging slice that is kept for the next array.
	maxStagingBytes = 64 << 10
	// If this number of slices in a row have equal lengths, memory of this length is allocated for
	// the next slice before its elements are decoded.
	steady = 4
)

// stagingFor returns a staging slice for n. It tries two staging slices of the Decoder, and returns
// nil if both are busy. A slice of slices needs one staging slice for each level.
func (d *Decoder) stagingFor(n *Node) *stagingSlice {
	// The node's number selects the first candidate. This candidate is busy while an enclosing
	// slice of the same type is decoded, so the second candidate also depends on the depth.
	r := &d.staging[n.number%stagingSlices]
	if r.busy {
		if r = &d.staging[uint(n.number+7*d.depth)%stagingSlices]; r.busy {
			return nil
		}
	}
	// Another node has used this staging slice. Replace it by a new slice of n's type.
	if r.node != n {
		t := n.Shape.Type
		if n.Op == NodeMap {
			t = reflect.SliceOf(n.Shape.Elem.Type)
		}
		*r = stagingSlice{node: n, at: mem.OfPointer(reflect.New(t))}
	}
	return r
}

// moveTo moves the first count elements of r to the slice at a+off. If r is large and mostly full,
// the slice gets the memory of r, and no elements are copied.
func (r *stagingSlice) moveTo(n *Node, count int, a mem.Pointer, off uintptr) {
	from := n.Pointer.Value(r.at, 0)
	r.at.SetLen(0, count)
	to := n.Pointer.Value(a, off)
	// Copying a large slice costs more than the unused memory at its end. The target takes the memory
	// of r, and r gets new memory later.
	if size := from.Cap() * int(n.Shape.Elem.Size); size > maxStagingBytes && count > from.Cap()/4*3 {
		to.Set(from)
		from.SetZero()
	} else {
		grow(a, off, n, 0, count)
		reflect.Copy(to, from)
		r.free(n, count)
		return
	}
	r.at.SetLen(0, r.at.Cap(0))
	r.busy = false
}

// free clears the first count elements of r for the next array, which also drops their pointers.
func (r *stagingSlice) free(n *Node, count int) {
	elems := n.Pointer.Value(r.at, 0)
	elems.SetLen(count)
	elems.Clear()
	if elems.Cap()*int(n.Shape.Elem.Size) > maxStagingBytes {
		elems.SetZero()
	} else {
		elems.SetLen(elems.Cap())
	}
	r.busy = false
}
