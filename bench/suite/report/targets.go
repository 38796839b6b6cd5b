package report

import (
	"regexp"
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
)

// A target is a goal for Hone in some contests: a maximum for the ratio of Hone's time to the
// time of a peer, and for Hone's allocations.
type target struct {
	contests string // a regular expression that matches whole names
	peer     string
	atMost   float64 // 0 for no maximum
	allocs   int     // the maximum number of allocations; -1 for none
}

// A verdict is the result of a target in one contest.
type verdict struct {
	Contest string
	Peer    string
	AtMost  float64
	Allocs  int
	Ratio   float64 // the ratio that was reached
	Got     float64 // the number of allocations that was reached
	Met     bool
	Less    string // the reason why the verdict does not count: the peer is not ranked
	Source  string
}

// judge returns the verdicts for contests with measurements of both sides.
func judge(outcomes []contest.Outcome) []verdict {
	var all []verdict
	for _, t := range targets {
		re := regexp.MustCompile("^(?:" + t.contests + ")$")
		for _, o := range outcomes {
			if !re.MatchString(o.Name) {
				continue
			}
			l := compare(o)
			if !l.Hone.Comparable {
				continue
			}
			for _, x := range l.Rows {
				if x.Contestant != t.peer || !x.Comparable {
					continue
				}
				v := verdict{Contest: o.Name, Peer: t.peer, AtMost: t.atMost, Allocs: t.allocs, Ratio: 1 / x.Ratio, Got: l.Hone.Allocs, Source: l.Hone.Source}
				if t.atMost == 1 {
					v.Less = strings.Join(x.Fewer, "; ")
				}
				v.Met = (t.atMost == 0 || v.Ratio <= t.atMost) && (t.allocs < 0 || v.Got < float64(t.allocs)+0.5)
				all = append(all, v)
			}
		}
	}
	return all
}

// missed returns the verdicts that count and whose targets were not reached.
func missed(all []verdict) (list []verdict) {
	for _, v := range all {
		if !v.Met && v.Less == "" {
			list = append(list, v)
		}
	}
	return list
}

