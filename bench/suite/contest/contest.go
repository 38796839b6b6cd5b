// Package contest compares contestants that do the same work. Each contestant runs in its own
// process. The samples of the contestants are interleaved.
package contest

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"time"
)

// A Contest is a task, and the contestants that compete in it.
type Contest struct {
	Name        string // such as "wire/record/encode"; the part before the first slash names the suite
	Contestants []Contestant

	// Promises is the behaviour for which the contestants are probed, such as "JSON decode"; "" if
	// there are no probes.
	Promises string

	Unit  Unit  // the unit of the measured quantity; the zero value is nanoseconds per operation
	Way   Way   // how its samples are taken
	Curve Curve // set if the contest is one point of a growth curve

	// Documents has the names of the inputs if the same work is done with each of many inputs. A sample then has a time
	// for each document, and its value is the geometric mean of these times.
	Documents []string
}

// A Contestant is one way to do the work of a contest, usually a library.
type Contestant struct {
	Name  string   // a name that begins with "hone" is Hone's; all others are names of peers
	Notes []string // such as "generated code", "reused buffer", "aliased strings"

	// New prepares the work and checks its result before it is timed. Run does the work n times.
	New func() (run func(n int), err error)

	// Measure is used instead of New if the measured quantity is not the time of a loop. Like New,
	// Measure prepares the work and checks its result. Each call of sample is one measurement that
	// takes about d.
	Measure func() (sample func(d time.Duration) (Sample, error), err error)

	// Prepare is used instead of New in a contest with documents. It is like New, for document i. A document for which
	// Prepare fails is left out of this contestant's samples.
	Prepare func(i int) (run func(n int), err error)

	Probes *Probes // nil if there are no promises
}

// A Unit is the unit of a contest's figures.
type Unit string

// These are the units of figures.
const (
	Nanoseconds Unit = ""
	Bytes       Unit = "B"
)

// A Way selects how a contest's samples are taken.
type Way int

// These are the ways to take samples.
const (
	Looped   Way = iota // loops on one core
	Parallel            // loops on all cores
	Cold                // each sample is the first operation of a process
	Exact               // one sample is enough, because all samples are equal
)

// A Curve relates a contest to contests with the same work at other sizes.
type Curve struct {
	Name string // "" if the contest is not a point of a curve
	Size int
	Of   string // what Size counts, such as "elements"
}

// A Sample is one measurement.
type Sample struct {
	Value float64 // in the contest's unit
	// Allocs and Bytes are the allocations of one operation.
	Allocs, Bytes float64
	More          map[string]float64 `json:",omitempty"` // further figures by name, such as "requests/s"
	Slowed        bool               `json:",omitempty"` // the core was slowed during the whole sample, or was not observed

	Documents []float64         `json:",omitempty"` // the time of each document, 0 for a document that fails
	Failed    map[string]string `json:",omitempty"` // why documents fail, by their names
}

// Hone reports whether the contestant is Hone's.
func (c Contestant) Hone() bool { return IsHone(c.Name) }

// IsHone reports whether the contestant with this name is Hone's.
func IsHone(contestant string) bool { return strings.HasPrefix(contestant, "hone") }

// Source returns the place where the contestant's work is prepared, as "path:line" from the root of
// the repository.
func (c Contestant) Source() string {
	f := reflect.ValueOf(c.New)
	switch {
	case c.Measure != nil:
		f = reflect.ValueOf(c.Measure)
	case c.Prepare != nil:
		f = reflect.ValueOf(c.Prepare)
	}
	file, line := runtime.FuncForPC(f.Pointer()).FileLine(f.Pointer())
	if _, inside, ok := strings.Cut(filepath.ToSlash(file), "/bench/suite/"); ok {
		file = "bench/suite/" + inside
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// Find returns the contest and the contestant with the given names.
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
