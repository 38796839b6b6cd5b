package migrate

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// A Finding is a fault that go vet finds only with the new go line of go.mod. go test refuses a package with such a
// fault.
type Finding struct {
	Location
	Rule string `json:"rule"` // go-line
	Text string `json:"text"`
}

// stricter reports whether a newer go line turns on checks of go vet that go test runs. Go 1.24 refuses format strings
// that are not constant, and Go 1.26 refuses %q of an integer.
func stricter(was, is string) bool {
	return slices.ContainsFunc([]string{"1.24", "1.26"}, func(release string) bool { return older(was, release) && !older(is, release) })
}

// vetGoLine runs go vet on the module as it is, with the new go line, and again with the old go line if there are
// findings. c.Vet then has those that only the new go line causes.
func (c *Change) vetGoLine(progress func(string, ...any)) error {
	was, is := c.goLines()
	if is == "" || !stricter(was, is) {
		return nil
	}
	progress("running go vet with the new go line")
	after, err := c.vet(is)
	if err != nil || len(after) == 0 {
		return err
	}
	progress("running go vet with the old go line")
	before, err := c.vet(was)
	if err != nil {
		return err
	}
	byName := map[string]*source{}
	for _, s := range c.tree.byPath {
		byName[s.name] = s
	}
	for _, f := range after {
		if slices.Contains(before, f) {
			continue
		}
		at := position{name: f.name, line: f.line, column: f.column}
		if s := byName[f.name]; s != nil {
			at.source, at.text = s, s.data
		}
		c.Vet = append(c.Vet, Finding{at.location((*source).rewritten), ruleGoLine, f.text})
	}
	return nil
}

// A vetLine is a line of the output of go vet.
type vetLine struct {
	name         string // relative to the module, with slashes
	line, column int
	text         string
}

var vetOutput = regexp.MustCompile(`^(?:vet: )?(.+\.go):(\d+):(\d+): (.*)$`)

// vet runs the check of go vet that depends on the go line, with the module's own requirements and the given go line.
func (c *Change) vet(release string) ([]vetLine, error) {
	m := c.m
	mod, sums, err := m.work.joined(c.mod.before, c.sum.before)
	if err != nil {
		return nil, err
	}
	f, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		return nil, err
	}
	if err := f.AddGoStmt(release); err != nil {
		return nil, err
	}
	if mod, err = f.Format(); err != nil {
		return nil, err
	}
	dir := filepath.Join(m.tmp, "vet")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for name, data := range map[string][]byte{"go.mod": mod, "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return nil, err
		}
	}
	// The exit code is not 0 if there are findings, or if a package does not compile. Both have lines.
	_, errs, err := m.start(m.root, "vet", "-mod=mod", "-modfile="+filepath.Join(dir, "go.mod"), "-printf", "./...")
	if m.ctx.Err() != nil {
		return nil, err
	}
	var list []vetLine
	for line := range strings.Lines(string(errs)) {
		x := vetOutput.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if x == nil {
			continue
		}
		row, _ := strconv.Atoi(x[2])
		column, _ := strconv.Atoi(x[3])
		v := vetLine{filepath.ToSlash(filepath.Clean(x[1])), row, column, x[4]}
		if filepath.IsLocal(v.name) && !slices.Contains(list, v) { // a file is also part of the test variant of its package
			list = append(list, v)
		}
	}
	return list, nil
}
