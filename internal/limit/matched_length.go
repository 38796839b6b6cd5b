package limit

import "unicode/utf8"

// MaxMatched is the maximum number of characters of a string with a pattern or a format, if the
// tag length sets no maximum. Matching a pattern takes time in proportion to the length of the
// string and to the length of the pattern with its repetitions expanded.
const MaxMatched = 64 << 10

// tooLong reports whether a string has more than MaxMatched characters and no length limit.
func tooLong(s string, bounded bool) bool {
	return !bounded && len(s) > MaxMatched && utf8.RuneCountInString(s) > MaxMatched
}
