package migrate

import (
	"go/version"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// Each case is a package with a type T that has a method on a stream, and code that uses T. If values of T reach
// a package outside of the module, reaches is that package, and otherwise "".
var reachCases = []struct{ name, code, reaches string }{
	// Packages of the standard library that encode with encoding/json.
	{"logged", `import "log/slog"; func f(t T) { slog.Info("a", "t", t) }`, "log/slog"},
	{"logattr", `import "log/slog"; func f(l *slog.Logger, t *T) { l.With(slog.Any("t", t)).Info("a") }`, "log/slog"},
	{"logheld", `import "log/slog"; type held struct{ M map[string][]*T }; func f(h held) { slog.Info("a", slog.Any("h", h)) }`, "log/slog"},
	{"logkey", `import "log/slog"; func f(m map[T]int) { slog.Info("a", "m", m) }`, "log/slog"},
	{"loglist", `import "log/slog"; func f(t T) { args := []any{"t", t}; slog.Info("a", args...) }`, "log/slog"},
	{"logown", `import "log/slog"; func note(s string, args ...any) { slog.Info(s, args...) }; func f(t T) { note("a", "t", t) }`, "log/slog"},
	{"loginterface", `import "log/slog"; type logger interface{ Info(string, ...any) }; var _ logger = slog.Default(); func f(l logger, t T) { l.Info("a", "t", t) }`, "log/slog"},
	{"logshape", `import "log/slog"; type shape interface{ Area() int }; func (T) Area() int { return 1 }; func f(s shape) { slog.Info("a", "s", s) }`, "log/slog"},
	{"generic", `import "log/slog"; type box[X any] struct{ V X }; func f(b box[T]) { slog.Info("a", "b", b) }`, "log/slog"},
	{"rpcs", `import "net/rpc"; import _ "net/rpc/jsonrpc"; func f(c *rpc.Client, t T) error { return c.Call("A.B", t, nil) }`, "net/rpc"},
	{"rpcserver", `import "net/rpc"; import _ "net/rpc/jsonrpc"; type server struct{}; func (server) Do(t T, reply *int) error { return nil }; func f() error { return rpc.Register(server{}) }`, "net/rpc"},
	{"page", `import ("html/template"; "io"); func f(p *template.Template, t T) error { return p.Execute(io.Discard, map[string]any{"t": t}) }`, "html/template"},
	{"pagelater", `import ("html/template"; "io"); func f(p *template.Template, t T) error { data := map[string]any{}; data["t"] = t; return p.Execute(io.Discard, data) }`, "html/template"},
	{"vars", `import "expvar"; func f(t T) { expvar.Publish("t", expvar.Func(func() any { return t })) }`, "expvar"},
	{"varsfunc", `import "expvar"; var t T; func now() any { return t }; func f() { expvar.Publish("t", expvar.Func(now)) }`, "expvar"},

	// Dependencies.
	{"sent", `import "example.com/sender"; func f(t T) { sender.Send(t) }`, "example.com/sender"},
	{"sentgeneric", `import "example.com/sender"; func f(t T) { sender.SendOne(t) }`, "example.com/sender"},
	{"sentfield", `import "example.com/sender"; func f(t T) sender.Message { return sender.Message{Body: t} }`, "example.com/sender"},
	{"sentlater", `import "example.com/sender"; func f(t T) (m sender.Message) { m.Body = t; return m }`, "example.com/sender"},
	{"sentinside", `import "example.com/sender/front"; func f(t T) { front.Send(t) }`, "example.com/sender/front"},

	// No value of T is passed to a package that encodes with encoding/json.
	{"printed", `import ("errors"; "fmt"; "os"); func f(t T) { fmt.Println(t); fmt.Fprintln(os.Stderr, errors.New("a"), t); panic(t) }`, ""},
	{"tested", `import "testing"; func f(b *testing.B, t T) { b.Log(t); b.Error(t) }`, ""},
	{"wrapped", `import "errors"; type failed struct{ T }; func (failed) Error() string { return "" }; func f(t T) error { return errors.Join(failed{t}) }`, ""},
	{"othervalue", `import "log/slog"; type text struct{ s string }; func f(t text, u T) { slog.Info("a", "t", t, "n", len(u.Name)); _ = u }`, ""},
	{"hidden", `import "log/slog"; type holder struct{ t T }; func f(h holder) { slog.Info("a", "h", h) }`, ""},
	{"gobs", `import "net/rpc"; func f(c *rpc.Client, t T) error { return c.Call("A.B", t, nil) }`, "gob"},
	{"plain", `import "example.com/plainly"; func f(t T) { plainly.Send(t) }`, ""},
	{"moved", `import "encoding/json"; func f(t T) ([]byte, error) { return json.Marshal(t) }`, ""},
}

// streams27 reports whether the Go release has encoding/json/jsontext.
var streams27 = version.Compare(runtime.Version(), "go1.27") >= 0

// reachModule writes the cases as packages of one module.
func reachModule(t *testing.T) string {
	t.Helper()
	testkit.SkipInVariant(t)
	if testing.Short() {
		t.Skip("-short: the standard library is checked from its source")
	}
	release := "1.27"
	if !streams27 {
		release = "1.26.0"
		t.Setenv("GOEXPERIMENT", "jsonv2")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"go.mod": "module example.com/app\n\ngo " + release + "\n\nrequire (\n\texample.com/plainly v0.0.0\n\texample.com/sender v0.0.0\n)\n\n" +
			"replace (\n\texample.com/plainly => ./plainly\n\texample.com/sender => ./sender\n)\n",
		"sender/go.mod":         "module example.com/sender\n\ngo 1.26.0\n",
		"sender/sender.go":      "package sender\n\nimport \"encoding/json\"\n\ntype Message struct{ Body any }\n\nfunc Send(v any) { _, _ = json.Marshal(v) }\n\nfunc SendOne[T any](v T) { Send(v) }\n",
		"sender/front/front.go": "package front\n\nimport \"example.com/sender\"\n\nfunc Send(v any) { sender.Send(v) }\n",
		"plainly/go.mod":        "module example.com/plainly\n\ngo 1.26.0\n",
		"plainly/plainly.go":    "package plainly\n\nfunc Send(v any) {}\n",
	}
	for _, c := range reachCases {
		files[c.name+"/type.go"] = "package " + c.name + "\n\nimport \"encoding/json/jsontext\"\n\ntype T struct{ Name string }\n\nfunc (T) MarshalJSONTo(e *jsontext.Encoder) error { return e.WriteToken(jsontext.Null) }\n"
		if c.reaches == "gob" {
			continue // net/rpc encodes with encoding/gob in a module without net/rpc/jsonrpc
		}
		files[c.name+"/use.go"] = "package " + c.name + "\n\n" + c.code + "\n"
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// If values of a type reach a package that encodes with encoding/json, the methods of the type keep
// the stream of encoding/json/jsontext as their parameter. Otherwise the parameter becomes a stream
// of Hone.
func TestStreamsThatReach(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	dir := reachModule(t)
	before := read(t, dir)
	o := Options{Dir: dir}
	if !streams27 {
		o.Only = []string{"jsontext"} // json would move too; see TestStreamsBefore27
	}
	c := prepare(t, o)
	files := map[string]File{}
	for _, f := range c.Files {
		files[f.Name] = f
	}
	for _, x := range reachCases {
		f := files[x.name+"/type.go"]
		if x.name == "moved" && !streams27 {
			x.reaches = "encoding/json" // encoding/json itself is reached, because its import stays
		}
		switch {
		case x.reaches == "" || x.reaches == "gob":
			if len(f.Changes) != 1 || len(f.Stays) != 0 {
				t.Errorf("%s: the import stays: %+v", x.name, f.Stays)
			}
		case len(f.Stays) != 1:
			t.Errorf("%s: the import moves", x.name)
		default:
			s := f.Stays[0]
			if want := x.name + ".T reaches " + x.reaches; !strings.HasPrefix(s.Reason, want+":") || !strings.HasPrefix(s.Where, x.name+"/use.go:") {
				t.Errorf("%s: %q at %s, want %q", x.name, s.Reason, s.Where, want)
			}
		}
	}
	if t.Failed() {
		return
	}
	writeChange(t, c)
	if out, errs, err := (&module{ctx: t.Context()}).start(dir, "vet", "./..."); err != nil {
		t.Errorf("go vet: %s%s", out, errs)
	}
	if again := prepare(t, o); !again.Nothing() {
		t.Errorf("a second run changes\n%s", again.Diff())
	}
	writeChange(t, prepare(t, Options{Dir: dir, Revert: true}))
	requireSame(t, "a revert", before, read(t, dir))
}

// Before Go 1.27 Hone calls no method with a stream of the standard library, so the plan is refused.
func TestStreamsBefore27(t *testing.T) {
	if streams27 {
		t.Skip("Go 1.27 has methods with either stream")
	}
	_, err := Prepare(t.Context(), t.TempDir(), Options{Dir: reachModule(t), Hone: checkout(t)})
	if err == nil || !strings.Contains(err.Error(), "before Go 1.27 Hone does not call methods with a stream") || !strings.Contains(err.Error(), "-force") {
		t.Error(err)
	}
}

// With -force the methods move, and a warning names each type.
func TestStreamsForced(t *testing.T) {
	dir := reachModule(t)
	c := prepare(t, Options{Dir: dir, Force: true})
	for _, f := range c.Files {
		if len(f.Stays) > 0 {
			t.Errorf("%s: %+v", f.Name, f.Stays)
		}
	}
	for _, x := range reachCases {
		found := 0
		for _, w := range c.Warnings {
			if strings.HasPrefix(w.Text, x.name+".T reaches "+x.reaches+":") && strings.HasPrefix(w.Where, x.name+"/use.go:") {
				found++
			}
		}
		if (found > 0) != (x.reaches != "" && x.reaches != "gob") {
			t.Errorf("%s: %d warnings", x.name, found)
		}
	}
}

// Without net/rpc/jsonrpc, package net/rpc encodes with encoding/gob, so methods on streams move.
func TestStreamsOfGob(t *testing.T) {
	dir := reachModule(t)
	for _, x := range reachCases {
		path := filepath.Join(dir, x.name, "use.go")
		code := ""
		if x.reaches == "gob" {
			code = "package " + x.name + "\n\n" + x.code + "\n"
		}
		var err error
		if code == "" {
			err = os.RemoveAll(filepath.Join(dir, x.name))
		} else {
			err = os.WriteFile(path, []byte(code), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range prepare(t, Options{Dir: dir}).Files {
		if len(f.Stays) > 0 {
			t.Errorf("%s: %+v", f.Name, f.Stays)
		}
	}
}
