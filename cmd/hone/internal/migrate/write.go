package migrate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// writeOverlay writes the file for the flag -overlay of the go command.
func writeOverlay(name string, replace map[string]string) (string, error) {
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	return name, os.WriteFile(name, data, 0o600)
}

// A WriteError has the files that were written before a write failed.
type WriteError struct {
	Written []string
	Err     error
}

func (e *WriteError) Error() string {
	if len(e.Written) == 0 {
		return e.Err.Error() + "; nothing was written"
	}
	return fmt.Sprintf("%v; these files had been written before: %s. hone migrate -revert restores them", e.Err, strings.Join(e.Written, ", "))
}

func (e *WriteError) Unwrap() error { return e.Err }

// Nothing reports whether there is nothing to write.
func (c *Change) Nothing() bool {
	for _, f := range c.Files {
		if string(f.text.before) != string(f.text.after) {
			return false
		}
	}
	return string(c.mod.before) == string(c.mod.after) && len(c.copies) == 0 && len(c.gone) == 0 && string(c.sum.before) == string(c.sum.after)
}

// Write writes each file atomically, after the journal. If a write fails, the error is a
// [*WriteError]. After any other error nothing was written.
func (c *Change) Write() error {
	if err := removeTemporary(c.m.root); err != nil {
		return err
	}
	if c.Nothing() && (c.had == (c.journal != nil)) {
		return nil
	}
	// A file that was edited since it was read is not overwritten.
	for _, x := range []struct {
		name   string
		before []byte
	}{{"go.mod", c.mod.before}, {"go.sum", c.sum.before}, {journalName, c.was}} {
		path := filepath.Join(c.m.root, x.name)
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			// A write replaces the file, and a revert would not restore a link.
			return fmt.Errorf("%s is a link or no regular file; nothing was written", x.name)
		}
		if now, err := os.ReadFile(path); err != nil && !errors.Is(err, os.ErrNotExist) || string(now) != string(x.before) {
			return fmt.Errorf("%s has changed since it was read; nothing was written", x.name)
		}
	}
	for _, d := range c.gone {
		if edited, err := d.edited(c.m.root); err != nil || len(edited) > 0 {
			return fmt.Errorf("%s has changed since it was read; nothing was written", d.Dir)
		}
	}
	if err := c.checkVendor(); err != nil {
		return err
	}
	for _, f := range c.Files {
		if f.dep {
			continue
		}
		if now, err := os.ReadFile(f.path); err != nil || string(now) != string(f.text.before) {
			return fmt.Errorf("%s has changed since it was read; nothing was written", f.Name)
		}
	}
	if err := c.writeAll(); err != nil {
		return err
	}
	c.noteIgnored()
	return nil
}

// writeAll writes all files, the journal before the files that it describes.
func (c *Change) writeAll() error {
	var written []string
	fail := func(err error) error { return &WriteError{written, err} }
	for _, d := range c.copies {
		for _, f := range c.Files {
			if f.dep && strings.HasPrefix(f.Name, d.dir+"/") {
				if err := write(f.path, f.text.after, f.mode|0o200); err != nil {
					return fail(err)
				}
			}
		}
		to := filepath.Join(c.m.root, filepath.FromSlash(d.dir))
		if err := copyTree(context.Background(), treeCopy{from: d.tmp, to: to}); err != nil {
			return fail(err)
		}
		written = append(written, d.dir)
		files, err := sums(to)
		if err != nil {
			return fail(err)
		}
		c.journal.Copies = append(c.journal.Copies, journalCopy{d.module, d.version, d.dir, files})
	}
	journal := filepath.Join(c.m.root, journalName)
	if c.journal != nil {
		data, err := c.journal.bytes()
		if err == nil {
			err = write(journal, data, 0o644)
		}
		if err != nil {
			return fail(err)
		}
	}
	if err := c.writeFiles(&written); err != nil {
		return fail(err)
	}
	for _, x := range []struct {
		name string
		text text
	}{{"go.mod", c.mod}, {"go.sum", c.sum}} {
		if err := c.writeText(x.name, x.text); err != nil {
			return fail(err)
		}
		if string(x.text.before) != string(x.text.after) {
			written = append(written, x.name)
		}
	}
	for _, g := range c.gone {
		if err := removeCopy(c.m.root, g.Dir); err != nil {
			return fail(err)
		}
	}
	if c.m.vendored && string(c.mod.before) != string(c.mod.after) {
		if _, err := c.m.run(c.m.root, "mod", "vendor"); err != nil {
			return fail(err)
		}
	}
	if c.journal == nil && c.had {
		if err := os.Remove(journal); err != nil {
			return fail(err)
		}
	}
	return nil
}

// writeFiles writes the Go files and appends their names to written.
func (c *Change) writeFiles(written *[]string) error {
	for _, f := range c.Files {
		if f.dep || string(f.text.before) == string(f.text.after) {
			continue
		}
		if err := c.m.ctx.Err(); err != nil {
			return err
		}
		if err := write(f.path, f.text.after, f.mode); err != nil {
			return err
		}
		*written = append(*written, f.Name)
	}
	return nil
}

func (c *Change) writeText(name string, t text) error {
	if string(t.before) == string(t.after) && (t.before == nil) == (t.after == nil) {
		return nil
	}
	if err := c.m.ctx.Err(); err != nil {
		return err
	}
	path := filepath.Join(c.m.root, name)
	if t.after == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	return write(path, t.after, mode)
}

// Diff returns the unified diffs of all changed files except go.sum.
func (c *Change) Diff() string {
	var b strings.Builder
	for _, f := range c.Files {
		b.WriteString(Diff("a/"+f.Name, "b/"+f.Name, f.text.before, f.text.after))
	}
	b.WriteString(Diff("a/go.mod", "b/go.mod", c.mod.before, c.mod.after))
	return b.String()
}
