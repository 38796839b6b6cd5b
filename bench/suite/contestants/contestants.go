// Package contestants lists the work that Hone and its peers are measured at,
// and how each does it. Every one is prepared so that its output is checked
// against the others' content before anything is timed.
package contestants

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
)

// suites are the contests by the beginning of their names, in the order of the
// report. Each is made by itself: a contestant's process needs its own only.
var suites = []struct {
	name     string
	contests func() []contest.Contest
}{
	{"wire", wireContests}, {"json", jsonContests}, {"router", routerContests}, {"respond", respondContests}, {"bind", bindContests},
	{"middleware", middlewareContests}, {"typed", typedContests}, {"tcp", tcpContests}, {"growth", growthContests}, {"memory", memoryContests},
	{"cold", coldContests}, {"size", sizeContests}, {"mo", moContests},
}

// All returns every contest, in the order of the report.
func All() []contest.Contest {
	var all []contest.Contest
	for _, s := range suites {
		all = append(all, s.contests()...)
	}
	return all
}

// Suite returns the contests of the suite that a contest belongs to.
func Suite(name string) []contest.Contest {
	prefix, _, _ := strings.Cut(name, "/")
	for _, s := range suites {
		if s.name == prefix {
			return s.contests()
		}
	}
	return nil
}

// same is the check of contestants whose output can be read back.
func same[T any](got, want T) error {
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("output differs: %+v, want %+v", got, want)
	}
	return nil
}

// loop makes a Run of one operation.
func loop(op func()) func(int) {
	return func(n int) {
		for range n {
			op()
		}
	}
}
