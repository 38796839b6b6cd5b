package encode

import (
	"time"

	"github.com/hone-go/hone/internal/syntax"
)

// time appends a time.
func (e *Encoder) time(dst []byte, t *time.Time) ([]byte, error) {
	if e.Mode.IsV1() || isPlainTime(t) {
		return appendTime(dst, t)
	}
	return e.V2.TimeV2(dst, t)
}

// isPlainTime reports whether appendTime writes t itself.
func isPlainTime(t *time.Time) bool {
	_, offset := t.Zone()
	year := t.Year()
	return year >= 0 && year <= 9999 && offset%60 == 0 && offset > -24*3600 && offset < 24*3600
}

// appendTime writes what t's MarshalJSON writes, RFC 3339 with as many digits
// of a second as there are, and leaves what that may refuse to it.
func appendTime(dst []byte, t *time.Time) ([]byte, error) {
	_, offset := t.Zone()
	year, month, day := t.Date()
	if year < 0 || year > 9999 || offset%60 != 0 || offset <= -24*3600 || offset >= 24*3600 {
		b, err := t.MarshalJSON()
		if err != nil {
			return dst, timeError(t, err)
		}
		return append(dst, b...), nil
	}
	hour, minute, second := t.Clock()
	dst = append(dst, '"')
	dst = syntax.AppendPair(dst, year/100)
	dst = append(syntax.AppendPair(dst, year%100), '-')
	dst = append(syntax.AppendPair(dst, int(month)), '-')
	dst = append(syntax.AppendPair(dst, day), 'T')
	dst = append(syntax.AppendPair(dst, hour), ':')
	dst = append(syntax.AppendPair(dst, minute), ':')
	dst = syntax.AppendPair(dst, second)
	if n := t.Nanosecond(); n > 0 {
		dst = append(dst, '.', byte('0'+n/1e8))
		for n %= 1e8; n > 0; n = n % 1e6 * 100 {
			dst = syntax.AppendPair(dst, n/1e6)
		}
		if dst[len(dst)-1] == '0' {
			dst = dst[:len(dst)-1]
		}
	}
	if offset == 0 {
		return append(dst, 'Z', '"'), nil
	}
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	dst = append(syntax.AppendPair(append(dst, sign), offset/3600), ':')
	return append(syntax.AppendPair(dst, offset/60%60), '"'), nil
}
