package syntax

import (
	"bytes"
	"testing"
)

// TestLoads compares the loads and stores of words with loops over bytes, at each position.
func TestLoads(t *testing.T) {
	data := []byte("\x00\x7f\x80\xff 0123456789abcdef")
	text := string(data)
	naive := func(pos, n int) (w uint64) {
		for i := n - 1; i >= 0; i-- {
			w = w<<8 | uint64(data[pos+i])
		}
		return w
	}
	for pos := 0; pos+8 <= len(data); pos++ {
		want8, want4 := naive(pos, 8), uint32(naive(pos, 4))
		if g8, g4 := Load8(data, pos), Load4(data, pos); g8 != want8 || g4 != want4 {
			t.Errorf("bytes at %d: %x %x, want %x %x", pos, g8, g4, want8, want4)
		}
		if g8, g4 := stringLoad8(text, pos), stringLoad4(text, pos); g8 != want8 || g4 != want4 {
			t.Errorf("string at %d: %x %x, want %x %x", pos, g8, g4, want8, want4)
		}
		eight, four := make([]byte, len(data)), make([]byte, len(data))
		store8(eight, pos, want8)
		store4(four, pos, want4)
		for n, got := range map[int][]byte{8: eight, 4: four} {
			want := make([]byte, len(data))
			copy(want[pos:], data[pos:pos+n])
			if !bytes.Equal(got, want) {
				t.Errorf("store of %d bytes at %d: %x, want %x", n, pos, got, want)
			}
		}
	}
}

// TestLoadOutOfRange loads and stores words at positions where the memory of a slice or a string has
// too few bytes. Each must panic.
func TestLoadOutOfRange(t *testing.T) {
	b, s := make([]byte, 7, 7), "1234567"
	for _, pos := range []int{-9, -8, -1, 0, 1, 7, 8, 1 << 30} {
		for name, access := range map[string]func(){
			"Load8":       func() { Load8(b, pos) },
			"store8":      func() { store8(b, pos, 0) },
			"stringLoad8": func() { stringLoad8(s, pos) },
			"Load4":       func() { Load4(b[:3:3], pos) },
			"store4":      func() { store4(b[:3:3], pos, 0) },
			"stringLoad4": func() { stringLoad4(s[:3], pos) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s at %d did not panic", name, pos)
					}
				}()
				access()
			}()
		}
	}
}
