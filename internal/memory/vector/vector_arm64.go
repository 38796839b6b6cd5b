//go:build !purego

package vector

// Enabled is true, because every arm64 processor has NEON.
const Enabled = true
