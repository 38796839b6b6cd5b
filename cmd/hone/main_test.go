package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/cmd/hone/internal/sample"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

// hone is the path of the command, which TestMain builds.
var hone string

// goFlags are flags of the go command for all tests. Building a small program consists mostly of
// linking, which takes half as long without the symbol table.
const goFlags = "-ldflags=-s"

func TestMain(m *testing.M) {
	environment := map[string]string{"GOFLAGS": strings.TrimSpace(os.Getenv("GOFLAGS") + " " + goFlags)}
	if os.Getenv("GOGC") == "" {
		environment["GOGC"] = "400" // compilers, linkers and hone collect garbage less often
	}
	for name, value := range environment {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "hone-test-*")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		hone = filepath.Join(dir, "hone.exe")
		if out, err := exec.Command("go", "build", "-o", hone, ".").CombinedOutput(); err != nil {
			panic(err.Error() + "\n" + string(out))
		}
		return m.Run()
	}())
}

// callHone runs the command.
func callHone(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return callCommand(t, exec.Command(hone, args...), stdin)
}

func callCommand(t *testing.T, cmd *exec.Cmd, stdin string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func schemaFile(t *testing.T, s *schema.Schema) string {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, "schema.json", string(data))
}

func TestDecode(t *testing.T) {
	v := sample.Line{Item: 1, Count: -2}
	data, err := wire.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	file := schemaFile(t, wire.Must(wire.SchemaOf[sample.Line]()))
	out, stderr, code := callHone(t, "", "decode", "-schema", file, write(t, "line", string(data)))
	if out != "{\"Item\":1,\"Count\":-2}\n" || code != 0 {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
	if out, stderr, code := callHone(t, string(data[:1]), "decode", "-schema", file); code != 1 || !strings.Contains(stderr, "-: byte 1: .Count") || out != "" {
		t.Errorf("half a value: exit %d, %s\n%s", code, stderr, out)
	}
	if _, stderr, code := callHone(t, string(data)+"x", "decode", "-schema", file, "-"); code != 1 || !strings.Contains(stderr, "after the end") {
		t.Errorf("a byte too many: exit %d, %s", code, stderr)
	}
}

func TestDecodeStream(t *testing.T) {
	var b bytes.Buffer
	e := wire.NewEncoder(&b)
	s := wire.Must(wire.SchemaOf[sample.Line]())
	if err := e.Fingerprint(s.Fingerprint()); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := e.Encode(&sample.Line{Item: i, Count: -i}); err != nil {
			t.Fatal(err)
		}
	}
	schema := schemaFile(t, s)
	out, stderr, code := callHone(t, b.String(), "decode", "-schema", schema, "-fingerprint")
	want := "{\"Item\":0,\"Count\":0}\n{\"Item\":1,\"Count\":-1}\n{\"Item\":2,\"Count\":-2}\n"
	if out != want || code != 0 {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
	if out, stderr, code := callHone(t, b.String()[8:], "decode", "-stream", "-schema", schema); out != want || code != 0 {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
	other := schemaFile(t, wire.Must(wire.SchemaOf[sample.Config]()))
	if _, stderr, code := callHone(t, b.String(), "decode", "-schema", other, "-fingerprint"); code != 1 || !strings.Contains(stderr, "fingerprint") {
		t.Errorf("another schema: exit %d, %s", code, stderr)
	}
	if out, stderr, code := callHone(t, b.String()[8:b.Len()-1], "decode", "-stream", "-schema", schema); code != 1 || !strings.Contains(stderr, "record 2") {
		t.Errorf("half a record: exit %d, %s\n%s", code, stderr, out)
	}
}

func TestDecodeLayout(t *testing.T) {
	p := sample.Pet{Name: "cat", Born: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), Legs: []uint16{1, 256}}
	data, err := sample.Pets.Append(nil, &p)
	if err != nil {
		t.Fatal(err)
	}
	out, stderr, code := callHone(t, string(data), "decode", "-schema", schemaFile(t, sample.Pets.Schema()))
	if want := `{"Name":"cat","Born":"2020-01-02T03:04:05Z[UTC]","Legs":[1,256]}` + "\n"; out != want || code != 0 {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]*schema.Schema{
		"./internal/sample.Order":                               wire.Must(wire.SchemaOf[sample.Order]()),
		"github.com/hone-go/hone/cmd/hone/internal/sample.Pets": sample.Pets.Schema(),
	} {
		out, stderr, code := callHone(t, "", "schema", "export", name)
		var got schema.Schema
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || got.Canonical() != want.Canonical() {
			t.Errorf("%s: exit %d, %v, %s\n%s", name, code, err, stderr, out)
		}
	}
	for name, message := range map[string]string{
		"./internal/sample.Nobody": "no type and no variable Nobody",
		"./internal/sample.order":  "no type and no variable order",
		"./nowhere.Type":           "nowhere",
		"..Order":                  "",
		"fmt.Stringer":             "not part of a module",
	} {
		if _, stderr, code := callHone(t, "", "schema", "export", name); code == 0 || !strings.Contains(stderr, message) {
			t.Errorf("%s: exit %d, %s", name, code, stderr)
		}
	}
	if entries, err := os.ReadDir("internal/sample"); err != nil || len(entries) != 1 {
		t.Errorf("something is left behind: %v, %v", entries, err)
	}
}

func TestCheck(t *testing.T) {
	type v1 struct {
		A int32
		B string
	}
	type v2 struct {
		A int64
		B []byte
	}
	one, two := schemaFile(t, wire.Must(wire.SchemaOf[v1]())), schemaFile(t, wire.Must(wire.SchemaOf[v2]()))
	if out, stderr, code := callHone(t, "", "schema", "check", one, one); code != 0 || out != "new code reads old bytes: yes\nold code reads new bytes: yes\n" {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
	out, stderr, code := callHone(t, "", "schema", "check", one, two)
	if want := "new code reads old bytes: yes\nold code reads new bytes: no\n  .A is read as int32 varint and written as int64 varint: it may not fit\n"; code != 1 || out != want {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
}

func TestPrint(t *testing.T) {
	out, stderr, code := callHone(t, "", "schema", "print", schemaFile(t, sample.Pets.Schema()))
	for _, line := range []string{"Legs []uint16 length i16be, 2 bytes, big end first", "fingerprint " + sample.Pets.Schema().Fingerprint().String()} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), line) {
			t.Errorf("%q is not in\n%s", line, out)
		}
	}
	if code != 0 {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{nil, 2, "", "usage:"},
		{[]string{"help"}, 0, "usage:", ""},
		{[]string{"--help"}, 0, "usage:", ""},
		{[]string{"help", "decode"}, 0, "-schema", ""},
		{[]string{"schema", "check", "-h"}, 0, "The exit code is 0", ""},
		{[]string{"schema"}, 2, "", "hone schema check ["},
		{[]string{"schema", "-h"}, 0, "hone schema check [", ""},
		{[]string{"help", "schema"}, 0, "hone schema export PACKAGE.NAME", ""},
		{[]string{"schema", "chek", "a"}, 2, "", `unknown command "schema chek"`},
		{[]string{"version"}, 0, "hone ", ""},
		{[]string{"-version"}, 0, "hone ", ""},
		{[]string{"--version"}, 0, "hone ", ""},
		{[]string{"gen", "-ruby"}, 2, "", "unknown flag -ruby; the flags are -help, -all, -check, -go, "},
		{[]string{"try", "-count", "x"}, 2, "", `invalid value "x" for flag -count`},
		{[]string{"try", "-count"}, 2, "", "flag needs an argument: -count (hone try -h prints the help)"},
		{[]string{"decode", "nowhere", "-stream"}, 2, "", "use -schema to name the file"},
		{[]string{"completion", "bash"}, 0, "complete", ""},
		{[]string{"completion", "zsh"}, 0, "#compdef hone", ""},
		{[]string{"completion", "fish"}, 0, "complete", ""},
		{[]string{"completion", "tcsh"}, 2, "", "bash, zsh, fish or pwsh"},
		{[]string{"completion"}, 2, "", "bash, zsh, fish or pwsh"},
		{[]string{"schema", "--generate-shell-completion"}, 0, "check:report whether", ""},
		{[]string{"try", "-pro", "--generate-shell-completion"}, 0, "--profile:", ""},
		{[]string{"version", "x"}, 2, "", `unexpected argument "x"`},
		{[]string{"decode", "-schema", "x", "-h"}, 0, "flags:", ""},
		{[]string{"encode", "x"}, 2, "", "use -schema to name the file"},
		{[]string{"paint"}, 2, "", `unknown command "paint"`},
		{[]string{"schema", "check", "one"}, 2, "", "two files are required, OLD and NEW, not 1"},
		{[]string{"schema", "check", "-reader", "me", "a", "b"}, 2, "", "-reader must be new, old or both"},
		{[]string{"schema", "check", "nowhere.json", "b"}, 2, "", "nowhere.json"},
		{[]string{"schema", "check", "-against", "no-such-revision"}, 2, "", "no-such-revision"},
		{[]string{"schema", "print", "a", "b"}, 2, "", `unexpected argument "b"`},
		{[]string{"schema", "print", "nowhere.json"}, 2, "", "nowhere.json"},
		{[]string{"decode", "main.go"}, 2, "", "use -schema to name the file"},
		{[]string{"decode", "-stream", "main.go"}, 2, "", "use -schema to name the file"},
		{[]string{"decode", "-colour"}, 2, "", "-colour"},
		{[]string{"schema", "export", "nothing"}, 2, "", "does not have the form PACKAGE.NAME"},
	} {
		stdout, stderr, code := callHone(t, "", test.args...)
		if code != test.code || !strings.Contains(stdout, test.stdout) || !strings.Contains(stderr, test.stderr) {
			t.Errorf("%q: exit %d\n%s\n%s", test.args, code, stdout, stderr)
		}
		if strings.Contains(stderr, "hone: ") && strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: the error has more than one line:\n%s", test.args, stderr)
		}
	}
	for _, bad := range []string{"", "{}", `{"version":2}`, `{"version":1,"type":{"kind":"ref","name":"x"}}`, `{"version":1,"type":{"kind":"int"}}`,
		`{"version":1,"type":{"kind":"bool"}} x`, `{"version":1,"type":{"kind":"bool"},"more":1}`} {
		if _, stderr, code := callHone(t, bad, "schema", "print", "-"); code != 1 || stderr == "" {
			t.Errorf("%s is taken for a schema: exit %d, %s", bad, code, stderr)
		}
	}
}
