package program

import "sync/atomic"

// Sizes is what a program knows of the lengths of its latest encodings, so that the next
// one is made where it stays. It is a guess, which concurrent calls may overwrite.
//
// Only what came twice is a guess; lengths that differ by more than a part in 32 are
// not the same. So one value that is much longer than the others makes none of them
// take memory for its length, and at most one encoding after each change of lengths is
// made in memory that is then dropped.
type sizes struct {
	latest atomic.Uint64 // twice the longest of the lengths that are the same, and 1 if there were two
}

const nearby = 32

// room returns how much memory to take for the next encoding, which may reserve so many
// bytes beyond what it writes; 0 if that is not known, or most of it would be
// left over.
func (s *sizes) room(reserve int) int {
	latest := s.latest.Load()
	n := int(latest >> 1)
	if latest&1 == 0 || reserve > n/(nearby/2) {
		return 0
	}
	return n + reserve
}

// note takes notice of an encoding of n bytes. It writes nothing if it is what was
// expected, since other cores read.
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
