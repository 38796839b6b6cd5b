package syntax

import (
	"math/bits"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestIntegers appends integers at which the number of digits changes, and random integers of every
// size. The digits must be the same as with strconv.
func TestIntegers(t *testing.T) {
	check := func(v uint64) {
		for _, room := range []int{0, 64} {
			if got := AppendUint(make([]byte, 0, room), v); string(got) != strconv.FormatUint(v, 10) {
				t.Fatalf("AppendUint(%d) = %s", v, got)
			}
			if got := AppendInt(make([]byte, 0, room), int64(v)); string(got) != strconv.FormatInt(int64(v), 10) {
				t.Fatalf("AppendInt(%d) = %s", int64(v), got)
			}
		}
	}
	for _, ten := range integerTens {
		for d := range uint64(5) {
			check(ten + d - 2)
		}
	}
	for n := range 200_000 {
		check(rand.Uint64() >> (n % bits.UintSize))
	}
}

// TestAppendSmall compares AppendSmall with package strconv.
func TestAppendSmall(t *testing.T) {
	for v := range uint8(100) {
		dst := append(make([]byte, 0, 8), "ab"...)
		if got, want := string(AppendSmall(dst, v)), "ab"+strconv.Itoa(int(v)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
