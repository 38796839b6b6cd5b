package code

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// Slack is the number of bytes that generated code reserves after the last number of a group. The functions for varints
// write a whole word, of which only the first bytes belong to the number.
const Slack = scalar.Slack

// PutBool writes a byte of 0 or 1.
func PutBool(b []byte, n int, v bool) int {
	b[n] = 0
	if v {
		b[n] = 1
	}
	return n + 1
}

// PutByte writes a byte.
func PutByte(b []byte, n int, v byte) int {
	b[n] = v
	return n + 1
}

// PutUint writes v as a varint.
func PutUint(b []byte, n int, v uint64) int {
	if v < 0x80 {
		b[n] = byte(v)
		return n + 1
	}
	return putLong(b, n, v)
}

// Zigzag folds a signed number into an unsigned one, for [PutUint]: 0, -1, 1, -2 …
func Zigzag(v int64) uint64 { return scalar.Zigzag(v) }

// putLong writes a varint of two bytes or more.
func putLong(b []byte, n int, v uint64) int {
	switch {
	case v < 1<<14:
		binary.LittleEndian.PutUint16(b[n:], uint16(v&0x7f|v<<1&0x7f00|0x80))
		return n + 2
	case v < 1<<21:
		binary.LittleEndian.PutUint32(b[n:], uint32(v&0x7f|v<<1&0x7f00|v<<2&0x7f0000|0x8080))
		return n + 3
	case v < scalar.Longest:
		word, size := scalar.Spread(v)
		binary.LittleEndian.PutUint64(b[n:], word)
		return n + size
	}
	_ = b[n : n+10+Slack : len(b)] // panics if too few bytes are reserved; PutUvarint does not check
	return scalar.PutUvarint(b, n, v)
}

// Put16 writes a number of 16 bits, little-endian.
func Put16(b []byte, n int, v uint16) int {
	binary.LittleEndian.PutUint16(b[n:], v)
	return n + 2
}

// Put32 writes a number of 32 bits, little-endian.
func Put32(b []byte, n int, v uint32) int {
	binary.LittleEndian.PutUint32(b[n:], v)
	return n + 4
}

// Put64 writes a number of 64 bits, little-endian.
func Put64(b []byte, n int, v uint64) int {
	binary.LittleEndian.PutUint64(b[n:], v)
	return n + 8
}

// PutFloat32 writes the bits of v, little-endian.
func PutFloat32(b []byte, n int, v float32) int { return Put32(b, n, math.Float32bits(v)) }

// PutFloat64 writes the bits of v, little-endian.
func PutFloat64(b []byte, n int, v float64) int { return Put64(b, n, math.Float64bits(v)) }

// shortText is the longest string, in bytes, that is copied without a call of memmove. For short
// strings the call costs more than the copy.
const shortText = 32

// PutString writes the length of s and its bytes. The caller has reserved len(s) + 10 bytes.
func PutString(b []byte, n int, s string) int {
	if len(s) > shortText {
		n = PutUint(b, n, uint64(len(s)))
		return n + copy(b[n:n+len(s)], s)
	}
	_ = b[n : n+1+len(s) : len(b)] // panics if too few bytes are reserved; the functions of mem do not check
	mem.Put8(b, n, byte(len(s)))
	n++
	end := n + len(s)
	switch {
	// Two overlapping copies need no loop and no call.
	case len(s) > 16:
		mem.Copy16(b, n, s, 0)
		mem.Copy16(b, end-16, s, len(s)-16)
	case len(s) >= 8:
		mem.Put64(b, n, mem.Word(s, 0))
		mem.Put64(b, end-8, mem.Word(s, len(s)-8))
	case len(s) >= 4:
		mem.Put32(b, n, mem.HalfWord(s, 0))
		mem.Put32(b, end-4, mem.HalfWord(s, len(s)-4))
	case len(s) > 0:
		mem.Put8(b, n, s[0])
		mem.Put8(b, n+len(s)>>1, s[len(s)>>1])
		mem.Put8(b, end-1, s[len(s)-1])
	}
	return end
}

// PutTime writes *t. The caller has reserved scalar.TimeBound + [Slack] bytes, so e.Room only returns the buffer
// here. A time zone with a name needs more space, so PutTime then reserves space for the name. The argument more is the number of bytes to
// reserve after the name.
func PutTime(e *Encoder, n int, t *time.Time, more int) int {
	b := e.Room(n, scalar.TimeBound+Slack)
	sec := scalar.Zigzag(t.Unix())
	if sec >= scalar.Longest || t.Location() != time.UTC {
		return e.PutTime(n, t, more)
	}
	word, size := scalar.Spread(sec)
	binary.LittleEndian.PutUint64(b[n:], word)
	n += size
	// A number below 10⁹ uses at most five of the eight bytes. The next byte is zero, which is the code of UTC.
	word, size = scalar.Spread(uint64(t.Nanosecond()))
	binary.LittleEndian.PutUint64(b[n:], word)
	return n + size + 1
}

// PutBytes writes the length of s and its bytes, and reserves the space for both.
func PutBytes[S ~[]byte](e *Encoder, n int, s S) int {
	b := e.Room(n, len(s)+10+Slack)
	n = PutUint(b, n, uint64(len(s)))
	return n + copy(b[n:n+len(s)], s)
}

// PutStrings writes a slice of strings, and reserves the space for them.
func PutStrings[S ~[]T, T ~string](e *Encoder, n int, s S) int {
	n = PutUint(e.Room(n, 10+Slack), n, uint64(len(s)))
	for _, v := range s {
		n = PutString(e.Room(n, len(v)+10+Slack), n, string(v))
	}
	return n
}

// chunk is the number of varints for which PutInts reserves space in one call.
const chunk = 64

// integer lists the types of the elements of PutInts and GetInts.
type integer interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64
}

// PutInts writes a slice of varints, zigzag coded if T is signed, and reserves the space for them.
func PutInts[S ~[]T, T integer](e *Encoder, n int, s S) int {
	n = PutUint(e.Room(n, 10+Slack), n, uint64(len(s)))
	for len(s) > 0 {
		some := s[:min(len(s), chunk)]
		b := e.Room(n, 10*len(some)+Slack)
		for _, v := range some {
			u := uint64(v)
			if ^T(0) < 0 { // T is signed
				u = scalar.Zigzag(int64(v))
			}
			n = PutUint(b, n, u)
		}
		s = s[len(some):]
	}
	return n
}

// Put writes the field at v with the engine, and reserves the space for it.
func Put[T any](e *Encoder, p *Part, n int, v *T) int { return p.Put(e, n, mem.Of(v)) }

// PutEach writes the slice at v, and reserves the space for it. The function put writes one element.
func PutEach[S ~[]T, T any](e *Encoder, p *Part, n int, v *S, put func(*Encoder, *Table, int, *T) int) int {
	s := *v
	next := p.PutLen(e, n, len(s))
	if next < 0 {
		return p.Put(e, n, mem.Of(v))
	}
	for i := range s {
		if next = put(e, p.Table, next, &s[i]); next < 0 {
			return e.WithinElement(p, i)
		}
	}
	e.Leave()
	return next
}
