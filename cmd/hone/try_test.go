package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/pprof"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
)

// A tried is the part of a report of hone try that the tests read.
type tried struct {
	Imports int
	Writes  []string
	Verdict string
	Tests   struct {
		Before, After struct{ Pass, Fail int }
		Broken        []string
		Failing       []struct{ Test string }
	}
	Benchmarks struct {
		Found, Outside, Written int
		Share                   struct{ Replaced float64 }
		Rows                    []struct {
			Name    string
			Written bool
			Time    struct {
				Before, After float64
				N             int
			}
		}
	}
	Size   struct{ Before, After int64 }
	Server struct {
		Rounds                     int
		CPU, P99, Memory, Requests struct {
			Before float64
			N      int
		}
	}
}

// tryIn runs hone try in a folder. Nothing may change there, and no temporary file may remain.
func tryIn(t *testing.T, dir string, want int, args ...string) (screen string, report tried) {
	t.Helper()
	before, tmp := filesIn(t, dir), t.TempDir()
	name := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.Command(hone, append([]string{"try", "-q", "-hone", checkout(t), "-count", "4", "-benchtime", "10ms", "-json", name}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+tmp)
	stdout, stderr, code := callCommand(t, cmd, "")
	if code != want || stderr != "" {
		t.Fatalf("exit code %d, want %d\n%s\n%s", code, want, stderr, stdout)
	}
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &report)
	}
	if err != nil {
		t.Fatal(err)
	}
	if after := filesIn(t, dir); !reflect.DeepEqual(before, after) {
		t.Error("hone try has changed files of the module")
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("temporary files remain: %v, %v", left, err)
	}
	for _, line := range strings.Split(stdout, "\n") {
		if len(line) > 180 {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	return stdout, report
}

// TestTry tries a module with a program, a benchmark that encodes JSON, one that does not, and a package
// without a benchmark, whose test data decodes into one of its types.
func TestTry(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	dir := moduleDir(t, map[string]string{
		"go.mod":  "module example.com/app\n\ngo 1.26.0\n",
		"main.go": "package main\n\nimport \"example.com/app/event\"\n\nfunc main() { println(event.Text(nil)) }\n",
		"event/event.go": `package event

import "encoding/json"

type Point struct{ X, Y int }

type Event struct {
	Name   string  ` + "`json:\"name\"`" + `
	Points []Point ` + "`json:\"points\"`" + `
}

func encode(v any) ([]byte, error) { return json.Marshal(v) }

func Text(e *Event) string { b, _ := encode(e); return string(b) }

func Parse(b []byte) (e Event, err error) { return e, json.Unmarshal(b, &e) }
`,
		"event/testdata/event.json": `{"name": "start", "points": [{"X": 1, "Y": 2}, {"X": 3, "Y": 4}]}`,
		"event/testdata/other.json": `{"name": "start", "unknown": "a member that Event does not have, in a longer file than the other"}`,
		"list/list.go":              "package list\n\nimport \"encoding/json\"\n\nfunc Text(list []int) ([]byte, error) { return json.Marshal(list) }\n",
		"list/list_test.go": `package list

import (
	"slices"
	"testing"
)

func TestText(t *testing.T) {
	if b, err := Text([]int{1}); string(b) != "[1]" || err != nil {
		t.Error(b, err)
	}
}

func BenchmarkText(b *testing.B) {
	list := make([]int, 1000)
	b.Run("1000", func(b *testing.B) {
		for range b.N {
			_, _ = Text(list)
		}
	})
}

func BenchmarkSort(b *testing.B) {
	list := make([]int, 1000)
	for range b.N {
		for i := range list {
			list[i] = i * 7919 % 1000
		}
		slices.Sort(list)
	}
}
`})
	screen, report := tryIn(t, dir, 0)
	b := report.Benchmarks
	names := map[string]bool{}
	for _, row := range b.Rows {
		names[row.Name] = row.Written
		if row.Time.N < 4 || row.Time.Before <= 0 || row.Time.After <= 0 {
			t.Errorf("row %+v", row)
		}
	}
	if want := (map[string]bool{"Text/1000": false, "HoneTryWritten/Event/encode/event.json": true, "HoneTryWritten/Event/decode/event.json": true}); !reflect.DeepEqual(names, want) {
		t.Errorf("benchmarks %v, want %v", names, want)
	}
	if b.Found != 2 || b.Outside != 1 || b.Written != 1 || b.Share.Replaced < 0.5 {
		t.Errorf("benchmarks %+v", b)
	}
	if report.Imports != 2 || report.Tests.Before.Pass != 1 || report.Tests.After.Pass != 1 || report.Size.Before == 0 || report.Size.After == 0 {
		t.Errorf("report %+v", report)
	}
	for _, want := range []string{"2 imports of encoding/json to github.com/hone-go/hone/json", "1 passed, 0 failed", "migrating/encoding-json.md", "% of the CPU time", "1 benchmark spends less than 5 %", "example.com/app: "} {
		if !strings.Contains(screen, want) {
			t.Errorf("the screen lacks %q:\n%s", want, screen)
		}
	}
	if _, part := tryIn(t, dir, 0, "-bench", "Text/10+$"); len(part.Benchmarks.Rows) != 1 || part.Benchmarks.Rows[0].Name != "Text/1000" {
		t.Errorf("-bench with a part of a benchmark: %+v", part.Benchmarks)
	}
}

// TestTryBefore tries a module of a workspace, with a replacement by a relative folder and a symbolic link,
// whose tests fail, write into the source, or do not build.
func TestTryBefore(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	top := moduleDir(t, map[string]string{
		"go.work":       "go 1.26.0\n\nuse (\n\t./app\n\t./used\n)\n",
		"used/go.mod":   "module example.com/used\n\ngo 1.26.0\n",
		"used/used.go":  "package used\n\nconst Name = \"used\"\n",
		"there/go.mod":  "module example.com/there\n\ngo 1.26.0\n",
		"there/name.go": "package there\n\nconst Name = \"there\"\n",
		"app/go.mod":    "module example.com/app\n\ngo 1.26.0\n\nrequire example.com/there v0.0.0\n\nreplace example.com/there => ../there\n",
		"app/app.go":    "package app\n\nimport (\n\t\"encoding/json\"\n\n\t\"example.com/there\"\n\t\"example.com/used\"\n)\n\nfunc Text() ([]byte, error) { return json.Marshal(there.Name + used.Name) }\n",
		"app/data.txt":  "data",
		"app/app_test.go": `package app

import (
	"os"
	"testing"
)

func TestWrites(t *testing.T) {
	if err := os.WriteFile("written.txt", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile("link.txt"); err != nil {
		t.Fatal(err)
	}
}

func TestService(t *testing.T) { t.Error("dial tcp 127.0.0.1:5432: connect: connection refused") }
`,
		"app/broken/broken_test.go": "package broken\n\nimport \"testing\"\n\nfunc TestBroken(t *testing.T) { undefined() }\n",
	})
	dir := filepath.Join(top, "app")
	if err := os.Symlink("data.txt", filepath.Join(dir, "link.txt")); err != nil {
		t.Skip(err)
	}
	screen, report := tryIn(t, dir, 0)
	failing := report.Tests.Failing
	if len(failing) != 1 || failing[0].Test != "TestService" || !reflect.DeepEqual(report.Tests.Broken, []string{"example.com/app/broken"}) || report.Tests.After.Pass != 1 {
		t.Errorf("tests %+v", report.Tests)
	}
	if !reflect.DeepEqual(report.Writes, []string{"written.txt"}) || report.Verdict != "unmeasured" {
		t.Errorf("writes %v, verdict %s", report.Writes, report.Verdict)
	}
	for _, want := range []string{"1 test fails before the change already", "need a service", "1 package does not build before the change already", "the tests write into the source (1 file, such as written.txt)", "no benchmark to measure"} {
		if !strings.Contains(screen, want) {
			t.Errorf("the screen lacks %q:\n%s", want, screen)
		}
	}
}

func TestTryNothing(t *testing.T) {
	t.Parallel()
	dir := moduleDir(t, map[string]string{"go.mod": "module example.com/app\n\ngo 1.26.0\n", "app.go": "package app\n"})
	if screen, report := tryIn(t, dir, 0); report.Verdict != "nothing" || !strings.Contains(screen, "You would gain nothing: no import would change.") {
		t.Errorf("%+v\n%s", report, screen)
	}
	for _, args := range [][]string{{"-count", "3"}, {"-run", "./cmd"}, {"-profile", "x", "-bench", "y"}, {"-no-such-flag"}} {
		cmd := exec.Command(hone, append([]string{"try"}, args...)...)
		cmd.Dir = dir
		if stdout, stderr, code := callCommand(t, cmd, ""); code != 2 || stdout != "" || stderr == "" {
			t.Errorf("try %v: exit code %d, %s%s", args, code, stdout, stderr)
		}
	}
}

// TestTryDiffers tries a module with a test that fails after the change.
func TestTryDiffers(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	dir := moduleDir(t, map[string]string{"go.mod": "module example.com/app\n\ngo 1.26.0\n", "app_test.go": `package app

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestPath(t *testing.T) {
	if path := reflect.TypeFor[json.Decoder]().PkgPath(); path != "encoding/json" {
		t.Error(path)
	}
}
`})
	if screen, report := tryIn(t, dir, 1); report.Verdict != "differs" || !strings.Contains(screen, "example.com/app TestPath: pass before, fail after") {
		t.Errorf("%+v\n%s", report, screen)
	}
}

// TestTryGoLine tries a module whose go line is so old that go.mod lists no indirect requirements, and that has a
// fault which go vet finds only with a newer go line.
func TestTryGoLine(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	top := moduleDir(t, map[string]string{
		"deep/go.mod":   "module example.com/deep\n\ngo 1.16\n",
		"deep/deep.go":  "package deep\n\nconst Name = \"deep\"\n",
		"there/go.mod":  "module example.com/there\n\ngo 1.16\n\nrequire example.com/deep v0.0.0\n",
		"there/name.go": "package there\n\nimport \"example.com/deep\"\n\nconst Name = deep.Name\n",
		"app/go.mod": "module example.com/app\n\ngo 1.16\n\nrequire example.com/there v0.0.0\n\n" +
			"replace example.com/there => ../there\n\nreplace example.com/deep => ../deep\n",
		"app/app.go": "package app\n\nimport (\n\t\"encoding/json\"\n\t\"fmt\"\n\n\t\"example.com/there\"\n)\n\n" +
			"type Name struct{ Text string }\n\nfunc Text() ([]byte, error) { return json.Marshal(Name{there.Name}) }\n\n" +
			"func Print(text string) { fmt.Printf(text) }\n",
		"app/app_test.go": "package app\n\nimport \"testing\"\n\nfunc TestPrint(t *testing.T) { Print(\"\") }\n",
	})
	screen, report := tryIn(t, filepath.Join(top, "app"), 1)
	if report.Verdict != "differs" || report.Benchmarks.Written != 1 || len(report.Benchmarks.Rows) != 1 {
		t.Errorf("verdict %s, %+v", report.Verdict, report.Benchmarks)
	}
	for _, want := range []string{"does not build after the change, because of the go line alone", "non-constant format string", "not because of Hone"} {
		if !strings.Contains(screen, want) {
			t.Errorf("the screen lacks %q:\n%s", want, screen)
		}
	}
}

// TestTryInterrupt interrupts the command while it runs the tests.
func TestTryInterrupt(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) { interruptTry(t, s) })
	}
}

