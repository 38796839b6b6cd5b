// Package migrate moves a module's imports to Hone, and back.
//
// [Prepare] finds the imports that can change, and writes nothing: it reads the module's files,
// changes all imports in memory, checks the types of the whole module, and restores the imports
// that cause errors until there are no errors. The returned [Change] can be printed (Change.Diff),
// tested ([Change.Try]) or written (Change.Write).
//
// The imports of one library in one file change together or not at all. The libraries have the names
// that the flags -only and -skip accept: json, json/v2, jsontext, mo, echo, and the names of -from.
package migrate

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Options select the change. The zero value plans to migrate the module of the current folder.
type Options struct {
	Dir       string   // "" is the current folder
	Patterns  []string // package patterns; an empty list is ./...
	Only      []string
	Skip      []string
	Deps      []string // modules to copy and change too
	Hone      string   // a version or a folder
	From      string   // a library whose programs are rewritten, "echo/v4" or "go-json-experiment"; "" moves imports
	Revert    bool
	Generated bool // change generated files too
	Force     bool // change code even if it does not work with a dependency, or behaves differently with it

	Progress func(format string, args ...any) // called at the start of each step; nil is allowed

	// Count is called within a step with the number of checked packages, the number of all packages, and
	// the part of the work that is done, from 0 to 1; nil is allowed.
	Count func(done, total int, part float64)
}

// A Change is the set of edits to write.
type Change struct {
	Files    []File    `json:"files"`
	Warnings []Warning `json:"warnings,omitempty"`
	Notes    []string  `json:"notes,omitempty"`
	Vet      []Finding `json:"vet,omitempty"` // filled by [Change.Try]
	// Behaviours has the items of the list "Before you deploy" of Echo, if its imports change.
	Behaviours []Behaviour `json:"behaviours,omitempty"`
	Revert     bool        `json:"revert,omitempty"`
	Refused    bool        `json:"refused,omitempty"` // -w wrote nothing, since the tests differ
	// Uncopied has the files and folders that the copies for the tests lack, because the user may not read them.
	Uncopied []string `json:"uncopied,omitempty"`

	m        *module
	tree     *tree
	mod, sum text // go.mod and go.sum
	copies   []*depCopy
	gone     []journalCopy // copies that a revert removes
	journal  *journal      // the new journal; nil to remove it
	had      bool          // the module has a journal of an earlier change
	was      []byte        // the content of the old journal
	pair     [2]string     // the folders of the two copies of the module
	raised   bool          // the copy without the change has the new go line
}

// A text is the content of a file before and after the change; nil if the file does not exist.
type text struct{ before, after []byte }

// A File is a Go file that changes, or has imports that could have changed.
type File struct {
	Name    string `json:"name"`
	Changes []Move `json:"changes,omitempty"`
	Stays   []Stay `json:"stays,omitempty"`

	Rewritten int     `json:"rewritten,omitempty"` // the number of rewritten places in the code
	Places    []Place `json:"places,omitempty"`

	path string
	mode fs.FileMode
	text text
	dep  bool // the file is in a copy of a dependency
}

// A Move is an import that changes.
type Move struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// A Stay is an import that could have changed, but stays.
type Stay struct {
	Rule   string `json:"rule"` // of Reason
	Import string `json:"import"`
	Reason string `json:"reason"`
	Location
	Comment bool `json:"comment"` // a comment in the file has the reason

	// Use is the name of a dependency, used at the position Where. It is the reason why the import
	// stays.
	Use string `json:"use,omitempty"`
	// Shares is the package whose import stays for Reason. The package of this file shares types with it, so
	// this import stays too.
	Shares string `json:"shares,omitempty"`
}

