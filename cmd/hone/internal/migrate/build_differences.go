package migrate

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// These are the values of NotBuilt.When.
const (
	whenBefore = "before"
	whenAfter  = "after"
)

// A NotBuilt is a package that builds only before or only after the change. So its tests cannot be
// compared, and are not run again.
type NotBuilt struct {
	Package string `json:"package"`
	When    string `json:"when"`  // when the package does not build: before or after the change
	Tests   int    `json:"tests"` // the number of tests that ran when it did build
	// Cause is the package that does not compile: the package itself, or one that it imports.
	Cause string `json:"cause"`
	// Output has the messages of the compiler or of go vet. It is "" if an earlier package of the list has this
	// cause too.
	Output string `json:"output,omitempty"`
	// GoLine is set if the package does not build without Hone either, when only the go line of go.mod changes.
	GoLine bool `json:"goLine,omitempty"`

	vet bool // go vet refuses the package
}

// notBuilt returns the packages that build in other, but not in o. If one package is the cause for several
// others, it comes directly before them.
func (o *outcomes) notBuilt(when string, other *outcomes) []NotBuilt {
	var list []NotBuilt
	for _, pkg := range sortedKeys(o.unbuilt) {
		if other.unbuilt[pkg] != "" {
			continue
		}
		n := NotBuilt{Package: pkg, When: when, Cause: o.unbuilt[pkg]}
		if n.Cause == pkg+"_test" {
			n.Cause = pkg // the external test of the package
		}
		for id := range other.result {
			if id.pkg == pkg && id.name != "" {
				n.Tests++
			}
		}
		// go test prints "# PACKAGE" above messages, and "# [PACKAGE]" above messages of go vet.
		n.vet = strings.Contains(o.build[n.Cause], "# [")
		list = append(list, n)
	}
	slices.SortStableFunc(list, func(a, b NotBuilt) int {
		if c := strings.Compare(a.Cause, b.Cause); c != 0 {
			return c
		}
		return boolOrder(a.Package != a.Cause, b.Package != b.Cause)
	})
	for i := range list {
		if n := &list[i]; i == 0 || list[i-1].Cause != n.Cause {
			n.Output = messages(o.build[n.Cause] + o.build[n.Cause+"_test"])
		}
	}
	return list
}

// messages removes the headings of packages, and repeated lines: the compiler prints the same messages for a
// package and for its test variant.
func messages(text string) string {
	seen := map[string]bool{}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !seen[line] && !strings.HasPrefix(line, "# ") {
			seen[line] = true
			b.WriteString(line)
		}
	}
	return b.String()
}

// withoutVariant returns an import path without the test for which the package is built, as in
// "example.com/a [example.com/a.test]".
func withoutVariant(id string) string {
	id, _, _ = strings.Cut(id, " ")
	return id
}

// refused returns the packages that may not build after the change because of the go line of go.mod:
// go vet refuses the package, or the compiler refuses a package whose code does not change. An error
// of the compiler in a package whose code changes has another cause: without the change of code, the
// package compiled with the new go line.
func (c *Change) refused(list []NotBuilt) []string {
	var packages []string
	for _, n := range list {
		if n.When == whenAfter && (n.vet || !c.changes(n.Cause)) {
			packages = append(packages, n.Package)
		}
	}
	return packages
}

// changes reports whether a file of a package of the module changes.
func (c *Change) changes(pkg string) bool {
	return slices.ContainsFunc(c.Files, func(f File) bool {
		return path.Join(c.m.path, path.Dir(f.Name)) == pkg && string(f.text.before) != string(f.text.after)
	})
}

// summarizeNotBuilt prints the packages that do not build, and the messages about each cause once.
func summarizeNotBuilt(w io.Writer, list []NotBuilt) {
	for i, n := range list {
		if i == 0 || list[i-1].When != n.When {
			fmt.Fprintf(w, "these packages do not build %s the change, so their tests were not compared:\n", n.When)
		}
		cause := ""
		if n.Cause != n.Package {
			cause = ", because of " + n.Cause
		}
		if n.GoLine {
			cause = ", because of the go line of go.mod, not of Hone"
		}
		fmt.Fprintf(w, "  %s: %s%s\n", n.Package, count(n.Tests, "test"), cause)
		quote(w, n.Output)
	}
}
