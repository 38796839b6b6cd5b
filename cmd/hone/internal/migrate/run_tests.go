package migrate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// A Trial has the results of a module's tests before and after a change.
type Trial struct {
	Before      Counts       `json:"before"`
	After       Counts       `json:"after"`
	Differences []Difference `json:"differences"`
	// NotBuilt has the packages that build only before or only after the change. Differences does not
	// list their tests.
	NotBuilt []NotBuilt `json:"notBuilt,omitempty"`
	// Unsteady has the tests with different outcomes in two runs of one version of the code.
	Unsteady []Difference `json:"unsteady,omitempty"`
	// Broken has the packages whose tests build neither before nor after the change.
	Broken []string `json:"broken,omitempty"`
	// Failing has the tests that fail before the change, with the end of their output.
	Failing []Failure `json:"failing,omitempty"`
}

// A Failure is a test that fails before the change. Test is "" if the package fails outside of its tests.
type Failure struct {
	Package string `json:"package"`
	Test    string `json:"test,omitempty"`
	Output  string `json:"output,omitempty"`
}

// Counts are numbers of tests by outcome.
type Counts struct {
	Pass int `json:"pass"`
	Fail int `json:"fail"`
	Skip int `json:"skip"`
}

// A Difference is a test whose outcome has changed. An outcome is "" if the test does not exist. A
// Difference without a test is about the package: its build, or code outside of its tests.
type Difference struct {
	Package string `json:"package"`
	Test    string `json:"test,omitempty"`
	Before  string `json:"before"`
	After   string `json:"after"`
	// Output is the end of the test's output after the change. If tests of a package are missing after the
	// change, the first of them has the output of the package.
	Output string `json:"output,omitempty"`
	// GoLine is set if a change of the go line in go.mod alone, without Hone, has this outcome too.
	GoLine bool `json:"goLine,omitempty"`
}

// Differs reports whether a test has another outcome after the change, or a package no longer builds.
func (t *Trial) Differs() bool {
	return len(t.Differences) > 0 || slices.ContainsFunc(t.NotBuilt, func(n NotBuilt) bool { return n.When == whenAfter })
}

// A testID is the package and the name of a test.
type testID struct{ pkg, name string }

type outcomes struct {
	result  map[testID]string
	output  map[testID]string
	unbuilt map[string]string // a package whose test does not build -> the package that does not compile
	build   map[string]string // the messages about a package that does not compile
}

// Try runs the tests of the module in two copies, one without and one with the change.
func (c *Change) Try(ctx context.Context, progress func(string, ...any)) (*Trial, error) {
	before, after, err := c.Copies()
	if err != nil {
		return nil, err
	}
	progress("running the tests before the change")
	one, err := c.tests(before)
	if err != nil {
		return nil, err
	}
	progress("running the tests after the change")
	two, err := c.tests(after)
	if err != nil {
		return nil, err
	}
	if err := c.vetGoLine(progress); err != nil {
		return nil, err
	}
	t := &Trial{Before: one.counts(), After: two.counts(), Differences: []Difference{}, Failing: one.failing()}
	for _, pkg := range sortedKeys(one.unbuilt) {
		if two.unbuilt[pkg] != "" {
			t.Broken = append(t.Broken, pkg)
		}
	}
	var differences []Difference
	differences, t.NotBuilt = compare(one, two)
	if len(differences) > 0 {
		// A test with different outcomes for the same code says nothing about the change.
		progress("running the tests that differ again")
		again, err := c.tests(before, selectTests(differences)...)
		if err != nil {
			return nil, err
		}
		then, err := c.tests(after, selectTests(differences)...)
		if err != nil {
			return nil, err
		}
		for _, d := range differences {
			id := testID{d.Package, d.Test}
			if again.result[id] != d.Before || then.result[id] != d.After {
				t.Unsteady = append(t.Unsteady, d)
			} else {
				t.Differences = append(t.Differences, d)
			}
		}
	}
	if err := c.blameGoLine(before, t, progress); err != nil {
		return nil, err
	}
	c.mapOutputs(t)
	return t, ctx.Err()
}

// Copies copies the module twice, changes the second copy, and returns their folders, which are the same in
// each call. The names of the folders have equal lengths, because the output of tests may depend on the length.
func (c *Change) Copies() (before, after string, err error) {
	if c.pair[0] == "" {
		if c.pair, err = c.copyTwice(); err != nil {
			return "", "", err
		}
	}
	return c.pair[0], c.pair[1], nil
}

