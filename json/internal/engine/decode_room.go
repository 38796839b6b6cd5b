package engine

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
)

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
		*r = room{node: n, at: mem.OfPointer(reflect.New(n.shape.Type))}
	}
	return r
}

// moveTo moves the first count elements to the slice at a+off, whose type is n's.
func (r *room) moveTo(n *Node, count int, a mem.Pointer, off uintptr) {
	from := n.pointer.Value(r.at, 0)
	r.at.SetLen(0, count)
	to := n.pointer.Value(a, off)
	if kept := from.Cap() * int(n.shape.Elem.Size); kept > longRoom && count > from.Cap()/4*3 {
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
