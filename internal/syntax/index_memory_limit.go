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
