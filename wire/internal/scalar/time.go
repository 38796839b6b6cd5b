package scalar

import (
	"math"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
)

// A derived time is its seconds since 1970 as a varint, its nanoseconds as a uvarint below 10⁹, and
// its zone, which begins with one of the bytes ZoneUTC, ZoneNamed and ZoneLocal. The monotonic clock
// reading is not encoded.

// PutInstant writes a time in canonical form, which is UTC, and returns the position after it.
// The caller has reserved 16 bytes and [Slack].
func PutInstant(dst []byte, n int, t *time.Time) int {
	n = PutUvarint(dst, n, Zigzag(t.Unix()))
	n = PutUvarint(dst, n, uint64(t.Nanosecond()))
	mem.Put8(dst, n, ZoneUTC)
	return n + 1
}

// ReadInstant reads a time in canonical form into t. The errors are the same as for [ReadTime],
// plus ErrCanonical.
func ReadInstant(in []byte, pos int, t *time.Time) (int, error) {
	var v time.Time
	next, cause := ReadTime(in, pos, &v)
	switch {
	case cause != nil:
		return next, cause
	case in[next-1] != ZoneUTC || v.Location() != time.UTC:
		return pos, fault.ErrCanonical
	}
	*t = v
	return next, nil
}

// ReadTime reads a derived time into t and returns the position after it. On error it returns the
// position of the fault and does not change t.
func ReadTime(in []byte, pos int, t *time.Time) (next int, cause error) {
	u, at := Uvarint(in, pos)
	if at == 0 {
		return UvarintFault(in, pos)
	}
	nanos, next := Uvarint(in, at)
	switch {
	case next == 0:
		return UvarintFault(in, at)
	case nanos >= 1e9:
		return at, fault.ErrTime
	case next >= len(in):
		return next, fault.ErrTruncated
	case in[next] == ZoneUTC:
		*t = time.Unix(Unzigzag(u), int64(nanos)).UTC()
		return next + 1, nil
	}
	v, next, cause := readZone(in, next, time.Unix(Unzigzag(u), int64(nanos)))
	if cause == nil {
		*t = v
	}
	return next, cause
}

// Declared times have the format of Parco: 64-bit Unix nanoseconds, and with a location also a
// flag and the name of the zone, which has at most 255 bytes.
//
// zeroNano represents the zero time, which is outside the range. It is the number that
// [time.Time.UnixNano] returns for the zero time, by overflow. The instant in the year 1754
// with that number cannot be encoded.
const zeroNano = -6795364578871345152

// minNano and maxNano are the first and the last time in the range of 64-bit nanoseconds.
var minNano, maxNano = time.Unix(0, math.MinInt64), time.Unix(0, math.MaxInt64)

// UnixNano returns t as a declared time. ok is false if t is outside the range.
func UnixNano(t time.Time) (v int64, ok bool) {
	v = t.UnixNano()
	if t.IsZero() {
		return zeroNano, true
	}
	return v, v != zeroNano && !t.Before(minNano) && !t.After(maxNano)
}

// OfUnixNano returns the declared time of v nanoseconds.
func OfUnixNano(v int64) time.Time {
	if v == zeroNano {
		return time.Time{}
	}
	return time.Unix(0, v).UTC()
}

// ReadTimeZone reads a declared time with a location. On error next is the position of the fault.
//
// The name is looked up in the time zone database. A name that is not in the database must end
// with an offset, as [LocationName] writes it; the zone then has that fixed offset.
func ReadTimeZone(in []byte, pos int) (t time.Time, next int, cause error) {
	if len(in)-pos < 9 {
		return t, len(in), fault.ErrTruncated
	}
	t = OfUnixNano(int64(mem.Get64(in, pos)))
	pos += 8
	switch in[pos] {
	case 0:
		return t, pos + 1, nil
	case 1:
	default:
		return t, pos, fault.ErrFlag
	}
	b, next, cause := Block(in, pos+1, LenU8)
	if cause != nil {
		return t, next, cause
	}
	name := string(b)
	switch name {
	case "UTC", "":
		return t, next, nil
	case "Local":
		return t.In(time.Local), next, nil
	}
	if loc := database(name); loc != nil {
		return t.In(loc), next, nil
	}
	if fixed, offset, ok := cutOffset(name); ok {
		return t.In(zone(fixed, offset, t)), next, nil
	}
	return t, pos + 1, fault.ErrTime
}
