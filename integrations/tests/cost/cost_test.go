//go:build unix

package cost

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/hone-go/hone/api"
	honecompress "github.com/hone-go/hone/integrations/compress"
	"github.com/hone-go/hone/internal/test/testkit"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/wire"
)

var update = os.Getenv("HONE_UPDATE") != ""

// Inputs have these maximum sizes. With HONE_UPDATE they are the default limits, and otherwise a quarter of them.
// Smaller inputs take less time, and their memory is the same multiple of the limit.
var (
	bodyLimit      = part(web.DefaultBodyLimit)
	multipartLimit = part(web.DefaultMultipartLimit)
	headerLimit    = part(http.DefaultMaxHeaderBytes) - 4096
)

func part(limit int) int {
	if update {
		return limit
	}
	return limit / 4
}

// The types of the handlers' inputs. An item takes 96 bytes.
type (
	item struct {
		A string `json:"a,omitzero" xml:"a"`
		B string `json:"b,omitzero" xml:"b"`
		C string `json:"c,omitzero" xml:"c"`
		D string `json:"d,omitzero" xml:"d"`
		E int64  `json:"e,omitzero" xml:"e"`
		F int64  `json:"f,omitzero" xml:"f"`
		G int64  `json:"g,omitzero" xml:"g"`
		H int64  `json:"h,omitzero" xml:"h"`
	}
	lists struct {
		Items    []item         `json:"items,omitzero" xml:"item"`
		Numbers  []int64        `json:"numbers,omitzero" xml:"number"`
		Names    []string       `json:"names,omitzero" xml:"name"`
		Pointers []*item        `json:"pointers,omitzero" xml:"pointer"`
		Counts   map[string]int `json:"counts,omitzero" xml:"-"`
	}
	limited struct {
		Items []item `json:"items" length:"..1000"`
	}
	untyped struct {
		Value any `json:"value"`
	}
	small struct {
		N int `json:"n,omitzero"`
	}
	patterned struct {
		Name  string   `json:"name,omitzero" pattern:"^([a-z]+[0-9]?){1,100}$"`
		Names []string `json:"names,omitzero" pattern:"^([a-z]+[0-9]?){1,100}$"`
	}
	text struct {
		Text string `json:"text"`
	}
	node struct {
		Nodes []node `json:"nodes,omitzero"`
	}
	evolving struct {
		_          wire.Evolving
		A, B, C, D string
		E, F, G, H int64
	}
	evolvingList struct {
		Items []evolving `json:"items"`
	}
	evolvingOld struct {
		_ wire.Evolving
	}
	evolvingOldList struct {
		Items []evolvingOld
	}
	bytesBody struct {
		Body io.Reader `body:""`
	}
	elementsBody struct {
		Items api.Elements[item] `body:""`
	}
	form struct {
		A []string `form:"a"`
		B string   `form:"b"`
	}
	parameters struct {
		A []string `query:"a"`
		H []string `header:"H"`
		C string   `cookie:"c"`
	}
	pathInput struct {
		Rest string `path:"rest"`
	}
)

// handle registers a typed handler that samples the memory while it holds its input.
func handle[In any](e *web.Echo, pattern string, op ...api.Operation) {
	api.Handle(e, pattern, func(_ context.Context, in *In) (*struct{}, error) {
		sample()
		runtime.KeepAlive(in)
		return nil, nil
	}, op...)
}

func newServer(t testing.TB) *server {
	e := web.New()
	e.Use(honecompress.Decompress())
	handle[lists](e, "POST /lists")
	handle[lists](e, "POST /v2", api.Operation{JSON: []jsonv2.Options{}})
	handle[limited](e, "POST /limited")
	handle[untyped](e, "POST /any")
	handle[small](e, "POST /small")
	handle[small](e, "POST /strict", api.Operation{Unknown: api.UnknownRefused})
	handle[patterned](e, "POST /patterns")
	handle[text](e, "POST /text")
	handle[node](e, "POST /nodes")
	handle[evolvingList](e, "POST /evolving")
	handle[form](e, "POST /form")
	handle[parameters](e, "GET /parameters")
	handle[pathInput](e, "GET /path/{rest...}")
	api.Handle(e, "POST /bytes", func(_ context.Context, in *bytesBody) (*struct{}, error) {
		_, err := io.Copy(io.Discard, in.Body)
		sample()
		return nil, err
	})
	api.Handle(e, "POST /elements", func(_ context.Context, in *elementsBody) (*struct{}, error) {
		for _, err := range in.Items {
			if err != nil {
				return nil, err
			}
		}
		sample()
		return nil, nil
	})
	e.POST("/bind", func(c *web.Context) error {
		var v lists
		err := c.Bind(&v)
		sample()
		runtime.KeepAlive(&v)
		return err
	})
	e.POST("/multipart", func(c *web.Context) error {
		form, err := c.MultipartForm()
		sample()
		runtime.KeepAlive(form)
		return err
	})
	e.GET("/web/*", func(c *web.Context) error {
		values, cookies := c.QueryParams(), c.Cookies()
		sample()
		runtime.KeepAlive(values)
		runtime.KeepAlive(cookies)
		return nil
	})
	return serve(t, e)
}

