package report

import "strings"

// A suite is the contests whose names have the same prefix.
type suite struct {
	name  string // the part before the first slash
	title string
	about string
	rival string   // the peer that programs would most likely migrate from
	rooms []string // the elements of results.Rooms with the measured code
}

// The names of peers that the report refers to.
const (
	samber = "samber/mo"
	echo   = "echo v5"
)

var (
	engine = []string{"mo", "shape", "internal/syntax", "internal/memory/mem", "internal/memory/optional", "internal/plan", "internal/memory/vector", "internal/release"}
	wire   = append([]string{"wire"}, engine...)
	json   = append([]string{"json", "internal/memory/buffer", "internal/literal"}, engine...)
	web    = append([]string{"web", "bind", "json", "internal/http/body", "internal/memory/buffer", "internal/http/drain", "internal/http/header", "internal/literal", "internal/http/problem", "internal/http/route", "internal/http/urlpath"}, engine...)
	typed  = append([]string{"api", "wire", "internal/limit"}, web...)
	all    = typed
)

// suites are in the order of the report. Contests with another prefix form an additional suite
// at the end.
var suites = []suite{
	{"mo", "Optional values and results", "Option, Result, Either and Future, with their JSON and binary forms.", samber,
		[]string{"mo", "internal/syntax", "internal/memory/mem", "internal/memory/optional", "internal/memory/vector"}},
	{"wire", "The binary codec", "Structs to bytes and back, into reused buffers and reused values unless a label says otherwise.", "encoding/gob", wire},
	{"json", "JSON", "encoding/json's bytes, in both directions.", "encoding/json", json},
	{"router", "Routing", "One request from the server's door to a handler that does nothing. A set of routes is all of them, each once.", echo, web},
	{"respond", "Responses", "What a handler answers with, from the server's door to a response that goes nowhere.", echo, web},
	{"bind", "Binding", "From what the request says into a struct.", echo, web},
	{"middleware", "Middleware", "Each around a handler that does nothing.", echo, web},
	{"typed", "Typed handlers", "JSON in, validated, JSON out.", echo, typed},
	{"tcp", "End to end", "Over TCP on the loopback, both ends on this machine, on a bounded number of connections that each send one request after " +
		"the other. The time is the whole run's by the number of requests.", "net/http", web},
	{"service", "A whole service", "An order of some 2 KB of JSON with numbers in its path and query, through a logger, recovery and request IDs, and an invoice of some 4 KB back. " +
		"Once from the server's door on one core, and once over TCP, where the CPU time is that of server and clients.", echo, web},
	{"growth", "How cost grows", "The same work at one size after another.", "", all},
	{"memory", "Memory", "The most that a process held at once, from its start to the end of one piece of work.", "", all},
	{"cold", "Cold start", "The first use of a type in a process, with all that is worked out once.", "", all},
	{"size", "Size of the program", "What importing and calling a package adds to a program that does nothing, as go build makes it.", "", all},
}

func suiteOf(contest string) suite {
	name, _, _ := strings.Cut(contest, "/")
	for _, s := range suites {
		if s.name == name {
			return s
		}
	}
	return suite{name: name, title: name, rooms: all}
}
