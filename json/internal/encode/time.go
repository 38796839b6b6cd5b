package encode

import (
	"slices"
	"time"

	"github.com/hone-go/hone/internal/syntax"
)

// The Unix times at which the years 0 and 10000 start.
const (
	firstSecond = -62167219200
	endSecond   = 253402300800
)

// time appends the JSON that t.MarshalJSON returns: RFC 3339 with as many fractional digits as
// necessary (section 5.6). The rules decide about times that MarshalJSON might refuse.
func (e *Encoder) time(dst []byte, t *time.Time) ([]byte, error) {
	offset := 0
	if t.Location() != time.UTC {
		_, offset = t.Zone()
	}
	local := t.Unix() + int64(offset)
	// RFC 3339 has four digits for the year, and zone offsets of whole minutes.
	if local < firstSecond || local >= endSecond || offset%60 != 0 || offset <= -24*3600 || offset >= 24*3600 {
		return e.Mode.Rules.Time(e, dst, t)
	}
	days, second := (local-firstSecond)/(24*3600), int((local-firstSecond)%(24*3600))
	year, month, day := date(uint32(days))
	dst = slices.Grow(dst, len(`"0000-00-00T00:00:00.000000000+00:00"`)+1)
	dst = append(dst, '"')
	dst = syntax.AppendPair(dst, year/100)
	dst = append(syntax.AppendPair(dst, year%100), '-')
	dst = append(syntax.AppendPair(dst, month), '-')
	dst = append(syntax.AppendPair(dst, day), 'T')
	dst = append(syntax.AppendPair(dst, second/3600), ':')
	dst = append(syntax.AppendPair(dst, second/60%60), ':')
	dst = syntax.AppendPair(dst, second%60)
	if n := t.Nanosecond(); n > 0 {
		dst = append(dst, '.', byte('0'+n/1e8))
		// The code above writes the first digit, which may be 0. Write the following digits in
		// pairs, at most nine digits in all, and remove a trailing zero.
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

// date returns the Gregorian date of a day. days counts from January 1 of year 0. The calculation
// starts each year in March, so that the leap day is the year's last day (Cassio Neri and Lorenz
// Schneider, "Euclidean affine functions and their application to calendar algorithms").
func date(days uint32) (year, month, day int) {
	// March 1 of year 0 is day 60. Add 400 years, after which the calendar repeats, to keep the
	// number positive.
	quarters := 4*(days-60+daysIn400) + 3
	century, dayOfCentury := quarters/daysIn400, quarters%daysIn400/4
	scaled := uint64(4*dayOfCentury+3) * 2939745 // about 2^32/1461; four years have 1461 days
	yearOfCentury, dayOfYear := uint32(scaled>>32), uint32(scaled)/2939745/4
	months := 2141*dayOfYear + 197913 // in units of 2^-16 months
	year = int(100*century+yearOfCentury) - 400
	month, day = int(months>>16), int(months&0xffff/2141)+1
	// Months 13 and 14 are January and February of the next year.
	if month > 12 {
		year, month = year+1, month-12
	}
	return year, month, day
}

// daysIn400 is the number of days in 400 years, after which the calendar repeats.
const daysIn400 = 146097
