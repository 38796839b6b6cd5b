package program

import (
	"math"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// putZone writes the zone of a derived time that is not in UTC, and reserves need bytes for the
// following instructions.
func putZone(e *Encoder, n int, t *time.Time, need int) int {
	_, offset := t.Zone()
	loc := t.Location()
	// The local zone may differ between machines, so only its offset is written. The offset fits
	// the reserved space: see timeBound.
	if loc == time.Local {
		mem.Put8(e.buf, n, scalar.ZoneLocal)
		return scalar.PutUvarint(e.buf, n+1, scalar.Zigzag(int64(offset)))
	}
	mem.Put8(e.buf, n, scalar.ZoneNamed)
	n = scalar.PutUvarint(e.buf, n+1, scalar.Zigzag(int64(offset)))
	// The offset precedes the name, for a reader that does not know the location.
	n = putBlock(e, n, loc.String())
	e.Room(n, need)
	return n
}

// putTimeZone writes a time of a declared layout, with its location. It reserves the bytes itself,
// since the caller has reserved only the space for a length prefix.
func putTimeZone(e *Encoder, n int, t time.Time) (int, *EncodeError) {
	fail := func(cause error) *EncodeError {
		return &EncodeError{Type: reflect.TypeFor[time.Time](), Err: cause}
	}
	v, ok := scalar.UnixNano(t)
	if !ok {
		return n, fail(errNanoseconds)
	}
	name := scalar.LocationName(t)
	if len(name) > math.MaxUint8 {
		return n, fail(fault.TooLong(len(name), math.MaxUint8))
	}
	dst := e.Room(n, 10+len(name)+scalar.Slack)
	mem.Put64(dst, n, uint64(v))
	// The flag 1 means that the name of the location follows.
	mem.Put8(dst, n+8, 1)
	mem.Put8(dst, n+9, byte(len(name)))
	n += 10
	return n + copy(dst[n:], name), nil
}
