package report

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/results"
)

const hostile = `<img src=x onerror="document.title='owned'">`

// sample returns results of every kind.
func sample() *results.Results {
	result := func(name string, allocs float64, samples ...float64) contest.Result {
		return contest.Result{
			Contestant: name, Source: "bench/suite/report/report_test.go:21", Samples: samples, Allocs: allocs,
			Center: samples[len(samples)/2], Low: samples[0], High: samples[len(samples)-1],
		}
	}
	fast := func(name string, f float64) contest.Result {
		return result(name, 0, 10*f, 10.1*f, 10.2*f, 10.3*f, 10.4*f, 10.5*f)
	}
	fewer := func(r contest.Result, what ...string) contest.Result { r.Fewer = what; return r }
	noted := func(r contest.Result, notes ...string) contest.Result { r.Notes = notes; return r }
	failing := contest.Result{Contestant: "broken", Source: "bench/suite/report/report_test.go:21", Error: "output differs: " + hostile}
	load := fast("hone", 2000)
	load.More = map[string]float64{"requests/s": 51234, "p50 ns": 40_000, "p99 ns": 900_000}
	r := &results.Results{
		Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Machine: results.Machine{CPU: "Some Processor " + hostile, Cores: 2, OS: "linux", Arch: "amd64", Go: "go1.26"},
		Conditions: results.Conditions{Count: 6, Duration: time.Millisecond, Took: time.Minute, Pinning: "each on core 1"},
		Sources:    map[string]string{}, Modules: map[string]string{"example.org/peer": "v1.2.3"},
		Contests: []contest.Outcome{
			{Name: "json/won/encode", Results: []contest.Result{fast("hone", 1), fast("hone Marshal", 1.5), fast("encoding/json", 4)}},
			{Name: "json/lost/encode", Results: []contest.Result{fast("hone", 1), fast("encoding/json", 1), fast("other", .5)}},
			{Name: "json/level/decode", Results: []contest.Result{fast("hone", 1), fast("encoding/json", 1.001), failing}},
			{Name: "json/beside/decode", Promises: "decoding", Results: []contest.Result{
				fast("hone", 1), fewer(fast("lax", .4), "checks nothing "+hostile, "forgets"), noted(fast("by hand", .3), contest.ByHand), fast("encoding/json", 2),
			}},
			{Name: "json/beside again/decode", Promises: "decoding", Results: []contest.Result{fast("hone", 1), fast("encoding/json", 2), fast("lax", 3)}},
			{Name: "tcp/bare", Way: contest.Parallel, Results: []contest.Result{load, fast("net/http", 2000)}},
			{Name: "router/alone", Results: []contest.Result{{Contestant: "hone", Error: "no"}, fast("echo v5", 1)}},
			{Name: "size/json", Unit: contest.Bytes, Way: contest.Exact, Results: []contest.Result{result("hone", 0, 250_000), result("encoding/json", 0, 150_000)}},
			{Name: "unheard of/" + hostile, Results: []contest.Result{fast("hone", 1)}},
		},
	}
	for _, size := range []int{1, 10, 100, 1000, 10_000, 100_000, 1_000_000} {
		r.Contests = append(r.Contests, contest.Outcome{
			Name: "growth/decode/" + value(float64(size), contest.Nanoseconds), Curve: contest.Curve{Name: "decode", Size: size, Of: "elements"},
			Results: []contest.Result{fast("hone", float64(size)), fast("encoding/json", 3*float64(size))},
		})
	}
	for _, room := range results.Rooms {
		r.Sources[room] = "same"
	}
	return r
}

