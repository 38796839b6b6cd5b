package format

import (
	"math"
	"math/bits"
	"strings"
	"time"
)

// A Duration is encoded as text such as "1m30s", in the form of time.Duration. When decoding, the
// units must be in order from h to ns, each at most once, and each number may have a fraction:
// "1.5h", "-2m0.25s".
type Duration time.Duration

// An ISODuration is encoded as text such as "PT1M30S" (ISO 8601). Decoding also accepts weeks, and
// days of 24 hours. It refuses years and months, because they have no fixed length. Only the last
// part may have a fraction. A minus sign comes first: "-PT1M30S".
type ISODuration time.Duration

// Seconds is encoded as a JSON number of seconds such as 1.5, with at most nine digits after the
// point. Decoding also accepts an exponent.
type Seconds time.Duration

// Milliseconds is encoded as a JSON number of milliseconds such as 1500 or 0.25.
type Milliseconds time.Duration

// Microseconds is encoded as a JSON number of microseconds such as 1500 or 0.25.
type Microseconds time.Duration

// Nanoseconds is encoded as a JSON number without a fraction. The type needs no methods, because
// every int64 is encoded like this. Programs that decode numbers into floats lose digits above
// 2^53, which is about 104 days.
type Nanoseconds time.Duration

const (
	durationForm = "a duration such as 1m30s"
	isoForm      = "a duration such as PT1M30S"
	secondsForm  = "a number of seconds"
	milliForm    = "a number of milliseconds"
	microForm    = "a number of microseconds"
)

// A unit is a unit of time in a duration, such as "h".
type unit struct {
	name string
	size uint64 // in nanoseconds
}

var (
	goUnits = []unit{
		{"h", uint64(time.Hour)}, {"m", uint64(time.Minute)}, {"s", second}, {"ms", uint64(time.Millisecond)},
		{"µs", uint64(time.Microsecond)}, {"us", uint64(time.Microsecond)}, {"μs", uint64(time.Microsecond)}, {"ns", 1},
	}
	isoDates = []unit{{"W", 7 * 24 * uint64(time.Hour)}, {"D", 24 * uint64(time.Hour)}}
	isoTimes = []unit{{"H", uint64(time.Hour)}, {"M", uint64(time.Minute)}, {"S", second}}
)

// A tally sums the parts of a duration such as 1m30s. Each part is a number with a unit.
type tally struct {
	sum      uint64 // nanoseconds
	parts    int
	least    uint64 // the unit of the last part, in nanoseconds
	fraction bool   // the last part had a fraction
	lastOnly bool   // only the last part may have a fraction
	cause    error
}

// read parses text, a sequence of numbers with units, and adds each part. Each unit must be smaller
// than the previous one.
func (t *tally) read(text string, units []unit) {
	for t.cause == nil && text != "" {
		number := len(text) - len(strings.TrimLeft(text, "0123456789."))
		name := strings.IndexAny(text[number:], "0123456789.")
		if name < 0 {
			name = len(text) - number
		}
		whole, part, fraction := strings.Cut(text[:number], ".")
		var size uint64
		for _, u := range units {
			if u.name == text[number:number+name] {
				size = u.size
			}
		}
		if whole == "" || fraction && part == "" || strings.Contains(part, ".") || size == 0 ||
			t.parts > 0 && size >= t.least || t.fraction && t.lastOnly {
			t.cause = ErrSyntax
			return
		}
		t.add(whole, part, size)
		t.parts, t.least, t.fraction = t.parts+1, size, fraction
		text = text[number+name:]
	}
}

// add adds a number of units of the given size, in nanoseconds. whole and part are the digits before
// and after the decimal point.
func (t *tally) add(whole, part string, size uint64) {
	var n uint64
	for i := range len(whole) {
		hi, lo := bits.Mul64(n, 10)
		if n = lo + uint64(whole[i]-'0'); hi > 0 || n < lo {
			t.cause = ErrRange
		}
	}
	hi, ns := bits.Mul64(n, size)
	part = strings.TrimRight(part, "0")
	if len(part) > 18 {
		t.cause = ErrFiner
		return
	}
	numerator, denominator := uint64(0), uint64(1)
	for i := range len(part) {
		numerator, denominator = numerator*10+uint64(part[i]-'0'), denominator*10
	}
	high, low := bits.Mul64(numerator, size) // high < denominator, as Div64 requires, because size < 2^64
	quotient, remainder := bits.Div64(high, low, denominator)
	sum := t.sum + ns
	total := sum + quotient
	switch {
	case t.cause != nil:
	case remainder > 0:
		t.cause = ErrFiner
	case hi > 0 || sum < ns || total < quotient || total > 1<<63:
		t.cause = ErrRange
	}
	t.sum = total
}

