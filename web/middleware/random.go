package middleware

import (
	"crypto/rand"
	"sync"
)

// A randomness is bytes of crypto/rand, fetched many at a time and each used
// once.
type randomness struct {
	bytes [512]byte
	used  int
}

var randoms = sync.Pool{New: func() any { return &randomness{used: len(randomness{}.bytes)} }}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// pairs is how many pairs of letters there are.
const pairs = len(letters) * len(letters)

// randomString returns n random letters, two for each two bytes.
func randomString(n int) string {
	var space [260]byte
	text := space[:n+2] // the last places are for what is not a letter in the end
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
			// The numbers past the last multiple of pairs would make some likelier.
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
