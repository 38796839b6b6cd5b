package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hone-go/hone/cmd/hone/internal/sample"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/layout"
	"github.com/hone-go/hone/wire/schema"
)

func TestExportNames(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	t.Parallel()
	for name, want := range map[string]string{
		"./internal/sample.Page[int]": wire.Must(wire.SchemaOf[sample.Page[int]]()).Canonical(),
		"github.com/hone-go/hone/cmd/hone/internal/sample.Page[map[string]*Line]": wire.Must(wire.SchemaOf[sample.Page[map[string]*sample.Line]]()).Canonical(),
		"./internal/sample.Pages": wire.Must(wire.SchemaOf[sample.Page[sample.Line]]()).Canonical(),
		"./internal/sample.lines": wire.Must(wire.SchemaOf[[]sample.Line]()).Canonical(),
	} {
		out, stderr, code := callHone(t, "", "schema", "export", name)
		var got schema.Schema
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || got.Canonical() != want {
			t.Errorf("%s: exit %d, %v, %s\n%s", name, code, err, stderr, out)
		}
	}
	out, stderr, code := callHone(t, "", "schema", "export", "./internal/sample.Zoo")
	var zoo schema.Models
	if err := json.Unmarshal([]byte(out), &zoo); err != nil || code != 0 || len(zoo.Models) != 1 || zoo.Models[0].ID != "1" || zoo.Models[0].Schema.Canonical() != sample.Pets.Schema().Canonical() {
		t.Errorf("exit %d, %v, %s\n%s", code, err, stderr, out)
	}
	for name, message := range map[string]string{
		"./internal/sample.Text":          "hone: Text is a variable of the type string; only a type, a *wire.Codec and a *layout.Models have a schema\n",
		"./internal/sample.Size":          "hone: Size is a constant; only types and variables have a schema\n",
		"./internal/sample.Use":           "hone: Use is a function; only types and variables have a schema\n",
		"./internal/sample.Page":          "hone: Page has type parameters: add type arguments, as in Page[int]\n",
		"./internal/sample.Page[int,int]": "hone: Page has 1 type parameters, not 2\n",
		"./internal/sample.Page[Nobody]":  "hone: there is no type Nobody in package github.com/hone-go/hone/cmd/hone/internal/sample\n",
		"./internal/sample.Page[os.File]": "hone: the type arguments of github.com/hone-go/hone/cmd/hone/internal/sample must be basic types or types of the package; for other arguments, declare a type in the package\n",
		"./internal/sample.Page[":         "is not the name of a type or a variable",
	} {
		if _, stderr, code := callHone(t, "", "schema", "export", name); code == 0 || !strings.Contains(stderr, message) {
			t.Errorf("%s: exit %d, %s", name, code, stderr)
		}
	}
}

func TestEncode(t *testing.T) {
	file := schemaFile(t, wire.Must(wire.SchemaOf[sample.Line]()))
	data := wire.Must(wire.Marshal(&sample.Line{Item: 1, Count: -2}))
	if out, stderr, code := callHone(t, `{"Count": -2, "Item": 1}`, "encode", "-schema", file); out != string(data) || code != 0 {
		t.Errorf("exit %d, %s\n%q", code, stderr, out)
	}
	if out, stderr, code := callHone(t, "", "encode", "-schema", file, write(t, "x", `{"Item":1}`)); out != "" || code != 1 || !strings.Contains(stderr, `byte 0: a member is missing: "Count"`) {
		t.Errorf("exit %d, %s\n%q", code, stderr, out)
	}
	lines := "{\"Item\":0,\"Count\":0}\n{\"Item\":1,\"Count\":-1}\n"
	out, stderr, code := callHone(t, lines, "encode", "-schema", file, "-fingerprint")
	if code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	if back, stderr, code := callHone(t, out, "decode", "-schema", file, "-fingerprint"); back != lines || code != 0 {
		t.Errorf("exit %d, %s\n%q", code, stderr, back)
	}
}

func TestCheckWays(t *testing.T) {
	type v1 struct{ A int32 }
	type v2 struct{ A int64 }
	one, two := schemaFile(t, wire.Must(wire.SchemaOf[v1]())), schemaFile(t, wire.Must(wire.SchemaOf[v2]()))
	renamed := schemaFile(t, wire.Must(wire.SchemaOf[struct{ B int32 }]()))
	tagged := schemaFile(t, wire.Must(wire.SchemaOf[struct {
		B int32 `wire:",was=A"`
	}]()))
	models := func(ids ...uint8) string {
		m := wire.Must(layout.NewModels(layout.Uint8))
		for _, id := range ids {
			if err := layout.RegisterModel(m, id, sample.Pets); err != nil {
				t.Fatal(err)
			}
		}
		text, err := json.Marshal(wire.Must(m.Schema()))
		if err != nil {
			t.Fatal(err)
		}
		return write(t, "models.json", string(text))
	}
	some, more := models(1), models(1, 2)
	for _, test := range []struct {
		args   []string
		code   int
		stdout string
	}{
		{[]string{"-reader", "new", one, two}, 0, "new code reads old bytes: yes\n"},
		{[]string{"-reader", "old", one, two}, 1, "old code reads new bytes: no\n  .A is read as int32 varint and written as int64 varint: it may not fit\n"},
		{[]string{"-reader=both", two, one}, 1, "old code reads new bytes: yes\n"},
		{[]string{some, more}, 1, "new code reads old bytes: yes\nold code reads new bytes: no\n  model 2 is written and is not read: no model has this id\n"},
		{[]string{"-reader", "new", some, more}, 0, "new code reads old bytes: yes\n"},
		{[]string{some, one}, 2, ""},
		{[]string{one, renamed}, 0, "new code reads old bytes: yes\nold code reads new bytes: yes\nnote: .B stands where A was written: the tag was=A says that it is the same field\n"},
		{[]string{"-strict", one, renamed}, 1, "new code reads old bytes: yes\nold code reads new bytes: yes\nnote: .B stands where A was written: the tag was=A says that it is the same field\n"},
		{[]string{"-strict", one, tagged}, 0, "new code reads old bytes: yes\nold code reads new bytes: yes\n"},
		{[]string{one, write(t, "bad", "{}")}, 2, ""},
		{[]string{write(t, "bad", `{"version":1,"models":[],"more":1}`), one}, 2, ""},
	} {
		out, stderr, code := callHone(t, "", append([]string{"schema", "check"}, test.args...)...)
		if code != test.code || !strings.Contains(out, test.stdout) || (code == 2) != (stderr != "") {
			t.Errorf("%q: exit %d, %s\n%s", test.args, code, stderr, out)
		}
	}
}

