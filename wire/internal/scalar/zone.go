package scalar

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/wire/internal/fault"
)

// The zone of a derived time begins with a byte. Nothing follows ZoneUTC. ZoneNamed is followed by
// the offset in seconds east of UTC, as a varint, and the name of the zone. ZoneLocal, the local
// zone of the writer, is followed by the offset alone.
const (
	ZoneUTC   = 0
	ZoneNamed = 1
	ZoneLocal = 2
)

// readZone reads the zone at in[pos:] and returns t in that zone.
func readZone(in []byte, pos int, t time.Time) (_ time.Time, next int, cause error) {
	kind := in[pos]
	if kind != ZoneNamed && kind != ZoneLocal {
		return t, pos, fault.ErrTime
	}
	u, at := Uvarint(in, pos+1)
	if at == 0 {
		at, cause = UvarintFault(in, pos+1)
		return t, at, cause
	}
	offset := Unzigzag(u)
	if offset != int64(int32(offset)) {
		return t, pos, fault.ErrTime
	}
	if kind == ZoneLocal {
		// A local time of the writer becomes a local time of the reader if the reader's local
		// zone has the same offset at t. Otherwise t gets a zone with that offset and no name.
		if _, local := t.Zone(); int64(local) == offset {
			return t, at, nil
		}
		return t.In(zone("", int(offset), t)), at, nil
	}
	name, next, cause := Block(in, at, LenVarint)
	if cause != nil {
		return t, next, cause
	}
	return t.In(zone(string(name), int(offset), t)), next, nil
}

// LocationName returns the name of t's location for a declared time. If the time zone database
// does not give t's offset for that name, LocationName appends the offset.
func LocationName(t time.Time) string {
	name := t.Location().String()
	if _, offset := t.Zone(); t.Location() != time.Local && !databaseHas(name, offset, t) {
		name += isoOffset(offset)
	}
	return name
}

// databaseHas reports whether the time zone database gives the offset at t for name.
func databaseHas(name string, offset int, t time.Time) bool {
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

// isoOffset formats an offset in seconds as +hh:mm or +hh:mm:ss. It is the end of a name that
// is not in the time zone database.
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

// cutOffset splits a name that ends with an isoOffset. ok is false if name has no such end.
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
