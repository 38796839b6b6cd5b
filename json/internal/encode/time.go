package encode

import (
	"time"

	"github.com/hone-go/hone/internal/syntax"
)

// time appends a time. In version 2, TimeV2 encodes the times for which appendTime would call
// MarshalJSON.
func (e *Encoder) time(dst []byte, t *time.Time) ([]byte, error) {
	if e.Mode.IsV1() || isPlainTime(t) {
		return e.appendTime(dst, t)
	}
	return e.V2.TimeV2(dst, t)
}

// isPlainTime reports whether appendTime can encode t without calling MarshalJSON.
func isPlainTime(t *time.Time) bool {
	_, offset := t.Zone()
	year := t.Year()
	return year >= 0 && year <= 9999 && offset%60 == 0 && offset > -24*3600 && offset < 24*3600
}

// appendTime appends the JSON that t.MarshalJSON returns: RFC 3339 with as many fractional digits
// as necessary (section 5.6). If MarshalJSON might refuse t, appendTime calls it.
func (e *Encoder) appendTime(dst []byte, t *time.Time) ([]byte, error) {
	_, offset := t.Zone()
	year, month, day := t.Date()
	// RFC 3339 has four digits for the year, and zone offsets of whole minutes.
	if year < 0 || year > 9999 || offset%60 != 0 || offset <= -24*3600 || offset >= 24*3600 {
		b, err := t.MarshalJSON()
		if err != nil {
			return dst, e.timeError(t, err)
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
		// The code above writes the first digit, which may be 0. Write the others in pairs, at most
		// nine digits in all, and remove a trailing zero.
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
