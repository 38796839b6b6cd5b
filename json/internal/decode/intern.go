package decode

import (
	"encoding/binary"

	"github.com/hone-go/hone/internal/memory/mem"
)

// interner is where a decoder has the memory of what a value keeps. It outlives the call: what
// is in it nobody else writes to.
type interner struct {
	block  []byte    // what short strings are cut from
	floats []float64 // and what interfaces that hold one point to

	// Strings that were met, which are not made again: the names of maps, and values.
	names  sharedStrings
	values sharedStrings
	credit int // of values: it falls with each that is new, and rises with each that is not
	pause  int // how many values are made without looking, as few were met again
}

const (
	blockSize   = 512
	longInBlock = 64

	longShared = 256 // as encoding/json's
	longName   = 32

	// Looking for a value takes about as long as a quarter of what making it does.
	gain      = 4
	least     = -64
	most      = 64
	longPause = 2048
)

// Intern returns a string of b's bytes. Values that repeat are one string. Short ones share a
// block: one of them keeps the others alive, but no more than that.
func (d *Decoder) Intern(b []byte) string {
	k := &d.strings
	if k.pause > 0 {
		k.pause--
		return k.own(b)
	}
	if len(b) > longShared || len(b) < 2 {
		return k.own(b)
	}
	pair := k.values.pair(b)
	if s, ok := pair.find(b); ok {
		k.credit = min(k.credit+gain, most)
		return s
	}
	if k.credit--; k.credit < least {
		k.credit, k.pause = 0, longPause
	}
	return pair.put(k.own(b))
}

// own returns a string of b's bytes in memory of its own, or in the block.
func (k *interner) own(b []byte) string {
	if len(b) > longInBlock || len(b) == 0 {
		return string(b)
	}
	start := len(k.block)
	if cap(k.block)-start < len(b) {
		k.block, start = make([]byte, 0, blockSize), 0
	}
	k.block = append(k.block, b...)
	return mem.String(k.block[start:])
}

// internName returns a string of the bytes of a map's name. The names of many maps of one form
// are one string each.
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

// sharedStrings are strings by their hashes, two of each.
type (
	sharedStrings [128]sharedPair
	sharedPair    [2]string
)

func (s *sharedStrings) pair(b []byte) *sharedPair { return &s[placeOf(b)%uint32(len(s))] }

func (p *sharedPair) find(b []byte) (string, bool) {
	if p[0] == string(b) {
		return p[0], true
	}
	return p[1], p[1] == string(b)
}

// put replaces the older of the two.
func (p *sharedPair) put(s string) string {
	p[0], p[1] = s, p[0]
	return s
}

// placeOf returns a hash of the length and of the first and last bytes of b, which is not
// empty. Texts that are made to collide cost no more than texts that differ.
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

// BoxFloat returns f in an interface. As short strings do, floats share a block.
func (d *Decoder) BoxFloat(f float64) any {
	k := &d.strings
	if len(k.floats) == cap(k.floats) {
		k.floats = make([]float64, 0, blockSize/8)
	}
	k.floats = append(k.floats, f)
	return mem.AnyFloat(&k.floats[len(k.floats)-1])
}
