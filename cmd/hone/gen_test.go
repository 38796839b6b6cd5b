package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGen(t *testing.T) {
	const file = "../../wire/schema/gen/testdata/sample.json"
	dir := t.TempDir()
	ts, python := filepath.Join(dir, "order.ts"), filepath.Join(dir, "order.py")
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
		{"gen -ts -o " + filepath.Join(dir, "hone-wire.ts") + " " + file, "", 2, "", "is the file of the runtime"},
		{"gen -ts -runtime " + file, "", 2, "", "-runtime takes neither -o nor SCHEMA"},
		{"gen " + file, "", 2, "", "exactly one of -ts and -python is required"},
		{"gen -ts -python " + file, "", 2, "", "exactly one of -ts and -python"},
		{"gen -ts", "", 2, "", "SCHEMA is missing"},
		{"gen -h", "", 0, "hone gen -python -o app/user.py user.json", ""},
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

// TestPrintEvolving prints a schema with fields that have changed.
func TestPrintEvolving(t *testing.T) {
	const text = `{"version":1,"type":{"kind":"struct","evolving":true,"unknown":"Rest","fields":[` +
		`{"name":"A","was":["B","C"],"type":{"kind":"bool"}},` +
		`{"name":"Old","removed":"00","type":{"kind":"int","bits":16,"coding":"varint"}},` +
		`{"name":"R","type":{"kind":"raw","length":"uvarint","elem":{"kind":"bool"}}}]}}`
	var out, errs bytes.Buffer
	code := run([]string{"schema", "print", "-"}, strings.NewReader(text), &out, &errs)
	for _, want := range []string{"A (was B, C)", "Old (removed)", "raw bool", "Rest", "what newer versions have added"} {
		if code != 0 || !strings.Contains(out.String(), want) {
			t.Errorf("code %d, no %q in\n%s%s", code, want, &out, &errs)
		}
	}
}
