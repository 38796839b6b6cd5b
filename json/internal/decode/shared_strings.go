package decode

import (
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// An interner allocates strings and floats in blocks, and reuses strings that were decoded
// recently. Decoded values reference its memory after the call, so this memory is never
// overwritten.
type interner struct {
	// block is the current block for short strings. It is only appended to.
	block []byte
	// floats is the current block for floats in interfaces.
	floats []float64

	// names contains recently decoded map keys.
	names sharedStrings
	// values contains other recently decoded strings.
	values sharedStrings
	// credit decreases with each search in values that finds no string, and increases with each
	// search that finds one.
	credit int
	// pause is the number of next strings that are allocated without a search for an equal string.
	// It is set when too few searches have succeeded.
	pause int
}

// The sizes of the interner, in bytes, and the parameters that decide when it stops searching for
// equal strings.
const (
	blockSize     = 256
	shortInBlock  = 32
	longBlockSize = 512 // the size of a block whose first string is longer than shortInBlock
	longInBlock   = 64  // longer strings are allocated separately

	longShared = 256 // longer strings are not searched for; encoding/json has the same limit
	longName   = 32  // longer names are not searched for

	// gain is added to the credit when a search finds a string. Allocating a string takes about four
	// times as long as a search.
	gain = 4
	// The credit is at most maxCredit. If it drops below minCredit, the next longPause strings
	// are allocated without a search.
	minCredit = -64
	maxCredit = 64
	longPause = 2048
)

// Intern returns a string with the bytes of b. If an equal string was decoded recently, Intern
// usually returns that string. A short string is allocated in a block, so it keeps the other
// strings of the block alive, but no other memory. With the option SeparateStrings each string is
// allocated separately.
func (d *Decoder) Intern(b []byte) string {
	if d.On&option.SeparateStrings != 0 {
		return string(b)
	}
	k := &d.strings
	if k.pause > 0 {
		k.pause--
		return k.newString(b)
	}
	// Long strings rarely repeat, and comparing them takes time.
	if len(b) > longShared || len(b) < 2 {
		return k.newString(b)
	}
	pair := k.values.pair(b)
	if s, ok := pair.find(b); ok {
		k.credit = min(k.credit+gain, maxCredit)
		return s
	}
	// Too few searches have found a string, so the next longPause strings are allocated without a
	// search.
	if k.credit--; k.credit < minCredit {
		k.credit, k.pause = 0, longPause
	}
	return pair.put(k.newString(b))
}

// newString allocates a string with the bytes of b. A short string is allocated in the block.
func (k *interner) newString(b []byte) string {
	if len(b) > longInBlock || len(b) == 0 {
		return string(b)
	}
	start := len(k.block)
	// The block is full. Allocate a new one. The strings in the old block keep it alive.
	if cap(k.block)-start < len(b) {
		size := blockSize
		if len(b) > shortInBlock {
			size = longBlockSize
		}
		k.block, start = make([]byte, 0, size), 0
	}
	k.block = append(k.block, b...)
	return mem.String(k.block[start:])
}

// InternName returns a string with the bytes of b, a member's name. Equal keys of several maps
// share memory. A key is allocated in a block, like other strings.
func (d *Decoder) InternName(b []byte) string {
	if len(b) == 0 || len(b) > longName || d.On&option.SeparateStrings != 0 {
		return string(b)
	}
	pair := d.strings.names.pair(b)
	if s, ok := pair.find(b); ok {
		return s
	}
	return pair.put(d.strings.newString(b))
}

// sharedStrings is a cache of recently decoded strings. It has two entries for each hash.
type (
	sharedStrings [128]sharedPair
	sharedPair    [2]string
)

// pair returns the entries for the hash of b.
func (s *sharedStrings) pair(b []byte) *sharedPair { return &s[hashOf(b)%uint32(len(s))] }

// find returns the string in the pair that is equal to b, and reports whether there is one.
func (p *sharedPair) find(b []byte) (string, bool) {
	if p[0] == string(b) {
		return p[0], true
	}
	return p[1], p[1] == string(b)
}

// put adds s to the pair in place of the older string, and returns s.
func (p *sharedPair) put(s string) string {
	p[0], p[1] = s, p[0]
	return s
}

// hashOf returns a hash of the length and of the first and last bytes of b, which must not be
// empty. Strings with equal hashes replace each other, so an attacker who chooses colliding strings
// gains nothing: all strings are then allocated, as if they were all different.
func hashOf(b []byte) uint32 {
	n := len(b)
	var first, last uint64
	switch {
	case n >= 8:
		first, last = syntax.Load8(b, 0), syntax.Load8(b, n-8)
	case n >= 4:
		first, last = uint64(syntax.Load4(b, 0)), uint64(syntax.Load4(b, n-4))
	default:
		first, last = uint64(b[0])|uint64(b[n/2])<<8, uint64(b[n-1])
	}
	// Multiplicative hashing, by 2^64 over the golden ratio (Donald Knuth, The Art of
	// Computer Programming, volume 3, section 6.4).
	const golden = 0x9e3779b97f4a7c15
	return uint32((first ^ last*3 ^ uint64(n)<<56) * golden >> 40)
}

// BoxFloat returns f as an interface value. It allocates floats in blocks, like short strings.
func (d *Decoder) BoxFloat(f float64) any {
	if d.On&option.SeparateStrings != 0 {
		return f
	}
	k := &d.strings
	if len(k.floats) == cap(k.floats) {
		k.floats = make([]float64, 0, blockSize/8)
	}
	k.floats = append(k.floats, f)
	return mem.AnyFloat(&k.floats[len(k.floats)-1])
}
