//go:build (amd64 || arm64) && !purego

package vector

// Quote writes s to dst with escapes, and returns how much of s it has read and how many
// bytes it has written. It ends before the end of s where dst has less room than Spare, at
// a character that is not ASCII unless wide is set, and may do so in the last 33 bytes of
// s. If wide is set, s must be UTF-8. What lies behind the bytes that are written, up to
// Spare of them, is overwritten too.
func Quote(dst []byte, s string, e *Escapes, wide bool) (read, written int) {
	read, written = quote(dst, s, e, wide)
	for wide && read < len(s) && s[read]&0xc0 == 0x80 {
		read, written = read-1, written-1 // to where the character starts
	}
	return read, written
}

// Valid reports whether b, of at least MinValid bytes, is UTF-8.
func Valid(b []byte) bool { return valid(b) }

// ValidString is Valid for strings.
func ValidString(s string) bool { return validString(s) }

// Text returns the position of the first byte from pos on that a string of JSON does not
// hold as it is: a quotation mark, a backslash or a control character. It may end before
// one, where fewer than 32 bytes are left.
func Text(b []byte, pos int) int { return text(b, pos) }

//go:noescape
func quote(dst []byte, s string, e *Escapes, wide bool) (read, written int)

//go:noescape
func valid(b []byte) bool

//go:noescape
func validString(s string) bool

//go:noescape
func text(b []byte, pos int) int
