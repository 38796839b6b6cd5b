package program

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"
)

type zoneKey struct {
	name   string
	offset int
}

// zones keeps the zones that have been used. Their names come from the input, so it
// stops growing at maxZones, keeps no long names, and looks up at most maxMisses
// names in a second that the database does not have.
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
	// An unknown name in the input is an error, so it costs one look at the disk for
	// each input. The writer keeps unknown names: see knows.
	named, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	zones.Lock()
	zones.named[name] = named // there are as many as the database has
	zones.Unlock()
	return named
}

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
