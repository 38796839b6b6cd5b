//go:build (amd64 || arm64) && !purego

package vector

// Quote writes s to dst with escapes, and returns the number of bytes read from s and written to
// dst. It stops early if wide is not set and the next character is not ASCII. It may also stop early
// if dst has less than Spare bytes of space left, or if at most 33 bytes of s are left. If wide is
// set, s must be valid UTF-8. Quote also overwrites up to Spare bytes after the written ones.
func Quote(dst []byte, s string, e *Escapes, wide bool) (read, written int) {
	read, written = quote(dst, s, e, wide)
	for wide && read < len(s) && s[read]&0xc0 == 0x80 {
		read, written = read-1, written-1 // back to the start of the character
	}
	return read, written
}

// CopyShort copies s, which has at most 64 bytes, to dst, and returns the number of bytes before the first
// one that is not ASCII or has an escape in e. It writes len(s) bytes in any case. The length of dst is at
// least len(s). CopyShort is called only if Short is set.
func CopyShort(dst []byte, s string, e *Escapes) int { return copyShort(dst[:len(s)], s, e) }

// Valid reports whether b is valid UTF-8. b has at least MinValid bytes.
func Valid(b []byte) bool { return valid(b) }

// ValidString is Valid for strings.
func ValidString(s string) bool { return validString(s) }

// Text returns the index of the first byte from pos on that JSON strings cannot contain unescaped:
// a quotation mark, a backslash or a control character. It may return a smaller index if fewer than
// 32 bytes are left.
func Text(b []byte, pos int) int { return text(b, pos) }
