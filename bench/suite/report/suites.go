package report

import "strings"

// A suite is the contests with one prefix in their names.
type suite struct {
	name  string // the part before the first slash
	title string
	about string
	rival string   // the peer that programs would most likely migrate from
	rooms []string // the elements of results.Rooms, which are folders with the measured code
}

// The names of peers that the report refers to.
const (
	samber = "samber/mo"
	echo   = "echo v5"
)

var (
	engine = []string{"mo", "shape", "internal/syntax", "internal/memory/mem", "internal/memory/optional", "internal/plan", "internal/memory/vector", "internal/path", "internal/release", "internal/variadic"}
	wire   = append([]string{"wire"}, engine...)
	json   = append([]string{"json", "internal/memory/buffer", "internal/literal", "internal/zero"}, engine...)
	web    = append([]string{"web", "bind", "json", "internal/http/body", "internal/memory/buffer", "internal/http/drain", "internal/http/header", "internal/literal", "internal/http/problem", "internal/http/route", "internal/http/routed", "internal/http/urlpath", "internal/zero"}, engine...)
	typed  = append([]string{"api", "wire", "internal/limit"}, web...)
	all    = typed
)

// suites are in the order of the report. Contests with another prefix form an additional suite
// at the end.
var suites = []suite{
	{"mo", "Optional values and results", "Option, Result, Either and Future, with their JSON and binary forms.", samber,
		[]string{"mo", "internal/syntax", "internal/memory/mem", "internal/memory/optional", "internal/memory/vector"}},
	{"wire", "The binary codec", "Structs are encoded into a reused buffer, and decoded into a reused value, unless a label says otherwise.", "encoding/gob", wire},
	{"json", "JSON", "Encoding to the same bytes as encoding/json, and decoding.", "encoding/json", json},
	{corpora, "JSON over many documents", "Public test documents, small messages in the shapes of public APIs, and documents drawn at random, as Go types and as any. " +
		"A figure is the geometric mean of the times of all documents.", "encoding/json", json},
	{"router", "Routing", "Routing one request to a handler that does nothing. A contest about all routes of an API requests each route once.", echo, web},
	{"respond", "Responses", "Routing and answering one request. The response is discarded.", echo, web},
	{"bind", "Binding", "Decoding the parameters or the body of a request into a struct.", echo, web},
	{"middleware", "Middleware", "One middleware around a handler that does nothing.", echo, web},
	{"typed", "Typed handlers", "Decoding a JSON body, validating it, and answering with JSON.", echo, typed},
	{"tcp", "End to end", "Requests over TCP on the loopback interface, on a fixed number of connections. Each connection sends one request after " +
		"the other. The time is the time of the whole sample divided by the number of requests.", "net/http", web},
	{"service", "A whole service", "A request has about 2 KB of JSON, and numbers in its path and query. It passes through a logger, recovery and request IDs. The response has about 4 KB of JSON. " +
		"One contest calls the handler on one core. The other sends requests over TCP; its CPU time includes the clients.", echo, web},
	{"growth", "How cost grows", "The same work at different sizes.", "", all},
	{"memory", "Memory", "The peak memory of a process while it does the work once, minus its memory before.", "", all},
	{"cold", "Cold start", "The first use of a type in a process, including the work that is done once per type.", "", all},
	{"size", "Size of the program", "The bytes that importing and calling a package adds to a program that does nothing, as built by go build.", "", all},
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