const codecsBefore = `package telemetry

import (
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/layout"
)

type Base struct{ ID int }
type Reading struct { Base; Value int64; Note string }
type Sent struct { A int32 }
type Gone struct { A bool }
type Generic[T any] struct { V T }

var Readings = wire.Must(wire.For[Reading]())
var hidden = wire.Must(wire.For[map[string]Reading]())
var Models = wire.Must(layout.NewModels(layout.Uint8))

func init() {
	if err := layout.RegisterModel(Models, 7, Readings); err != nil { panic(err) }
}

func send(s *Sent) ([]byte, error) { return wire.Marshal(s) }
func generic() ([]byte, error) { return wire.Marshal(&Generic[Sent]{}) }
func gone() ([]byte, error) { return wire.Marshal(&Gone{}) }
func local() ([]byte, error) { type local struct{ A int }; return wire.Marshal(&local{}) }
`

// TestCheckAgainst changes a module and compares it with its previous revision.
func TestCheckAgainst(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	check := func(args ...string) (stdout, stderr string, code int) {
		t.Helper()
		cmd := exec.Command(hone, append([]string{"schema", "check"}, args...)...)
		cmd.Dir = filepath.Join(dir, "service")
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod "+goFlags)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	put("service/go.mod", "module example.org/service\n\ngo 1.26.0\n\nrequire github.com/hone-go/hone v0.0.0\n\nreplace github.com/hone-go/hone => "+root+"\n")
	put("service/internal/telemetry/telemetry.go", codecsBefore)
	put("service/main.go", "package main\n\nimport (\n\t\"fmt\"\n\n\t\"github.com/hone-go/hone/wire\"\n)\n\ntype config struct{ A uint16 }\n\nvar codec = wire.Must(wire.For[config]())\n\nfunc main() { fmt.Println(\"this is not run\", codec) }\n")
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "before")

	out, stderr, code := check("-against", "HEAD")
	const of = "example.org/service/internal/telemetry."
	same := of + "Generic[Sent]: compatible\n" + of + "Gone: compatible\n" + of + "Models: compatible\n" + of + "Reading: compatible\n" + of + "Readings: compatible\n" +
		of + "Sent: compatible\n" + of + "hidden: compatible\n" + of + "map[string]Reading: compatible\n"
	if want := "example.org/service.codec: compatible\nexample.org/service.config: compatible\n" + same; code != 0 || out != want {
		t.Errorf("exit %d, %s\n%s\nwant\n%s", code, stderr, out, want)
	}

	after := strings.NewReplacer("{ Base; Value int64;", "{ ID int; Value int64;", "Sent struct { A int32 }", "Sent struct { A int64 }", "Gone", "New", "Models, 7", "Models, 8").Replace(codecsBefore)
	put("service/internal/telemetry/telemetry.go", after)
	out, stderr, code = check("-against", "HEAD", "./internal/...")
	want := of + `Generic[Sent]: not compatible
  new code reads old bytes: yes
  old code reads new bytes: no
    .V is read as int32 varint and written as int64 varint: it may not fit
` + of + "Gone: removed\n" + of + `Models: not compatible
  new code reads old bytes: no
    model 7 is written and is not read: no model has this id
  old code reads new bytes: no
    model 8 is written and is not read: no model has this id
` + of + "New: new\n" + of + "Reading: compatible\n" + of + "Readings: compatible\n" + of + `Sent: not compatible
  new code reads old bytes: yes
  old code reads new bytes: no
    .A is read as int32 varint and written as int64 varint: it may not fit
` + of + "hidden: compatible\n" + of + "map[string]Reading: compatible\n"
	if code != 1 || out != want {
		t.Errorf("exit %d, %s\n%s\nwant\n%s", code, stderr, out, want)
	}

	put("service/internal/telemetry/telemetry.go", "package telemetry\n\nvar x int = \"\"\n")
	if out, stderr, code := check("-against", "HEAD"); code != 2 || out != "" || !strings.Contains(stderr, "telemetry.go:3") {
		t.Errorf("what does not compile: exit %d, %s\n%s", code, stderr, out)
	}
}
