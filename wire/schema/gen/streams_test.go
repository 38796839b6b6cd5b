package gen

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// A containerEvent is a record or a loss in the test vectors for containers.
type containerEvent struct {
	Record                         *string
	Cause                          string
	Offset, Bytes, Blocks, Records int64
}

// streamNotes are the notes that streams.ts and streams.py must write about streams and containers
// that are not in the test vectors.
var streamNotes = []string{
	"300 records, 5 parts",
	"another schema: the container has the schema 0123456789abcdef, which is not accepted",
	"a text: not a container",
	"nothing: not a container: no input",
	"whole: 0161; ; ",
	"torn: 0161; truncated byte 6: the stream ends within a record",
	"a torn length: 0161; truncated byte 4: the stream ends within a record",
	"a bad length: 0161; length byte 3: a malformed length",
	"over the limit: byte 0: a record of 12 bytes is longer than the limit of 9; the LIMIT raises it; 0162",
}

// checkStreams compares the output of streams.ts or streams.py with the vectors.
func checkStreams(t *testing.T, out []byte) {
	t.Helper()
	type container struct {
		Name    string
		Bytes   string
		Writing any
		Events  []containerEvent
		Closed  bool
	}
	var want struct{ Containers []container }
	load(t, "containers/v1.json", &want)
	var got struct {
		Containers []struct {
			Events       []containerEvent
			Closed       bool
			Same, Thrown bool
			Written      string
		}
		Notes []string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %.2000s", err, out)
	}
	if len(want.Containers) < 20 || len(got.Containers) != len(want.Containers) {
		t.Fatalf("%d results for %d containers", len(got.Containers), len(want.Containers))
	}
	for i, w := range want.Containers {
		g := got.Containers[i]
		lost := false
		for _, e := range w.Events {
			lost = lost || e.Cause != ""
		}
		switch {
		case len(g.Events)+len(w.Events) > 0 && !reflect.DeepEqual(g.Events, w.Events) || g.Closed != w.Closed:
			t.Errorf("%s: %+v, closed %t; want %+v, %t", w.Name, g.Events, g.Closed, w.Events, w.Closed)
		case !g.Same:
			t.Errorf("%s: the sources differ", w.Name)
		case w.Writing != nil && g.Written != w.Bytes:
			t.Errorf("%s is written as %s; want %s", w.Name, g.Written, w.Bytes)
		case g.Thrown != lost:
			t.Errorf("%s: a loss is thrown: %t; want %t", w.Name, g.Thrown, lost)
		}
	}
	for i := range got.Notes {
		got.Notes[i] = strings.NewReplacer("option limit", "LIMIT", "argument limit", "LIMIT").Replace(got.Notes[i])
	}
	if !reflect.DeepEqual(got.Notes, streamNotes) {
		t.Errorf("%q\nwant %q", got.Notes, streamNotes)
	}
}

// streamFiles writes the runtime for streams and a program into a directory, and returns the input of the
// program.
func streamFiles(t *testing.T, files map[string][]byte, program string) (dir string, vectors []byte) {
	t.Helper()
	testkit.SkipInVariant(t)
	dir = t.TempDir()
	text, err := os.ReadFile(filepath.Join("testdata", program))
	if err != nil {
		t.Fatal(err)
	}
	files[program] = text
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if vectors, err = os.ReadFile(filepath.Join("..", "..", "testdata", "containers", "v1.json")); err != nil {
		t.Fatal(err)
	}
	return dir, vectors
}

func TestStreamsTypeScript(t *testing.T) {
	node, tsc := testkit.Tool(t, "node"), testkit.Tool(t, "tsc")
	dir, vectors := streamFiles(t, map[string][]byte{TypeScriptStreamsName: TypeScriptStreams()}, "streams.ts")
	compile(t, tsc, dir)
	checkStreams(t, run(t, dir, vectors, node, "streams.js"))
}

func TestStreamsPython(t *testing.T) {
	python := testkit.Tool(t, "python3")
	dir, vectors := streamFiles(t, map[string][]byte{PythonStreamsName: PythonStreams()}, "streams.py")
	checkStreams(t, run(t, dir, vectors, python, "-B", "-W", "error", "streams.py"))
}

// TestTypesPython checks the types of all generated modules, of the runtimes and of a program, by mypy and by
// pyright.
func TestTypesPython(t *testing.T) {
	mypy, pyright := testkit.Tool(t, "mypy"), testkit.Tool(t, "pyright")
	dir, _ := streamFiles(t, map[string][]byte{PythonStreamsName: PythonStreams()}, "streams.py")
	pythonTarget.prepare(t, dir, append(vectors(t), versions(t)...))
	code, err := Python(sample(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sample.py"), code, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "harness.py")); err != nil { // it has no types
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	run(t, dir, nil, mypy, append([]string{"--strict", "--no-incremental", "--cache-dir", os.DevNull}, files...)...)
	run(t, dir, nil, pyright, append([]string{"--warnings"}, files...)...)
}

// checkWrongUse checks that each line of the output of a program that uses the streams wrongly is an error that
// names the argument.
func checkWrongUse(t *testing.T, out []byte, least int) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < least {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		name, err, _ := strings.Cut(line, ": ")
		kind, text, _ := strings.Cut(err, ": ")
		clear := kind == "TypeError" || kind == "ValueError" || kind == "ContainerError"
		argument := strings.Fields(name)[0]
		if argument == "no" || argument == "writing" || argument == "asynchronous" {
			argument = "fingerprint"
		}
		if !clear || !strings.Contains(text, argument) && !strings.Contains(text, "a part of the header has a wrong length") {
			t.Errorf("%q is not an error about %s", line, argument)
		}
	}
}

func TestWrongUseTypeScript(t *testing.T) {
	node, tsc := testkit.Tool(t, "node"), testkit.Tool(t, "tsc")
	dir, _ := streamFiles(t, map[string][]byte{TypeScriptStreamsName: TypeScriptStreams()}, "wrong_use.mjs")
	compile(t, tsc, dir)
	checkWrongUse(t, run(t, dir, nil, node, "wrong_use.mjs"), 12)
}

func TestWrongUsePython(t *testing.T) {
	python := testkit.Tool(t, "python3")
	dir, _ := streamFiles(t, map[string][]byte{PythonStreamsName: PythonStreams()}, "wrong_use.py")
	checkWrongUse(t, run(t, dir, nil, python, "-B", "-W", "error", "wrong_use.py"), 11)
}
