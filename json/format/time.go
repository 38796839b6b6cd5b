package format

import (
	"math"
	"strings"
	"time"
)

// UnixSeconds is encoded as a JSON number of seconds since 1970 in UTC, such as 1700000000 or
// 1700000000.5, with at most nine digits after the point. Decoding accepts an exponent, and returns
// times in UTC.
type UnixSeconds time.Time

// UnixMilli is encoded as a JSON number of milliseconds since 1970 in UTC, with a fraction if
// necessary.
type UnixMilli time.Time

// UnixMicro is encoded as a JSON number of microseconds since 1970 in UTC, with a fraction if
// necessary.
type UnixMicro time.Time

// UnixNano is encoded as a JSON number of nanoseconds since 1970 in UTC. Current times exceed 2^53,
// so programs that decode numbers into floats lose digits.
type UnixNano time.Time

// A Date is encoded as a day such as "2026-11-22", in the years 0 to 9999. Encoding uses the time's
// own location. Decoding returns midnight UTC.
type Date time.Time

// RFC3339 is encoded as a time such as "2026-11-22T10:30:00Z" or "2026-11-22T10:30:00+01:00", in
// the years 0 to 9999. Encoding drops fractions of a second, and decoding refuses them.
type RFC3339 time.Time

const (
	unixForm      = "a time in seconds since 1970"
	unixMilliForm = "a time in milliseconds since 1970"
	unixMicroForm = "a time in microseconds since 1970"
	unixNanoForm  = "a time in nanoseconds since 1970"
	dateForm      = "a date such as 2006-01-02"
	rfc3339Form   = "a time such as 2006-01-02T15:04:05Z"
)

// appendUnix appends t as a decimal number; shift selects the unit, as in appendDecimal.
func appendUnix(b []byte, t time.Time, shift int) []byte {
	sec, nsec := t.Unix(), t.Nanosecond()
	if sec >= 0 {
		return appendDecimal(b, false, uint64(sec), uint32(nsec), shift)
	}
	if nsec > 0 { // -1.25 s is stored as -2 s plus 750 ms
		sec++
		nsec = second - nsec
	}
	return appendDecimal(b, true, -uint64(sec), uint32(nsec), shift)
}

// lastUnix is the largest number of Unix seconds that a time.Time can represent. A time.Time counts
// seconds from the year 1 in an int64.
const lastUnix = math.MaxInt64 - 62_135_596_800

// parseUnix parses a time since 1970, in the unit that shift selects; see parseDecimal. form is the
// required form in errors.
func parseUnix(text []byte, shift int, form string) (time.Time, error) {
	negative, sec, nsec, err := parseDecimal(text, shift)
	switch {
	case err != nil:
	case !negative && sec > lastUnix, sec > 1<<63, sec == 1<<63 && nsec > 0:
		err = ErrRange
	case negative:
		return time.Unix(int64(-sec), -int64(nsec)).UTC(), nil
	default:
		return time.Unix(int64(sec), int64(nsec)).UTC(), nil
	}
	return time.Time{}, refused(text, form, err)
}

// AppendText appends the date.
func (t Date) AppendText(b []byte) ([]byte, error) {
	year, month, day := time.Time(t).Date()
	if year < 0 || year > 9999 {
		return b, &Error{Form: dateForm, Err: ErrRange}
	}
	b = appendPadded(b, year, 4)
	b = appendPadded(append(b, '-'), int(month), 2)
	return appendPadded(append(b, '-'), day, 2), nil
}

func appendPadded(b []byte, n, width int) []byte {
	for range width {
		b = append(b, '0')
	}
	for i := len(b) - 1; n > 0; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
	return b
}

// UnmarshalText reads a date.
func (t *Date) UnmarshalText(text []byte) error {
	v, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		cause := ErrSyntax
		if e, ok := err.(*time.ParseError); ok && strings.HasSuffix(e.Message, "out of range") {
			cause = ErrRange
		}
		return refused(text, dateForm, cause)
	}
	*t = Date(v)
	return nil
}

// AppendText appends the time.
func (t RFC3339) AppendText(b []byte) ([]byte, error) {
	v := time.Time(t)
	if _, offset := v.Zone(); offset%60 != 0 {
		v = v.UTC() // RFC 3339 has no seconds in offsets
	}
	out, err := v.Add(-time.Duration(v.Nanosecond())).AppendText(b)
	if err != nil {
		return b, &Error{Form: rfc3339Form, Err: ErrRange}
	}
	return out, nil
}

// UnmarshalText reads a time.
func (t *RFC3339) UnmarshalText(text []byte) error {
	var v time.Time
	// Package time accepts hours of one digit and some invalid offsets.
	plain := len(text) == len("2006-01-02T15:04:05Z") || len(text) == len("2006-01-02T15:04:05+01:00") && string(text[20:22]) < "24" && text[23] < '6'
	if !plain || text[13] != ':' || text[16] != ':' || v.UnmarshalText(text) != nil {
		return refused(text, rfc3339Form, ErrSyntax)
	}
	*t = RFC3339(v)
	return nil
}
