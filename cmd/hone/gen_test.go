package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hone-go/hone/cmd/hone/internal/sample"
	"github.com/hone-go/hone/wire"
)

func TestGen(t *testing.T) {
	const file = "../../wire/schema/gen/testdata/sample.json"
	dir := t.TempDir()
	ts, python := filepath.Join(dir, "order.ts"), filepath.Join(dir, "order.py")
	names := filepath.Join(dir, "names.json")
	if err := os.WriteFile(names, []byte(`{"Order.ID": "order_number"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   string
		stdin  string
		code   int
		stdout string
		stderr string
	}{
		{"gen -ts " + file, "", 0, "export interface Order {", ""},
		{"gen -python " + file, "", 0, "class Order:", ""},
		{"gen -ts -o " + ts + " " + file, "", 0, "", ""},
		{"gen -python -o " + python + " " + file, "", 0, "", ""},
		{"gen -ts -runtime", "", 0, "export abstract class Codec<T>", ""},
		{"gen -python -runtime", "", 0, "class Codec(ABC, Generic[T]):", ""},
		{"gen -python -", `{"version":1,"type":{"kind":"bool"}}`, 0, "def decode(data: bytes) -> Value:", ""},
		{"gen -ts -", `{"version":1,"type":{"kind":"bol"}}`, 1, "", `unknown kind "bol"`},
		{"gen -ts -", `{"version":1,"type":{"kind":"bigint","length":"u8"}}`, 1, "", "only uvarint is supported"},
		{"gen -ts -o " + filepath.Join(dir, "hone-wire.ts") + " " + file, "", 2, "", "would overwrite the runtime file"},
		{"gen -ts -names " + names + " " + file, "", 0, "order_number: bigint;", ""},
		{"gen -python -names " + names + " " + file, "", 0, "order_number: int", ""},
		{"gen -ts -names missing.json " + file, "", 2, "", "-names: "},
		{"gen -ts -runtime " + file, "", 2, "", "-runtime cannot be combined with -o, -package or SCHEMA"},
		{"gen " + file, "", 2, "", "exactly one of -ts, -python and -go is required"},
		{"gen -ts -python " + file, "", 2, "", "exactly one of -ts, -python and -go"},
		{"gen -ts", "", 2, "", "SCHEMA is required; hone"},
		{"gen -h", "", 0, "hone gen -ts -o src/user.ts user.json", ""},
	} {
		var out, errs bytes.Buffer
		code := run(strings.Fields(test.args), strings.NewReader(test.stdin), &out, &errs)
		if code != test.code || !strings.Contains(out.String(), test.stdout) || !strings.Contains(errs.String(), test.stderr) {
			t.Errorf("hone %s: code %d\n%.300s\n%s", test.args, code, &out, &errs)
		}
	}
	for name, want := range map[string]string{ts: "hone-wire.js", python: "hone_wire", filepath.Join(dir, "hone-wire.ts"): "class Reader", filepath.Join(dir, "hone_wire.py"): "class Reader"} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %.100s, %v", name, text, err)
		}
	}
}

// TestPrintEvolving prints the schema of an evolving struct with renamed and removed fields.
func TestPrintEvolving(t *testing.T) {
	const text = `{"version":1,"type":{"kind":"struct","evolving":true,"unknown":"Rest","fields":[` +
		`{"name":"A","was":["B","C"],"type":{"kind":"bool"}},` +
		`{"name":"Old","removed":"00","type":{"kind":"int","bits":16,"coding":"varint"}},` +
		`{"name":"R","type":{"kind":"raw","length":"uvarint","elem":{"kind":"bool"}}}]}}`
	var out, errs bytes.Buffer
	code := run([]string{"schema", "print", "-"}, strings.NewReader(text), &out, &errs)
	for _, want := range []string{"A (was B, C)", "Old (removed)", "raw bool", "Rest", "fields that newer versions have added"} {
		if code != 0 || !strings.Contains(out.String(), want) {
			t.Errorf("code %d, no %q in\n%s%s", code, want, &out, &errs)
		}
	}
}

// TestGenPackage writes packages, and the runtime for streams.
func TestGenPackage(t *testing.T) {
	file := schemaFile(t, wire.Must(wire.SchemaOf[sample.Line]()))
	dir := t.TempDir()
	for _, test := range []struct {
		args  []string
		files []string
	}{
		{[]string{"-ts", "-package", "@example/line", "-o", dir + "/npm", file}, []string{"npm/package.json", "npm/tsconfig.json", "npm/src/index.ts", "npm/src/hone-wire.ts", "npm/src/hone-stream.ts"}},
		{[]string{"-python", "-package", "line", "-o", dir + "/py", file}, []string{"py/pyproject.toml", "py/src/line/__init__.py", "py/src/line/py.typed", "py/src/line/hone_wire.py", "py/src/line/hone_stream.py"}},
		{[]string{"-ts", "-streams", "-o", dir + "/line.ts", file}, []string{"line.ts", "hone-wire.ts", "hone-stream.ts"}},
	} {
		if out, stderr, code := callHone(t, "", append([]string{"gen"}, test.args...)...); code != 0 || out != "" {
			t.Errorf("%q: exit %d, %s\n%s", test.args, code, stderr, out)
		}
		for _, name := range test.files {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Error(err)
			}
		}
	}
	for _, test := range []struct {
		args   []string
		stderr string
	}{
		{[]string{"-ts", "-package", "Line", "-o", dir, file}, "is not an npm package name"},
		{[]string{"-ts", "-package", "line", file}, "use -o to name the file to write"},
		{[]string{"-ts", "-streams", file}, "use -o to name the file to write"},
		{[]string{"-ts", "-streams", "-package", "line", "-o", dir, file}, "-streams cannot be combined with -package, which includes it"},
		{[]string{"-ts", "-o", dir + "/hone-stream.ts", file}, "choose another name"},
	} {
		if _, stderr, code := callHone(t, "", append([]string{"gen"}, test.args...)...); code == 0 || !strings.Contains(stderr, test.stderr) {
			t.Errorf("%q: exit %d, %s", test.args, code, stderr)
		}
	}
}
