//go:build !linux && (amd64 || arm64) && !purego

package vector

import "testing"

func guarded(t *testing.T) []byte {
	t.Skip("memory is guarded on Linux")
	return nil
}
