package wire

import (
	"strings"
	"sync"
	"time"
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

func appendTime(dst []byte, t time.Time) []byte {
	dst = appendVarint(dst, t.Unix())
	dst = appendUvarint(dst, uint64(t.Nanosecond()))
	loc := t.Location()
	if loc == time.UTC {
		return append(dst, zoneUTC)
	}
	_, offset := t.Zone()
	if loc == time.Local {
		return appendVarint(append(dst, zoneLocal), int64(offset))
	}
	dst = appendVarint(append(dst, zoneNamed), int64(offset))
	name := loc.String()
	return append(appendUvarint(dst, uint64(len(name))), name...)
}

func readTime(in []byte, pos int) (t time.Time, next int, cause error) {
	u, next, cause := uvarint(in, pos)
	if cause != nil {
		return t, next, cause
	}
	at := next
	nanos, next, cause := uvarint(in, next)
	if cause != nil {
		return t, next, cause
	}
	if nanos >= 1e9 {
		return t, at, ErrTime
	}
	if next >= len(in) {
		return t, next, errTruncated
	}
	t = time.Unix(unzigzag(u), int64(nanos))
	at = next
	next++
	switch in[at] {
	case zoneUTC:
		return t.UTC(), next, nil
	case zoneNamed, zoneLocal:
	default:
		return t, at, ErrTime
	}
	offset, next, cause := uvarint(in, next)
	if cause != nil {
		return t, next, cause
	}
	seconds := unzigzag(offset)
	if seconds != int64(int32(seconds)) {
		return t, at, ErrTime
	}
	if in[at] == zoneLocal {
		if _, local := t.Zone(); int64(local) == seconds {
			return t, next, nil
		}
		return t.In(zone("", int(seconds), t)), next, nil
	}
	n, next, cause := uvarint(in, next)
	if cause != nil {
		return t, next, cause
	}
	if n > uint64(len(in)-next) {
		return t, next, errTruncated
	}
	name := in[next : next+int(n)]
	return t.In(zone(string(name), int(seconds), t)), next + int(n), nil
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

	misses int // of the second that began at since
	since  time.Time
}{named: map[string]*time.Location{}, fixed: map[zoneKey]*time.Location{}}

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
	return strings.Contains(name, "/") && !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/_+-", r))
	})
}