func interruptTry(t *testing.T, s os.Signal) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dir := moduleDir(t, map[string]string{
		"go.mod": "module example.com/app\n\ngo 1.26.0\n",
		"app_test.go": `package app

import (
	"encoding/json"
	"net"
	"os"
	"testing"
	"time"
)

func TestSlow(t *testing.T) {
	_ = json.Valid(nil)
	if _, err := net.Dial("tcp", os.Getenv("HONE_TEST_STARTED")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Hour)
}
`})
	// If nohup has started the tests, they ignore a hangup, and the command would ignore it too.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, s)
	defer signal.Stop(caught)
	tmp := t.TempDir()
	var said bytes.Buffer
	cmd := exec.Command(hone, "try", "-hone", checkout(t))
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), "TMPDIR="+tmp, "HONE_TEST_STARTED="+l.Addr().String()), &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the exit code is checked
		l.Close()
		close(ended)
	}()
	// The go command removes its temporary folder only if the interrupt comes after its start.
	if c, err := l.Accept(); err == nil {
		defer c.Close()
		if err := cmd.Process.Signal(s); err != nil {
			t.Error(err)
		}
	}
	<-ended
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(said.String(), "interrupted") {
		t.Errorf("exit code %d\n%s", code, &said)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("temporary files remain: %v, %v", left, err)
	}
}

