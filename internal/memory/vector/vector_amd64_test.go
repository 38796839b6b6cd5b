//go:build !purego

package vector

import "testing"

// older calls f with the loops for AVX2 on processors that also have AVX-512.
func older(t *testing.T, f func(*testing.T)) {
	if !avx512 {
		return
	}
	avx512 = false
	defer func() { avx512 = true }()
	f(t)
}
