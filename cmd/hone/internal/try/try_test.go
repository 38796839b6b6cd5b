package try

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/hone-go/hone/cmd/hone/internal/migrate"
)

func TestPackageOf(t *testing.T) {
	for name, want := range map[string]string{
		"encoding/json.Marshal":                                           "encoding/json",
		"encoding/json.(*Decoder).Decode":                                 "encoding/json",
		"gopkg.in/yaml%2ev3.Unmarshal":                                    "gopkg.in/yaml.v3",
		"example.com/app.Do[example.com/other/pkg.T]":                     "example.com/app",
		"main.main.func1":                                                 "main",
		"runtime.mallocgc":                                                "runtime",
		"example.com/app_test.BenchmarkText":                              "example.com/app_test",
		"github.com/hone-go/hone/json.Unmarshal[go.shape.struct { a.b }]": "github.com/hone-go/hone/json",
	} {
		if got := packageOf(name); got != want {
			t.Errorf("packageOf(%s) = %s, want %s", name, got, want)
		}
	}
}

// TestReadLoad reads the output of each load generator that the help names.
func TestReadLoad(t *testing.T) {
	for name, test := range map[string]struct {
		out  string
		want visit
	}{
		"wrk": {"  Latency Distribution\n     50%  635.00us\n     99%    1.20ms\n  22464 requests in 2.00s, 17.76MB read\nRequests/sec:  11232.5\n",
			visit{requests: 22464, perSecond: 11232.5, p50: 635e-6, p99: 1.2e-3}},
		"hey": {"  Requests/sec:\t5000.5\n\nLatency distribution:\n  50%% in 0.0012 secs\n  99%% in 0.0100 secs\n\nStatus code distribution:\n  [200]\t1000 responses\n  [500]\t2 responses\n",
			visit{requests: 1002, perSecond: 5000.5, p50: 1.2e-3, p99: 0.01, failed: 2}},
		"oha": {"  Requests/sec: 800.25\n\n  50.00% in 1.5000 ms\n  99.00% in 0.0250 sec\n\nStatus code distribution:\n  [200] 200 responses\n",
			visit{requests: 200, perSecond: 800.25, p50: 1.5e-3, p99: 0.025}},
		"ab": {"Complete requests:      300\nRequests per second:    1500.00 [#/sec] (mean)\n  50%      3\n  99%     12\n",
			visit{requests: 300, perSecond: 1500, p50: 3e-3, p99: 12e-3}},
		"wrk with errors": {"  22464 requests in 2.00s, 17.76MB read\n  Socket errors: connect 1, read 20, write 300, timeout 4000\n  Non-2xx or 3xx responses: 50000\n",
			visit{requests: 22464, failed: 54321}},
		"hey without a server": {"\nError distribution:\n  [200]\tGet \"http://localhost:1\": dial tcp 127.0.0.1:1: connect: connection refused\n", visit{failed: 200}},
		"oha with a deadline": {"Status code distribution:\n  [200] 9 responses\n  [304] 1 responses\n  [503] 2 responses\n\nError distribution:\n  [16] aborted due to deadline\n  [3] connection closed\n",
			visit{requests: 12, failed: 5}},
		"ab with errors": {"Complete requests:      300\nFailed requests:        307\n   (Connect: 1, Receive: 2, Length: 300, Exceptions: 4)\nNon-2xx responses:      10\n",
			visit{requests: 300, failed: 17}},
		"unknown": {"done\n", visit{}},
	} {
		got := readLoad(test.out)
		for i, d := range []float64{got.requests - test.want.requests, got.perSecond - test.want.perSecond, got.p50 - test.want.p50, got.p99 - test.want.p99, got.failed - test.want.failed} {
			if d < -1e-12 || d > 1e-12 {
				t.Errorf("%s: figure %d of %+v, want %+v", name, i, got, test.want)
			}
		}
	}
	if address, known := loadAddress("wrk -d 2s 'http://localhost:8080/a?b=c'"); !known || address != "localhost:8080" {
		t.Errorf("address %q, %v", address, known)
	}
	if address, known := loadAddress("./load.sh"); known {
		t.Errorf("address %q in a command without a URL", address)
	}
}

