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
	var space [255]byte
	text := space[:n]
	r := randoms.Get().(*randomness)
	for i := 0; i < n; {
		if r.used == len(r.bytes) {
			_, _ = rand.Read(r.bytes[:]) // it never fails
			r.used = 0
		}
		// The bytes past the last multiple of 52 would make some letters likelier.
		if b := r.bytes[r.used]; int(b) < 256/len(letters)*len(letters) {
			text[i] = letters[b%byte(len(letters))]
			i++
		}
		r.bytes[r.used] = 0
		r.used++
	}
	randoms.Put(r)
	return string(text)
}
