// Package contest measures contestants that do the same work against one
// another: each in a process of its own, their samples interleaved.
package contest

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"time"
)

// A Contest is one piece of work and those who do it.
type Contest struct {
	Name        string // such as "wire/record/encode"; the part before the first slash names the suite
	Contestants []Contestant

	// Promises names the behaviour that the contestants are probed for, such as "JSON decode";
	// "" if they are not.
	Promises string

	Unit  Unit  // of the measured quantity; the zero value is nanoseconds per operation
	Way   Way   // how its samples are taken
	Curve Curve // if the contest is one point of a growth curve
}

// A Contestant does a contest's work its own way.
type Contestant struct {
	Name  string   // names that begin with "hone" are Hone's; the others are peers
	Notes []string // such as "generated code", "reused buffer", "aliased strings"

	// New prepares the work and checks that it comes out right; only then is
	// it timed. Run does it n times.
	New func() (run func(n int), err error)

	// Measure takes the place of New where the figure is not the time of a loop. It
	// prepares and checks in the same way; each call of sample is then one
	// measurement that takes about d.
	Measure func() (sample func(d time.Duration) (Sample, error), err error)

	Probes *Probes // nil if nothing is promised that could be broken
}

// A Unit is the unit of a contest's figures.
type Unit string

// The units.
const (
	Nanoseconds Unit = ""
	Bytes       Unit = "B"
)

// A Way is how a contest's samples are taken.
type Way int

// The ways.
const (
	Looped   Way = iota // loops on one core
	Parallel            // on all cores
	Cold                // each sample is the first operation of a process
	Exact               // one sample tells: it comes out the same each time
)

// A Curve places a contest among those that do the same work at other sizes.
type Curve struct {
	Name string // "" for none
	Size int
	Of   string // what Size counts, such as "elements"
}

// A Sample is one measurement.
type Sample struct {
	Value float64 // in the contest's unit
	// Allocations of one operation.
	Allocs, Bytes float64
	More          map[string]float64 `json:",omitempty"` // by name, such as "requests/s"
	Slowed        bool               `json:",omitempty"` // the core was all the time, or nobody looked
}

// Hone tells whether the contestant is Hone's.
func (c Contestant) Hone() bool { return IsHone(c.Name) }

// IsHone tells whether a contestant of that name is Hone's.
func IsHone(contestant string) bool { return strings.HasPrefix(contestant, "hone") }

// Source is where the contestant's work is prepared, as "path:line" from the
// root of the repository.
func (c Contestant) Source() string {
	f := reflect.ValueOf(c.New)
	if c.New == nil {
		f = reflect.ValueOf(c.Measure)
	}
	file, line := runtime.FuncForPC(f.Pointer()).FileLine(f.Pointer())
	if _, inside, ok := strings.Cut(filepath.ToSlash(file), "/bench/suite/"); ok {
		file = "bench/suite/" + inside
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// Find returns the contestant of that name in the contest of that name.
func Find(contests []Contest, contest, contestant string) (Contest, Contestant, error) {
	for _, c := range contests {
		for _, who := range c.Contestants {
			if c.Name == contest && who.Name == contestant {
				return c, who, nil
			}
		}
	}
	return Contest{}, Contestant{}, fmt.Errorf("no contestant %s in %s", contestant, contest)
}
