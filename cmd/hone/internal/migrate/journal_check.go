package migrate

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// gitAdvice says how to undo a change if the record cannot undo it.
const gitAdvice = "use version control to restore the changed files, for example git restore"

// exists returns an error if the journal has files, and none of them is in the module.
func (j *journal) exists(root string) error {
	if j == nil || len(j.Files) == 0 {
		return nil
	}
	var names []string
	for _, f := range j.Files {
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(f.Name))); err == nil {
			return nil
		}
		names = append(names, f.Name)
	}
	return &JournalError{filepath.Join(root, journalName), "it is a record of other files, of which none is in the module: " + several(names)}
}

// several returns the first names of a list, and the number of the others.
func several(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// checkUndone returns an error if a revert restores nothing, although files differ from their state
// before the change. If the journal file does not exist, checkUndone adds a note to c.Notes.
func (c *Change) checkUndone(j *journal, t *tree) error {
	record := filepath.Join(c.m.root, journalName)
	if name, reason := c.brokenStay(t); name != "" && c.Nothing() {
		why := "has other content than hone migrate wrote"
		switch {
		case j == nil:
			return fmt.Errorf("the record %s is missing. Without it -revert restores only imports, and cannot restore them in %s: %s. Restore the record, or %s", record, name, reason, gitAdvice)
		case j.file(name) == nil:
			why = "is not in the record"
		}
		return &JournalError{record, fmt.Sprintf("%s %s, and its imports cannot be restored: %s", name, why, reason)}
	}
	if j == nil {
		if c.Nothing() {
			c.note("there is no record %s, and no file has an import that hone migrate makes. If hone migrate has changed the module, %s", record, gitAdvice)
		} else {
			c.note("there is no record %s, so -revert restores only imports, and no code that -from has rewritten. To restore every byte, %s", record, gitAdvice)
		}
		return nil
	}
	if stays := slices.ContainsFunc(c.Files, func(f File) bool { return len(f.Stays) > 0 }); stays || !c.Nothing() {
		return nil
	}
	var edited []string
	for _, f := range j.Files {
		data, err := os.ReadFile(filepath.Join(c.m.root, filepath.FromSlash(f.Name)))
		if now := sum(data); err != nil || now != f.Before && now != f.After {
			edited = append(edited, f.Name)
		}
	}
	switch {
	case len(edited) > 0:
		return &JournalError{record, "these files are missing, or have other content than before the change and after it, and no import to restore: " + several(edited)}
	case len(j.Files) > 0:
		c.note("the files in the record %s are already as they were before the change", record)
	}
	return nil
}

// brokenStay returns the name of the first file whose imports cannot be restored because its package does not
// compile, and the compiler's error.
func (c *Change) brokenStay(t *tree) (name, reason string) {
	for _, s := range t.sources {
		for _, symbol := range sortedKeys(s.units) {
			if u := s.units[symbol]; u.broken && !u.change {
				reason := u.reason
				if where := u.where.String(); where != "" {
					reason = where + ": " + reason
				}
				return s.name, reason
			}
		}
	}
	return "", ""
}

// noteIgnored adds a note if git ignores the journal, since git clean -X would remove it.
func (c *Change) noteIgnored() {
	if c.journal == nil {
		return
	}
	cmd := exec.CommandContext(c.m.ctx, "git", "check-ignore", "--quiet", journalName)
	cmd.Dir = c.m.root
	// The exit code is 0 if the file is ignored, 1 if not, and 128 outside of a work tree.
	if cmd.Run() == nil {
		c.note("git ignores %s, so git clean -X would delete it, and -revert would then restore only imports", journalName)
	}
}
