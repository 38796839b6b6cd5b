package results

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/hone-go/hone/bench/suite/contest"
)

func TestWriteAndRead(t *testing.T) {
	r := &Results{
		Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Machine: ThisMachine(), Conditions: Conditions{Count: 10, Duration: time.Second},
		Sources: map[string]string{"json": "abc"}, Modules: map[string]string{"a/b": "v1.2.3"},
		Contests: []contest.Outcome{
			{Name: "json/[odd] {name}", Curve: contest.Curve{Name: "c", Size: 10, Of: "elements"}, Results: []contest.Result{
				{Contestant: "hone", Notes: []string{"a, b", "c"}, Samples: []float64{1, 2.5, 3}, Center: 2.5, Low: 1, High: 3, Allocs: 2, More: map[string]float64{"p50 ns": 7}},
				{Contestant: "a peer", Error: "it\nfails ]"},
			}},
			{Name: "size/json", Unit: contest.Bytes, Way: contest.Exact, Results: []contest.Result{{Contestant: "hone", Samples: []float64{5000}, Center: 5000}}},
		},
	}
	dir := filepath.Join(t.TempDir(), "new", "folder")
	if err := r.Write(dir); err != nil {
		t.Fatal(err)
	}
	back, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, r) {
		t.Errorf("got  %+v\nwant %+v", back, r)
	}
	if err := r.WriteText(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "results.txt"))
	if err != nil {
		t.Fatal(err)
	}
	reader := benchfmt.NewReader(bytes.NewReader(text), "results.txt")
	var names []string
	for reader.Scan() {
		res, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("%v", reader.Result())
		}
		names = append(names, res.Name.String())
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(names, " "), strings.Repeat("json/[odd]-{name}/by=hone ", 3)+"size/json/by=hone"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSources(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	real, err := Sources(root)
	if err != nil || len(real) != len(Rooms) {
		t.Fatalf("%v, %v", real, err)
	}

	fake := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(fake, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, room := range Rooms {
		write(room+"/a.go", "package a")
	}
	hash := func() map[string]string {
		t.Helper()
		h, err := Sources(fake)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	before := hash()
	write("json/a_test.go", "package a")
	write("json/testdata/b.go", "package b")
	write("json/notes.md", "text")
	if !reflect.DeepEqual(hash(), before) {
		t.Error("tests and texts change the hash of a room")
	}
	write("json/deeper/c.go", "package c")
	after := hash()
	if after["json"] == before["json"] || after["wire"] != before["wire"] {
		t.Error("a source file in json changes the hash of json and of nothing else")
	}
	write("json/deeper/c.go", "// Package c is described.\npackage c // here\n\n/* and here */")
	if !reflect.DeepEqual(hash(), after) {
		t.Error("comments and layout change the hash of a room")
	}
	for _, text := range []string{"package c\nvar x int", "package c\nvar y int", "package c\n//go:noinline\nfunc f() {}", "package c\nfunc f() {}", "package c\n//go:noinline\n\nfunc f() {}", "package c\nfunc f() {}", "package c\nconst s = `// x`", "package c\nconst s = `// y`", "//go:build linux\n\npackage c\nconst s = `// y`"} {
		last := after
		write("json/deeper/c.go", text)
		if after = hash(); after["json"] == last["json"] {
			t.Errorf("the hash is the same after a change to %q", text)
		}
	}

	write("json/deeper/c.go", "package c\n\nimport \"io\"\n\nvar x int\n\n//go:noinline\nfunc f() { io.EOF.Error() }")
	after = hash()
	write("json/deeper/c.go", "package c\n\nvar x int")
	write("json/deeper/d.go", "package c\n\nimport \"io\"\n\n// f has a comment.\n//\n//go:noinline\nfunc f() { io.EOF.Error() }")
	if !reflect.DeepEqual(hash(), after) {
		t.Error("a function in another file of the package changes the hash of a room")
	}
	for name, text := range map[string]string{
		"d_amd64.go": "package c\n\nimport \"io\"\n\n//go:noinline\nfunc f() { io.EOF.Error() }",
		"d.go":       "package c\n\nimport \"example.org/io\"\n\n//go:noinline\nfunc f() { io.EOF.Error() }",
		"e/d.go":     "package c\n\nimport \"io\"\n\n//go:noinline\nfunc f() { io.EOF.Error() }",
	} {
		if err := os.Remove(filepath.Join(fake, "json", "deeper", "d.go")); err != nil {
			t.Fatal(err)
		}
		write("json/deeper/"+name, text)
		if hash()["json"] == after["json"] {
			t.Errorf("the hash is the same after the function moved to %s as %q", name, text)
		}
		if err := os.Remove(filepath.Join(fake, "json", "deeper", filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
		write("json/deeper/d.go", "package c")
	}
}

func TestFull(t *testing.T) {
	if err := (&Results{Conditions: Conditions{Count: 10}}).Full(); err != nil {
		t.Error(err)
	}
	for _, c := range []Conditions{{Count: 10, Short: true}, {Count: 10, Run: "x"}, {Count: 10, Peers: "x"}, {Count: 10, Interrupted: true}, {Count: 3}} {
		if (&Results{Conditions: c}).Full() == nil {
			t.Errorf("%+v counts as full", c)
		}
	}
}

func TestSlowed(t *testing.T) {
	some := []contest.Result{{Contestant: "hone", Samples: make([]float64, 10), Slowed: 3}, {Contestant: "other", Samples: make([]float64, 10)}}
	r := &Results{Contests: []contest.Outcome{
		{Name: "json/a", Way: contest.Looped, Results: some}, {Name: "cold/b", Way: contest.Cold, Results: some[:1]},
		{Name: "tcp/c", Way: contest.Parallel, Results: some}, {Name: "size/d", Way: contest.Exact, Results: some},
	}}
	if slowed, all := r.Slowed(); slowed != 6 || all != 30 {
		t.Errorf("%d of %d samples, want 6 of 30", slowed, all)
	}
}

func TestAgain(t *testing.T) {
	r := &Results{Contests: []contest.Outcome{{Again: 2}, {}, {Again: 1}}}
	if n := r.Again(); n != 2 {
		t.Errorf("%d contests, want 2", n)
	}
}

func TestOthersAdd(t *testing.T) {
	first := &Others{Limit: 0.1, Before: 0.05, During: 0.2, Most: 0.5, MostIn: "a", Disturbed: 3}
	sum := first.Add(&Others{Limit: 0.1, During: 0.6, Most: 0.9, MostIn: "b", Disturbed: 1}, 3*time.Minute, time.Minute)
	if want := (Others{Limit: 0.1, Before: 0.05, During: 0.3, Most: 0.9, MostIn: "b", Disturbed: 4}); math.Abs(sum.During-want.During) > 1e-9 {
		t.Errorf("%+v, want %+v", sum, want)
	} else if sum.During = want.During; *sum != want {
		t.Errorf("%+v, want %+v", sum, want)
	}
	if first.During != 0.2 {
		t.Errorf("the first part has changed: %+v", first)
	}
	if sum := first.Add(&Others{Most: 0.1, MostIn: "b"}, 0, 0); sum.Most != 0.5 || sum.MostIn != "a" || sum.During != 0.2 {
		t.Errorf("less: %+v", sum)
	}
	unknown := &Others{Unknown: "no counter"}
	if first.Add(unknown, 1, 1) != unknown || unknown.Add(first, 1, 1) != unknown || (*Others)(nil).Add(first, 1, 1) != nil {
		t.Error("what was unknown in one part is known of both")
	}
}

func TestBusy(t *testing.T) {
	loops := func(n, wide int) (list []contest.Outcome) {
		for i := range n {
			high := 1.05
			if i < wide {
				high = 2
			}
			list = append(list, contest.Outcome{Name: "json/a", Results: []contest.Result{{Contestant: "hone", Samples: []float64{1, 1, 1}, Center: 1, Low: 1, High: high}}})
		}
		return list
	}
	parallel := loops(20, 20)
	for i := range parallel {
		parallel[i].Way = contest.Parallel
	}
	for _, c := range []struct {
		name     string
		others   *Others
		contests []contest.Outcome
		want     int
	}{
		{name: "of before it was watched", contests: loops(100, 2)},
		{name: "quiet", others: &Others{Limit: 0.1, During: 0.05, Disturbed: 10}, contests: loops(100, 5)},
		{name: "unknown", others: &Others{Unknown: "not told"}, contests: loops(100, 0)},
		{name: "all the time", others: &Others{Limit: 0.1, During: 0.2}, contests: loops(100, 0), want: 1},
		{name: "now and then", others: &Others{Limit: 0.1, During: 0.09, Disturbed: 30}, contests: loops(100, 0), want: 1},
		{name: "wide", contests: loops(100, 6), want: 1},
		{name: "one of few is wide", contests: loops(4, 1)},
		{name: "on all cores", contests: parallel},
		{name: "everything", others: &Others{Limit: 0.1, During: 1, Disturbed: 100}, contests: loops(100, 90), want: 3},
	} {
		r := &Results{Conditions: Conditions{Count: 10, Others: c.others}, Contests: c.contests}
		if got := r.Busy(); len(got) != c.want {
			t.Errorf("%s: %q, want %d signs", c.name, got, c.want)
		}
	}
}

// TestNewerSyntax fails if the hash of a file with the syntax of Go 1.27 depends on the running release.
func TestNewerSyntax(t *testing.T) {
	source := "//go:build go1.27\n\npackage a\n\n// M is described.\nfunc (t T) M[U any](f func(T) U) U { return f(t) }\n\n//go:noinline\nfunc f() {}\n"
	list, err := declarations("mo/a.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range list {
		got = append(got, strings.Join(strings.Fields(strings.ReplaceAll(d, ";", "")), " "))
	}
	where := "mo/ .go //go:build go1.27 "
	want := []string{where + "package a", where + "func ( t T ) M [ U any ] ( f func ( T ) U ) U { return f ( t ) }", where + "//go:noinline func f ( ) { }"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
