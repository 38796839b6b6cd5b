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

// randomString returns n random letters.
func randomString(n int) string {
	var space [256]byte
	text := space[:n+1] // the last place is for what is not a letter in the end
	r := randoms.Get().(*randomness)
	for i := 0; i < n; {
		if r.used == len(r.bytes) {
			_, _ = rand.Read(r.bytes[:]) // it never fails
			r.used = 0
		}
		bytes := r.bytes[r.used:]
		bytes = bytes[:min(len(bytes), n-i)]
		for _, b := range bytes {
			text[i] = letters[b%byte(len(letters))]
			// The bytes past the last multiple of 52 would make some letters likelier.
			if int(b) < 256/len(letters)*len(letters) {
				i++
			}
		}
		clear(bytes)
		r.used += len(bytes)
	}
	randoms.Put(r)
	return string(text[:n])
}
