package program

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// A scratch is a buffer of the encoder. It has one owner at a time: an encoder from borrow to
// release, and a pool otherwise.
type scratch struct{ b []byte }

// scratches has a pool for each size. Each size is four times the one before, so a scratch that
// is too small by one step wastes little.
var scratches [6]sync.Pool

// The smallest and the largest scratch that a pool keeps, in bytes.
const (
	minScratch = 16 << 10
	maxScratch = minScratch << (2 * (len(scratches) - 1))
)

// class returns the index in scratches of the smallest size with room for size bytes.
func class(size int) int { return (bits.Len(uint(size-1)/minScratch) + 1) / 2 }

// borrow returns a scratch of at least size bytes. Its content is undefined. A scratch of more
// than maxScratch bytes is allocated, and release leaves it to the garbage collector.
func borrow(size int) *scratch {
	if size > maxScratch {
		return &scratch{make([]byte, size)}
	}
	k := class(size)
	if s, ok := scratches[k].Get().(*scratch); ok {
		return s
	}
	return &scratch{make([]byte, minScratch<<(2*k))}
}

// release returns s to its pool. Nobody may use s.b afterwards.
func (s *scratch) release() {
	if len(s.b) <= maxScratch {
		scratches[class(len(s.b))].Put(s)
	}
}

// A sizes guesses the length of the next encoding of a program from the latest ones, so that
// Marshal can encode into the memory that it returns. Concurrent calls may overwrite the guess,
// which is harmless.
//
// A length is a guess once it has come twice; lengths that differ by more than 1/32 count as
// different. So one very long value does not make later calls allocate its length, and after each
// change of lengths at most one encoding is made in memory that is then dropped.
type sizes struct {
	latest atomic.Uint64 // twice the longest of the equal lengths, plus 1 if there were two
}

// Lengths that differ by at most a part in nearby count as equal.
const nearby = 32

// room returns the memory to allocate for the next encoding, which may reserve that many bytes
// beyond the ones that it writes. It returns 0 without a guess, and if the reserved bytes would
// be a large part of the memory.
func (s *sizes) room(reserve int) int {
	latest := s.latest.Load()
	n := int(latest >> 1)
	if latest&1 == 0 || reserve > n/(nearby/2) {
		return 0
	}
	return n + reserve
}

// note records an encoding of n bytes. It stores nothing if n is as expected, since other cores
// read the guess.
func (s *sizes) note(n int) {
	latest := s.latest.Load()
	last := int(latest >> 1)
	switch {
	case n < last-last/nearby || n > last+last/nearby:
		s.latest.Store(uint64(n) << 1)
	case n > last || latest&1 == 0:
		s.latest.Store(uint64(max(n, last))<<1 | 1)
	}
}
