package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
)

// migrateFiles is a module with a test that prints the differences between the packages.
var migrateFiles = map[string]string{
	"go.mod": "module example.com/app\n\ngo 1.26.0\n",
	"app.go": "package app\n\nimport \"encoding/json\"\n\n// Text is JSON.\nfunc Text(v any) ([]byte, error) { return json.Marshal(v) }\n",
	"app_test.go": `package app

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestText(t *testing.T) {
	if b, err := Text(1); string(b) != "1" || err != nil {
		t.Error(b, err)
	}
}

var decoder = reflect.TypeFor[json.Decoder]().PkgPath()
`,
}

// migrateDir writes a module and makes it the current folder of runs.
func migrateDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := moduleDir(t, files)
	t.Setenv("GOWORK", "off")
	t.Chdir(dir)
	return dir
}

// moduleDir writes a module.
func moduleDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func checkout(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestMigrate(t *testing.T) {
	testkit.SkipInVariant(t)
	here := checkout(t)
	dir := migrateDir(t, migrateFiles)
	out, stderr, code := callHone(t, "", "migrate", "-hone", here, "./...")
	if code != 0 || !strings.Contains(out, "+++ b/app.go") || !strings.Contains(out, "2 imports in 2 files would change") || !strings.Contains(stderr, "hone: checking") {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "app.go")); err != nil || string(data) != migrateFiles["app.go"] {
		t.Errorf("looking has changed app.go: %s, %v", data, err)
	}
	out, stderr, code = callHone(t, "", "migrate", "-q", "-w", "-hone", here, "-test", "-json", "report.json")
	if code != 0 || !strings.Contains(out, "no test differs") || !strings.Contains(out, "2 imports in 2 files changed") || stderr != "" {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
	var report struct {
		Files   []struct{ Name string }
		Written bool
		Tests   struct {
			Before, After struct{ Pass int }
		}
	}
	data, err := os.ReadFile("report.json")
	if err == nil {
		err = json.Unmarshal(data, &report)
	}
	if err != nil || len(report.Files) != 2 || !report.Written || report.Tests.Before.Pass != 1 || report.Tests.After.Pass != 1 {
		t.Errorf("%v\n%s", err, data)
	}
	if out, _, code = callHone(t, "", "migrate", "-w"); code != 0 || out != "nothing to do\n" {
		t.Errorf("a second run: exit %d\n%s", code, out)
	}
	if out, stderr, code = callHone(t, "", "migrate", "-w", "-revert", "-json", "-"); code != 0 || !json.Valid([]byte(out)) {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
	for name, text := range migrateFiles {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != text {
			t.Errorf("after a revert %s is\n%s%v", name, data, err)
		}
	}
}

// If -revert cannot use the record, the exit code is 2, and the message has the path of the record and advice.
func TestMigrateRevertUnusable(t *testing.T) {
	const record = ".hone-migrate.json"
	for name, text := range map[string]string{
		"truncated":   `{"version": 1, "files": [{"na`,
		"not JSON":    "<<<<<<< HEAD\n",
		"version 2":   `{"version": 2, "files": []}`,
		"other files": `{"version": 1, "files": [{"name": "other.go", "before": "a", "after": "b"}]}`,
		"missing":     "",
	} {
		files := map[string]string{
			"go.mod": "module example.com/app\n\ngo 1.26.0\n\nrequire github.com/hone-go/hone v0.0.0\n\nreplace github.com/hone-go/hone => " + checkout(t) + "\n",
			"app.go": "package app\n\nimport \"github.com/hone-go/hone/json\"\n\nvar _, _ = json.Marshal(undefined)\n",
		}
		if text != "" {
			files[record] = text
		}
		dir := migrateDir(t, files)
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			t.Fatal(err)
		}
		out, stderr, code := callHone(t, "", "migrate", "-w", "-revert", "-q")
		if code != 2 || out != "" || !strings.Contains(stderr, "the record "+filepath.Join(real, record)) || !strings.Contains(stderr, "git restore") {
			t.Errorf("%s: exit %d, %s\n%s", name, code, stderr, out)
		}
		for name, text := range files {
			if data, err := os.ReadFile(name); err != nil || string(data) != text {
				t.Errorf("%s has changed: %v\n%s", name, err, data)
			}
		}
	}
}

// If a test differs, the exit code is 1 and nothing is written.
func TestMigrateDiffers(t *testing.T) {
	testkit.SkipInVariant(t)
	here := checkout(t)
	files := map[string]string{}
	for name, text := range migrateFiles {
		files[name] = text
	}
	files["differs_test.go"] = "package app\n\nimport \"testing\"\n\nfunc TestDecoder(t *testing.T) {\n\tif decoder != \"encoding/json\" {\n\t\tt.Error(decoder)\n\t}\n}\n"
	dir := migrateDir(t, files)
	out, stderr, code := callHone(t, "", "migrate", "-w", "-hone", here, "-test")
	if code != 1 || !strings.Contains(out, "TestDecoder: pass before, fail after") || !strings.Contains(out, "would change\n") || !strings.HasSuffix(out, "nothing was written, because 1 test differs: -w without -test writes the change\n") || !strings.Contains(out, "1 test differs") {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "app.go")); err != nil || string(data) != files["app.go"] {
		t.Errorf("it was written: %s, %v", data, err)
	}
}

