package scalar

import (
	"strings"
	"sync"
	"time"
)

// A zoneKey identifies a zone of a fixed offset.
type zoneKey struct {
	name   string
	offset int
}

// zones caches the zones that have been used. Their names come from the input, so the cache is
// bounded: named and fixed have at most maxZones entries, names longer than maxName are not kept, and at
// most maxMisses names that the time zone database does not have are looked up in a second.
var zones = struct {
	sync.RWMutex
	named map[string]*time.Location
	fixed map[zoneKey]*time.Location

	unknown map[string]bool // names of zones of this program that the database does not have

	misses int // failed look-ups in the second that began at since
	since  time.Time
}{named: map[string]*time.Location{}, fixed: map[zoneKey]*time.Location{}, unknown: map[string]bool{}}

// Bounds of the cache, since its keys come from the input.
const (
	maxZones  = 1024
	maxName   = 64 // longer than any name in the database
	maxMisses = 100
)

// database returns the zone with that name in the time zone database, or nil.
func database(name string) *time.Location {
	if len(name) > maxName || name == "" || name == "Local" || !isFileName(name) {
		return nil
	}
	zones.RLock()
	named := zones.named[name]
	zones.RUnlock()
	if named != nil {
		return named
	}
	// An unknown name in the input is an error, so a decode reads the disk at most once for
	// unknown names. knows caches the unknown names of the encoder.
	named, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	zones.Lock()
	keepNamed(name, named)
	zones.Unlock()
	return named
}

// keepNamed caches a zone of the database. The caller holds the lock.
func keepNamed(name string, named *time.Location) {
	if len(zones.named) < maxZones {
		zones.named[name] = named
	}
}

// zone returns the location with the given name and the given offset at t, in seconds east of
// UTC. If the time zone database has that offset for the name, the result is the location of
// the database, so arithmetic across a change of the clock gives the same results as for the
// writer. Otherwise the result is a zone with the fixed offset.
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

// lookUp is like database, but limits the rate of failed look-ups. It is for derived times, in
// which an unknown name is not an error.
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
	keepNamed(name, named)
	return named
}

// isDatabaseName reports whether name has the form Area/Place. Shorter names such as CET are not
// unique, and may name a fixed zone.
func isDatabaseName(name string) bool {
	return strings.Contains(name, "/") && isFileName(name)
}

// isFileName reports whether name may be the name of a file of the database. A name with an empty part, such as
// Europe//Berlin, is another name of a file, and there are any number of such names.
func isFileName(name string) bool {
	return !strings.ContainsFunc(name, notInName) && !strings.Contains("/"+name+"/", "//")
}

// notInName reports whether a name in the time zone database never has r. Names with other
// characters, such as "..", are not looked up, since a look-up opens a file.
func notInName(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/_+-", r))
}