// Prepare plans the change. It writes temporary files below tmp, a folder that the caller creates
// and removes.
func Prepare(ctx context.Context, tmp string, o Options) (*Change, error) {
	if o.Progress == nil {
		o.Progress = func(string, ...any) {}
	}
	if o.Count == nil {
		o.Count = func(int, int, float64) {}
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	m, err := open(ctx, dir, tmp)
	if err != nil {
		return nil, err
	}
	j, err := readJournal(m.root)
	if err != nil {
		return nil, err
	}
	var was []byte
	if j != nil {
		was = j.read
	}
	if err := o.checkFrom(); err != nil {
		return nil, err
	}
	from := o.From
	if o.Revert {
		from = j.from()
	}
	shadows, only, err := o.shadowSymbols()
	if err != nil {
		return nil, err
	}
	o.Only = only
	rules := withShadow(Rules(o.Revert, from), shadows)
	t, err := walk(m.root, "", rules)
	if err != nil {
		return nil, err
	}
	c := &Change{Revert: o.Revert, m: m, tree: t, journal: j, had: j != nil, was: was, mod: text{m.mod, m.mod}, sum: text{m.sum, m.sum}}
	if err := t.arrange(m.root, m.path); err != nil {
		c.note("%v", err)
	}
	for _, n := range t.nested {
		inner, err := walk(filepath.Join(m.root, filepath.FromSlash(n)), n+"/", rules)
		if err != nil {
			return nil, err
		}
		if len(inner.sources) > 0 && !strings.HasPrefix(n+"/", copiesDir+"/") {
			c.note("%s is another module, and is not changed: run hone migrate there", n)
		}
	}
	sel, err := o.selection(m, dir, t)
	if err != nil {
		return nil, err
	}
	if o.Revert {
		return c, c.prepareRevert(&o, t, sel, rules)
	}
	if o.From == "" {
		c.noteEcho4(t)
		c.noteExperiment(t)
	} else if len(sel.only.symbols)+len(sel.skip.symbols) > 0 {
		return nil, fmt.Errorf("-from %s changes only that library, so -only and -skip must be files or packages", o.From)
	}
	return c, c.prepareMigrate(&o, t, sel, rules)
}

// checkFrom returns an error if the value of -from is unknown.
func (o *Options) checkFrom() error {
	if o.From != "" && froms[o.From] == nil {
		return fmt.Errorf("-from %s: the possible values are %s", o.From, strings.Join(sortedKeys(froms), " and "))
	}
	return nil
}

func (c *Change) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

func (c *Change) prepareMigrate(o *Options, t *tree, sel *selection, rules []Rule) error {
	t.dropOwn(c.m.path)
	sources, byPath, all := t.sources, t.byPath, t.all
	switch o.From {
	case echo4Symbol:
		sources = t.withEcho4()
	case experimentSymbol:
		sources = t.withExperiment()
	}
	c.selectUnits(o, sources, sel)
	c.noteGenerated(sources)
	if len(o.Deps) == 0 && !slices.ContainsFunc(sources, (*source).changed) {
		c.collect(sources)
		return nil
	}
	if err := c.m.requireHone(o.Hone); err != nil {
		return err
	}
	for _, name := range o.Deps {
		o.Progress("copying %s", name)
		d, err := copyDep(c.m, name, rules)
		if err != nil {
			return err
		}
		switch o.From {
		case echo4Symbol:
			d.tree.sources = d.tree.withEcho4()
		case experimentSymbol:
			d.tree.sources = d.tree.withExperiment()
		}
		for _, s := range d.tree.sources {
			s.dep = true
			for symbol, u := range s.units {
				// The packages and files in -only are in the module, so only the symbols in -only
				// apply to copies.
				u.selected = sel.includesSymbol(symbol)
				u.change = u.selected
			}
		}
		sources = append(slices.Clone(sources), d.tree.sources...)
		for p, s := range d.tree.byPath {
			byPath[p] = s
		}
		for p := range d.tree.all {
			all[p] = true
		}
		c.copies = append(c.copies, d)
	}
	p := &planner{m: c.m, rules: rules, sources: sources, byPath: byPath, isTarget: func(f string) bool { return all[filepath.Clean(f)] }, progress: o.Progress, count: o.Count}
	run := p.run
	p.force = o.Force
	if o.From == echo4Symbol {
		run = p.runEcho4
	}
	if err := run([]string{"./..."}); err != nil {
		return err
	}
	c.noteGenerator(t)
	if o.From == experimentSymbol {
		keepTags(sources)
	}
	if slices.ContainsFunc(sources, (*source).changed) {
		c.Warnings = sortWarnings(slices.Concat(p.warnings(), p.codeWarnings(), p.streamWarnings()))
	}
	c.collect(sources)
	c.dropUnused()
	if err := c.finishMod(o, byPath); err != nil {
		return err
	}
	return c.keepJournal(t, o.From)
}

// collect appends to c.Files a File for each source that changes, or that has a selected import
// that stays. It also sets the locations of the warnings.
func (c *Change) collect(sources []*source) {
	after := map[*source][]byte{}
	written := func(s *source) []byte {
		if after[s] == nil {
			after[s] = s.rewritten()
		}
		return after[s]
	}
	for _, s := range sources {
		f := File{Name: s.name, path: s.path, mode: s.mode, text: text{s.data, written(s)}}
		f.dep = s.dep
		if s.rewritesCode() {
			f.Rewritten = s.code.count
			for _, x := range s.code.sorted() {
				if !x.compiles {
					f.Places = append(f.Places, Place{Rule: ruleManual, Location: x.at.location(written), Old: x.old, Say: x.say})
				}
			}
		}
		for i := range s.specs {
			r := s.specs[i].rule
			switch u := s.units[r.Symbol]; {
			case u.change:
				f.Changes = append(f.Changes, Move{r.From, r.To})
			case u.selected:
				f.Stays = append(f.Stays, Stay{Rule: u.cause, Import: r.From, Reason: u.reason, Location: u.where.location(written), Comment: u.note && s.specs[i].comments && !s.unnote, Use: u.use, Shares: u.shares})
			}
		}
		if len(f.Changes)+len(f.Stays) > 0 || string(f.text.before) != string(f.text.after) {
			c.Files = append(c.Files, f)
		}
	}
	if !c.Revert {
		c.Behaviours = behaviours(sources, written)
	}
	for i := range c.Warnings {
		x := &c.Warnings[i]
		x.Location = x.at.location(written)
		if x.Import != nil {
			x.Import.Location = x.from.location(written)
		}
	}
}

// moves returns the number of imports that change.
func (c *Change) moves() int {
	n := 0
	for _, f := range c.Files {
		n += len(f.Changes)
	}
	return n
}

// overlay writes a file that makes the go command read the changed files instead of the existing
// ones.
func (c *Change) overlay(byPath map[string]*source) (string, error) {
	replace := map[string]string{}
	changed := map[*source]string{}
	dir := filepath.Join(c.m.tmp, "overlay")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for _, path := range sortedKeys(byPath) {
		s := byPath[path]
		data := s.planned()
		if string(data) == string(s.data) {
			continue
		}
		if changed[s] == "" {
			changed[s] = filepath.Join(dir, fmt.Sprint(len(changed), ".go"))
			if err := os.WriteFile(changed[s], data, 0o600); err != nil {
				return "", err
			}
		}
		replace[path] = changed[s]
	}
	return writeOverlay(filepath.Join(c.m.tmp, "overlay.json"), replace)
}

// keepJournal adds the change to the journal.
func (c *Change) keepJournal(t *tree, from string) error {
	if c.journal == nil {
		c.journal = &journal{Files: []journalFile{}, Had: t.had}
	}
	if from != "" {
		c.journal.From = from
	}
	for _, f := range c.Files {
		if !f.dep && string(f.text.before) != string(f.text.after) {
			c.journal.record(f.Name, f.text.before, f.text.after, f.Rewritten > 0)
		}
	}
	if string(c.mod.before) != string(c.mod.after) {
		c.journal.Mod = c.journal.Mod.text(c.mod.before, c.mod.after)
	}
	if string(c.sum.before) != string(c.sum.after) {
		c.journal.Sum = c.journal.Sum.text(c.sum.before, c.sum.after)
	}
	return nil
}