func (c *Change) copyTwice() (none [2]string, err error) {
	dirs := [2]string{filepath.Join(c.m.tmp, "try", "a"), filepath.Join(c.m.tmp, "try", "b")}
	tmp, err := os.Stat(c.m.tmp)
	if err != nil {
		return none, err
	}
	tree := treeCopy{from: c.m.root, skip: func(rel string, d fs.DirEntry) bool {
		switch rel {
		case ".git":
			return true
		case "go.mod", "go.sum":
			return true // new files are written, because these may be links to files that are not copied
		}
		if !d.IsDir() {
			return false
		}
		info, err := d.Info()
		return err == nil && os.SameFile(info, tmp) // the temporary folder may be in the module
	}}
	for i, dir := range dirs {
		c.Uncopied = nil
		tree.to, tree.unreadable = dir, func(rel string) bool {
			c.Uncopied = append(c.Uncopied, rel)
			return path.Ext(rel) != ".go"
		}
		if err := copyTree(c.m.ctx, tree); err != nil {
			return none, err
		}
		mod, sums := c.mod.before, c.sum.before
		if i == 1 {
			mod, sums = c.mod.after, c.sum.after
			if err := c.writeTo(dir); err != nil {
				return none, err
			}
		}
		if mod, sums, err = c.m.work.joined(mod, sums); err != nil {
			return none, err
		}
		if mod, err = absoluteReplaces(mod, c.m.root); err != nil {
			return none, err
		}
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644); err != nil {
			return none, err
		}
		if sums != nil {
			if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644); err != nil {
				return none, err
			}
		}
	}
	return dirs, nil
}

// writeTo writes the changed files, and the copies of dependencies, into a copy of the module.
func (c *Change) writeTo(dir string) error {
	for _, d := range c.copies {
		if err := copyTree(c.m.ctx, treeCopy{from: d.tmp, to: filepath.Join(dir, filepath.FromSlash(d.dir))}); err != nil {
			return err
		}
	}
	for _, g := range c.gone {
		if err := removeCopy(dir, g.Dir); err != nil {
			return err
		}
	}
	for _, f := range c.Files {
		if string(f.text.before) == string(f.text.after) {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(f.Name)), f.text.after, f.mode|0o200); err != nil {
			return err
		}
	}
	return nil
}

// absoluteReplaces makes relative paths in replace directives absolute if they lead out of the
// module. It is needed because the copy of the module is in another folder.
func absoluteReplaces(mod []byte, root string) ([]byte, error) {
	f, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		return nil, err
	}
	changed := false
	for _, r := range slices.Clone(f.Replace) {
		if r.New.Version != "" || filepath.IsAbs(r.New.Path) || filepath.IsLocal(filepath.FromSlash(r.New.Path)) {
			continue
		}
		changed = true
		to := filepath.ToSlash(filepath.Join(root, filepath.FromSlash(r.New.Path)))
		if err := f.AddReplace(r.Old.Path, r.Old.Version, to, ""); err != nil {
			return nil, err
		}
	}
	if !changed {
		return mod, nil
	}
	return f.Format()
}

// selectTests returns the arguments of go test that select the tests of a list of differences.
func selectTests(list []Difference) []string {
	var packages, names []string
	for _, d := range list {
		packages = append(packages, d.Package)
		top, _, _ := strings.Cut(d.Test, "/")
		names = append(names, regexp.QuoteMeta(top))
	}
	slices.Sort(packages)
	packages = slices.Compact(packages)
	slices.Sort(names)
	names = slices.Compact(names)
	if slices.Contains(names, "") {
		return packages
	}
	return append([]string{"-run=^(" + strings.Join(names, "|") + ")$"}, packages...)
}

// tests runs the tests of a copy that the arguments of go test select, or all tests.
func (c *Change) tests(dir string, selection ...string) (*outcomes, error) {
	args := []string{"test", "-json", "-count=1"}
	if len(selection) == 0 {
		selection = []string{"./..."}
	}
	out, errs, err := c.m.start(dir, append(append(args, c.copyFlags()...), selection...)...)
	if c.m.ctx.Err() != nil {
		return nil, c.m.ctx.Err()
	}
	// The name of a test may contain the folder of the copy. It is replaced, so that a test has the
	// same name in both copies.
	out = bytes.ReplaceAll(out, []byte(dir), []byte(c.m.root))
	o := readTests(out)
	if len(o.result) == 0 && err != nil {
		return nil, fmt.Errorf("go test: %s", words(errs, err))
	}
	return o, nil
}

