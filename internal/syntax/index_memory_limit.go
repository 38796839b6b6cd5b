package syntax

// A text is too dense to be indexed if its words would take more than four times its length and
// more than denseBytes. While the slice of words grows, the old and the new slice both count toward
// the limit.
const (
	wordsPerByte = 0.5 // a word has eight bytes
	denseBytes   = 2 << 20
)

// wordLimit returns the largest number of words, in the old and new slices together, for a text of n
// bytes.
func wordLimit(n int) int { return max(int(wordsPerByte*float64(n)), denseBytes/8) + 64 }

// moreWords returns the length to which the slice of words grows from the length current, or 0 if the
// old and the new slice together would exceed limit. It leaves at least three quarters of limit for
// the last growth.
func moreWords(current, limit int) int {
	switch rest := limit - current; {
	case current < 32: // none, or the few that Break has added
		return 64
	case current < limit/8:
		return 2 * current
	case rest > current+current/4:
		return rest
	}
	return 0
}

// Reserve gives the Index enough memory for n words. If a text has at most n words, and All is set,
// Build allocates no more.
func (x *Index) Reserve(n int) {
	if n += ContainerWords; cap(x.words) < n {
		x.words = make([]Word, 0, n)
	}
}

// CountWords returns the number of words in the Index of data, which must be valid. It allocates nothing.
func CountWords(data []byte) (n int) {
	for pos := SkipSpace(data, 0); pos < len(data); {
		switch c := data[pos]; c {
		case '{', '[':
			n += ContainerWords
			pos++
		case '}', ']', ',', ':':
			pos++
		case '"':
			n++
			pos, _ = SkipString(data, pos)
		case 't', 'n':
			n++
			pos += len("true")
		case 'f':
			n++
			pos += len("false")
		default:
			n++
			pos = SkipNumber(data, pos)
		}
		pos = SkipSpace(data, pos)
	}
	return n
}
