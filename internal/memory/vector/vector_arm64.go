//go:build !purego

package vector

// Enabled is true unless GODEBUG has cpu.all=off. Every arm64 processor has NEON.
var Enabled = allowed("asimd")
