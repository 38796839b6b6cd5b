//go:build purego || !(amd64 || arm64)

package vector

// Enabled is false, so the functions below are not called.
const Enabled = false

// MinPlain and MinValid are not used.
const (
	MinPlain = 64
	MinValid = 48
)

// Quote panics.
func Quote([]byte, string, *Escapes, bool) (read, written int) { panic("vector: not enabled") }

// Short is false, so CopyShort is not called.
const Short = false

// CopyShort panics.
func CopyShort([]byte, string, *Escapes) int { panic("vector: not enabled") }

// Valid panics.
func Valid([]byte) bool { panic("vector: not enabled") }

// ValidString panics.
func ValidString(string) bool { panic("vector: not enabled") }

// Text panics.
func Text([]byte, int) int { panic("vector: not enabled") }
