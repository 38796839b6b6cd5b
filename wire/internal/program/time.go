package program

import (
	"math"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
)

// A time is its seconds since 1970 as a varint, its nanoseconds as a uvarint
// below 10⁹, and a byte for its zone: UTC, or a zone whose offset in seconds
// east of UTC follows as a varint and which the writer knew by a name that
// follows, or which was the writer's own. The monotonic reading stays behind.
const (
	zoneUTC   = 0
	zoneNamed = 1
	zoneLocal = 2
)

// putZone writes the zone of a time that is not in UTC, and makes room for what
// follows.
func putZone(e *encoder, n int, t *time.Time, need int) int {
	_, offset := t.Zone()
	loc := t.Location()
	if loc == time.Local {
		mem.Put8(e.buf, n, zoneLocal)
		return putUvarint(e.buf, n+1, zigzag(int64(offset)))
	}
	mem.Put8(e.buf, n, zoneNamed)
	n = putUvarint(e.buf, n+1, zigzag(int64(offset)))
	n = putBlock(e, n, loc.String())
	e.room(n, need)
	return n
}

// putInstant writes a time in canonical form, which is UTC.
func putInstant(dst []byte, n int, t *time.Time) int {
	n = putUvarint(dst, n, zigzag(t.Unix()))
	n = putUvarint(dst, n, uint64(t.Nanosecond()))
	mem.Put8(dst, n, zoneUTC)
	return n + 1
}

// readInstant reads what putInstant writes.
func readInstant(in []byte, pos int, t *time.Time) (int, error) {
	v, next, cause := ReadTime(in, pos)
	switch {
	case cause != nil:
		return next, cause
	case in[next-1] != zoneUTC || v.Location() != time.UTC:
		return pos, ErrCanonical
	}
	*t = v
	return next, nil
}

// readTime reads a time and returns the position behind it, or on error that of the
// fault.
func readTime(in []byte, pos int, t *time.Time) (next int, cause error) {
	u, at := Uvarint(in, pos)
	if at == 0 {
		return UvarintFault(in, pos)
	}
	nanos, next := Uvarint(in, at)
	switch {
	case next == 0:
		return UvarintFault(in, at)
	case nanos >= 1e9:
		return at, ErrTime
	case next >= len(in):
		return next, ErrTruncated
	case in[next] == zoneUTC:
		*t = time.Unix(Unzigzag(u), int64(nanos)).UTC()
		return next + 1, nil
	}
	v, next, cause := readZone(in, next, time.Unix(Unzigzag(u), int64(nanos)))
	if cause == nil {
		*t = v
	}
	return next, cause
}

// ReadTime reads a derived time. On error next is where the fault is.
func ReadTime(in []byte, pos int) (t time.Time, next int, cause error) {
	next, cause = readTime(in, pos, &t)
	return t, next, cause
}

// readZone puts t into the zone that in[pos:] names.
func readZone(in []byte, pos int, t time.Time) (_ time.Time, next int, cause error) {
	kind := in[pos]
	if kind != zoneNamed && kind != zoneLocal {
		return t, pos, ErrTime
	}
	u, at := Uvarint(in, pos+1)
	if at == 0 {
		at, cause = UvarintFault(in, pos+1)
		return t, at, cause
	}
	offset := Unzigzag(u)
	if offset != int64(int32(offset)) {
		return t, pos, ErrTime
	}
	if kind == zoneLocal {
		if _, local := t.Zone(); int64(local) == offset {
			return t, at, nil
		}
		return t.In(zone("", int(offset), t)), at, nil
	}
	name, next, cause := block(in, at, LenVarint)
	if cause != nil {
		return t, next, cause
	}
	return t.In(zone(string(name), int(offset), t)), next, nil
}

// Declared times are Parco's: 64-bit Unix nanoseconds, and with a location a flag
// and the name of the zone, at most 255 bytes of it.

// zeroNano stands for the zero time, which lies outside the range. It is what
// [time.Time.UnixNano] returns for it, by overflowing. The instant in the year 1754
// that it would be otherwise cannot be written.
const zeroNano = -6795364578871345152

var minNano, maxNano = time.Unix(0, math.MinInt64), time.Unix(0, math.MaxInt64)

// unixNano returns t as a declared time; not ok if it cannot be one.
func unixNano(t time.Time) (v int64, ok bool) {
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

// putTimeZone writes a declared time with its location. There is room for a
// length only.
func putTimeZone(e *encoder, n int, t time.Time) (int, *EncodeError) {
	fail := func(cause error) *EncodeError {
		return &EncodeError{Type: reflect.TypeFor[time.Time](), Err: cause}
	}
	v, ok := unixNano(t)
	if !ok {
		return n, fail(ErrTime)
	}
	name := t.Location().String()
	if _, offset := t.Zone(); t.Location() != time.Local && !knows(name, offset, t) {
		name += isoOffset(offset)
	}
	if len(name) > math.MaxUint8 {
		return n, fail(ErrTooLong)
	}
	dst := e.room(n, 10+len(name)+slack)
	mem.Put64(dst, n, uint64(v))
	mem.Put8(dst, n+8, 1)
	mem.Put8(dst, n+9, byte(len(name)))
	n += 10
	return n + copy(dst[n:], name), nil
}

func readTimeZone(in []byte, pos int) (t time.Time, next int, cause error) {
	if len(in)-pos < 9 {
		return t, len(in), ErrTruncated
	}
	t = OfUnixNano(int64(mem.Get64(in, pos)))
	pos += 8
	switch in[pos] {
	case 0:
		return t, pos + 1, nil
	case 1:
	default:
		return t, pos, ErrFlag
	}
	b, next, cause := block(in, pos+1, LenU8)
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
	return t, pos + 1, ErrTime
}
