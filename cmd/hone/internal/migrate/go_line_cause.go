package migrate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
)

// blameGoLine finds the differences that the new go line of go.mod causes on its own. A newer go line
// turns on checks of go vet that go test runs, and other GODEBUG defaults. During the call, the copy in
// dir has a changed go.mod.
func (c *Change) blameGoLine(dir string, t *Trial, progress func(string, ...any)) (err error) {
	was, is := c.goLines()
	refused := c.refused(t.NotBuilt)
	if len(t.Differences)+len(refused) == 0 || is == "" || was == is {
		return nil
	}
	progress("running these tests with only the go line changed")
	name := filepath.Join(dir, "go.mod")
	before, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	f, err := modfile.Parse("go.mod", before, nil)
	if err != nil {
		return err
	}
	if err := f.AddGoStmt(is); err != nil {
		return err
	}
	data, err := f.Format()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.WriteFile(name, before, 0o644)) }()
	c.raised = true
	defer func() { c.raised = false }()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		return err
	}
	// If a run fails, there is another reason why the copy does not build, and the result says
	// nothing about the go line.
	if len(refused) > 0 {
		raised, err := c.tests(dir, append([]string{"-run=^$"}, refused...)...)
		if err != nil {
			return c.m.ctx.Err()
		}
		for i := range t.NotBuilt {
			n := &t.NotBuilt[i]
			n.GoLine = slices.Contains(refused, n.Package) && raised.unbuilt[n.Package] != ""
		}
	}
	if len(t.Differences) > 0 {
		raised, err := c.tests(dir, selectTests(t.Differences)...)
		if err != nil {
			return c.m.ctx.Err()
		}
		for i := range t.Differences {
			d := &t.Differences[i]
			d.GoLine = raised.result[testID{d.Package, d.Test}] == d.After
		}
	}
	return nil
}

// goLines returns the versions in the go lines of go.mod, before and after the change. They are "" if go.mod cannot be
// read.
func (c *Change) goLines() (was, is string) {
	before, err := modfile.Parse("go.mod", c.mod.before, nil)
	if err != nil {
		return "", ""
	}
	after, err := modfile.Parse("go.mod", c.mod.after, nil)
	if err != nil || after.Go == nil {
		return "", ""
	}
	was = "1.16"
	if before.Go != nil {
		was = before.Go.Version
	}
	return was, after.Go.Version
}
