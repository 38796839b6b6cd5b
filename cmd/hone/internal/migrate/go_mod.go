package migrate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
)

// finishMod computes the new go.mod and go.sum.
func (c *Change) finishMod(o *Options, byPath map[string]*source) error {
	if c.moves() == 0 {
		return nil
	}
	o.Progress("tidying go.mod")
	m := c.m
	var err error
	tidy := false
	if m.work == nil {
		_, err = m.run(m.root, "mod", "tidy", "-diff")
		tidy = err == nil
	}
	switch {
	case m.ctx.Err() != nil:
		return m.ctx.Err()
	case m.work != nil:
		c.note("the module is part of a workspace, so hone migrate does not tidy go.mod. The other modules of the workspace do not change: run hone migrate in each")
	case !tidy:
		c.note("go.mod was not tidy before, so hone migrate does not tidy it: run go mod tidy to remove unused requirements")
	}
	if err := m.editMod(func(f *modfile.File) error {
		var list []*modfile.Require
		for _, r := range f.Require {
			list = append(list, &modfile.Require{Mod: r.Mod, Indirect: r.Indirect && r.Mod.Path != Hone})
		}
		// The requirement on Hone is moved to the direct requirements.
		for _, r := range slices.Clone(f.Require) {
			if r.Mod.Path == Hone && len(list) > 1 {
				if err := f.DropRequire(Hone); err != nil {
					return err
				}
			}
		}
		f.Cleanup()
		f.SetRequireSeparateIndirect(list)
		return nil
	}); err != nil {
		return err
	}
	if tidy {
		overlay, err := c.overlay(byPath)
		if err != nil {
			return err
		}
		if _, err := m.withMod([]string{"mod", "tidy"}, "-overlay="+overlay); err != nil {
			return err
		}
	}
	if err := m.editMod(func(f *modfile.File) error {
		for _, d := range c.copies {
			if err := f.AddReplace(d.module, "", "./"+d.dir, ""); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	c.mod.after, c.sum.after, err = m.plannedMod()
	if err != nil {
		return err
	}
	c.noteVersions()
	return nil
}

// dropHone removes the requirement on Hone and its replacement if nothing imports Hone.
func (c *Change) dropHone(t *tree) error {
	stays := map[string]bool{}
	for _, f := range c.Files {
		for _, s := range f.Stays {
			stays[s.Import] = true
		}
	}
	for name, paths := range t.had {
		i := slices.IndexFunc(c.Files, func(f File) bool { return f.Name == name })
		for _, p := range paths {
			moved := i >= 0 && slices.ContainsFunc(c.Files[i].Changes, func(m Move) bool { return m.From == p })
			if !moved {
				stays[p] = true
			}
		}
	}
	if len(stays) > 0 || c.moves() == 0 {
		return nil
	}
	if err := c.m.editMod(func(f *modfile.File) error {
		if err := f.DropRequire(Hone); err != nil {
			return err
		}
		return f.DropReplace(Hone, "")
	}); err != nil {
		return err
	}
	var err error
	c.mod.after, c.sum.after, err = c.m.plannedMod()
	return err
}

// setMod writes the copy of go.mod and go.sum.
func (m *module) setMod(mod, sum []byte) error {
	if err := os.WriteFile(m.modfile, mod, 0o600); err != nil {
		return err
	}
	file := filepath.Join(m.tmp, "go.sum")
	if sum == nil {
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	return os.WriteFile(file, sum, 0o600)
}

// plannedMod reads the copy of go.mod and go.sum. sum is nil if go.sum does not exist.
func (m *module) plannedMod() (mod, sum []byte, err error) {
	if mod, err = os.ReadFile(m.modfile); err != nil {
		return nil, nil, err
	}
	if sum, err = os.ReadFile(filepath.Join(m.tmp, "go.sum")); errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err == nil && m.work != nil {
		return m.strip(mod, sum)
	}
	return mod, sum, err
}

// editMod changes the copy of go.mod.
func (m *module) editMod(change func(*modfile.File) error) error {
	data, err := os.ReadFile(m.modfile)
	if err != nil {
		return err
	}
	f, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return err
	}
	if err := change(f); err != nil {
		return err
	}
	f.Cleanup()
	if data, err = f.Format(); err != nil {
		return err
	}
	return os.WriteFile(m.modfile, data, 0o600)
}

// withMod runs a go command that reads and writes the copy of go.mod.
func (m *module) withMod(command []string, args ...string) ([]byte, error) {
	all := append([]string{}, command...)
	all = append(all, "-modfile="+m.modfile)
	return m.run(m.root, append(all, args...)...)
}