func TestAnalysis(t *testing.T) {
	r := sample()
	now := map[string]string{}
	for room, hash := range r.Sources {
		now[room] = hash
	}
	now["json"] = "changed"
	a := analyse(r, now)
	var behind []string
	for _, l := range a.Behind {
		behind = append(behind, l.Name+" "+l.Best.Contestant)
	}
	if got, want := strings.Join(behind, "; "), "json/lost/encode other; size/json encoding/json"; got != want {
		t.Errorf("behind in %q, want %q", got, want)
	}
	if len(a.Failing) != 2 {
		t.Errorf("failing: %v", a.Failing)
	}
	if len(a.Stale) != 1 || a.Stale[0] != "json" {
		t.Errorf("stale: %v", a.Stale)
	}
	suites := map[string]suiteResult{}
	for _, s := range a.Suites {
		suites[s.name] = s
	}
	j := suites["json"]
	if got := j.Standing(); got != (standing{First: 3, Level: 1, Behind: 1}) {
		t.Errorf("json: %+v", got)
	}
	if got, want := string(stack(standing{First: 2, Level: 1, Behind: 1}, 8)), []string{
		`<rect class="first" x="0.00%" width="25.00%"`, `<rect class="level" x="25.00%" width="12.50%"`, `<rect class="behind" x="37.50%" width="12.50%"`,
	}; !strings.Contains(got, want[0]) || !strings.Contains(got, want[1]) || !strings.Contains(got, want[2]) {
		t.Errorf("the bar is %s", got)
	}
	for ratio, want := range map[float64]bool{1.02: true, 0.98: true, 1.05: false, 0.95: false, 0: false} {
		if l := (line{Best: row{Ratio: ratio}}); l.Near() != want {
			t.Errorf("a peer at %v of Hone is level: %v", ratio, !want)
		}
	}
	if m := j.RivalMean(); m == nil || m.Of != 5 || math.Abs(m.Ratio-math.Pow(4*1*1.001*2*2, .2)) > 1e-9 {
		t.Errorf("json: the mean is %+v", m)
	}
	if !j.Stale || suites["mo"].Stale {
		t.Error("what changed is not what is called stale")
	}
	if a.Suites[len(a.Suites)-1].name != "unheard of" {
		t.Error("an unknown suite is not last")
	}
	f := suites["growth"].Curves
	if len(f) != 1 || len(f[0].Sizes) != 7 || len(f[0].Curves) != 2 || len(f[0].Curves[1].Points) != 7 {
		t.Errorf("curves: %+v", f)
	}
}

