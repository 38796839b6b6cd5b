//go:build !purego

package vector

import "testing"

// older does nothing: arm64 has one set of loops.
func older(*testing.T, func(*testing.T)) {}