var targets = []target{
	// mo: against v1.17.0, which does not contain the change in the published table.
	{"mo/OptionBinary(/Int|/Bytes)?/(Unm|M)arshalBinary", samber, 1.0 / 8, 1},
	{"mo/(Option|Either[345]?)Binary/Struct/(Unm|M)arshalBinary", samber, 1, -1},
	{"mo/OptionMarshalJSON/Some", samber, 1.0 / 2, 1},
	{"mo/OptionUnmarshalJSON/(Small|Large)Value", samber, 1.0 / 2, 1},
	{"mo/OptionMarshalJSON/None", samber, 1.0 / 5, 1},
	{"mo/OptionUnmarshalJSON/Null", samber, 1.0 / 5, 0},
	{"mo/ResultMarshalJSON/Ok", samber, 1.0 / 6, 1},
	{"mo/ResultMarshalJSON/Err", samber, 1.0 / 10, 1},
	{"mo/ResultUnmarshalJSON/Ok", samber, 1.0 / 4, 1},
	{"mo/ResultUnmarshalJSON/Err", samber, 1.0 / 4, 2},
	{"mo/OptionEqual/Int", samber, 1.0 / 8, 0},
	{"mo/OptionEqual/String", samber, 1.0 / 12, 0},
	{"mo/OptionEqual/Struct", samber, 1.0 / 8, 0},
	{"mo/OptionScan/.*", samber, 1.0 / 3, 0},
	{"mo/Future/.*", samber, 1 / 1.5, -1},
	{"mo/(Option|Result)/.*", samber, 1, 0},
	// wire.
	{"wire/nested/encode", "by hand", 1.3, 0},
	{"wire/nested/decode", "by hand", 1.3, -1},
	{"wire/simple/encode", "by hand", 1.1, 0},
	{"wire/simple/decode", "by hand", 1.1, -1},
	{"wire/(simple|nested) to a writer", "by hand", 1.5, 0},
	{"wire/document small/encode", "vmihailenco/msgpack", 1.0 / 14, 0},
	{"wire/document medium/encode", "vmihailenco/msgpack", 1.0 / 16, 0},
	{"wire/document large/encode", "vmihailenco/msgpack", 1.0 / 11, 0},
	{"wire/document .*/decode", "vmihailenco/msgpack", 1.0 / 6, -1},
	{"wire/record, aliased/.*", "mus unsafe", 1.1, -1},
	{"wire/record/.*", "mus", 1, -1},
	{"wire/record/.*", "benc", 1, -1},
	{"wire/record.*", "vmihailenco/msgpack", 1.0 / 3, -1},
	{"wire/record, aliased/.*", "gotiny", 1.0 / 3, -1},
	{"wire/record, aliased/.*", "shamaton/msgpack", 1.0 / 3, -1},
	{"wire/record.*", "encoding/gob", 1.0 / 3, -1},
	{"wire/(1000 uint32|100 strings|map of 100|five levels|pulse batch)/.*", "mus", 1.1, -1},
	{"wire/(1000 uint32|100 strings|map of 100|five levels|pulse batch)/.*", "benc", 1.1, -1},
	{"wire/(1000 uint32|100 strings|map of 100|five levels|pulse batch)/.*", "msgp", 1.1, -1},
	{"wire/(1000 uint32|100 strings|map of 100|five levels|pulse batch)/.*", "vtprotobuf", 1.1, -1},
	{"wire/(1000 uint32|100 strings|map of 100|five levels|pulse batch)/.*", "encoding/gob", 1.1, -1},
	// json.
	{"json/(record|100 records)/encode", "encoding/json", 1.0 / 4, 0},
	{"json/record/decode", "encoding/json", 1 / 5.5, -1},
	{"json/100 records/decode", "encoding/json", 1.0 / 5, -1},
	{"json/geojson with nulls/encode", "encoding/json", 1 / 2.6, 0},
	{"json/geojson with nulls/decode", "encoding/json", 1 / 6.5, -1},
	{"json/twitter/encode", "encoding/json", 1 / 2.6, 0},
	{"json/twitter/decode", "encoding/json", 1.0 / 7, -1},
	{"json/canada/encode", "encoding/json", 1.0 / 2, 0},
	{"json/canada/decode", "encoding/json", 1.0 / 5, -1},
	{"json/citm/encode", "encoding/json", 1.0 / 3, 0},
	{"json/citm/decode", "encoding/json", 1.0 / 10, -1},
	{"json/any twitter/encode", "encoding/json", 1.0 / 4, -1},
	{"json/any twitter/decode", "encoding/json", 1 / 3.5, -1},
	{"json/.*/(en|de)code", "goccy/go-json", 1, -1},
	{"json/.*/(en|de)code", "sonic ConfigStd", 1, -1},
	{"respond/Response.Message.", "NewEncoder(w).Encode(&v)", 0, 0},
	// web and bind.
	{"router/.*", echo, 0.7, 0},
	{"router/(.* route|three params|.* all routes)", "gin", 1, -1},
	{"router/(.* route|three params|.* all routes)", "chi", 1, -1},
	{"router/(.* route|three params|.* all routes)", "httprouter", 1, -1},
	{"router/(.* route|three params|.* all routes)", "bunrouter", 1, -1},
	{"router/(.* route|three params|.* all routes)", "net/http", 1, -1},
	{"respond/(String|JSON|Blob|NoContent)", echo, 0.5, 0},
	{"bind/QueryParam, one key", echo, 0.8, 0},
	{"bind/(QueryParam|PathParam)\\[int\\]", echo, 0.2, 0},
	{"bind/(path|query|header|form|JSON).*", echo, 0.3, -1},
	{"bind/Set and Get", echo, 0.5, 0},
	{"respond/(404|405|HTTPError|problem document)", echo, 0.2, 1},
	{"middleware/(Secure|RequestID|ContextTimeout|CSRF|CORS|Gzip|RequestLogger)", echo, 0.5, -1},
	{"middleware/RateLimiter, 100 goroutines", echo, 0.15, -1},
	{"tcp/text, 16 connections", "net/http", 1.03, -1},
	{"tcp/Logger, Recover, RequestID, Secure, 16 connections", "net/http", 1.1, -1},
	{"service/an order in, an invoice out", echo, 0.5, -1},
	{"typed/JSON in, JSON out", echo, 0.42, 3}, // allocations: the input, and the contents of its strings and its slice
	{"typed/JSON in, JSON out", "huma", 0.2, -1},
	{"typed/JSON in, JSON out", "fuego", 0.5, -1},
}
