package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tidy runs `go mod tidy` in copies of the modules and reports the changes. The copies get Hone's own modules from
// a file proxy. The go.sum files of the tree lack the sums of Hone's own modules, which only a release has.
func (t *tree) tidy(ctx context.Context) error {
	proxy, err := os.MkdirTemp("", "proxy-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(proxy)
	if err := t.writeProxy(proxy); err != nil {
		return err
	}
	s, err := newStranger(ctx, proxy)
	if err != nil {
		return err
	}
	defer s.leave()
	var stale []error
	// These modules are not released, but they require the next release of Hone, as the released modules do.
	units := slices.Clone(t.modules)
	for _, dir := range []string{"examples/cookbook", "internal/test/arch", "internal/test/gotests"} {
		u, err := t.unit(dir)
		if err != nil {
			return err
		}
		units = append(units, u)
	}
	for i, u := range units {
		dir := filepath.Join(s.dir, fmt.Sprint("tidy", i))
		files, err := t.files(u)
		if err != nil {
			return err
		}
		for _, f := range files {
			if name := f.Path(); strings.HasSuffix(name, ".go") || name == "go.mod" || name == "go.sum" {
				if err := copyFile(filepath.Join(dir, filepath.FromSlash(name)), f.(treeFile)); err != nil {
					return err
				}
			}
		}
		if err := s.do(ctx, dir, "mod", "tidy"); err != nil {
			return err
		}
		stale = append(stale, t.compare(u, dir))
	}
	return errors.Join(stale...)
}

// compare reports the differences between the files of a module and their tidy copies.
func (t *tree) compare(u unit, dir string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		have, err := os.ReadFile(filepath.Join(t.root, u.dir, name))
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		ownSum := func(line string) bool { return name == "go.sum" && isOurs(strings.Fields(line)[0]) }
		tidied := strings.Join(slices.DeleteFunc(slices.Collect(strings.Lines(string(want))), ownSum), "")
		if string(have) != tidied {
			return fmt.Errorf("%s/%s is not tidy; go mod tidy would write:\n%s", u.dir, name, tidied)
		}
	}
	return nil
}