// An input is a request that should be as expensive as possible. Function request builds it, so that
// only one input is in memory at a time. A slow input is measured only for the table.
type input struct {
	name    string
	request func() []byte
	slow    bool
}

// A kind is a kind of body or parameter. The table has a row for each kind.
type kind struct {
	name   string
	limit  int // the maximum size of the decompressed body, or of the header, in bytes
	most   int // the maximum peak, as a multiple of limit
	inputs []input
}

const (
	jsonType = "application/json"
	formType = "application/x-www-form-urlencoded"

	multipartType = "multipart/form-data; boundary=a"
)

// bodyInput returns an input whose body has the maximum length: head, as many units as fit, and
// tail.
func bodyInput(name, path, contentType, head, unit, tail string) input {
	return input{name: name, request: func() []byte { return request(path, contentType, filled(bodyLimit, head, unit, tail)) }}
}

func jsonInput(name, path, head, unit, tail string) input {
	return bodyInput(name, path, jsonType, head, unit, tail)
}

// targetInput returns an input whose path and query have the maximum length.
func targetInput(name, head, unit string) input {
	return input{name: name, request: func() []byte { return get(string(filled(headerLimit, head, unit, "")), "") }}
}

// headerInput returns an input whose header has the maximum length.
func headerInput(name, target, head, unit, tail string) input {
	return input{name: name, request: func() []byte { return get(target, string(filled(headerLimit, head, unit, tail))) }}
}

