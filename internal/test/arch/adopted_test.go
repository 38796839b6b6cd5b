package arch

import (
	"fmt"
	"go/format"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// adopted contains a program for each public package. The program imports the package under the name
// p, and packages of the standard library. If a package is only useful together with a second
// package, the program imports both. Each program does the smallest useful thing: it encodes and decodes a
// record, or serves a handler that reads or answers a record.
var adopted = []struct {
	pkg  string
	more []string // other packages in the same row of the table
	use  string   // imports, separated by spaces
	code string   // statements
}{
	{pkg: "json", code: "b, err := p.Marshal(&v); check(err); check(p.Unmarshal(b, &v))"},
	{pkg: "json/v2", code: "b, err := p.Marshal(&v); check(err); check(p.Unmarshal(b, &v))"},
	{pkg: "json/jsontext", code: "_, err := p.NewDecoder(os.Stdin).ReadToken(); check(err); check(p.NewEncoder(os.Stdout).WriteToken(p.String(v.Name)))"},
	{pkg: "json/document", code: "d, err := p.Parse([]byte(`{\"age\":36}`)); check(err); age, err := d.Root().Get(\"age\").Int64(); check(err); v.Age = int(age)"},
	{pkg: "json/format", code: "b, err := p.Duration(v.Age).MarshalText(); check(err); v.Name = string(b)"},
	{pkg: "json/shadow", code: "b, err := p.Marshal(&v); check(err); check(p.Unmarshal(b, &v))"},
	{pkg: "json/v2/shadow", code: "b, err := p.Marshal(&v); check(err); check(p.Unmarshal(b, &v))"},
	{pkg: "mo", more: []string{"mo/option", "mo/result", "mo/either", "mo/either3", "mo/either4", "mo/either5", "mo/typeclass"},
		code: "b, err := p.Some(v.Age).MarshalJSON(); check(err); v.Name = string(b)"},
	{pkg: "wire", code: "b, err := p.Marshal(&v); check(err); check(p.Unmarshal(b, &v))"},
	{pkg: "wire/layout", code: "c, err := p.New(func(l *p.Fields, r *record) { p.Field(l, &r.Name, p.Varchar) }); check(err); b, err := c.Append(nil, &v); check(err); check(c.Unmarshal(b, &v))"},
	{pkg: "wire/container", code: "w, err := p.NewWriter[record](os.Stdout, nil, p.Options{}); check(err); check(w.Write(&v)); check(w.Close())"},
	{pkg: "wire/schema", code: "b, err := new(p.Schema).AppendJSON(nil, []byte(v.Name)); check(err); v.Name = string(b)"},
	{pkg: "wire/schema/gen", use: module + "/wire/schema", code: "b, err := p.TypeScript(new(schema.Schema)); check(err); v.Name = string(b)"},
	{pkg: "wire/code", code: "v.Age = p.PutUint([]byte(v.Name), 0, uint64(v.Age))"},
	{pkg: "wire/code/print", use: module + "/wire", code: "b, err := p.File(p.Options{Package: v.Name}, p.Of[record](wire.For[record]())); check(err); v.Name = string(b)"},
	{pkg: "wire/shadow", code: "c := p.New(p.Gob[record](), p.Gob[record](), p.Settings{}); b, err := c.Marshal(&v); check(err); check(c.Unmarshal(b, &v))"},
	{pkg: "bind", use: "net/http", code: "check(http.ListenAndServe(v.Name, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { check(p.Request(r, &v)) })))"},
	{pkg: "union", code: "v.Name = p.Untagged[any]().String()"},
	{pkg: "shape", use: "reflect", code: "v.Age = p.Of(reflect.TypeFor[record]()).Len"},
	{pkg: "web", code: "e := p.New(); e.GET(`/`, func(c *p.Context) error { return c.JSON(200, &v) }); check(e.Start(v.Name))"},
	{pkg: "web/middleware", use: module + "/web", code: "e := web.New(); e.Use(p.Recover()); e.GET(`/`, func(c *web.Context) error { return c.JSON(200, &v) }); check(e.Start(v.Name))"},
	{pkg: "api", use: "net/http context", code: "m := http.NewServeMux(); p.Handle(p.Mux(m), `GET /`, func(context.Context, *record) (*record, error) { return &v, nil }); check(http.ListenAndServe(v.Name, m))"},
	{pkg: "api/openapi", use: "net/http context " + module + "/api", code: "m := http.NewServeMux(); a := api.New(api.Mux(m)); api.Handle(a, `GET /`, func(context.Context, *record) (*record, error) { return &v, nil }); check(p.Serve(a, p.Config{})); check(http.ListenAndServe(v.Name, m))"},
	{pkg: "api/security", use: "net/http context", code: "g, err := p.NewGate(p.Bearer(v.Name, func(_ context.Context, s string) (string, error) { return s, nil }).With()); check(err); check(http.ListenAndServe(v.Name, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, err := g.Admit(w.Header(), r); check(err) })))"},
	{pkg: "api/client", use: "context", code: "c, err := p.New(v.Name); check(err); _, err = p.Call[record, record](c, `GET /`)(context.Background(), &v); check(err)"},
	{pkg: "api/apitest", use: "net/http context testing " + module + "/api " + module + "/api/openapi", code: "m := http.NewServeMux(); a := api.New(api.Mux(m)); api.Handle(a, `GET /`, func(context.Context, *record) (*record, error) { return &v, nil }); p.Run(new(testing.T), m, openapi.Describe(a, openapi.Config{}))"},
	{pkg: "web/echotest", use: "testing " + module + "/web", code: "p.ContextConfig{}.ServeWithHandler(new(testing.T), func(c *web.Context) error { return c.JSON(200, &v) })"},
}

const adoptedMain = `package main

import (
	"os"
%s)

type record struct {
	Name string
	Age  int
	Tags []string
}

var v record

func check(err error) {
	if err != nil {
		os.Exit(1)
	}
}

func main() {
	check(nil)
	%s
	os.Stdout.WriteString(v.Name)
}
`

// TestAdopted builds a program with each public package and no other. The programs must compile,
// and the table in docs/which-package.md must have their sizes. The sizes may differ by 3 %, and
// are only compared by the release of Go that the table names; HONE_UPDATE=1 writes them.
func TestAdopted(t *testing.T) {
	if os.Getenv("HONE_UPDATE") == "" {
		testkit.SkipUnlessSlow(t)
	}
	testkit.SkipInVariant(t)
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the table has the sizes on linux/amd64")
	}
	inRow := map[string]bool{}
	dir := t.TempDir()
	empty := programSize(t, dir, fmt.Sprintf(adoptedMain, "", ""))
	release := regexp.MustCompile(`^go1\.\d+`).FindString(runtime.Version())
	old := tableSizes(t)
	var b strings.Builder
	fmt.Fprintf(&b, "| package | other packages of Hone that it links | heavy packages of the standard library | `unsafe`, assembly | adds with %s |\n|---|---|---|---|---|\n", release)
	for _, a := range adopted {
		imports := fmt.Sprintf("\tp %q\n", module+"/"+a.pkg)
		for path := range strings.FieldsSeq(a.use) {
			imports += fmt.Sprintf("\t%q\n", path)
		}
		source := fmt.Sprintf(adoptedMain, imports, a.code)
		added := float64(programSize(t, dir, source)-empty) / 1e6
		size := strconv.FormatFloat(added, 'f', 2, 64)
		if before, ok := old[release+" "+a.pkg]; ok && os.Getenv("HONE_UPDATE") == "" {
			if was, err := strconv.ParseFloat(before, 64); err != nil || math.Abs(added-was) > max(0.03*was, 0.01) {
				t.Errorf("%s adds %s MB, the table has %s: run HONE_UPDATE=1 go test -run Adopted ./internal/test/arch", a.pkg, size, before)
			}
			size = before
		}
		var links, std []string
		var raw []string
		for _, dep := range dependencies(t, a.pkg) {
			path, ours := strings.CutPrefix(dep, module+"/")
			switch {
			case strings.Contains(strings.SplitN(dep, "/", 2)[0], ".") && !ours:
				t.Errorf("%s links %s, which is not part of the standard library", a.pkg, dep)
			case path == "internal/memory/mem":
				raw = append(raw, "`unsafe`")
			case path == "internal/memory/vector":
				raw = append(raw, "assembly")
			case ours && path != a.pkg && !slices.Contains(strings.Split(path, "/"), "internal"):
				links = append(links, "`"+path+"`")
			case slices.Contains([]string{"encoding/json", "net/http", "database/sql", "encoding/gob", "testing"}, dep):
				std = append(std, "`"+dep+"`")
			}
		}
		name := "`" + a.pkg + "`"
		if len(a.more) > 0 {
			name += " and its " + strconv.Itoa(len(a.more)) + " subpackages"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s MB |\n", name, orNone(links), orNone(std), orNone(raw), size)
		for _, pkg := range append(a.more, a.pkg) {
			inRow[pkg] = true
		}
	}
	for _, f := range coreFiles(t) {
		pkg := f.pkg()
		private := slices.ContainsFunc(strings.Split(pkg, "/"), func(s string) bool { return s == "internal" || s == "examples" || s == "." })
		if !private && !inRow[pkg] {
			inRow[pkg] = true
			t.Errorf("no program tests that %s can be adopted alone", pkg)
		}
	}
	if old["release"] == release || os.Getenv("HONE_UPDATE") != "" {
		comparePart(t, "which-package.md", "adopted", b.String())
	}
}

func orNone(list []string) string {
	slices.Sort(list)
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// programSize builds a program and returns the size of its file.
func programSize(t *testing.T, dir, source string) int64 {
	t.Helper()
	formatted, err := format.Source([]byte(source))
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.exe")
	if err := os.WriteFile(file, formatted, 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-trimpath", "-o", program, file)
	build.Dir = filepath.Join("..", "..", "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s\n%s", err, out, formatted)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// dependencies returns the packages that a program with the package links.
func dependencies(t *testing.T, pkg string) []string {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "./"+pkg)
	list.Dir = filepath.Join("..", "..", "..")
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list %s: %v", pkg, err)
	}
	return slices.DeleteFunc(strings.Fields(string(out)), func(path string) bool { return strings.HasPrefix(path, "vendor/") })
}

var adoptedRow = regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)`.*\\| ([0-9.]+) MB \\|$")

// tableSizes returns the sizes in the table. The key of a size is the release, a space and the
// package. The key "release" has the release that the table names.
func tableSizes(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "which-package.md"))
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]string{}
	release := regexp.MustCompile(`\| adds with (go1\.\d+) \|`).FindSubmatch(page)
	if release == nil {
		return sizes
	}
	sizes["release"] = string(release[1])
	for _, row := range adoptedRow.FindAllSubmatch(page, -1) {
		sizes[sizes["release"]+" "+string(row[1])] = string(row[2])
	}
	return sizes
}
