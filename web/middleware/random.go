package middleware

import (
	"crypto/rand"
	"sync"
)

// A randomness is a buffer of bytes of crypto/rand. The buffer is filled by one call,
// and each byte is used once.
type randomness struct {
	bytes [512]byte
	used  int
}

var randoms = sync.Pool{New: func() any { return &randomness{used: len(randomness{}.bytes)} }}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// pairs is the number of possible pairs of letters.
const pairs = len(letters) * len(letters)

// randomString returns n random letters. Two random bytes yield two letters.
func randomString(n int) string {
	var space [260]byte
	text := space[:n+2] // two bytes more than the result, as pairs are written whole and a skipped pair is overwritten
	r := randoms.Get().(*randomness)
	for i := 0; i < n; {
		if r.used == len(r.bytes) {
			_, _ = rand.Read(r.bytes[:]) // it never fails
			r.used = 0
		}
		bytes := r.bytes[r.used:]
		bytes = bytes[:min(len(bytes), (n-i+1)&^1)]
		for k := 1; k < len(bytes); k += 2 {
			v := uint32(bytes[k-1]) | uint32(bytes[k])<<8
			two := text[i : i+2]
			two[0], two[1] = letters[v%uint32(len(letters))], letters[v/uint32(len(letters))%uint32(len(letters))]
			// Numbers past the last multiple of pairs are skipped, as they would make some pairs more likely.
			if v < 1<<16/uint32(pairs)*uint32(pairs) {
				i += 2
			}
		}
		clear(bytes)
		r.used += len(bytes)
	}
	randoms.Put(r)
	return string(text[:n])
}
