package foreign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A testPackage is a folder of the temporary module.
type testPackage struct {
	*Results
	dir    string
	name   string            // the folder below the module
	causes map[string]string // the reasons why declarations were removed, by name
}

// test returns the name of a test as it appears in the list.
func (p *testPackage) test(name string) string { return p.name + "." + name }

func (p *testPackage) binary() string { return filepath.Join(p.dir, "foreign.test") }

var compileError = regexp.MustCompile(`(?m)^(?:\./)?([\w./-]+_test\.go):(\d+):\d+: (.*)$`)

// compile compiles the tests. It removes declarations that do not compile, until the remaining ones
// compile.
func (p *testPackage) compile() error {
	p.causes = map[string]string{}
	for range 30 {
		out, err := Command(p.dir, "test", "-c", "-o", p.binary(), "-gcflags=-e", ".").CombinedOutput()
		if err == nil {
			return nil
		}
		found := compileError.FindAllSubmatch(out, -1)
		if found == nil {
			return fmt.Errorf("%s does not compile:\n%s", p.dir, out)
		}
		byFile := map[string]map[int]string{}
		for _, m := range found {
			file := filepath.Base(string(m[1]))
			line, _ := strconv.Atoi(string(m[2]))
			if byFile[file] == nil {
				byFile[file] = map[int]string{}
			}
			if byFile[file][line] == "" {
				byFile[file][line] = string(m[3])
			}
		}
		for file, lines := range byFile {
			if err := p.remove(filepath.Join(p.dir, file), lines); err != nil {
				return err
			}
		}
	}
	return errors.New(p.dir + " does not compile, even after the failing declarations were removed")
}

// remove replaces the declarations at some lines of a file by spaces, so that the other
// declarations stay at their lines.
func (p *testPackage) remove(file string, lines map[int]string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, text, 0)
	if err != nil {
		return err
	}
	blank := func(n ast.Node, names ...string) bool {
		cause, hit := "", false
		for line, message := range lines {
			if files.Position(n.Pos()).Line <= line && line <= files.Position(n.End()).Line && (!hit || message < cause) {
				cause, hit = message, true
			}
		}
		if !hit {
			return false
		}
		for i := files.Position(n.Pos()).Offset; i < files.Position(n.End()).Offset; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
		if name, ok := strings.CutPrefix(cause, "undefined: "); ok && p.causes[name] != "" {
			cause = p.causes[name]
		}
		for _, name := range names {
			p.causes[name] = cause
			if isTest(name) {
				p.Failed[p.test(name)] = "does not compile: " + cause
			}
		}
		return true
	}
	removed := false
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			removed = blank(d, d.Name.Name) || removed
		case *ast.GenDecl:
			if !d.Lparen.IsValid() {
				removed = blank(d, SpecNames(d.Specs[0])...) || removed
				continue
			}
			for _, spec := range d.Specs {
				removed = blank(spec, SpecNames(spec)...) || removed
			}
		}
	}
	if !removed {
		return fmt.Errorf("%s: lines %v are not within declarations", file, lines)
	}
	return os.WriteFile(file, text, 0o644)
}

// SpecNames returns the names that a specification of types, constants or variables declares.
func SpecNames(s ast.Spec) (names []string) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		names = append(names, s.Name.Name)
	case *ast.ValueSpec:
		for _, n := range s.Names {
			names = append(names, n.Name)
		}
	}
	return names
}

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") && name != "TestMain" || strings.HasPrefix(name, "Example")
}

// run runs each test in its own process, because some tests panic. Tests that do not compile count
// as failed.
func (p *testPackage) run() error {
	list, err := p.command("-test.list", "^(Test|Example)").Output()
	if err != nil {
		return fmt.Errorf("%s: %w", p.dir, err)
	}
	for name := range p.causes {
		if isTest(name) {
			p.Tests++
		}
	}
	for name := range strings.FieldsSeq(string(list)) {
		passed, failures := p.runTest(name)
		if len(failures) > 0 { // some tests depend on time, so failed tests run again
			passed, failures = p.runTest(name)
		}
		p.Tests += passed + len(failures)
		for test, cause := range failures {
			p.Failed[p.test(test)] = cause
		}
	}
	return nil
}

func (p *testPackage) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.binary(), args...)
	cmd.Dir = p.dir
	return cmd
}

var result = regexp.MustCompile(`^\s*--- (PASS|FAIL|SKIP): (\S+)`)

// runTest runs a test with its subtests. If a test has subtests, only the subtests count. But if
// the test fails and none of its subtests fails, the test itself counts.
func (p *testPackage) runTest(name string) (passed int, failures map[string]string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.binary(), "-test.v", "-test.run", "^"+name+"$")
	cmd.Dir = p.dir
	out, err := cmd.CombinedOutput()
	failures = map[string]string{}
	parents := map[string]bool{}
	var done []string
	for line := range bytes.Lines(out) {
		m := result.FindSubmatch(line)
		if m == nil {
			continue
		}
		test := string(m[2])
		for at := range len(test) {
			if test[at] == '/' {
				parents[test[:at]] = true
			}
		}
		if string(m[1]) == "FAIL" {
			failures[test] = "fails"
		} else {
			done = append(done, test)
		}
	}
	if err != nil && len(failures) == 0 {
		failures[name] = lastLine(out)
	}
	for test := range failures {
		for at := range len(test) {
			if test[at] == '/' {
				delete(failures, test[:at])
			}
		}
	}
	for _, test := range done {
		if !parents[test] {
			passed++
		}
	}
	return passed, failures
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
