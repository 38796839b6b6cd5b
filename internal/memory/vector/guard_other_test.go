//go:build !linux && (amd64 || arm64) && !purego

package vector

import "testing"

func guarded(t *testing.T) []byte {
	t.Skip("guard pages are only tested on Linux")
	return nil
}