// TestTryProfile reads the profile of a program that encodes JSON.
func TestTryProfile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "cpu.pprof")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		t.Skip("another profile runs: ", err)
	}
	list := make([]int, 1e6)
	for start := time.Now(); time.Since(start) < 300*time.Millisecond; {
		if _, err := json.Marshal(list); err != nil {
			t.Fatal(err)
		}
	}
	pprof.StopCPUProfile()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(hone, "try", "-profile", name, "-json", "share.json")
	cmd.Dir = dir
	stdout, stderr, code := callCommand(t, cmd, "")
	var share struct{ Replaced, Seconds float64 }
	data, err := os.ReadFile(filepath.Join(dir, "share.json"))
	if err == nil {
		err = json.Unmarshal(data, &share)
	}
	if err != nil || code != 0 || share.Replaced < 0.3 || share.Seconds <= 0 || !strings.Contains(stdout, "Nearly all of the time") && !strings.Contains(stdout, "times as fast") {
		t.Errorf("exit code %d, %v, %+v\n%s%s", code, err, share, stderr, stdout)
	}
	for _, bad := range []string{write(t, "text", "no profile"), filepath.Join(dir, "absent")} {
		if stdout, stderr, code := callHone(t, "", "try", "-profile", bad); code != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d\n%s%s", bad, code, stderr, stdout)
		}
	}
}

