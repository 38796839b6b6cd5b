// Package plan keeps what an engine compiled for a type, behind a lookup of a
// nanosecond or two. Every engine has one [Cache] for each kind of program.
package plan

import (
	"math/bits"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/hone-go/hone/internal/mem"
)

// A Cache maps types to programs. The zero value is empty and ready to use; it
// is safe for concurrent use. Entries are never dropped: a process has as many
// as it has types that reach the engine.
//
// Readers load one immutable open-addressed table and probe it; a writer
// replaces the table by a copy with one entry more.
type Cache[P any] struct {
	table atomic.Pointer[table[P]]
	mu    sync.Mutex // held by writers
}

type table[P any] struct {
	slots []slot[P] // a power of two of them, at most half in use
	shift uint8     // of the hash, so that it indexes slots
	used  int
}

type slot[P any] struct {
	id      uintptr // mem.TypeID; 0 if the slot is free
	program *P
}

// Get returns the program kept for t, or nil.
func (c *Cache[P]) Get(t reflect.Type) *P {
	tab := c.table.Load()
	if tab == nil {
		return nil
	}
	id := mem.TypeID(t)
	slots := tab.slots
	for i := hash(id) >> (tab.shift & 63); ; i++ {
		s := &slots[i&uint64(len(slots)-1)]
		if s.id == id {
			return s.program
		}
		if s.id == 0 {
			return nil
		}
	}
}

// Put keeps p for t unless a program is there already, and returns the one
// that is kept: of two compilers that race, both use the first one's program.
func (c *Cache[P]) Put(t reflect.Type, p *P) *P {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kept := c.Get(t); kept != nil {
		return kept
	}
	old := c.table.Load()
	n := 1
	if old != nil {
		n += old.used
	}
	size := 1 << max(4, bits.Len(uint(n))+1)
	next := &table[P]{slots: make([]slot[P], size), shift: uint8(64 - bits.Len(uint(size-1))), used: n}
	if old != nil {
		for _, s := range old.slots {
			if s.id != 0 {
				next.insert(s)
			}
		}
	}
	next.insert(slot[P]{mem.TypeID(t), p})
	c.table.Store(next)
	return p
}

func (t *table[P]) insert(s slot[P]) {
	i := hash(s.id) >> t.shift
	for t.slots[i&uint64(len(t.slots)-1)].id != 0 {
		i++
	}
	t.slots[i&uint64(len(t.slots)-1)] = s
}

// hash is Fibonacci hashing: the high bits of a product with 2^64 over the
// golden ratio (Knuth, The Art of Computer Programming, volume 3, 6.4).
func hash(id uintptr) uint64 { return uint64(id) * 0x9E3779B97F4A7C15 }
