package document

import (
	"hash/maphash"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/hone-go/hone/internal/syntax"
)

const (
	// minTable is the size of the largest object or array that is searched without a table. A table
	// takes as long to build as some ten searches of an object of this size.
	minTable = 64

	// elementsPerSlot is the distance of the elements of an array that its table has.
	elementsPerSlot = 32

	// maxBuckets limits the length of the list of buckets.
	maxBuckets = 1 << 16
)

// A table leads to the members of one large object, or to the elements of one long array.
type table struct {
	container int
	next      *table // in the same bucket
	// slots of an object are a hash table with open addressing, of the indexes of names. A zero slot is
	// empty. slots of an array have the index of every element whose number is a multiple of
	// elementsPerSlot.
	slots []uint32
}

// tables has the tables of a Document. A table is built when it is first needed. Readers take no lock.
type tables struct {
	buckets atomic.Pointer[[]atomic.Pointer[table]]
	build   sync.Mutex // serializes the building of tables
	used    []*table

	// Memory of earlier texts.
	unused      []*table
	lastBuckets *[]atomic.Pointer[table]
}

// of returns the table of the object or array at t.
func (s *tables) of(d *Document, t int) *table {
	if buckets := s.buckets.Load(); buckets != nil {
		if found := bucketOf(*buckets, t).Load().search(t); found != nil {
			return found
		}
	}
	s.build.Lock()
	defer s.build.Unlock()
	buckets := s.buckets.Load()
	if buckets == nil {
		n := 1 << bits.Len(uint(min(len(d.words)/minTable, maxBuckets)/2))
		if buckets = s.lastBuckets; buckets == nil || len(*buckets) < n {
			list := make([]atomic.Pointer[table], n)
			buckets = &list
		}
		s.buckets.Store(buckets)
	}
	bucket := bucketOf(*buckets, t)
	first := bucket.Load()
	if found := first.search(t); found != nil {
		return found
	}
	var added *table
	if n := len(s.unused); n > 0 {
		added, s.unused = s.unused[n-1], s.unused[:n-1]
	} else {
		added = new(table)
	}
	added.container, added.next = t, first
	if d.kind(t) == Object {
		added.addNames(d)
	} else {
		added.addElements(d)
	}
	s.used = append(s.used, added)
	bucket.Store(added)
	return added
}

// bucketOf returns the bucket of the container at t. The multiplier is 2^64 divided by the golden ratio.
func bucketOf(buckets []atomic.Pointer[table], t int) *atomic.Pointer[table] {
	return &buckets[uint64(t)*0x9e3779b97f4a7c15>>32&uint64(len(buckets)-1)]
}

// search returns the table of the container at t in a bucket that starts with p, or nil.
func (p *table) search(t int) *table {
	for p != nil && p.container != t {
		p = p.next
	}
	return p
}

// reset removes all tables, and keeps their memory.
func (s *tables) reset() {
	if len(s.used) == 0 {
		return
	}
	s.lastBuckets = s.buckets.Swap(nil)
	clear(*s.lastBuckets)
	s.unused = append(s.unused, s.used...)
	clear(s.used)
	s.used = s.used[:0]
}

// seed makes the hashes of names unpredictable.
var seed = maphash.MakeSeed()

// resize makes p have n zero slots.
func (p *table) resize(n int) {
	if cap(p.slots) < n {
		p.slots = make([]uint32, n)
		return
	}
	p.slots = p.slots[:n]
	clear(p.slots)
}

// addNames adds the names of the object to p. It returns the index of the last name that was there
// already, or -1.
func (p *table) addNames(d *Document) (duplicate int) {
	p.resize(1 << bits.Len(uint(2*d.count(p.container))))
	mask := uint64(len(p.slots) - 1)
	duplicate = -1
	var buf [128]byte
	for name, after := p.container+syntax.ContainerWords, syntax.After(d.words, p.container); name < after; name = d.after(name + 1) {
		i := maphash.Bytes(seed, d.content(name, buf[:0])) & mask
		for ; p.slots[i] != 0; i = (i + 1) & mask {
			if d.equalStrings(int(p.slots[i]), name) {
				duplicate = name
				break
			}
		}
		p.slots[i] = uint32(name)
	}
	return duplicate
}

// find returns the index of the value of the last member called name, or -1.
func (p *table) find(d *Document, name string) int {
	mask := uint64(len(p.slots) - 1)
	for i := maphash.String(seed, name) & mask; p.slots[i] != 0; i = (i + 1) & mask {
		if d.isString(int(p.slots[i]), name) {
			return int(p.slots[i]) + 1
		}
	}
	return -1
}

// addElements adds the elements of the array to p.
func (p *table) addElements(d *Document) {
	p.resize((d.count(p.container) + elementsPerSlot - 1) / elementsPerSlot)
	n := 0
	for t, after := p.container+syntax.ContainerWords, syntax.After(d.words, p.container); t < after; t = d.after(t) {
		if n%elementsPerSlot == 0 {
			p.slots[n/elementsPerSlot] = uint32(t)
		}
		n++
	}
}
