package migrate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// prepareRevert plans the revert. The error is a [*JournalError] if the journal cannot be used.
func (c *Change) prepareRevert(o *Options, t *tree, sel *selection, rules []Rule) error {
	j := c.journal
	if err := j.exists(c.m.root); err != nil {
		return err
	}
	if err := c.planRevert(o, t, sel, rules); err != nil {
		return err
	}
	return c.checkUndone(j, t)
}

// planRevert plans the revert. c.journal may be nil. If the whole change is reverted, a file that was not
// edited since the change gets its old content from the journal. In other files the imports are restored one
// by one, if that compiles.
func (c *Change) planRevert(o *Options, t *tree, sel *selection, rules []Rule) error {
	j := c.journal
	var had map[string][]string
	if j != nil {
		had = j.Had
	}
	for _, s := range t.sources {
		s.unnote = sel.everything()
		if before, ok := j.file(s.name).undo(s.data); ok && sel.everything() {
			s.exact = before
		} else {
			if f := j.file(s.name); f != nil && sel.everything() {
				c.noteEdited(f, s.data)
			}
			s.specs = slices.DeleteFunc(s.specs, func(sp spec) bool { return slices.Contains(had[s.name], sp.rule.From) })
		}
		for symbol := range s.units {
			if !slices.ContainsFunc(s.specs, func(sp spec) bool { return sp.rule.Symbol == symbol }) {
				delete(s.units, symbol)
			}
		}
		if s.generated && j.file(s.name) != nil {
			s.generated = false // migrate changed this generated file, so the revert may change it too
		}
	}
	if err := c.revertCode(t, sel); err != nil {
		return err
	}
	c.selectUnits(o, t.sources, sel)
	whole := sel.everything()
	mod, modKnown := []byte(nil), false
	if j != nil {
		mod, modKnown = j.Mod.undo(c.m.mod)
	}
	simple := whole && (modKnown || j != nil && j.Mod == nil)
	for _, s := range t.sources {
		if s.exact == nil && s.changed() {
			simple = false
		}
	}
	if err := c.dropCopies(whole); err != nil {
		return err
	}
	if !simple {
		if err := c.checkRevert(o, t, rules); err != nil {
			return err
		}
	}
	c.collect(t.sources)
	stays := false
	for i := range c.Files {
		stays = stays || len(c.Files[i].Stays) > 0
	}
	if len(c.Files) == 0 && len(c.gone) == 0 && (j == nil || j.Mod == nil) {
		return nil
	}
	if whole && !stays && modKnown {
		c.mod.after = mod
		if j.Sum == nil {
			c.sum.after = c.sum.before
		} else if sum, ok := j.Sum.undo(c.m.sum); ok {
			c.sum.after = sum
		}
	} else if !simple {
		if err := c.finishMod(o, t.byPath); err != nil {
			return err
		}
		if err := c.dropHone(t); err != nil {
			return err
		}
	}
	if j == nil {
		return nil
	}
	if whole && !stays {
		c.journal = nil
		return nil
	}
	for _, f := range c.Files {
		if string(f.text.before) != string(f.text.after) {
			j.remove(f.Name)
		}
	}
	return nil
}

// noteEdited says why the imports of a file are restored one by one.
func (c *Change) noteEdited(f *journalFile, data []byte) {
	switch {
	case sum(data) == f.Before:
	case f.formatted(data):
		c.note("%s was formatted since, and the record does not have the old text of all changed lines: only its imports are restored", f.Name)
	default:
		c.note("%s was edited since: only its imports are restored, and the edits stay", f.Name)
	}
}

// dropCopies plans to remove the copies of -deps, unless they were edited.
func (c *Change) dropCopies(whole bool) error {
	if c.journal == nil || !whole {
		return nil
	}
	for _, d := range c.journal.Copies {
		edited, err := d.edited(c.m.root)
		if err != nil {
			return err
		}
		if len(edited) > 0 {
			return fmt.Errorf("the copy of %s was edited (%s): move your edits elsewhere and restore or delete the copy, then try again", d.Module, strings.Join(edited, ", "))
		}
		c.gone = append(c.gone, d)
	}
	if len(c.gone) == 0 {
		return nil
	}
	return c.m.editMod(func(f *modfile.File) error {
		for _, d := range c.gone {
			if err := f.DropReplace(d.Module, ""); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkRevert finds the imports that can be reverted, by type-checking the reverted module.
func (c *Change) checkRevert(o *Options, t *tree, rules []Rule) error {
	needs := map[string]bool{}
	for _, s := range t.sources {
		for _, sp := range s.specs {
			if sp.rule.Needs != "" && s.units[sp.rule.Symbol].change {
				needs[sp.rule.Needs] = true
			}
		}
	}
	versions := map[string]string{}
	if c.journal != nil && c.journal.Mod != nil {
		if f, err := modfile.Parse("go.mod", []byte(c.journal.Mod.Before), nil); err == nil {
			for _, r := range f.Require {
				versions[r.Mod.Path] = r.Mod.Version
			}
		}
	}
	now, err := modfile.Parse("go.mod", c.m.mod, nil)
	if err != nil {
		return err
	}
	for _, r := range now.Require {
		delete(needs, r.Mod.Path)
	}
	c.m.needs = sortedKeys(needs)
	for _, path := range c.m.needs {
		version := versions[path]
		if version == "" {
			version = "latest"
		}
		if slices.ContainsFunc(now.Replace, func(r *modfile.Replace) bool { return r.Old.Path == path && r.New.Version == "" }) && version != "latest" {
			if err := c.m.editMod(func(f *modfile.File) error { return f.AddRequire(path, version) }); err != nil {
				return err
			}
			continue
		}
		if _, err := c.m.withMod([]string{"get"}, path+"@"+version); err != nil {
			return err
		}
	}
	p := &planner{m: c.m, rules: rules, sources: t.sources, byPath: t.byPath, isTarget: func(f string) bool { return t.all[filepath.Clean(f)] }, progress: o.Progress, count: o.Count}
	return p.run([]string{"./..."})
}

// revertCode plans to restore the files whose code was rewritten. Only the journal has their old
// content.
func (c *Change) revertCode(t *tree, sel *selection) error {
	if !c.journal.hasCode() {
		return nil
	}
	if !sel.everything() {
		return fmt.Errorf("the change rewrote code, so it can only be undone as a whole: run -revert without -only, -skip and packages")
	}
	all := unique(t.byPath)
	for i := range c.journal.Files {
		f := &c.journal.Files[i]
		if !f.Code {
			continue
		}
		at := slices.IndexFunc(all, func(s *source) bool { return s.name == f.Name })
		if at < 0 {
			return fmt.Errorf("%s is missing or does not parse. Its code was rewritten: restore it from version control, for example with git restore %s", f.Name, f.Name)
		}
		s := all[at]
		if sum(s.data) == f.Before {
			continue // the write of the change failed before this file, or git has restored it
		}
		before, ok := f.undo(s.data)
		if !ok {
			return fmt.Errorf("%s was edited after its code was rewritten: undo the edit, or restore the file from version control, for example with git restore %s", f.Name, f.Name)
		}
		s.exact = before
		if !slices.Contains(t.sources, s) {
			t.sources = append(t.sources, s)
		}
	}
	return nil
}