func TestTargets(t *testing.T) {
	defer func(all []target) { targets = all }(targets)
	targets = []target{{"json/.*/encode", "encoding/json", 0.5, 0}, {"json/won/encode", "encoding/json", 0.2, -1}, {"json/won/encode", "nobody", 9, 0}}
	var got []string
	for _, v := range judge(sample().Contests) {
		got = append(got, v.Contest+map[bool]string{true: " met", false: " missed"}[v.Met])
	}
	if got, want := strings.Join(got, ", "), "json/won/encode met, json/lost/encode missed, json/won/encode missed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPromises checks peers that break promises: they are shown, they are listed as ahead if they
// are faster, and they do not count.
func TestPromises(t *testing.T) {
	a := analyse(sample(), nil)
	if len(a.Ahead) != 1 || a.Ahead[0].Name != "json/beside/decode" || !a.Ahead[0].First || a.Ahead[0].Best.Contestant != "encoding/json" {
		t.Fatalf("ahead: %+v", a.Ahead)
	}
	l := a.Ahead[0]
	var order, ahead []string
	for i, x := range l.Rows {
		order = append(order, x.Contestant)
		if l.Divides(i) != (i == 2) {
			t.Errorf("row %d, %s, is the first of those who do not count: %v", i, x.Contestant, l.Divides(i))
		}
	}
	for _, x := range l.Ahead() {
		ahead = append(ahead, x.Contestant)
	}
	if got, want := strings.Join(order, ", ")+"; "+strings.Join(ahead, ", "), "hone, encoding/json, lax, by hand; by hand, lax"; got != want {
		t.Errorf("the rows, and those ahead, are %q, want %q", got, want)
	}
	if len(a.Kinds) != 1 || strings.Join(a.Kinds[0].Keep, ", ") != "hone, by hand, encoding/json" || len(a.Kinds[0].Fewer) != 1 || !a.Kinds[0].Fewer[0].Partly {
		t.Errorf("promises: %+v", a.Kinds)
	}

	defer func(all []target) { targets = all }(targets)
	targets = []target{{"json/beside.*", "lax", 1, -1}, {"json/beside/decode", "lax", 3, -1}, {"json/beside/decode", "by hand", 1.5, -1}}
	r := sample()
	a = analyse(r, nil)
	if len(a.Counted()) != 3 || len(a.Uncounted()) != 1 || len(missed(a.Targets)) != 1 || len(a.Met()) != 2 {
		t.Errorf("targets: %+v", a.Targets)
	}
	var page, table bytes.Buffer
	if err := Page(&page, r, nil, "../../"); err != nil {
		t.Fatal(err)
	}
	Table(&table, r)
	docs := string(Performance(r, nil, "folder", nil)) + string(Contests(r, "folder")) + string(Figures(r, nil, "folder"))
	for where, text := range map[string]string{"the page": page.String(), "the table": table.String(), "the docs": docs} {
		for _, want := range []string{"json/beside/decode", "checks nothing", "and not counted", "hand-written code", "Of 1 other targets, against peers that promise less, 0 are met"} {
			if !strings.Contains(strings.ReplaceAll(text, "<wbr>", ""), want) {
				t.Errorf("%s lacks %q", where, want)
			}
		}
	}
	for i := range r.Contests { // like old runs, which had no probes
		r.Contests[i].Promises = ""
		for j := range r.Contests[i].Results {
			r.Contests[i].Results[j].Fewer = nil
		}
	}
	a = analyse(r, nil)
	page.Reset()
	if err := Page(&page, r, nil, "../../"); err != nil || a.Kinds != nil || !strings.Contains(page.String(), "before contestants were probed") || strings.Contains(page.String(), `href="#promises"`) {
		t.Errorf("of results without promises: %v, %+v", err, a.Kinds)
	}
	if len(a.Behind) != 3 {
		t.Errorf("then %d are ahead, and count", len(a.Behind))
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{got: value(0.4, contest.Nanoseconds), want: "0.40 ns"},
		{got: value(42.04, contest.Nanoseconds), want: "42.0 ns"},
		{got: value(999.96, contest.Nanoseconds), want: "1000 ns"},
		{got: value(1234, contest.Nanoseconds), want: "1.23 µs"},
		{got: value(45.6e6, contest.Nanoseconds), want: "45.6 ms"},
		{got: value(3e9, contest.Nanoseconds), want: "3 s"},
		{got: value(0, contest.Bytes), want: "0 B"},
		{got: value(123_456, contest.Bytes), want: "123 kB"},
		{got: value(2_345_678, contest.Bytes), want: "2.35 MB"},
		{got: count(0.004), want: "0"},
		{got: count(1.01), want: "1"},
		{got: count(6.15), want: "6.15"},
		{got: count(2015.2), want: "2015"},
		{got: times(1), want: "1 ×"},
		{got: times(0.123), want: "0.12 ×"},
		{got: measure("p99 ns", 1500), want: "1.50 µs"},
		{got: measure("requests/s", 51234), want: "51.2 k"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestAxis(t *testing.T) {
	for _, a := range []axis{{0.9, 1.2}, {0.5, 4}, {0.05, 80}, {1, 1e7}, {0.64, 1.52}} {
		labels := a.labels()
		for i, v := range labels {
			if i > 0 && a.at(v)-a.at(labels[i-1]) < 13 {
				t.Errorf("%v: the numbers %v overlap on a phone", a, labels)
			}
		}
		if !slices.Contains(labels, 1) {
			t.Errorf("%v: 1 is not among the numbers %v", a, labels)
		}
		ticks := a.ticks()
		if len(ticks) < 2 || len(ticks) > 7 {
			t.Errorf("%v: ticks %v", a, ticks)
		}
		last := -1.0
		for _, v := range ticks {
			if p := a.at(v); p <= last || p < 0 || p > 100 {
				t.Errorf("%v: %v is at %v", a, v, p)
			} else {
				last = p
			}
		}
	}
}

// TestPageStandsAlone checks that the page loads nothing, and that text from other sources is
// escaped.
func TestPageStandsAlone(t *testing.T) {
	defer func(all []target) { targets = all }(targets)
	targets = []target{{"json/won/encode", "encoding/json", 0.2, -1}}
	var b bytes.Buffer
	if err := Page(&b, sample(), nil, "../../"); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if strings.Contains(page, "<img") {
		t.Error("a name was taken for markup")
	}
	if m := regexp.MustCompile(`(?i)<script|<link|<iframe|@import|url\(|(src|href)="[a-z]+:`).FindAllString(page, -1); m != nil {
		t.Errorf("the page is not by itself: %q", m)
	}
	at := 0
	for _, part := range []string{`class="standing"`, "Where Hone is not first", "By suite", "How it was measured", `<section id="targets"`} {
		if i := strings.LastIndex(page, part); i < at {
			t.Errorf("%q stands too early", part)
		} else {
			at = i
		}
	}
	for _, want := range []string{`href="../../bench/suite/report/report_test.go#L21"`, "v1.2.3", "Parco", "requests/s", "51.2 k"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	Table(&b, sample())
	for _, want := range []string{"json/won/encode", "4 ×", "~", "fails: output differs", "Hone is not first in 2 contests", "51.2 k requests/s"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, b.String())
		}
	}
}