// TestCompare has a difference, no difference, and a machine that is too noisy for a figure.
func TestCompare(t *testing.T) {
	row := func(before, after, control []float64) Row {
		t.Helper()
		r, ok := compare(rowID{"p", "X"}, Share{}, false, samples{"sec/op": {before, after, control}})
		if !ok {
			t.Fatal("no row")
		}
		return r
	}
	steady := []float64{100, 101, 102, 99, 100, 101}
	for name, test := range map[string]struct {
		row            Row
		differs, noisy bool
	}{
		"faster":                  {row(steady, []float64{50, 51, 49, 50, 52, 50}, steady), true, false},
		"the same":                {row(steady, []float64{101, 100, 100, 99, 102, 101}, steady), false, false},
		"noisy":                   {row(steady, []float64{90, 91, 92, 90, 91, 90}, []float64{120, 121, 119, 122, 120, 120}), false, true},
		"clear in spite of noise": {row(steady, []float64{20, 21, 22, 20, 21, 20}, []float64{110, 111, 109, 110, 110, 110}), true, false},
	} {
		if test.row.Time.Differs != test.differs || test.row.Noisy != test.noisy {
			t.Errorf("%s: %+v", name, test.row)
		}
	}
	if _, ok := compare(rowID{"p", "X"}, Share{}, false, samples{"sec/op": {steady, nil, steady}}); ok {
		t.Error("a benchmark that does not run after the change has a row")
	}
}

// TestGoLine has a module whose tests differ because of the go line alone.
func TestGoLine(t *testing.T) {
	r := &Report{Imports: 1, Tests: &migrate.Trial{NotBuilt: []migrate.NotBuilt{{Package: "p", When: "after", GoLine: true}}}}
	if r.judge(); r.Verdict != "differs" || !strings.Contains(r.Summary, "go line alone") {
		t.Errorf("%s: %s", r.Verdict, r.Summary)
	}
	r.Tests.Differences = []migrate.Difference{{Package: "q", Test: "T"}}
	if r.judge(); strings.Contains(r.Summary, "go line") {
		t.Errorf("%s: %s", r.Verdict, r.Summary)
	}
	if got := firstLine("go test: # example.com/app\n\ta.go:1:2: undefined: x\n"); got != "a.go:1:2: undefined: x" {
		t.Error(got)
	}
}

// TestRowName has benchmarks whose names end with a number, for one processor and for several.
func TestRowName(t *testing.T) {
	for _, test := range []struct {
		name       string
		processors int
		want       string
	}{
		{"Text/size-10-8", 8, "Text/size-10"}, {"Text/size-1000", 1, "Text/size-1000"}, {"Text/size-8-8", 8, "Text/size-8"}, {"Text-2", 2, "Text"},
	} {
		if got := rowName(benchfmt.Name(test.name), test.processors); got != test.want {
			t.Errorf("rowName(%s, %d) = %s, want %s", test.name, test.processors, got, test.want)
		}
	}
}

// TestLimit has benchmarks that were chosen when the time limit passes.
func TestLimit(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := &runner{parent: t.Context(), ctx: ctx, count: 6, b: &Benchmarks{Found: 1}}
	r.o.Migrate.Count = func(int, int, float64) {}
	r.measure([]candidate{{suite: &suite{pkg: "p"}, name: "BenchmarkText"}})
	if b := r.b; !b.Late || b.Count != 0 || len(b.Left) != 1 || b.Left[0] != "p BenchmarkText" || len(b.Failed) > 0 {
		t.Errorf("%+v", b)
	}
}

// TestNoMatch has a pattern that no benchmark matches.
func TestNoMatch(t *testing.T) {
	r := &Report{Imports: 1, Benchmarks: &Benchmarks{Pattern: "Absent"}}
	if r.judge(); r.Verdict != "unmeasured" || !strings.Contains(r.Summary, "-bench Absent") {
		t.Errorf("%s: %s", r.Verdict, r.Summary)
	}
}