func kinds(t testing.TB) []kind {
	longest := strings.Repeat("a", 65536) // patterns are not applied to longer strings
	return []kind{
		{"JSON into a struct with lists", bodyLimit, 200, []input{
			jsonInput("`{}` for a struct of 96 bytes", "/lists", `{"items":[{}`, `,{}`, `]}`),
			jsonInput("`{}` for a pointer to such a struct", "/lists", `{"pointers":[{}`, `,{}`, `]}`),
			jsonInput("`1` for a number", "/lists", `{"numbers":[1`, `,1`, `]}`),
			jsonInput("empty strings", "/lists", `{"names":[""`, `,""`, `]}`),
			jsonInput("members of a map", "/lists", `{"counts":{"":1`, `,"%d":1`, `}}`),
			jsonInput("one member again and again", "/lists", `{"items":[]`, `,"items":[{}]`, `}`),
			jsonInput("`{}` by `Context.Bind`", "/bind", `{"items":[{}`, `,{}`, `]}`),
		}},
		{"a list with `length`", bodyLimit, 30, []input{
			jsonInput("`{}` for a struct of 96 bytes", "/limited", `{"items":[{}`, `,{}`, `]}`),
			wireInput(t, "structs of 96 bytes in the binary format", "/limited", func(n int) *limited { return &limited{make([]item, n)} }),
		}},
		{"JSON by `json/v2`", bodyLimit, 200, []input{
			jsonInput("`{}` for a struct of 96 bytes", "/v2", `{"items":[{}`, `,{}`, `]}`),
			jsonInput("`[]` for an unknown member", "/v2", `{"u":[[]`, `,[]`, `]}`),
			jsonInput("unknown members", "/v2", `{"":1`, `,"%d":1`, `}`),
		}},
		{"JSON into `any`", bodyLimit, 120, []input{
			jsonInput("`[]`", "/any", `{"value":[[]`, `,[]`, `]}`),
			jsonInput("`{}`", "/any", `{"value":[{}`, `,{}`, `]}`),
			jsonInput("objects of one member", "/any", `{"value":[{"":1}`, `,{"":1}`, `]}`),
			jsonInput("numbers", "/any", `{"value":[1`, `,1`, `]}`),
			jsonInput("members of one object", "/any", `{"value":{"":1`, `,"%d":1`, `}}`),
		}},
		{"JSON: unknown members", bodyLimit, 12, []input{
			jsonInput("`[]`", "/small", `{"u":[[]`, `,[]`, `]}`),
			jsonInput("many members", "/small", `{"":1`, `,"%d":1`, `}`),
			jsonInput("many members that are refused", "/strict", `{"":1`, `,"%d":1`, `}`),
		}},
		{"JSON: strings with a pattern", bodyLimit, 16, []input{
			jsonInput("one string of the maximum length", "/patterns", `{"name":"`+longest+`"`, ` `, `}`),
			slow(jsonInput("a list of strings of the maximum length", "/patterns", `{"names":["`+longest, `","`+longest, `"]}`)),
			jsonInput("a list of short strings", "/patterns", `{"names":["a"`, `,"a"`, `]}`),
			jsonInput("a list of strings that do not match", "/patterns", `{"names":["1"`, `,"1"`, `]}`),
		}},
		{"JSON: long strings", bodyLimit, 20, []input{
			jsonInput("ASCII", "/text", `{"text":"`, `a`, `"}`),
			jsonInput("escapes", "/text", `{"text":"`, `\n`, `"}`),
			jsonInput("bytes that are not UTF-8", "/text", `{"text":"`, "\xff", `"}`),
			jsonInput("surrogates without a pair", "/any", `{"value":"`, `\ud800`, `"}`),
		}},
		{"JSON: nested values", bodyLimit, 80, []input{
			jsonInput("arrays into `any`, 9,000 levels deep, repeated", "/any", `{"value":[`, strings.Repeat("[", 9000)+strings.Repeat("]", 9000)+",", `1]}`),
			jsonInput("arrays that end too early", "/any", `{"value":`, `[`, ``),
			jsonInput("objects into a recursive struct", "/nodes", `{"nodes":[{}`, `,`+strings.Repeat(`{"nodes":[`, 1000)+strings.Repeat(`]}`, 1000), `]}`),
			jsonInput("broad arrays into a recursive struct", "/nodes", `{"nodes":[{}`, `,{}`, `]}`),
		}},
		{"streamed elements", bodyLimit, 10, []input{
			jsonInput("`{}` for a struct of 96 bytes", "/elements", `[{}`, `,{}`, `]`),
			jsonInput("one long string", "/elements", `[{"a":"`, `a`, `"}]`),
		}},
		{"XML", bodyLimit, 100, []input{
			bodyInput("`<item/>` for a struct of 96 bytes", "/bind", "application/xml", "<lists>", "<item/>", "</lists>"),
			bodyInput("attributes", "/bind", "application/xml", "<lists", ` a%d=""`, "/>"),
			bodyInput("nested elements", "/bind", "application/xml", "<lists>", "<a>", ""),
			bodyInput("character references", "/bind", "application/xml", "<lists><name>", "&#1;", "</name></lists>"),
		}},
		{"form", bodyLimit, 12, []input{
			bodyInput("many values of one field", "/form", formType, "a", "&a", ""),
			bodyInput("10,000 values of one field", "/form", formType, "", "a="+strings.Repeat("%41", bodyLimit/30000)+"&", ""),
			bodyInput("many unknown fields", "/form", formType, "", "%d&", ""),
			bodyInput("a long value with escapes", "/form", formType, "b=", "%41", ""),
			bodyInput("10,000 fields, `Context.Bind`", "/bind", formType, "", "%d="+strings.Repeat("a", bodyLimit/10000)+"&", ""),
		}},
		{"multipart form in memory", bodyLimit, 10, []input{
			bodyInput("many parts", "/multipart", multipartType, "", "--a\r\nContent-Disposition:form-data;name=%d\r\n\r\n\r\n", "--a--\r\n"),
			bodyInput("1,000 parts", "/multipart", multipartType, "", "--a\r\nContent-Disposition:form-data;name=%d\r\n\r\n"+strings.Repeat("a", bodyLimit/1000)+"\r\n", "--a--\r\n"),
			bodyInput("many lines in the header of a part", "/multipart", multipartType, "--a\r\n", "%d:\r\n", "\r\n\r\n--a--\r\n"),
			bodyInput("a long value", "/multipart", multipartType, "--a\r\nContent-Disposition:form-data;name=a\r\n\r\n", "a", "\r\n--a--\r\n"),
		}},
		{"multipart form on disk", multipartLimit, 2, []input{
			{name: "one file", request: func() []byte {
				return request("/multipart", multipartType, filled(multipartLimit, "--a\r\nContent-Disposition:form-data;name=a;filename=a\r\n\r\n", strings.Repeat("a", 1000), "\r\n--a--\r\n"))
			}},
			{name: "many files", request: func() []byte {
				return request("/multipart", multipartType, filled(multipartLimit, "", "--a\r\nContent-Disposition:form-data;name=a;filename=a\r\n\r\n"+strings.Repeat("a", multipartLimit/900)+"\r\n", "--a--\r\n"))
			}},
		}},
		{"binary (`wire`)", bodyLimit, 80, []input{
			wireInput(t, "structs of 96 bytes", "/lists", func(n int) *lists { return &lists{Items: make([]item, n)} }),
			wireInput(t, "evolving structs of 96 bytes", "/evolving", func(n int) *evolvingList { return &evolvingList{Items: make([]evolving, n)} }),
			wireInput(t, "evolving structs without their fields", "/evolving", func(n int) *evolvingOldList { return &evolvingOldList{make([]evolvingOld, n)} }),
			wireInput(t, "empty strings", "/lists", func(n int) *lists { return &lists{Names: make([]string, n)} }),
			wireInput(t, "pointers", "/lists", func(n int) *lists {
				list := make([]*item, n)
				for i := range list {
					list[i] = &item{}
				}
				return &lists{Pointers: list}
			}),
			wireInput(t, "nested lists", "/nodes", func(n int) *node { return &node{make([]node, n)} }),
			bodyInput("a truncated length", "/lists", api.MediaTypeWire, "", "\xff", ""),
		}},
		{"query", headerLimit, 12, []input{
			targetInput("many parameters", "/parameters?a", "&a"),
			targetInput("10,000 values of one field", "/parameters?", "a="+strings.Repeat("%41", headerLimit/30000)+"&"),
			targetInput("10,000 values, `Context.QueryParams`", "/web/?", "%d="+strings.Repeat("a", headerLimit/10000)+"&"),
			targetInput("many unknown parameters", "/parameters?", "%d&"),
			targetInput("many parameters, `Context.QueryParams`", "/web/?", "%d&"),
			targetInput("a long parameter", "/parameters?a=", "%41"),
		}},
		{"path", headerLimit, 12, []input{
			targetInput("a long segment with escapes", "/path/", "%41"),
			targetInput("many segments", "/path", "/a"),
			targetInput("many segments that a server could clean", "/path", "/%2e%2e/a"),
			targetInput("many slashes, no route", "/x", "/"),
		}},
		{"header", headerLimit, 60, []input{
			headerInput("many lines", "/parameters", "", "%d:\r\n", ""),
			headerInput("many lines with one name", "/parameters", "", "H:\r\n", ""),
			headerInput("a long line", "/parameters", "H: ", "a", "\r\n"),
		}},
		{"cookies", headerLimit, 12, []input{
			headerInput("many cookies", "/parameters", "Cookie: a=", "; %d=", "\r\n"),
			headerInput("many cookies, `Context.Cookies`", "/web/", "Cookie: a=", "; %d=", "\r\n"),
			headerInput("a long cookie", "/parameters", "Cookie: c=", "a", "\r\n"),
		}},
		{"gzip body (`Decompress`)", bodyLimit, 200, compressed(t, "gzip")},
		{"zstd body (`Decompress`)", bodyLimit, 200, compressed(t, "zstd")},
	}
}

