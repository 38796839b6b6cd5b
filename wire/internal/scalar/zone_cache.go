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
// bounded: the maps named and fixed have at most maxZones entries, names longer than maxName are not
// kept, and at most maxMisses names that the time zone database does not have are looked up in a
// second.
var zones = struct {
	sync.RWMutex
	named map[string]*time.Location
	fixed map[zoneKey]*time.Location

	unknown map[string]bool // names of the encoder's own zones that are not in the database

	misses      int // number of failed look-ups since windowStart, which is at most a second ago
	windowStart time.Time
}{named: map[string]*time.Location{}, fixed: map[zoneKey]*time.Location{}, unknown: map[string]bool{}}

// Bounds of the cache, since its keys come from the input.
const (
	maxZones  = 1024
	maxName   = 64 // longer than any name in the database
	maxMisses = 100
)

// database returns the zone with the given name in the time zone database, or nil.
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
	// In a declared time an unknown name is an error, so a decode looks up at most one. databaseHas caches the encoder's
	// unknown names.
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

// lookUp is like database, but limits the rate of failed look-ups. It is for derived times: in these
// an unknown name is not an error.
func lookUp(name string) *time.Location {
	zones.Lock()
	defer zones.Unlock()
	now := time.Now()
	if now.Sub(zones.windowStart) >= time.Second {
		zones.windowStart, zones.misses = now, 0
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

// isFileName reports whether name may be the name of a file of the database. It refuses a name with
// an empty part, such as Europe//Berlin. Such a name opens the same file as Europe/Berlin, so the
// cache would store any number of names for one file.
func isFileName(name string) bool {
	return !strings.ContainsFunc(name, notInName) && !strings.Contains("/"+name+"/", "//")
}

// notInName reports whether r does not occur in the names of the time zone database. A name with such a
// character, such as "..", is not looked up, since a look-up opens a file.
func notInName(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/_+-", r))
}
