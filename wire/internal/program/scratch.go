package program

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// A scratch is a pooled buffer for encoders. An encoder owns it from borrow to release.
type scratch struct{ b []byte }

// scratches has a pool for each size. Each size is four times the previous one, so an encoding
// that outgrows a scratch is copied only a few times, and the pools hold few different sizes.
var scratches [6]sync.Pool

// The sizes of the smallest and the largest scratch in the pools, in bytes.
const (
	minScratch = 16 << 10
	maxScratch = minScratch << (2 * (len(scratches) - 1))
)

// class returns the index in scratches of the smallest scratch of at least size bytes.
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

// release returns s to its pool. The caller must not use s.b afterwards.
func (s *scratch) release() {
	if len(s.b) <= maxScratch {
		scratches[class(len(s.b))].Put(s)
	}
}

// sizes predicts the length of the next encoding of a program from the latest ones, so that Marshal
// can encode into the memory that it returns. Concurrent calls may overwrite the guess, which is
// harmless.
//
// A length becomes the guess when it occurs twice in a row; lengths that differ by at most 1/32
// count as equal. So one very long value does not make later calls allocate its length, and
// after a change of lengths at most one call allocates memory for a wrong guess.
type sizes struct {
	latest atomic.Uint64 // the guess times two; its lowest bit is set once two lengths were equal
}

// Lengths that differ by at most 1/nearby count as equal.
const nearby = 32

// room returns the number of bytes to allocate for the next encoding: the guess plus reserve. It
// returns 0 if there is no guess, or if reserve is large compared with the guess.
func (s *sizes) room(reserve int) int {
	latest := s.latest.Load()
	n := int(latest >> 1)
	if latest&1 == 0 || reserve > n/(nearby/2) {
		return 0
	}
	return n + reserve
}

// note records an encoding of n bytes. It stores nothing if there is a guess and n is equal to the
// guess or slightly less, since a store would slow down other cores that read the guess.
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