// signed returns n nanoseconds as a Duration, negated if negative is set.
func signed(negative bool, n uint64) (time.Duration, error) {
	switch {
	case negative && n <= 1<<63:
		return time.Duration(-n), nil
	case n <= math.MaxInt64:
		return time.Duration(n), nil
	}
	return 0, ErrRange
}

// magnitude returns the sign and the absolute value of d.
func magnitude(d time.Duration) (negative bool, n uint64) {
	if d < 0 {
		return true, -uint64(d)
	}
	return false, uint64(d)
}

// AppendText appends a text such as "1m30s".
func (d Duration) AppendText(b []byte) ([]byte, error) {
	negative, n := magnitude(time.Duration(d))
	if negative {
		b = append(b, '-')
	}
	switch {
	case n == 0:
		return append(b, "0s"...), nil
	case n < 1_000:
		return append(appendDecimal(b, false, n, 0, 0), "ns"...), nil
	case n < 1_000_000:
		return append(appendDecimal(b, false, 0, uint32(n), 6), "µs"...), nil
	case n < second:
		return append(appendDecimal(b, false, 0, uint32(n), 3), "ms"...), nil
	}
	hours, minutes, rest := n/uint64(time.Hour), n/uint64(time.Minute)%60, n%uint64(time.Minute)
	if hours > 0 {
		b = append(appendDecimal(b, false, hours, 0, 0), 'h')
	}
	if hours > 0 || minutes > 0 {
		b = append(appendDecimal(b, false, minutes, 0, 0), 'm')
	}
	return append(appendDecimal(b, false, rest/second, uint32(rest%second), 0), 's'), nil
}

// UnmarshalText reads a text such as "1m30s".
func (d *Duration) UnmarshalText(text []byte) error {
	rest, negative := strings.CutPrefix(string(text), "-")
	var t tally
	t.read(rest, goUnits)
	v, err := t.duration(negative)
	if err != nil {
		return refused(text, durationForm, err)
	}
	*d = Duration(v)
	return nil
}

// duration returns the sum. It returns an error if there were no parts.
func (t *tally) duration(negative bool) (time.Duration, error) {
	switch {
	case t.cause != nil:
		return 0, t.cause
	case t.parts == 0:
		return 0, ErrSyntax
	}
	return signed(negative, t.sum)
}

// AppendText appends a text such as "PT1M30S".
func (d ISODuration) AppendText(b []byte) ([]byte, error) {
	negative, n := magnitude(time.Duration(d))
	if negative {
		b = append(b, '-')
	}
	b = append(b, "PT"...)
	hours, minutes, rest := n/uint64(time.Hour), n/uint64(time.Minute)%60, n%uint64(time.Minute)
	if hours > 0 {
		b = append(appendDecimal(b, false, hours, 0, 0), 'H')
	}
	if minutes > 0 {
		b = append(appendDecimal(b, false, minutes, 0, 0), 'M')
	}
	if rest > 0 || n == 0 {
		b = append(appendDecimal(b, false, rest/second, uint32(rest%second), 0), 'S')
	}
	return b, nil
}

// UnmarshalText reads a text such as "PT1M30S".
func (d *ISODuration) UnmarshalText(text []byte) error {
	rest, negative := strings.CutPrefix(string(text), "-")
	rest, ok := strings.CutPrefix(rest, "P")
	days, times, both := strings.Cut(rest, "T")
	t := tally{lastOnly: true}
	t.read(days, isoDates)
	t.read(times, isoTimes)
	v, err := t.duration(negative)
	if !ok || both && times == "" {
		err = ErrSyntax
	}
	if err != nil {
		return refused(text, isoForm, err)
	}
	*d = ISODuration(v)
	return nil
}

// appendUnits appends d as a decimal number; shift selects the unit, as in appendDecimal.
func appendUnits(b []byte, d time.Duration, shift int) []byte {
	negative, n := magnitude(d)
	return appendDecimal(b, negative, n/second, uint32(n%second), shift)
}

// parseUnits parses a decimal number of the unit that shift selects; see parseDecimal. form is the
// required form in errors.
func parseUnits(text []byte, shift int, form string) (time.Duration, error) {
	negative, sec, nsec, err := parseDecimal(text, shift)
	if err == nil && sec > math.MaxUint64/second/2 {
		err = ErrRange
	}
	var d time.Duration
	if err == nil {
		d, err = signed(negative, sec*second+uint64(nsec))
	}
	if err != nil {
		return 0, refused(text, form, err)
	}
	return d, nil
}
