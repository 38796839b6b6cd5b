package server

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema/gen"
)

var update = flag.Bool("update", false, "write page/assets/wire anew")

// reader is the folder of the code with which the page reads the history.
const reader = "../page/assets/wire"

// TestPageReader compiles the reader of the history that hone gen makes, and compares it with the
// files of the page.
func TestPageReader(t *testing.T) {
	s, err := wire.SchemaOf[readingsOutput]()
	if err != nil {
		t.Fatal(err)
	}
	module, err := gen.TypeScriptNamed(s, jsonNames(reflect.TypeFor[readingsOutput](), "ReadingsOutput", gen.Names{}))
	if err != nil {
		t.Fatal(err)
	}
	tsc := testkit.Tool(t, "tsc")
	dir := t.TempDir()
	for name, text := range map[string][]byte{"readings.ts": module, gen.TypeScriptRuntimeName: gen.TypeScriptRuntime()} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	compile := exec.CommandContext(t.Context(), tsc, "--strict", "--target", "es2022", "--module", "es2022",
		"--moduleResolution", "bundler", "--newLine", "lf", "readings.ts")
	compile.Dir = dir
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("tsc: %v\n%s", err, out)
	}
	for _, name := range []string{"readings.js", "hone-wire.js"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		text = append([]byte("// Compiled by tsc from what hone gen -ts makes: go test ./examples/pulse/server -run PageReader -update\n"), text...)
		path := filepath.Join(reader, name)
		if *update {
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, text) {
			t.Errorf("%s differs from the generated code (%v): run this test with -update", path, err)
		}
	}
}

// jsonNames adds the names that the fields of a struct, and of the structs in it, have in JSON.
func jsonNames(t reflect.Type, name string, names gen.Names) gen.Names {
	for _, f := range reflect.VisibleFields(t) {
		if f.Name == "_" { // a wire.Evolving
			continue
		}
		names[name+"."+f.Name], _, _ = strings.Cut(f.Tag.Get("json"), ",")
		if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct {
			jsonNames(f.Type.Elem(), f.Type.Elem().Name(), names)
		}
	}
	return names
}

// TestPageReaderSchema compares the schemas of the page's reader and of the
// answers. It needs no tools.
func TestPageReaderSchema(t *testing.T) {
	s, err := wire.SchemaOf[readingsOutput]()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(reader, "readings.js"))
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("export const fingerprint = %q;", s.Fingerprint()); !bytes.Contains(text, []byte(want)) {
		t.Errorf("the page reads the history with another schema than %v: go test ./examples/pulse/server -run PageReader -update", s.Fingerprint())
	}
	a := serve(t, queue.Options{}).do("GET", "/v1/readings", "", api.MediaTypeWire, nil)
	if said := a.Header.Get("Wire-Schema"); said != s.Fingerprint().String() {
		t.Errorf("an answer has the schema %q, want %v", said, s.Fingerprint())
	}
}
