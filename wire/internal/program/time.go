package program

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/mem"
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

// readTime reads a time and returns the position behind it, 0 if there is none;
// timeFault says why.
func readTime(in []byte, pos int, t *time.Time) (next int) {
	u, at := Uvarint(in, pos)
	nanos, next := Uvarint(in, at)
	if at == 0 || next == 0 || nanos >= 1e9 || next >= len(in) {
		return 0
	}
	if in[next] == zoneUTC {
		*t = time.Unix(Unzigzag(u), int64(nanos)).UTC()
		return next + 1
	}
	v, next, cause := readZone(in, next, time.Unix(Unzigzag(u), int64(nanos)))
	if cause != nil {
		return 0
	}
	*t = v
	return next
}

// ReadTime reads a derived time. On error next is where the fault is.
func ReadTime(in []byte, pos int) (t time.Time, next int, cause error) {
	if next = readTime(in, pos, &t); next == 0 {
		next, cause = timeFault(in, pos)
	}
	return t, next, cause
}

func timeFault(in []byte, pos int) (at int, cause error) {
	_, at = Uvarint(in, pos)
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
	}
	_, next, cause = readZone(in, next, time.Time{})
	return next, cause
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

// zeroNano is what stands for the zero time, which lies outside the range: what
// an overflowing [time.Time.UnixNano] makes of it. The instant in the year 1754
// that those nanoseconds are cannot be written.
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

// knows reports whether a reader that looks name up has that offset at t.
func knows(name string, offset int, t time.Time) bool {
	if name == "UTC" {
		return offset == 0
	}
	zones.RLock()
	unknown := zones.unknown[name]
	zones.RUnlock()
	if unknown {
		return false
	}
	loc := database(name)
	if loc == nil {
		zones.Lock()
		if len(zones.unknown) < maxZones && len(name) <= maxName {
			zones.unknown[name] = true
		}
		zones.Unlock()
		return false
	}
	_, o := t.In(loc).Zone()
	return o == offset
}

// isoOffset writes an offset behind the name of a zone that only its writer
// knows: +hh:mm, or +hh:mm:ss.
func isoOffset(offset int) string {
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	s := fmt.Sprintf("%c%02d:%02d", sign, offset/3600, offset/60%60)
	if offset%60 != 0 {
		s += fmt.Sprintf(":%02d", offset%60)
	}
	return s
}

// cutOffset undoes isoOffset.
func cutOffset(s string) (name string, offset int, ok bool) {
	i := strings.LastIndexAny(s, "+-")
	if i < 0 {
		return "", 0, false
	}
	scale := 3600
	for part := range strings.SplitSeq(s[i+1:], ":") {
		v, err := strconv.ParseUint(part, 10, 24)
		if err != nil || len(part) < 2 || scale == 0 || scale < 3600 && v > 59 {
			return "", 0, false
		}
		offset += int(v) * scale
		scale /= 60
	}
	if offset > math.MaxInt32 || scale > 1 {
		return "", 0, false
	}
	if s[i] == '-' {
		offset = -offset
	}
	return s[:i], offset, isoOffset(offset) == s[i:]
}

// database returns the zone that the time zone database has under name, or nil.
func database(name string) *time.Location {
	if len(name) > maxName || name == "" || name == "Local" || strings.ContainsFunc(name, notInName) {
		return nil
	}
	zones.RLock()
	named := zones.named[name]
	zones.RUnlock()
	if named != nil {
		return named
	}
	// Whoever sends a name that is not there gets an error for it, so that is
	// one look at the disk for each input. What we write is another matter.
	named, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	zones.Lock()
	zones.named[name] = named // there are as many as the database has
	zones.Unlock()
	return named
}

type zoneKey struct {
	name   string
	offset int
}

// zones keeps the zones met so far. Their names come from the input, so it stops
// growing at maxZones, keeps no long names, and looks in the database for few
// names in a second that turn out not to be there.
var zones = struct {
	sync.RWMutex
	named map[string]*time.Location
	fixed map[zoneKey]*time.Location

	unknown map[string]bool // names of our own zones that the database has not

	misses int // of the second that began at since
	since  time.Time
}{named: map[string]*time.Location{}, fixed: map[zoneKey]*time.Location{}, unknown: map[string]bool{}}

const (
	maxZones  = 1024
	maxName   = 64 // longer than any in the database
	maxMisses = 100
)

// zone returns the location that was called name and was offset seconds east
// of UTC at t. A name of the time zone database is looked up there and taken
// if it agrees about the offset, so that arithmetic across a change of the
// clock goes on as for the writer. Any other is a zone of that fixed offset.
func zone(name string, offset int, t time.Time) *time.Location {
	if len(name) > maxName {
		return time.FixedZone(name, offset)
	}
	key := zoneKey{name, offset}
	zones.RLock()
	named := zones.named[name]
	fixed := zones.fixed[key]
	zones.RUnlock()
	if named == nil && fixed == nil && isDatabaseName(name) {
		named = lookUp(name)
	}
	if named != nil {
		if _, o := t.In(named).Zone(); o == offset {
			return named
		}
	}
	if fixed == nil {
		fixed = time.FixedZone(name, offset)
		zones.Lock()
		if len(zones.fixed) < maxZones {
			zones.fixed[key] = fixed
		}
		zones.Unlock()
	}
	return fixed
}

// lookUp returns the zone that the time zone database has under name, or nil.
func lookUp(name string) *time.Location {
	zones.Lock()
	defer zones.Unlock()
	now := time.Now()
	if now.Sub(zones.since) >= time.Second {
		zones.since, zones.misses = now, 0
	}
	if zones.misses >= maxMisses {
		return nil
	}
	named, err := time.LoadLocation(name)
	if err != nil {
		zones.misses++
		return nil
	}
	zones.named[name] = named // there are as many as the database has
	return named
}

// isDatabaseName reports whether name has the form Area/Place. Shorter names
// such as CET are not unique, and may be the name of a fixed zone.
func isDatabaseName(name string) bool {
	return strings.Contains(name, "/") && !strings.ContainsFunc(name, notInName)
}

func notInName(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/_+-", r))
}
