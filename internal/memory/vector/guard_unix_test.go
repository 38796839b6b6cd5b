//go:build linux && (amd64 || arm64) && !purego

package vector

import (
	"os"
	"syscall"
	"testing"
)

// guarded returns memory followed by a page that cannot be accessed.
func guarded(t *testing.T) []byte {
	t.Helper()
	page := os.Getpagesize()
	b, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(b); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mprotect(b[2*page:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return b[: 2*page : 2*page]
}
