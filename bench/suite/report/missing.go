package report

import (
	"slices"
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/results"
)

// An absence is a peer that was not measured, with the reason.
type absence struct{ Peer, Reason string }

// wanted are the peers that each suite should have, by the prefixes of their names.
var wanted = []string{
	samber, "encoding/gob", "encoding/json", "encoding/json/v2", "goccy/go-json", "sonic", "segmentio/encoding", "jsoniter", "easyjson",
	"mus", "benc", "bebop", "msgp", "shamaton/msgpack", "vmihailenco/msgpack", "protobuf-go", "vtprotobuf", "gotiny",
	echo, "gin", "chi", "httprouter", "bunrouter", "fiber v3", "huma", "fuego", "net/http",
}

// missing returns the wanted peers that were not measured.
func missing(r *results.Results) []absence {
	all := []absence{
		{"Parco", "not available as a Go module; see its published figures"},
		{"fxamacher/cbor", "not available as a Go module"},
		{"velox", "not available as a Go module"},
		{"gencode", "not part of the suite; see its published figures"},
	}
	for _, peer := range wanted {
		if !slices.ContainsFunc(r.Contests, func(o contest.Outcome) bool {
			return slices.ContainsFunc(o.Results, func(res contest.Result) bool { return strings.HasPrefix(res.Contestant, peer) })
		}) {
			all = append(all, absence{peer, "not among the contestants of this run"})
		}
	}
	return all
}