// copyFlags returns the flags of the go command for a copy of the module. The vendor folder of both copies is
// from before the change, so it must not be used. A newer go line may need more requirements in go.mod, which
// the go command then adds.
func (c *Change) copyFlags() []string {
	if c.m.vendored || c.m.work != nil || c.raised {
		return []string{"-mod=mod"}
	}
	return nil
}

// readTests parses the output of go test -json.
func readTests(out []byte) *outcomes {
	o := &outcomes{map[testID]string{}, map[testID]string{}, map[string]string{}, map[string]string{}}
	r := bufio.NewReader(bytes.NewReader(out))
	for {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var e struct{ Action, Package, ImportPath, Test, Output, FailedBuild string }
			if json.Unmarshal(line, &e) == nil {
				id := testID{e.Package, e.Test}
				switch e.Action {
				case "pass", "fail", "skip":
					o.result[id] = e.Action
					if e.FailedBuild != "" {
						o.unbuilt[e.Package] = withoutVariant(e.FailedBuild)
					}
				case "build-output":
					o.build[withoutVariant(e.ImportPath)] += e.Output
				case "output":
					text := o.output[id] + e.Output
					if len(text) > 4096 {
						text = text[len(text)-4096:]
					}
					o.output[id] = text
				}
			}
		}
		if err != nil {
			return o
		}
	}
}

// failing returns the tests that fail, without the tests whose subtests fail, and the packages that fail
// without a failing test.
func (o *outcomes) failing() []Failure {
	var list []Failure
	inner := map[testID]bool{}
	for id, r := range o.result {
		if r != "fail" || id.name == "" {
			continue
		}
		inner[testID{pkg: id.pkg}] = true
		for i := strings.LastIndexByte(id.name, '/'); i > 0; i = strings.LastIndexByte(id.name[:i], '/') {
			inner[testID{id.pkg, id.name[:i]}] = true
		}
	}
	for id, r := range o.result {
		if r == "fail" && !inner[id] && o.unbuilt[id.pkg] == "" {
			list = append(list, Failure{id.pkg, id.name, o.output[id]})
		}
	}
	slices.SortFunc(list, func(a, b Failure) int {
		return strings.Compare(a.Package+"\x00"+a.Test, b.Package+"\x00"+b.Test)
	})
	return list
}

func (o *outcomes) counts() Counts {
	var c Counts
	for id, r := range o.result {
		switch {
		case id.name == "":
		case r == "pass":
			c.Pass++
		case r == "fail":
			c.Fail++
		default:
			c.Skip++
		}
	}
	return c
}

// compare returns the tests with different outcomes, by name, and the packages that build only before or
// only after the change.
func compare(one, two *outcomes) ([]Difference, []NotBuilt) {
	ids := map[testID]bool{}
	for id := range one.result {
		ids[id] = true
	}
	for id := range two.result {
		ids[id] = true
	}
	list := []Difference{}
	named := map[string]bool{}
	for id := range ids {
		if one.unbuilt[id.pkg] != "" || two.unbuilt[id.pkg] != "" {
			continue
		}
		if a, b := one.result[id], two.result[id]; a != b {
			list = append(list, Difference{Package: id.pkg, Test: id.name, Before: a, After: b, Output: two.output[id]})
			named[id.pkg] = named[id.pkg] || id.name != ""
		}
	}
	// If the package crashes, its tests are missing. The output of the package says why.
	shown := map[string]bool{}
	slices.SortFunc(list, func(a, b Difference) int { return strings.Compare(a.Test, b.Test) })
	for i := range list {
		if d := &list[i]; d.After == "" && d.Test != "" && !shown[d.Package] {
			shown[d.Package] = true
			d.Output = two.output[testID{d.Package, ""}]
		}
	}
	// The failure of a package is caused by a listed test.
	list = slices.DeleteFunc(list, func(d Difference) bool { return d.Test == "" && named[d.Package] })
	slices.SortFunc(list, func(a, b Difference) int {
		return strings.Compare(a.Package+"\x00"+a.Test, b.Package+"\x00"+b.Test)
	})
	return list, append(one.notBuilt(whenBefore, two), two.notBuilt(whenAfter, one)...)
}