func slow(in input) input {
	in.slow = true
	return in
}

// wireInput returns a request with the longest encoding of value(n) that the limit allows.
func wireInput[T any](t testing.TB, name, path string, value func(n int) *T) input {
	return input{name: name, request: func() []byte {
		const sample = 10000
		encode := func(n int) []byte {
			b, err := wire.Append(nil, value(n))
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		return request(path, api.MediaTypeWire, encode((bodyLimit-16)*sample/len(encode(sample))))
	}}
}

// compressed returns inputs with compressed bodies. Decompressed, they have the maximum size, or more.
func compressed(t testing.TB, coding string) (inputs []input) {
	t.Helper()
	pack := func(body []byte, times int) []byte {
		var b bytes.Buffer
		var w io.WriteCloser
		if coding == "gzip" {
			w, _ = gzip.NewWriterLevel(&b, gzip.BestCompression)
		} else {
			var err error
			if w, err = zstd.NewWriter(&b, zstd.WithWindowSize(8<<20), zstd.WithEncoderConcurrency(1)); err != nil {
				t.Fatal(err)
			}
		}
		for range times {
			if _, err := w.Write(body); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	bomb := func(name, path, contentType string, body func() []byte, times int) input {
		return input{name: name, request: func() []byte {
			return request(path, contentType, pack(body(), times), "Content-Encoding: "+coding)
		}}
	}
	zeros := func() []byte { return make([]byte, 1<<20) }
	return []input{
		bomb("`{}` for a struct of 96 bytes", "/lists", jsonType, func() []byte { return filled(bodyLimit, `{"items":[{}`, `,{}`, `]}`) }, 1),
		bomb("128 MB of zeros as JSON", "/text", jsonType, zeros, 128),
		bomb("128 MB of zeros as a stream", "/bytes", "text/plain", zeros, 128),
		bomb("128 MB of zeros in a multipart form", "/multipart", multipartType, func() []byte {
			return append([]byte("--a\r\nContent-Disposition:form-data;name=a;filename=a\r\n\r\n"), zeros()...)
		}, 128),
	}
}

// TestCostTable measures every input, and fails if the peak of the memory is above the maximum of its
// kind. It has no maximum for times. With HONE_UPDATE=1, which needs an idle machine, it writes the
// table in docs/safety.md. Otherwise it checks that the table has a row for each kind.
func TestCostTable(t *testing.T) {
	testkit.SkipInVariant(t)
	testkit.SkipIfInstrumented(t)
	s := newServer(t)
	read := request("/bytes", "application/octet-stream", make([]byte, bodyLimit))
	s.send(read)
	unit := max(1, s.cpu(read))
	var rows, names []string
	for _, k := range kinds(t) {
		var memory, cpu input
		var peak int
		var longest time.Duration
		for _, in := range k.inputs {
			if in.slow && !update {
				continue
			}
			r := in.request()
			found, status := s.peak(r)
			t.Logf("%s, %s: %s, status %d", k.name, in.name, multiple(found, k.limit), status)
			if found > k.most*k.limit+4<<20 {
				t.Errorf("%s, %s: the peak is %s, want at most %d ×", k.name, in.name, multiple(found, k.limit), k.most)
			}
			if len(r) < k.limit/2 {
				in.name += fmt.Sprintf(" (%d bytes are sent)", len(r))
			}
			if found > peak || memory.name == "" {
				peak, memory = found, in
			}
			if update {
				if spent := s.cpu(r); spent > longest {
					longest, cpu = spent, in
				}
			}
		}
		names = append(names, k.name)
		rows = append(rows, fmt.Sprintf("| %s | %d MiB | %s | %s | %.1f × | %s |\n", k.name, (k.limit+1<<19)>>20, multiple(peak, k.limit), memory.name, float64(longest)/float64(unit), cpu.name))
	}
	head := fmt.Sprintf("Measured with %s on %s, %s. The unit of CPU time took %.1f ms.\n\n", runtime.Version(), machine(t), time.Now().UTC().Format(time.DateOnly), unit.Seconds()*1000) +
		"| body or parameter | limit | most memory | of these inputs with | most CPU time | of these inputs with |\n|---|---|---|---|---|---|\n"
	compareTable(t, head+strings.Join(rows, ""), names)
}

// compareTable writes the table, or compares the names of its rows.
func compareTable(t *testing.T, table string, names []string) {
	t.Helper()
	const start, end = "<!-- cost: written by HONE_UPDATE=1 GOWORK=off go test -run CostTable ./cost in integrations/tests, do not edit -->\n", "<!-- end of cost -->\n"
	path := filepath.Join("..", "..", "..", "docs", "safety.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, opened := strings.Cut(string(data), start)
	written, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		t.Fatalf("%s lacks the comments that enclose the table", path)
	}
	if update {
		if err := os.WriteFile(path, []byte(before+start+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	var got []string
	for line := range strings.Lines(written) {
		if cells := strings.Split(line, " | "); len(cells) == 6 && !strings.HasPrefix(line, "| body") {
			got = append(got, strings.TrimPrefix(cells[0], "| "))
		}
	}
	if !slices.Equal(got, names) {
		t.Errorf("the table in %s has the rows\n%q, want\n%q", path, got, names)
	}
}

// multiple formats bytes, also as a multiple of a limit.
func multiple(bytes, limit int) string {
	return fmt.Sprintf("%.1f MB, %.1f ×", float64(bytes)/1e6, float64(bytes)/float64(limit))
}

// machine returns the name of the processor, if the system has a file with it.
func machine(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("/proc/cpuinfo")
	if _, after, found := strings.Cut(string(text), "model name\t: "); err == nil && found {
		name, _, _ := strings.Cut(after, "\n")
		return fmt.Sprintf("%d cores of %s", runtime.NumCPU(), name)
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}
