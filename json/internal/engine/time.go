package engine

import (
	"time"

	"github.com/hone-go/hone/internal/syntax"
)

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

// readTime decodes the JSON value raw as t's UnmarshalJSON does: the times that
// programs write in universal time are read here, the rest is left to it.
func readTime(t *time.Time, raw []byte) error {
	if readUTC(t, raw) {
		return nil
	}
	return t.UnmarshalJSON(raw)
}

func readUTC(t *time.Time, raw []byte) bool {
	year, month, day, ok := readDate(raw)
	if !ok {
		return false
	}
	hour, minute, second, nano, ok := readClock(raw[len(`"2006-01-02T`):])
	if ok {
		*t = time.Date(year, month, day, hour, minute, second, nano, time.UTC)
	}
	return ok
}

// readDate reads the date at the start of `"2006-01-02T`.
func readDate(raw []byte) (year int, month time.Month, day int, ok bool) {
	if len(raw) < len(`"2006-01-02T15:04:05Z"`) || raw[0] != '"' || raw[5] != '-' || raw[8] != '-' || raw[11] != 'T' {
		return 0, 0, 0, false
	}
	year = pair(raw[1:])*100 + pair(raw[3:])
	month = time.Month(pair(raw[6:]))
	day = pair(raw[9:])
	// Days that only some months have are left to the method.
	return year, month, day, pair(raw[1:]) <= 99 && pair(raw[3:]) <= 99 && month >= 1 && month <= 12 && day >= 1 && day <= 28
}

// readClock reads `15:04:05Z"` with an optional fraction in front of the Z.
func readClock(raw []byte) (hour, minute, second, nano int, ok bool) {
	hour, minute, second = pair(raw), pair(raw[3:]), pair(raw[6:])
	if raw[2] != ':' || raw[5] != ':' || hour > 23 || minute > 59 || second > 59 {
		return 0, 0, 0, 0, false
	}
	raw = raw[8:]
	if raw[0] == '.' {
		digits := 0
		for raw = raw[1:]; len(raw) > 0 && raw[0]-'0' <= 9 && digits < 9; raw = raw[1:] {
			nano = nano*10 + int(raw[0]-'0')
			digits++
		}
		if digits == 0 {
			return 0, 0, 0, 0, false
		}
		for ; digits < 9; digits++ {
			nano *= 10
		}
	}
	return hour, minute, second, nano, string(raw) == `Z"`
}

// pair returns the number that the first two bytes of b write in digits, or a
// large one.
func pair(b []byte) int {
	tens, ones := b[0]-'0', b[1]-'0'
	if tens > 9 || ones > 9 {
		return 1000
	}
	return int(tens)*10 + int(ones)
}
