//go:build !purego

package vector

// Enabled is true unless GODEBUG has cpu.all=off. Every arm64 processor has NEON.
var Enabled = allowed("asimd")

// MinPlain is the length from which on Quote is faster than a loop in Go even for plain text.
// MinValid is the same for Valid, which requires at least 35 bytes.
const (
	MinPlain = 64
	MinValid = 48
)

// Short is false, because NEON has no masked loads.
const Short = false

func copyShort([]byte, string, *Escapes) int { panic("vector: not enabled") }

//go:noescape
func quote(dst []byte, s string, e *Escapes, wide bool) (read, written int)

//go:noescape
func valid(b []byte) bool

//go:noescape
func validString(s string) bool

//go:noescape
func text(b []byte, pos int) int
