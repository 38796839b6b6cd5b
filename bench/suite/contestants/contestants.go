// Package contestants has the contests between Hone and its peers, with the code of the
// contestants. Before a contest is timed, the output of each contestant is compared with the output
// of all others.
package contestants

import (
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/document"
	"github.com/hone-go/hone/bench/suite/contestants/json"
	"github.com/hone-go/hone/bench/suite/contestants/mo"
	"github.com/hone-go/hone/bench/suite/contestants/web"
	"github.com/hone-go/hone/bench/suite/contestants/wire"
)

// suites has the contests by the beginning of their names, in the order of the report. Each suite
// is created separately, since a contestant's process needs only its own.
var suites = []struct {
	name     string
	contests func() []contest.Contest
}{
	{"wire", wire.Contests}, {"json", json.Contests}, {"corpora", json.CorpusContests}, {"documents", document.Contests}, {"router", web.RouterContests}, {"respond", web.RespondContests}, {"bind", web.BindContests},
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

// Suite returns the contests of the suite to which a contest belongs.
func Suite(name string) []contest.Contest {
	prefix, _, _ := strings.Cut(name, "/")
	for _, s := range suites {
		if s.name == prefix {
			return s.contests()
		}
	}
	return nil
}
