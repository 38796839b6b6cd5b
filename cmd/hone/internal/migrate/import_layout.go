package migrate

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// The classes of imports in a module without sections of gci.
const (
	standardClass = iota
	otherClass
	ownClass
	classes
)

// A layout says how a module groups its imports. Blank lines separate the groups of an import
// declaration.
type layout struct {
	module   string
	own      []string     // the prefixes of paths in ownClass; nil: the module's packages
	sections []gciSection // in the order of their groups; nil if the linter has none
	ranks    [classes]int // the order of the groups without sections; classes with the same rank share a group
	split    bool         // a tool keeps the standard library in a group of its own
}

// group returns the class of an import, and the rank of the group that it belongs to.
func (l *layout) group(name, path string) (class, rank int) {
	if l.sections != nil {
		i := sectionOf(l.sections, l.module, name, path)
		return i, i
	}
	class = l.class(path)
	return class, l.ranks[class]
}

// class returns the class of an import path without sections of gci.
func (l *layout) class(path string) int {
	switch {
	case l.own == nil && within(path, l.module), slices.ContainsFunc(l.own, func(prefix string) bool { return hasPathPrefix(path, prefix) }):
		return ownClass
	case isStandard(path):
		return standardClass
	}
	return otherClass
}

// isStandard reports whether the path of a package has the form of the standard library.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// within reports whether a package is in the module.
func within(path, module string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}

// hasPathPrefix matches a local prefix as goimports does.
func hasPathPrefix(path, prefix string) bool {
	return strings.HasPrefix(path, prefix) || strings.TrimSuffix(prefix, "/") == path
}

// joins reports whether an import with the name a may be in a group because of an import of this class with the name
// b. Imports of other modules for their side effects are often in a group of their own.
func (l *layout) joins(a, b string, class int) bool {
	return l.sections != nil || class == standardClass || (a == "_") == (b == "_")
}

// learn sets the ranks of the classes from the files of the module: from the majority of the files in which
// both classes occur.
func (l *layout) learn(sources []*source) {
	var together, before [classes][classes]int
	for _, s := range sources {
		var at [classes][]int
		for i, g := range s.groups {
			for _, path := range g {
				at[l.class(path)] = append(at[l.class(path)], i)
			}
		}
		for a := range classes {
			for b := range classes {
				switch {
				case a == b || len(at[a]) == 0 || len(at[b]) == 0:
				case slices.ContainsFunc(at[a], func(i int) bool { return slices.Contains(at[b], i) }):
					together[a][b]++
				case at[a][0] < at[b][0]:
					before[a][b]++
				}
			}
		}
	}
	l.ranks = [classes]int{standardClass: 0, otherClass: 2, ownClass: 3}
	apart := before[otherClass][ownClass] + before[ownClass][otherClass]
	switch {
	case l.own != nil: // goimports puts these imports last
	case together[otherClass][ownClass] > apart:
		l.ranks[ownClass] = l.ranks[otherClass]
	case before[ownClass][otherClass] > before[otherClass][ownClass]:
		l.ranks[ownClass] = 1
	}
	mixed, parted := 0, 0
	for _, c := range []int{otherClass, ownClass} {
		mixed += together[standardClass][c]
		parted += before[standardClass][c] + before[c][standardClass]
	}
	if mixed > parted && !l.split {
		l.ranks[standardClass] = l.ranks[otherClass]
	}
}

// groupPaths returns the import paths of each group in a declaration in parentheses. It omits imports for
// their side effects, which are often in a group of their own.
func groupPaths(fset *token.FileSet, g *ast.GenDecl) (groups [][]string) {
	if !g.Lparen.IsValid() {
		return nil
	}
	line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
	last := -1
	for _, spec := range g.Specs {
		s := spec.(*ast.ImportSpec)
		start := line(s.Pos())
		if s.Doc != nil {
			start = line(s.Doc.Pos())
		}
		if last < 0 || start > last+1 {
			groups = append(groups, nil)
		}
		last = line(s.End())
		if path, err := strconv.Unquote(s.Path.Value); err == nil && (s.Name == nil || s.Name.Name != "_") {
			groups[len(groups)-1] = append(groups[len(groups)-1], path)
		}
	}
	return groups
}

// A gciSection is a section in the settings of gci.
type gciSection struct {
	kind     string   // standard, default, prefix, blank, dot, alias or localmodule
	prefixes []string // of the kind prefix
	text     string   // the section as it is written
}

// gciKinds are the kinds of sections in gci's default order.
var gciKinds = []string{"standard", "default", "prefix", "blank", "dot", "alias", "localmodule"}

// gciSections returns the sections of gci's settings in the order of their groups. Entries that gci does not
// use for grouping are left out.
func gciSections(list []string, customOrder bool) []gciSection {
	if len(list) == 0 {
		list = []string{"standard", "default"}
	}
	var sections []gciSection
	for _, text := range list {
		kind, rest, _ := strings.Cut(text, "(")
		s := gciSection{kind: strings.ToLower(strings.TrimSpace(kind)), text: text}
		if s.kind == "prefix" {
			for p := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(rest), ")"), ",") {
				s.prefixes = append(s.prefixes, strings.TrimSpace(p))
			}
		}
		if slices.Contains(gciKinds, s.kind) {
			sections = append(sections, s)
		}
	}
	if !customOrder {
		slices.SortStableFunc(sections, func(a, b gciSection) int {
			return cmp.Or(slices.Index(gciKinds, a.kind)-slices.Index(gciKinds, b.kind), strings.Compare(a.text, b.text))
		})
	}
	return sections
}

// sectionOf returns the index of the section that matches an import best, as gci does: localmodule before the
// sections that match names, these before prefixes, a longer prefix before a shorter one, then standard and default.
func sectionOf(sections []gciSection, module, name, path string) int {
	best, weight := len(sections), 0
	for i, s := range sections {
		w := 0
		switch s.kind {
		case "default":
			w = 1
		case "standard":
			if isStandard(path) && !within(path, module) {
				w = 2
			}
		case "prefix":
			for _, p := range s.prefixes {
				if strings.HasPrefix(path, p) {
					w = 3 + len(p)
					break
				}
			}
		case "blank":
			w = nameWeight(name == "_")
		case "dot":
			w = nameWeight(name == ".")
		case "alias":
			w = nameWeight(name != "" && name != "_" && name != ".")
		case "localmodule":
			if within(path, module) {
				w = 2 * maxPath
			}
		}
		if w > weight {
			best, weight = i, w
		}
	}
	return best
}

// maxPath is more than the length of a prefix in the settings.
const maxPath = 1 << 20

func nameWeight(matches bool) int {
	if matches {
		return maxPath
	}
	return 0
}
