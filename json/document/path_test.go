package document_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/document"
	"github.com/hone-go/hone/json/document/internal/jsonpath"
)

// A queryCase is a case of the compliance suite of RFC 9535. The suite allows several results where the RFC does.
type queryCase struct {
	Name     string
	Selector string
	Document json.RawMessage
	Result   []any
	Results  [][]any
	Path     []string   `json:"result_paths"`
	Paths    [][]string `json:"results_paths"`
	Invalid  bool       `json:"invalid_selector"`
}

// queryCases returns the cases of testdata/jsonpath-cts.json.gz.
func queryCases(t testing.TB) []queryCase {
	file, err := os.Open("testdata/jsonpath-cts.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var suite struct{ Tests []queryCase }
	if err := json.NewDecoder(unzipped).Decode(&suite); err != nil {
		t.Fatal(err)
	}
	return suite.Tests
}

func TestPathSuite(t *testing.T) {
	passed := 0
	for _, c := range queryCases(t) {
		p, err := document.CompilePath(c.Selector)
		if c.Invalid || err != nil {
			if c.Invalid != (err != nil) {
				t.Errorf("%s: %s: %v", c.Name, c.Selector, err)
			}
			if fault := (*jsonpath.SyntaxError)(nil); !errors.As(err, &fault) || fault.Offset < 0 || fault.Offset > len(c.Selector) {
				t.Errorf("%s: the error is %#v", c.Selector, err)
			}
			continue
		}
		doc, err := document.Parse(c.Document)
		if err != nil {
			t.Fatal(err)
		}
		values, paths := []any{}, []string{}
		for v := range doc.Root().Select(p) {
			var x any
			if err := v.Decode(&x); err != nil {
				t.Fatal(err)
			}
			values, paths = append(values, x), append(paths, v.NormalizedPath())
		}
		results, allPaths := c.Results, c.Paths
		if results == nil {
			results, allPaths = [][]any{c.Result}, [][]string{c.Path}
		}
		found := false
		for i := range results {
			found = found || fmt.Sprint(values) == fmt.Sprint(results[i]) && fmt.Sprint(paths) == fmt.Sprint(allPaths[i])
		}
		if !found {
			t.Errorf("%s: %s in %s gives %v at %v, not %v at %v", c.Name, c.Selector, c.Document, values, paths, results, allPaths)
		}
		passed++
	}
	if passed < 400 {
		t.Errorf("only %d queries were evaluated", passed)
	}
}

// selected returns the texts of the selected values, and the error of the last one.
func selected(doc string, p *document.Path) (texts []string, err error) {
	d, err := document.Parse([]byte(doc))
	if err != nil {
		return nil, err
	}
	for v := range d.Root().Select(p) {
		if err := v.Err(); err != nil {
			return texts, err
		}
		texts = append(texts, string(v.Raw()))
	}
	return texts, nil
}

// These cases are not in the suite.
func TestSelect(t *testing.T) {
	for _, c := range []struct{ query, doc, want string }{
		{"$.a", `{"a":1,"a":2}`, "2"},
		{"$.*", `{"a":1,"a":2}`, "1 2"},
		{"$[?@.a==9007199254740993].b", `[{"a":9007199254740992,"b":1},{"a":9007199254740993,"b":2}]`, "2"},
		{"$[?@<9007199254740993]", `[9007199254740992,9007199254740993]`, "9007199254740992"},
		{"$[?@==1e400]", `[1e999,-1e999,1]`, "1e999"},
		{"$[?@==-0]", `[0,-0,0.0,1]`, "0 -0 0.0"},
		{"$[?@==$[0]]", `[{"a":1,"b":[1,2]},{"b":[1.0,2],"a":1e0},{"a":1},{"b":[1,2],"a":1,"c":0}]`, `{"a":1,"b":[1,2]} {"b":[1.0,2],"a":1e0}`},
		{"$[?@==$[0]]", `[{"a":0,"a":1},{"a":1},{"a":1,"a":0}]`, `{"a":0,"a":1} {"a":1}`},
		{"$[?@=='é']", `["\u00e9","é","e"]`, `"\u00e9" "é"`},
		{"$[?length(@)==1]", `["😀","\ud83d\ude00","ab",[1],{"a":1},1,null]`, `"😀" "\ud83d\ude00" [1] {"a":1}`},
		{"$.p[?match(@,$.r)]", `{"r":"a.","p":["ab","abc","ba"]}`, `"ab"`},
		{"$.p[?search(@,$.r)]", `{"r":"(","p":["ab"]}`, ""},
		{"$.p[?!match(@,$.r)]", `{"r":1,"p":["ab"]}`, `"ab"`},
		{"$[::-2]", `[0,1,2,3,4]`, "4 2 0"},
		{"$[?count(@..*)>2]", `[[1,[2]],[1]]`, "[1,[2]]"},
		{"$..[?@.a]", `{"x":{"y":{"a":1},"z":[{"a":2}]}}`, `{"a":1} {"a":2}`},
	} {
		texts, err := selected(c.doc, document.MustCompilePath(c.query))
		if got := strings.Join(texts, " "); got != c.want || err != nil {
			t.Errorf("%s in %s: %s, %v, not %s", c.query, c.doc, got, err, c.want)
		}
	}
}

func TestSelectOfPart(t *testing.T) {
	doc, err := document.Parse([]byte(`{"a":{"b":[1,2]},"b":3}`))
	if err != nil {
		t.Fatal(err)
	}
	p := document.MustCompilePath("$.b[?@==$.b[1]]")
	for v := range doc.Root().Get("a").Select(p) {
		if got := v.Location(); got != "/a/b/1" {
			t.Errorf("selected %s", got)
		}
	}
	for v := range doc.Root().Get("missing").Select(p) {
		if err := v.Err(); !errors.Is(err, document.ErrNotFound) {
			t.Errorf("a failure selects %v", err)
		}
	}
	// The text may be replaced while a program iterates over it.
	for v := range doc.Root().Select(document.MustCompilePath("$..*")) {
		if err := doc.Parse([]byte("0")); err != nil || v.Exists() {
			t.Fatal(err)
		}
	}
}

func TestSelectLimit(t *testing.T) {
	deep := strings.Repeat("[", 500) + strings.Repeat("]", 500)
	wide := "[" + strings.Repeat(`"`+strings.Repeat("a", 100)+`",`, 1000) + "0]"
	for _, c := range []struct {
		query, doc string
		fits       int // a limit that suffices
	}{
		{"$..[?$..[?$..*]]", deep, 0},
		{"$..[?count($..*)>count(@..*)]", deep, 2_000_000},
		{"$[?match(@,'(a*)*b(a{100}){10}')]", wide, 0},
		{"$[?@==$[5]]", wide, 20_000},
		{"$[?!($..x||$..y)]", wide, 6_000_000},
	} {
		p, err := document.CompilePath(c.query, document.PathOptions{MaxSteps: 1000})
		if err != nil {
			t.Fatal(err)
		}
		texts, err := selected(c.doc, p)
		if !errors.Is(err, document.ErrPathSteps) {
			t.Errorf("%s: %v after %d values", c.query, err, len(texts))
		}
		if c.fits == 0 {
			continue
		}
		if p, err = document.CompilePath(c.query, document.PathOptions{MaxSteps: c.fits}); err == nil {
			_, err = selected(c.doc, p)
		}
		if err != nil {
			t.Errorf("%s with %d steps: %v", c.query, c.fits, err)
		}
	}
}

// No query and no document cause a panic, and a query that selects all values selects as many as there are.
func FuzzSelect(f *testing.F) {
	for _, c := range queryCases(f) {
		if !c.Invalid {
			f.Add(c.Selector, []byte(c.Document))
		}
	}
	all := document.MustCompilePath("$..*")
	f.Fuzz(func(t *testing.T, query string, data []byte) {
		p, err := document.CompilePath(query, document.PathOptions{MaxSteps: 10_000})
		if fault := (*jsonpath.SyntaxError)(nil); err != nil {
			if !errors.As(err, &fault) {
				t.Fatal(err)
			}
			return
		}
		doc, err := document.Parse(data)
		if err != nil {
			return
		}
		for v := range doc.Root().Select(p) {
			if v.Err() == nil && !bytes.Contains(data, v.Raw()) {
				t.Fatalf("%s selects %s", query, v.Raw())
			}
		}
		n, want := 0, 0
		for range doc.Root().Select(all) {
			n++
		}
		var count func(v document.Value)
		count = func(v document.Value) {
			switch v.Kind() {
			case document.Array:
				for _, child := range v.Elements() {
					want++
					count(child)
				}
			case document.Object:
				for _, child := range v.Members() {
					want++
					count(child)
				}
			}
		}
		if count(doc.Root()); n != want {
			t.Fatalf("$..* selects %d values of %d", n, want)
		}
	})
}

// TestSelectCost has queries that do much work for each value. The limit must stop them: the work of one step is
// bounded, so a count of steps that is too low would let them run for minutes.
func TestSelectCost(t *testing.T) {
	ones := "[" + strings.Repeat("1,", 5000) + "1]"
	duplicates := `{"a":1` + strings.Repeat(`,"a":1`, 2000) + `}`
	long := strings.Repeat("a", 1000)
	var names []string
	for i := range 64 {
		names = append(names, fmt.Sprintf(`"\u0061%s%d":%d`, long[4:], i, i))
	}
	for name, c := range map[string]struct{ query, doc string }{
		"wide slices":            {"$[?count($[::4999])==2]", ones},
		"objects with one name":  {"$.list[?@ == $.big]", `{"big":` + duplicates + `,"list":[` + strings.Repeat(`{"a":1},`, 2000) + `0]}`},
		"long expressions":       {"$[?1==2" + strings.Repeat("||1==2", 5000) + "]", ones},
		"names of many bytes":    {"$[?$[0]." + long + "]", "[{" + strings.Join(names, ",") + "}" + strings.Repeat(",1", 5000) + "]"},
		"arrays that are nested": {strings.Repeat("$..[?@<2&&", 99) + "@" + strings.Repeat("]", 99), strings.Repeat("[", 9990) + "1" + strings.Repeat("]", 9990)},
	} {
		p, err := document.CompilePath(c.query, document.PathOptions{MaxSteps: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		if texts, err := selected(c.doc, p); !errors.Is(err, document.ErrPathSteps) {
			t.Errorf("%s: %v after %d values", name, err, len(texts))
		}
	}
	// Recursion has a limit of its own: all steps of this query would be less than the default.
	deep := document.MustCompilePath(strings.Repeat("$..[?@<2&&", 99) + "@" + strings.Repeat("]", 99))
	if _, err := selected(strings.Repeat("[", 9990)+"1"+strings.Repeat("]", 9990), deep); !errors.Is(err, document.ErrPathSteps) {
		t.Errorf("a deep query: %v", err)
	}
}

func TestPatternLimits(t *testing.T) {
	for _, query := range []string{
		"$" + strings.Repeat("['"+strings.Repeat("a", 100)+"']", 1000),
		"$[?" + strings.Repeat("match(@,'.{900}')||", 200) + "@]",
	} {
		if p, err := document.CompilePath(query); err == nil || p != nil {
			t.Errorf("%.30s… is accepted", query)
		}
	}
	if texts, err := selected(`["a"]`, document.MustCompilePath("$[?search(@,'(a?){1000}(b?){1000}(c{1000}){10}')]")); len(texts) > 0 || err != nil {
		t.Errorf("a large pattern: %v, %v", texts, err)
	}
	for range (document.Value{}).Select(nil) {
		return
	}
	t.Error("a failure is not yielded")
}

func TestZeroPath(t *testing.T) {
	if texts, err := selected("[1]", new(document.Path)); len(texts) > 0 || err != nil {
		t.Errorf("%v, %v", texts, err)
	}
}
