package gen

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire/schema"
)

// A question is an encoding that programs in other languages read by a schema.
type question struct {
	name   string
	schema *schema.Schema
	bytes  []byte
	expect expectation
}

// An expectation is the expected result: a value, or a failure with its reason.
type expectation struct {
	bytes []byte
	json  []byte
	fails bool
	why   string // "" for any reason
	loose bool   // any value is correct
}

// An answer is the result of a program in another language.
type answer struct {
	JSON    string
	Bytes   string
	Reason  string
	Offset  *int
	Path    string
	Message string
}

// complete returns the result that a generated reader must produce for the encoding data.
func complete(t *testing.T, s *schema.Schema, data []byte) expectation {
	t.Helper()
	v, err := s.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	var out expectation
	whole := completer{schema: s}
	if out.bytes, err = s.Encode(nil, whole.value(s.Type, v)); err != nil {
		t.Fatal(err)
	}
	whole.inRaw = true
	within, err := s.Encode(nil, whole.value(s.Type, v))
	if err != nil {
		t.Fatal(err)
	}
	if out.json, err = s.AppendJSON(nil, within); err != nil {
		t.Fatal(err)
	}
	return out
}

func load(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// vectors returns the vectors for other implementations, in wire/testdata/golden/v1.
func vectors(t *testing.T) (all []question) {
	for _, name := range []string{"values.json", "layouts.json"} {
		var file struct {
			Values, Invalid []struct {
				Name   string
				Schema *schema.Schema
				Bytes  string
				Cause  string
			}
		}
		load(t, "golden/v1/"+name, &file)
		for _, v := range file.Values {
			q := question{name: v.Name, schema: v.Schema, bytes: unhex(t, v.Bytes)}
			q.expect = complete(t, v.Schema, q.bytes)
			all = append(all, q)
		}
		for _, v := range file.Invalid {
			all = append(all, question{v.Name, v.Schema, unhex(t, v.Bytes), expectation{fails: true, why: v.Cause}})
		}
	}
	return all
}

// versions returns all pairs of versions of a struct, in wire/testdata/versions.
func versions(t *testing.T) (all []question) {
	type values []struct {
		Bytes string
		Fails bool
	}
	var file struct {
		Versions []struct {
			Name   string
			Schema *schema.Schema
			Values values
		}
		Reads []struct {
			Reader, Writer string
			Problems       []string
			Values         values
		}
	}
	load(t, "versions/v1.json", &file)
	schemas, written := map[string]*schema.Schema{}, map[string]values{}
	for _, v := range file.Versions {
		schemas[v.Name], written[v.Name] = v.Schema, v.Values
	}
	for _, r := range file.Reads {
		if problems := schemas[r.Reader].Reads(schemas[r.Writer]); (problems == nil) != (r.Problems == nil) {
			t.Errorf("%s of %s: %v", r.Reader, r.Writer, problems)
		}
		for k, v := range r.Values {
			q := question{name: fmt.Sprintf("%s of %s, value %d", r.Reader, r.Writer, k), schema: schemas[r.Reader], bytes: unhex(t, written[r.Writer][k].Bytes)}
			switch {
			case v.Fails:
				q.expect.fails = true
			case r.Problems != nil:
				q.expect.loose = true
			default:
				q.expect = complete(t, q.schema, q.bytes)
				if want := unhex(t, v.Bytes); !bytes.Equal(q.expect.bytes, want) {
					t.Errorf("%s: %x; Go writes %x", q.name, q.expect.bytes, want)
				}
			}
			all = append(all, q)
		}
	}
	return all
}

// check compares the answers with the expectations of the questions.
func check(t *testing.T, all []question, answers []answer) {
	t.Helper()
	if len(answers) != len(all) {
		t.Fatalf("%d answers to %d questions", len(answers), len(all))
	}
	for i, q := range all {
		got := answers[i]
		switch {
		case q.expect.fails && (got.Reason == "" || q.expect.why != "" && got.Reason != q.expect.why || got.Offset == nil || *got.Offset > len(q.bytes) || got.Message == ""):
			t.Errorf("%s: %x gives %+v; want the reason %q", q.name, q.bytes, got, q.expect.why)
		case q.expect.fails:
		case got.Reason != "":
			t.Errorf("%s: %x: %s: %s", q.name, q.bytes, got.Reason, got.Message)
		case q.expect.loose:
		case got.Bytes != hex.EncodeToString(q.expect.bytes):
			t.Errorf("%s: %x is written as %s; want %x", q.name, q.bytes, got.Bytes, q.expect.bytes)
		case !sameJSON(t, got.JSON, string(q.expect.json)):
			t.Errorf("%s: %x is %s; want %s", q.name, q.bytes, got.JSON, q.expect.json)
		}
	}
}

// sameJSON compares two texts as values, with numbers as floats.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	values := [2]any{}
	for i, text := range []string{a, b} {
		if err := json.Unmarshal([]byte(text), &values[i]); err != nil {
			t.Errorf("%s: %v", text, err)
			return false
		}
	}
	return equal(values[0], values[1])
}

