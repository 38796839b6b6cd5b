//go:build !purego

package vector

// Enabled is set, as every arm64 processor has NEON.
const Enabled = true
