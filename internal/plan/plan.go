// Package plan caches the programs that an engine has compiled for types. A lookup takes a
// nanosecond or two. Every engine has one [Cache] for each kind of program.
package plan

import (
	"math/bits"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/hone-go/hone/internal/memory/mem"
)

// A Cache maps types to programs. The zero value is empty and ready to use. It is safe for
// concurrent use. Entries are never removed: a process has one entry for each type that it
// passes to the engine.
//
// Readers load one open-addressed table and probe it. A writer puts an entry into a free slot of
// the table. If half of the table is used, the writer first replaces the table by one of twice the
// size.
type Cache[P any] struct {
	table atomic.Pointer[table[P]]
	mu    sync.Mutex // locked by writers
}

type table[P any] struct {
	slots []slot[P] // the length is a power of two, and at most half of the slots are used
	shift uint8     // shifts a hash to an index into slots
	used  int       // number of used slots; only writers access it
}

// A slot is written once: the program first, then the ID, which publishes both.
type slot[P any] struct {
	id      atomic.Uintptr // mem.TypeID; 0 if the slot is free
	program *P
}

// Get returns the program stored for t, or nil.
func (c *Cache[P]) Get(t reflect.Type) *P {
	tab := c.table.Load()
	if tab == nil {
		return nil
	}
	id := mem.TypeID(t)
	slots := tab.slots
	for i := hash(id) >> (tab.shift & 63); ; i++ {
		s := &slots[i&uint64(len(slots)-1)]
		switch s.id.Load() {
		case id:
			return s.program
		case 0:
			return nil
		}
	}
}

// Put stores p for t unless a program is already stored, and returns the stored program. If
// two goroutines compile the same type, both use the program of the first.
func (c *Cache[P]) Put(t reflect.Type, p *P) *P {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kept := c.Get(t); kept != nil {
		return kept
	}
	tab := c.table.Load()
	if tab == nil {
		tab = newTable[P](minSlots)
		c.table.Store(tab)
	} else if 2*(tab.used+1) > len(tab.slots) {
		old := tab
		tab = newTable[P](2 * len(old.slots))
		for i := range old.slots {
			if s := &old.slots[i]; s.id.Load() != 0 {
				tab.insert(s.id.Load(), s.program)
			}
		}
		c.table.Store(tab)
	}
	tab.insert(mem.TypeID(t), p)
	return p
}

// minSlots is the size of the first table.
const minSlots = 16

func newTable[P any](size int) *table[P] {
	return &table[P]{slots: make([]slot[P], size), shift: uint8(64 - bits.Len(uint(size-1)))}
}

func (t *table[P]) insert(id uintptr, p *P) {
	i := hash(id) >> t.shift
	for t.slots[i&uint64(len(t.slots)-1)].id.Load() != 0 {
		i++
	}
	s := &t.slots[i&uint64(len(t.slots)-1)]
	s.program = p
	s.id.Store(id)
	t.used++
}

// hash returns id times 2^64/φ, where φ is the golden ratio, modulo 2^64. Callers use the high bits as
// an index (Fibonacci hashing; Knuth, The Art of Computer Programming, volume 3, 6.4).
func hash(id uintptr) uint64 { return uint64(id) * 0x9E3779B97F4A7C15 }
