package document

import (
	stdjson "encoding/json"
	"fmt"

	"github.com/spyzhov/ajson"
	"github.com/theory/jsonpath"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/json/document"
)

// queries are the queries of JSONPath, by the document that they are for. The filters have parentheses, because
// spyzhov/ajson needs them.
var queries = []struct{ document, query string }{
	{"twitter", "$.statuses[*].user.screen_name"},
	{"twitter", "$..hashtags[*].text"},
	{"twitter", "$.statuses[?(@.retweet_count > 10)].id_str"},
	{"twitter", "$.statuses[0:10].text"},
	{"twitter", "$.statuses[-1].user.name"},
	{"twitter", "$..screen_name"},
	{"citm_catalog", "$.performances[*].prices[*].amount"},
	{"citm_catalog", "$..seatCategoryId"},
	{"citm_catalog", "$.performances[?(@.eventId == 138586341)].id"},
	{"citm_catalog", "$.events.*.name"},
	{"github_events", "$[*].actor.login"},
	{"github_events", "$[?(@.type == 'PushEvent')].repo.name"},
	{"github_events", "$..sha"},
	{"apache_builds", "$.jobs[?(@.color == 'red')].name"},
	{"apache_builds", "$.jobs[*].url"},
	{"instruments", "$.instruments[*].name"},
	{"gsoc-2018", "$.*.name"},
	{"gsoc-2018", "$..sponsor.name"},
	{"random", "$.result[?(@.age > 30)].first_name"},
	{"random", "$..friends[0].name"},
}

// A queryEngine compiles a query. The result parses a text, and returns the number of values that the query selects.
type queryEngine struct {
	name    string
	notes   []string
	compile func(query string) (func(text []byte) (int, error), error)
}

var queryEngines = []queryEngine{
	{"hone", nil, func(query string) (func(text []byte) (int, error), error) {
		p, err := document.CompilePath(query)
		var doc document.Document
		return func(text []byte) (n int, err error) {
			if err := doc.Parse(text); err != nil {
				return 0, err
			}
			for v := range doc.Root().Select(p) {
				if !v.Exists() {
					return n, v.Err()
				}
				n++
			}
			return n, nil
		}, err
	}},
	{"theory/jsonpath", []string{"over encoding/json's any"}, func(query string) (func(text []byte) (int, error), error) {
		p, err := jsonpath.Parse(query)
		return func(text []byte) (int, error) {
			var root any
			if err := stdjson.Unmarshal(text, &root); err != nil {
				return 0, err
			}
			return len(p.Select(root)), nil
		}, err
	}},
	{"spyzhov/ajson", nil, func(query string) (func(text []byte) (int, error), error) {
		commands, err := ajson.ParseJSONPath(query)
		return func(text []byte) (int, error) {
			root, err := ajson.Unmarshal(text)
			if err != nil {
				return 0, err
			}
			nodes, err := ajson.ApplyJSONPath(root, commands)
			return len(nodes), err
		}, err
	}},
}

// queryContest returns the contest of all queries. A document is a query and its document.
func queryContest(name string) contest.Contest {
	c := contest.Contest{Name: name}
	for _, q := range queries {
		c.Documents = append(c.Documents, q.document+" "+q.query)
	}
	for _, e := range queryEngines {
		c.Contestants = append(c.Contestants, contest.Contestant{Name: e.name, Notes: e.notes, Prepare: func(i int) (func(int), error) {
			text, err := open(queries[i].document)
			if err != nil {
				return nil, err
			}
			run, err := e.compile(queries[i].query)
			if err != nil {
				return nil, err
			}
			reference, err := queryEngines[1].compile(queries[i].query)
			if err != nil {
				return nil, err
			}
			want, err := reference(text)
			if err != nil {
				return nil, err
			}
			if got, err := run(text); got != want || err != nil {
				return nil, fmt.Errorf("selects %d values, not %d: %w", got, want, err)
			}
			return contest.Loop(func() { _, _ = run(text) }), nil
		}})
	}
	return c
}