// TestFewRounds has a server that differs, in too few rounds.
func TestFewRounds(t *testing.T) {
	s := &Server{Rounds: 3, CPU: Quantity{Before: 2, After: 1, N: 3, Differs: true}}
	if verdict, summary := s.judge(); verdict != "unmeasured" || !strings.Contains(summary, "passed after 3 rounds") {
		t.Errorf("%s: %s", verdict, summary)
	}
}

// TestLargestMemory starts a small process from a large one.
func TestLargestMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells the memory of another process")
	}
	large := bytes.Repeat([]byte{1}, 200<<20)
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if got := largestMemory(cmd.Process.Pid); got <= 0 || got > 100<<20 {
		t.Errorf("sleep takes %.0f bytes, and the test %d", got, len(large))
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // the process was killed
}

// TestKeptOutput keeps the ends of a long output.
func TestKeptOutput(t *testing.T) {
	var k keptOutput
	for i := range 100_000 {
		fmt.Fprintf(&k, "line %d\n", i)
	}
	if got := string(k.bytes()); !strings.HasPrefix(got, "line 0\nline 1\n") || !strings.HasSuffix(got, "line 99999\n") || len(got) != 2*mostKept || cap(k.last) > 4*mostKept {
		t.Errorf("kept %d bytes of %d", len(got), cap(k.last))
	}
	short := keptOutput{}
	fmt.Fprint(&short, "short")
	if got := string(short.bytes()); got != "short" {
		t.Error(got)
	}
}

func TestVerdict(t *testing.T) {
	fast, slow := Row{Time: Quantity{Before: 2, After: 1, Differs: true}}, Row{Time: Quantity{Before: 1, After: 2, Differs: true}}
	same, noisy := Row{Time: Quantity{Before: 1, After: 1}}, Row{Time: Quantity{Before: 1, After: 1}, Noisy: true}
	for _, test := range []struct {
		imports, outside int
		rows             []Row
		want             string
	}{
		{0, 0, nil, "nothing"},
		{1, 3, nil, "nothing"},
		{1, 0, nil, "unmeasured"},
		{1, 0, []Row{fast, same}, "gain"},
		{1, 0, []Row{fast, slow}, "mixed"},
		{1, 0, []Row{slow}, "loss"},
		{1, 0, []Row{same}, "nothing"},
		{1, 0, []Row{noisy, noisy, fast}, "noisy"},
	} {
		late := &Report{Imports: 1, Benchmarks: &Benchmarks{Found: 1, Count: 3, Late: true, Rows: test.rows}}
		if late.judge(); late.Verdict != "unmeasured" || !strings.Contains(late.Summary, "passed after 3 rounds") {
			t.Errorf("3 rounds: verdict %s (%s)", late.Verdict, late.Summary)
		}
		r := &Report{Imports: test.imports, Benchmarks: &Benchmarks{Found: test.outside, Outside: test.outside, Rows: test.rows}}
		r.Benchmarks.judge()
		if r.judge(); r.Verdict != test.want || !strings.HasSuffix(r.Summary, ".") {
			t.Errorf("%+v: verdict %s (%s)", test, r.Verdict, r.Summary)
		}
	}
}

// The screen has the behaviours that the code can meet, and no others.
func TestPrintBehaviours(t *testing.T) {
	r := &Report{Imports: 1, Change: &migrate.Change{Behaviours: []migrate.Behaviour{
		{Text: "`RealIP` differs.", Met: true, Sets: []migrate.Location{{Where: "main.go:3", Written: "main.go:4"}}},
		{Text: "Bodies have a limit.", Met: true, Keep: "BodyLimit: -1"},
		{Text: "Static differs."},
	}}}
	var b bytes.Buffer
	r.Print(&b)
	for _, want := range []string{"RealIP differs: your code sets it (main.go:3)\n", "Bodies have a limit: your code does not set it. This line does: BodyLimit: -1\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), "Static") {
		t.Errorf("the screen has a behaviour that the code does not meet:\n%s", &b)
	}
}
