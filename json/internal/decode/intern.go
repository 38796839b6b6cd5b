package decode

import (
	"encoding/binary"

	"github.com/hone-go/hone/internal/memory/mem"
)

// An interner has the memory of the strings and floats that decoded values keep. It outlives the
// call, which is safe since memory is never written again after it was handed out.
type interner struct {
	// Short strings are parts of block, which is only appended to.
	block []byte
	// Interfaces that hold a float point into floats.
	floats []float64

	// Names of maps that were decoded recently.
	names sharedStrings
	// Strings that were decoded recently.
	values sharedStrings
	// The credit falls with each new string, and rises with each string that is found in values.
	credit int
	// The number of strings that are still to be made without a search, since too few searches
	// found one.
	pause int
}

// The sizes of the interner, in bytes, and the rules by which it stops looking for equal
// values.
const (
	blockSize   = 512
	longInBlock = 64

	longShared = 256 // as encoding/json's
	longName   = 32

	// A search takes about a quarter of the time of making a string.
	gain      = 4
	least     = -64
	most      = 64
	longPause = 2048
)

// Intern returns a string with b's bytes. If an equal string was made recently, Intern returns that
// one. Short strings share a block, so a string keeps the other strings of its block alive, and no
// more.
func (d *Decoder) Intern(b []byte) string {
	k := &d.strings
	if k.pause > 0 {
		k.pause--
		return k.own(b)
	}
	// Long strings seldom repeat, and comparing them takes time.
	if len(b) > longShared || len(b) < 2 {
		return k.own(b)
	}
	pair := k.values.pair(b)
	if s, ok := pair.find(b); ok {
		k.credit = min(k.credit+gain, most)
		return s
	}
	// Too few searches found a string, so the next longPause strings are made without one.
	if k.credit--; k.credit < least {
		k.credit, k.pause = 0, longPause
	}
	return pair.put(k.own(b))
}

// own returns a new string with b's bytes. The bytes of a short string are in the block.
func (k *interner) own(b []byte) string {
	if len(b) > longInBlock || len(b) == 0 {
		return string(b)
	}
	start := len(k.block)
	// The old block is full: the strings in it keep it alive.
	if cap(k.block)-start < len(b) {
		k.block, start = make([]byte, 0, blockSize), 0
	}
	k.block = append(k.block, b...)
	return mem.String(k.block[start:])
}

// internName returns a string with the bytes b of a member's name. Maps with the same names share
// their strings.
func (d *Decoder) internName(b []byte) string {
	if len(b) == 0 || len(b) > longName {
		return string(b)
	}
	pair := d.strings.names.pair(b)
	if s, ok := pair.find(b); ok {
		return s
	}
	return pair.put(string(b))
}

// sharedStrings has strings that were made recently, two for each hash.
type (
	sharedStrings [128]sharedPair
	sharedPair    [2]string
)

// pair returns the pair for a string.
func (s *sharedStrings) pair(b []byte) *sharedPair { return &s[placeOf(b)%uint32(len(s))] }

// find returns the string that is equal to b, if the pair has one.
func (p *sharedPair) find(b []byte) (string, bool) {
	if p[0] == string(b) {
		return p[0], true
	}
	return p[1], p[1] == string(b)
}

// put replaces the older string of the pair, and returns s.
func (p *sharedPair) put(s string) string {
	p[0], p[1] = s, p[0]
	return s
}

// placeOf returns a hash of the length and of the first and last bytes of b, which is not empty.
// Colliding strings only replace each other, so a hostile text costs no more than a text of all
// different strings.
func placeOf(b []byte) uint32 {
	n := len(b)
	var first, last uint64
	switch {
	case n >= 8:
		first, last = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n-8:])
	case n >= 4:
		first, last = uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[n-4:]))
	default:
		first, last = uint64(b[0])|uint64(b[n/2])<<8, uint64(b[n-1])
	}
	// Multiplicative hashing, by 2^64 over the golden ratio (Donald Knuth, The Art of
	// Computer Programming, volume 3, section 6.4).
	const golden = 0x9e3779b97f4a7c15
	return uint32((first ^ last*3 ^ uint64(n)<<56) * golden >> 40)
}

// BoxFloat returns f in an interface. Floats share a block, as short strings do.
func (d *Decoder) BoxFloat(f float64) any {
	k := &d.strings
	if len(k.floats) == cap(k.floats) {
		k.floats = make([]float64, 0, blockSize/8)
	}
	k.floats = append(k.floats, f)
	return mem.AnyFloat(&k.floats[len(k.floats)-1])
}