func TestMigrateErrors(t *testing.T) {
	here := checkout(t)
	migrateDir(t, migrateFiles)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-only", "xml"}, "-only xml: not one of the symbols"},
		{[]string{"-only", "mo=shadow"}, "only json and json/v2 have a shadow package"},
		{[]string{"-skip", "json=shadow"}, "-skip json=shadow: not one of the symbols"},
		{[]string{"-revert", "-only", "json=shadow"}, "write -only json"},
		{[]string{"-skip", ""}, "-skip has an empty value"},
		{[]string{"-skip", "[.go"}, "not a pattern of file names"},
		{[]string{"./nowhere"}, "no Go file of the module matches ./nowhere"},
		{[]string{"../..."}, "outside of module example.com/app"},
		{[]string{"-bench", "."}, "hone try -bench compares benchmarks"},
		{[]string{"-revert", "-deps", "example.com/x"}, "-revert removes all copies"},
		{[]string{"-hone", "./nowhere"}, "there is no checkout"},
		{[]string{"-hone", here + "/cmd/hone"}, "there is no checkout"},
		{[]string{"-nothing"}, "unknown flag -nothing"},
	} {
		out, stderr, code := callHone(t, "", append([]string{"migrate"}, c.args...)...)
		if code != 2 || !strings.Contains(stderr, c.want) || out != "" {
			t.Errorf("%q: exit %d, %s\n%s", c.args, code, stderr, out)
		}
	}
	t.Setenv("GOPROXY", "off")
	if _, stderr, code := callHone(t, "", "migrate"); code != 2 || !strings.Contains(stderr, "use -hone to select another version") {
		t.Errorf("no module: exit %d, %s", code, stderr)
	}
	t.Chdir(t.TempDir())
	if _, stderr, code := callHone(t, "", "migrate"); code != 2 || !strings.Contains(stderr, "no go.mod here or above") {
		t.Errorf("no module: exit %d, %s", code, stderr)
	}
}