func equal(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		// The other program prints a float32 as an exact float64. The vector has the fewest digits
		// that identify the float32.
		return ok && (math.Float64bits(a) == math.Float64bits(b) || a == float64(float32(b)))
	case []any:
		b, ok := b.([]any)
		for i := 0; ok && i < len(a); i++ {
			ok = len(a) == len(b) && equal(a[i], b[i])
		}
		return ok && len(a) == len(b)
	case map[string]any:
		b, ok := b.(map[string]any)
		for k := range a {
			_, there := b[k]
			ok = ok && there && equal(a[k], b[k])
		}
		return ok && len(a) == len(b)
	}
	return reflect.DeepEqual(a, b)
}

// A target is one of the languages for which the generated code is tested.
type target struct {
	suffix      string
	generate    func(*schema.Schema) ([]byte, error)
	language    *language
	runtime     []byte
	runtimeName string
	harness     string
}

var (
	typeScriptTarget = target{".ts", TypeScript, typeScript, typeScriptRuntime, TypeScriptRuntimeName, "harness.ts"}
	pythonTarget     = target{".py", Python, python, pythonRuntime, PythonRuntimeName, "harness.py"}
)

// prepare writes the modules of all schemas into a directory, with the harness, and returns the
// input of the harness.
func (l *target) prepare(t *testing.T, dir string, all []question) []byte {
	t.Helper()
	type line struct {
		Module string `json:"module"`
		Root   string `json:"root"`
		Bytes  string `json:"bytes"`
	}
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(l.runtimeName, l.runtime)
	harness, err := os.ReadFile(filepath.Join("testdata", l.harness))
	if err != nil {
		t.Fatal(err)
	}
	write(l.harness, harness)
	modules := map[string]line{} // lines by the generated code
	var asked []line
	for _, q := range all {
		code, err := l.generate(q.schema)
		if err != nil {
			t.Fatalf("%s: %v", q.name, err)
		}
		one, known := modules[string(code)]
		if !known {
			m, err := newModule(q.schema, l.language, nil)
			if err != nil {
				t.Fatal(err)
			}
			one = line{Module: fmt.Sprintf("m%d", len(modules)), Root: m.root.name}
			modules[string(code)] = one
			write(one.Module+l.suffix, code)
		}
		one.Bytes = hex.EncodeToString(q.bytes)
		asked = append(asked, one)
	}
	text, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// programTime bounds the time of a program that a test starts.
const programTime = 3 * time.Minute

// run starts a program in dir and returns its output.
func run(t *testing.T, dir string, stdin []byte, name string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), programTime)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Stdin = dir, bytes.NewReader(stdin)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%.4000s%.4000s", name, err, out, stderr.Bytes())
	}
	return out
}

// strict has the compiler flags for generated modules.
var strict = []string{
	"--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--noImplicitOverride", "--noImplicitReturns", "--noUnusedLocals", "--noUnusedParameters",
	"--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext",
}

// compile compiles the files in dir to modules for Node.
func compile(t *testing.T, tsc, dir string) {
	t.Helper()
	// The harness uses only these names of Node.
	declarations := "declare module \"node:fs\" { export function readFileSync(fd: number, encoding: string): string; }\n" +
		"declare const Buffer: { from(data: Uint8Array | string, encoding?: string): Uint8Array & { toString(encoding: string): string } };\n"
	for name, text := range map[string]string{"package.json": `{"type":"module"}`, "node.d.ts": declarations} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.ts"))
	if err != nil {
		t.Fatal(err)
	}
	run(t, dir, nil, tsc, append(append([]string{}, strict...), files...)...)
}

func (l *target) ask(t *testing.T, all []question) []answer {
	t.Helper()
	testkit.SkipInVariant(t)
	dir := t.TempDir()
	var out []byte
	if l.suffix == ".ts" {
		node, tsc := testkit.Tool(t, "node"), testkit.Tool(t, "tsc")
		asked := l.prepare(t, dir, all)
		compile(t, tsc, dir)
		out = run(t, dir, asked, node, "harness.js")
	} else {
		python := testkit.Tool(t, "python3")
		out = run(t, dir, l.prepare(t, dir, all), python, "-B", "harness.py")
	}
	var answers []answer
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatalf("%v: %.2000s", err, out)
	}
	return answers
}

func TestVectorsTypeScript(t *testing.T) {
	all := append(vectors(t), versions(t)...)
	check(t, all, typeScriptTarget.ask(t, all))
}

func TestVectorsPython(t *testing.T) {
	all := append(vectors(t), versions(t)...)
	check(t, all, pythonTarget.ask(t, all))
}
