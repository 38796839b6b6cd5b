package program

import (
	"math/bits"
	"sync"
)

// A scratch is where the encoder goes on when it runs out of room.
type scratch struct{ b []byte }

// scratches are kept by their size, each four times the one before.
var scratches [6]sync.Pool

const (
	minScratch = 16 << 10
	maxScratch = minScratch << (2 * (len(scratches) - 1))
)

// class returns the index of the scratches that have room for size bytes.
func class(size int) int { return (bits.Len(uint(size-1)/minScratch) + 1) / 2 }

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

func (s *scratch) release() {
	if len(s.b) <= maxScratch {
		scratches[class(len(s.b))].Put(s)
	}
}
