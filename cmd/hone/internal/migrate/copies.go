package migrate

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
)

// Module returns the path of the module.
func (c *Change) Module() string { return c.m.path }

// Release returns the release of Go that builds the module, such as go1.27.4.
func (c *Change) Release() string { return c.m.release }

// GoLines returns the versions in the go lines of go.mod before and after the change. They are "" if go.mod
// does not change.
func (c *Change) GoLines() (before, after string) { return c.goLines() }

// Moves returns the number of imports that change, by the old and the new path.
func (c *Change) Moves() map[Move]int {
	moves := map[Move]int{}
	for _, f := range c.Files {
		for _, m := range f.Changes {
			moves[m]++
		}
	}
	return moves
}

// ChangedPackages returns the import paths of the module's packages in which an import changes, sorted.
func (c *Change) ChangedPackages() []string {
	var list []string
	for _, f := range c.Files {
		if len(f.Changes) > 0 && !f.dep {
			list = append(list, path.Join(c.m.path, path.Dir(f.Name)))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// RaiseGoLine gives the copy without the change the same go line as the copy with the change. The compiler and
// the runtime then have the same defaults in both.
func (c *Change) RaiseGoLine() error {
	before, _, err := c.Copies()
	if err != nil {
		return err
	}
	_, is := c.goLines()
	if is == "" {
		return nil
	}
	name := filepath.Join(before, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	f, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return err
	}
	if err := f.AddGoStmt(is); err != nil {
		return err
	}
	if data, err = f.Format(); err != nil {
		return err
	}
	c.raised = true
	return os.WriteFile(name, data, 0o644)
}

// Go runs the go command in one of the copies, with flags that the copies need after the command's name, and
// returns its output.
func (c *Change) Go(dir, command string, args ...string) ([]byte, error) {
	return c.m.run(dir, append(append([]string{command}, c.copyFlags()...), args...)...)
}

// Environ returns the variables that the go command needs for the copies, in addition to the environment.
func (c *Change) Environ() []string { return slices.Clone(c.m.env) }

// CopyFlags returns the flags that the go command needs for the copies.
func (c *Change) CopyFlags() []string { return c.copyFlags() }