// An interrupt ends the run and leaves no temporary folder.
func TestMigrateInterrupted(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	testkit.SkipInVariant(t)
	t.Parallel()
	here := checkout(t)
	files := map[string]string{}
	for name, text := range migrateFiles {
		files[name] = text
	}
	files["slow_test.go"] = "package app\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestSlow(t *testing.T) { time.Sleep(time.Minute) }\n"
	dir := moduleDir(t, files)
	tmp := t.TempDir()
	cmd := exec.Command(hone, "migrate", "-hone", here, "-test")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "TMPDIR="+tmp)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 600 {
		if found, _ := filepath.Glob(filepath.Join(tmp, "hone-migrate-*", "try", "b", "go.mod")); len(found) > 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	time.Sleep(time.Second)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Skip(err)
	}
	start := time.Now()
	err := cmd.Wait()
	if err == nil || cmd.ProcessState.ExitCode() != 2 || time.Since(start) > 50*time.Second { // TestSlow takes a minute
		t.Errorf("%v after %v\n%s", err, time.Since(start), stderr.String())
	}
	if left, _ := filepath.Glob(filepath.Join(tmp, "hone-migrate-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// The flag -from go-json-experiment moves imports, and changes tags. -revert restores every byte.
func TestMigrateFromExperiment(t *testing.T) {
	testkit.SkipInVariant(t)
	here := checkout(t)
	before := map[string]string{
		"go.mod":  "module example.com/app\n\ngo 1.26.0\n\nrequire github.com/go-json-experiment/json v0.0.0\n\nreplace github.com/go-json-experiment/json => ./json\n",
		"app.go":  "package app\n\nimport (\n\t\"github.com/go-json-experiment/json\"\n\t\"github.com/go-json-experiment/json/jsontext\"\n)\n\nfunc Text(v any) (jsontext.Value, error) { return json.Marshal(v) }\n",
		"type.go": "package app\n\ntype T struct {\n\tA string         `json:\"a\"`\n\tR map[string]any `json:\",unknown\"`\n\tD []byte         `json:\"d,format:hex\"`\n}\n",
		// A package that does not import the library keeps its tags.
		"other/type.go":             "package other\n\ntype T struct {\n\tR map[string]any `json:\",inline\"`\n}\n",
		"json/go.mod":               "module github.com/go-json-experiment/json\n\ngo 1.26.0\n",
		"json/json.go":              "package json\n\nfunc Marshal(any) ([]byte, error) { return nil, nil }\n",
		"json/jsontext/jsontext.go": "package jsontext\n\ntype Value []byte\n",
	}
	migrateDir(t, before)
	out, stderr, code := callHone(t, "", "migrate", "-q")
	if code != 0 || !strings.Contains(out, "hone migrate -from go-json-experiment moves them") {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
	out, stderr, code = callHone(t, "", "migrate", "-w", "-from", "go-json-experiment", "-hone", here)
	if code != 0 || !strings.Contains(out, "json/v2 returns an error for a type with the tag option format") {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
	for name, want := range map[string]string{
		"app.go":        strings.NewReplacer("go-json-experiment/json/jsontext", "hone-go/hone/json/jsontext", "go-json-experiment/json", "hone-go/hone/json/v2").Replace(before["app.go"]),
		"type.go":       strings.Replace(before["type.go"], ",unknown", ",embed", 1),
		"other/type.go": before["other/type.go"],
	} {
		data, err := os.ReadFile(name)
		if got := string(data); err != nil || sortedLines(got) != sortedLines(want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, want)
		}
	}
	if out, stderr, code = callHone(t, "", "migrate", "-w", "-revert"); code != 0 {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
	for name, want := range before {
		if data, err := os.ReadFile(name); err != nil || string(data) != want {
			t.Errorf("%s after -revert: %v\n%s", name, err, data)
		}
	}
	if _, stderr, code = callHone(t, "", "migrate", "-from", "echo"); code != 2 || !strings.Contains(stderr, "the possible values are echo/v4 and go-json-experiment") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// sortedLines returns the lines of a text in order, since imports are sorted by their new paths.
func sortedLines(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// The flag -from rewrites a program for Echo v4; without it a note names the flag.
func TestMigrateFrom(t *testing.T) {
	testkit.SkipInVariant(t)
	here := checkout(t)
	migrateDir(t, map[string]string{
		"go.mod":               "module example.com/app\n\ngo 1.26.0\n\nrequire github.com/labstack/echo/v4 v4.16.0\n\nreplace github.com/labstack/echo/v4 => ./echo\n",
		"app.go":               "package app\n\nimport \"github.com/labstack/echo/v4\"\n\n// Hello answers.\nfunc Hello(c echo.Context) error { return c.JSON(200, echo.Map{}) }\n",
		"echo/go.mod":          "module github.com/labstack/echo/v4\n\ngo 1.26.0\n",
		"echo/echo.go":         "package echo\n\ntype Map map[string]any\n\ntype Context interface{ JSON(int, any) error }\n",
		"echo/middleware/m.go": "package middleware\n",
	})
	out, stderr, code := callHone(t, "", "migrate", "-q")
	if code != 0 || !strings.Contains(out, "hone migrate -from echo/v4 rewrites the code") || !strings.HasSuffix(out, "no import changes: see the notes\n") {
		t.Errorf("exit %d, %s\n%s", code, stderr, out)
	}
	out, stderr, code = callHone(t, "", "migrate", "-w", "-from", "echo/v4", "-hone", here)
	data, err := os.ReadFile("app.go")
	want := "package app\n\nimport echo \"github.com/hone-go/hone/web\"\n\n// Hello answers.\nfunc Hello(c *echo.Context) error { return c.JSON(200, map[string]any{}) }\n"
	if code != 0 || err != nil || string(data) != want || !strings.Contains(out, "2 places in the code rewritten") || !strings.Contains(stderr, "checking the new code") {
		t.Errorf("exit %d, %v, %s\n%s\n%s", code, err, stderr, out, data)
	}
	if _, stderr, code = callHone(t, "", "migrate", "-revert", "-from", "echo/v4"); code != 2 || !strings.Contains(stderr, "-revert and -from cannot be combined") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestMigrateGoLine raises the go line of a module, so that go test refuses one of its packages. The
// report says that Hone is not the cause, and shows the output of go test for this package.
func TestMigrateGoLine(t *testing.T) {
	testkit.SkipInVariant(t)
	here := checkout(t)
	migrateDir(t, map[string]string{
		"go.mod":      "module example.com/app\n\ngo 1.21\n",
		"a.go":        "package app\n\nimport \"encoding/json\"\n\nvar _, _ = json.Marshal(1)\n",
		"p/p.go":      "package p\n\nimport \"fmt\"\n\n// Print prints a text.\nfunc Print(text string) { fmt.Printf(text) }\n",
		"p/p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) { Print(\"x\") }\n\nfunc TestTwo(t *testing.T) { Print(\"y\") }\n",
	})
	out, stderr, code := callHone(t, "", "migrate", "-hone", here, "-test")
	for _, want := range []string{
		"go test refuses these places with the new go line, even without Hone (go vet):\n  p/p.go:6:38: non-constant format string in call to fmt.Printf\n",
		"these packages do not build after the change, so their tests were not compared:",
		"example.com/app/p: 2 tests, because of the go line of go.mod, not of Hone",
		"| p/p.go:6:38: non-constant format string in call to fmt.Printf",
		"no other test differs",
	} {
		if strings.Count(out, want) != 1 {
			t.Errorf("%q is not once in\n%s%s", want, out, stderr)
		}
	}
	if code != 1 {
		t.Errorf("exit code %d", code)
	}
}

// TestMigrateCheck lists the imports that could change, with their lines, and writes nothing.
func TestMigrateCheck(t *testing.T) {
	dir := migrateDir(t, map[string]string{
		"go.mod":         "module example.com/app\n\ngo 1.21\n",
		"a.go":           "package app\n\nimport (\n\t\"bytes\"\n\t\"encoding/json\"\n)\n\nvar _ undefined = json.Marshal(bytes.MinRead)\n",
		"stays.go":       "package app\n\n// hone migrate: stays encoding/json: cannot use it\nimport \"encoding/json\"\n\nvar _ json.Number\n",
		"gen.go":         "// Code generated by a tool. DO NOT EDIT.\n\npackage app\n\nimport \"encoding/json\"\n\nvar _ json.Number\n",
		"moved.go":       "package app\n\nimport \"github.com/hone-go/hone/json\"\n\nvar _ json.Number\n",
		"web/web.go":     "package web\n\nimport (\n\t\"github.com/labstack/echo/v5\"\n)\n\nvar _ echo.Echo\n",
		"web/x/v4.go":    "package x\n\nimport \"github.com/labstack/echo/v4\"\n\nvar _ echo.Echo\n",
		"testdata/no.go": "package no\n\nimport \"encoding/json\"\n\nvar _ json.Number\n",
	})
	a, web := "a.go:5: imports encoding/json: ", "web/web.go:4: imports github.com/labstack/echo/v5: "
	gen, v4 := "gen.go:5: imports encoding/json: ", "web/x/v4.go:3: imports github.com/labstack/echo/v4: "
	for args, want := range map[string][]string{
		"":                      {a, web},
		"-skip echo":            {a},
		"-skip a.go,echo":       nil,
		"-only echo":            {web},
		"./web/...":             {web},
		"-generated":            {a, gen, web},
		"-from echo/v4":         {v4},
		"-only json -skip a.go": nil,
	} {
		out, stderr, code := callHone(t, "", append([]string{"migrate", "-check"}, strings.Fields(args)...)...)
		var got []string
		for line := range strings.Lines(out) {
			got = append(got, line[:strings.Index(line, "hone migrate")])
		}
		if !slices.Equal(got, want) || code != min(len(want), 1) {
			t.Errorf("-check %s: exit %d, %q%s, want %q", args, code, got, stderr, want)
		}
	}
	out, _, code := callHone(t, "", "migrate", "-check", "-only", "json", "-json", "-")
	if want := `"rule": "new-import",
			"where": "a.go:5",
			"import": "encoding/json",
			"to": "github.com/hone-go/hone/json"`; !strings.Contains(out, want) || code != 1 {
		t.Errorf("exit %d, %s", code, out)
	}
	if _, stderr, code := callHone(t, "", "migrate", "-check", "-w"); code != 2 || !strings.Contains(stderr, "-check cannot be combined") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 7 {
		t.Errorf("%v %v", entries, err)
	}
}

// TestMigrateMissing: the error names the requirement that is missing, and does not blame Hone.
func TestMigrateMissing(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	migrateDir(t, map[string]string{
		"go.mod": "module example.com/app\n\ngo 1.26.0\n\nrequire example.com/missing v1.2.3\n",
		"a.go":   "package app\n\nimport \"encoding/json\"\n\nvar _, _ = json.Marshal(1)\n",
	})
	_, stderr, code := callHone(t, "", "migrate", "-hone", "v0.1.0")
	if code != 2 || !strings.Contains(stderr, "the requirements of the module cannot be loaded, even without Hone") || !strings.Contains(stderr, "example.com/missing") {
		t.Errorf("%d %s", code, stderr)
	}
}