// TestTryServer loads a server with a program that prints what hey prints. With a second argument, the server answers
// errors after the change.
func TestTryServer(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	dir := moduleDir(t, map[string]string{
		"go.mod": "module example.com/app\n\ngo 1.26.0\n",
		"server/main.go": `package main

import (
	"encoding/json"
	"net/http"
	"os"
	"reflect"
)

func main() {
	list := make([]int, 10_000)
	if err := http.ListenAndServe(os.Args[1], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(os.Args) > 2 && reflect.TypeFor[json.Decoder]().PkgPath() != "encoding/json" {
			w.WriteHeader(500)
		}
		_ = json.NewEncoder(w).Encode(list)
	})); err != nil {
		panic(err)
	}
}
`,
		"load/main.go": `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	status := 0
	for range 300 {
		r, err := http.Get(os.Args[1])
		if err != nil {
			panic(err)
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			panic(err)
		}
		status = r.StatusCode
	}
	fmt.Printf("  Requests/sec: 100\n  50%% in 0.0010 secs\n  99%% in 0.0020 secs\n  [%d]\t300 responses\n", status)
}
`})
	load := filepath.Join(t.TempDir(), "load.exe")
	build := exec.Command("go", "build", "-o", load, "./load")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	screen, report := tryIn(t, dir, 0, "-run", "./server "+address, "-load", fmt.Sprintf("%s http://%s/", load, address))
	s := report.Server
	if s.Rounds != 5 || s.CPU.N != 5 || s.CPU.Before <= 0 || s.P99.Before != 2e-3 || s.Requests.Before != 100 {
		t.Errorf("server %+v\n%s", s, screen)
	}
	if m := s.Memory.Before; runtime.GOOS == "linux" && (m < 1e6 || m > 60e6) {
		t.Errorf("the server takes %.0f bytes", m)
	}
	if !strings.Contains(screen, "CPU of a request") {
		t.Errorf("the screen lacks the CPU time:\n%s", screen)
	}
	cmd := exec.Command(hone, "try", "-q", "-hone", checkout(t), "-run", "./server "+address+" fail", "-load", fmt.Sprintf("%s http://%s/", load, address))
	cmd.Dir = dir
	if stdout, stderr, code := callCommand(t, cmd, ""); code != 2 || stdout != "" || !strings.Contains(stderr, "after the change: ") || !strings.Contains(stderr, "300 requests failed") {
		t.Errorf("a server that answers errors after the change: exit code %d\n%s%s", code, stderr, stdout)
	}
}
