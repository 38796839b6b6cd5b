// Package contestants lists the work that Hone and its peers are measured at,
// and how each does it. Every one is prepared so that its output is checked
// against the others' content before anything is timed.
package contestants

import (
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/json"
	"github.com/hone-go/hone/bench/suite/contestants/mo"
	"github.com/hone-go/hone/bench/suite/contestants/web"
	"github.com/hone-go/hone/bench/suite/contestants/wire"
)

// suites are the contests by the beginning of their names, in the order of the
// report. Each is made by itself: a contestant's process needs its own only.
var suites = []struct {
	name     string
	contests func() []contest.Contest
}{
	{"wire", wire.Contests}, {"json", json.Contests}, {"router", web.RouterContests}, {"respond", web.RespondContests}, {"bind", web.BindContests},
	{"middleware", web.MiddlewareContests}, {"typed", web.TypedContests}, {"tcp", web.TCPContests}, {"service", web.ServiceContests}, {"growth", growthContests}, {"memory", memoryContests},
	{"cold", coldContests}, {"size", sizeContests}, {"mo", mo.Contests},
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
