package arch

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// TestLinked builds a program for each version of package json. Code that only version 2 needs
// must not be linked into programs that use version 1. A direct call from code that both
// versions share would link it.
func TestLinked(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	testkit.SkipInVariant(t)
	// The expression matches the functions that read and write tokens, except for methods that
	// reflection may call, and all methods in the two packages that version 2 adds to the engines.
	second := regexp.MustCompile(`/json/internal/(stream\.\(\*(Encoder|Decoder|Track)\)\.(Write|Read|Replay|Move)|rules/v2/(decoding|encoding)\.\(\*\w+\)\.\w+)`)
	v1, v2 := functions(t, "json"), functions(t, "json/v2")
	for _, name := range v1 {
		if second.MatchString(name) {
			t.Errorf("a program that imports json links %s: put it into a row of the rules", name)
		}
	}
	met := map[string]bool{}
	for _, name := range v2 {
		if match := second.FindStringSubmatch(name); match != nil {
			met[match[1]] = true
		}
	}
	for _, name := range []string{
		"stream.(*Encoder).Write", "stream.(*Encoder).Replay", "stream.(*Decoder).Read", "stream.(*Track).Move",
		"rules/v2/decoding.(*decoder).Refuse", "rules/v2/decoding.(*decoder).Syntax", "rules/v2/encoding.(*methodsRow).Run", "rules/v2/encoding.(*namedMap).Run",
	} {
		if !met[name] {
			t.Errorf("a program that imports json/v2 does not link %s: has it been renamed?", name)
		}
	}
}

// TestLinkedWire builds a program that encodes and decodes with package wire. The code that reads and
// writes values by their schema must not be linked into it.
func TestLinkedWire(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	testkit.SkipInVariant(t)
	for _, name := range functions(t, "wire") {
		if strings.HasPrefix(name, module+"/wire/schema.(") {
			t.Errorf("a program that imports wire links %s", name)
		}
	}
}

// TestLinkedDocument builds programs with packages json and json/document. The first must not link
// json/document. A program that parses a document and reads numbers must not link the engine that encodes and
// decodes.
func TestLinkedDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	testkit.SkipInVariant(t)
	for _, name := range functions(t, "json") {
		if strings.HasPrefix(name, module+"/json/document.") {
			t.Errorf("a program that imports json links %s", name)
		}
	}
	const source = `d, err := p.Parse([]byte("[1]")); if err == nil { _, err = d.Root().Index(0).Int64() }; if err != nil { panic(err) }`
	engine := regexp.MustCompile(`/json/internal/((en|de)code|rules/v1|stream)\.\(`) // their methods
	found := false
	for _, name := range functionsOf(t, "package main\n\nimport p \""+module+"/json/document\"\n\nfunc main() { "+source+" }\n") {
		found = found || strings.HasPrefix(name, module+"/json/document.")
		if engine.MatchString(name) {
			t.Errorf("a program that only reads a document links %s", name)
		}
	}
	if !found {
		t.Error("a program that imports json/document does not link it: has it been renamed?")
	}
}

// functions returns the functions in a program that encodes and decodes with a package.
func functions(t *testing.T, pkg string) (names []string) {
	t.Helper()
	return functionsOf(t, "package main\n\nimport json \""+module+"/"+pkg+"\"\n\nvar v struct{ Name string; Tags []string }\n\n"+
		"func main() {\n\tb, _ := json.Marshal(&v)\n\t_ = json.Unmarshal(b, &v)\n}\n")
}

// functionsOf returns the functions in a program.
func functionsOf(t *testing.T, source string) (names []string) {
	t.Helper()
	dir := t.TempDir()
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.exe")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", program, file)
	build.Dir = filepath.Join("..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "nm", program).Output()
	if err != nil {
		t.Fatalf("go tool nm: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 3 && strings.EqualFold(f[1], "t") {
			names = append(names, f[2])
		}
	}
	if len(names) == 0 {
		t.Fatal("go tool nm lists no functions")
	}
	return names
}
