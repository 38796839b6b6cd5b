package migrate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A planner finds out which imports can change. It changes all selected imports, checks the types,
// restores the imports that cause errors, and repeats this until there are no errors.
type planner struct {
	m        *module
	rules    []Rule
	sources  []*source
	byPath   map[string]*source // the sources by the paths that go list reports
	isTarget func(string) bool
	progress func(format string, args ...any)
	count    func(done, total int, part float64)
	graphs   []*graph
	shared   *dependencyCache
	paths    map[string]string // import path after the change -> symbol
	texts    map[*source]planText
	force    bool
}

// A planText is the text of a planned file, and the plan from which it was made.
type planText struct {
	key  string
	text []byte
}

// retain reports whether the graphs keep all syntax trees and types. Rewriting code and finding methods on streams
// need all of them, because both follow values from package to package.
func (p *planner) retain() bool {
	return slices.ContainsFunc(p.sources, func(s *source) bool { return s.units[echo4Symbol] != nil || s.units[jsontextSymbol] != nil })
}

// run decides for every unit whether it changes.
func (p *planner) run(patterns []string) error {
	p.paths = map[string]string{}
	p.texts = map[*source]planText{}
	var targets []string
	for _, r := range p.rules {
		p.paths[r.To] = r.Symbol
		used := slices.ContainsFunc(p.sources, func(s *source) bool {
			return slices.ContainsFunc(s.specs, func(sp spec) bool { return sp.rule.To == r.To && s.units[r.Symbol].change })
		})
		if used && !slices.Contains(targets, r.To) {
			targets = append(targets, r.To)
		}
	}
	if len(targets) == 0 {
		return nil
	}
	if err := p.loadChecked(patterns, targets); err != nil {
		return err
	}
	for round := 1; ; round++ {
		if p.m.ctx.Err() != nil {
			return p.m.ctx.Err()
		}
		p.progress("checking the plan, round %d", round)
		back, err := p.round()
		if err != nil {
			return err
		}
		if back == 0 {
			break
		}
	}
	if err := p.retry(); err != nil {
		return err
	}
	return p.keepStreams()
}

// missing returns an error if one of Hone's packages in targets does not exist.
func missing(g *graph, targets []string) error {
	for _, path := range targets {
		n := g.byPath[path]
		if n == nil || len(n.pkg.GoFiles) == 0 {
			why := ""
			if n != nil && len(n.pkg.Errors) > 0 {
				why = ": " + n.pkg.Errors[0].Msg
			}
			return fmt.Errorf("there is no package %s in the version that go.mod would require%s", path, why)
		}
	}
	return nil
}

// loadChecked loads the packages, and excludes packages that do not compile before the change. It
// also loads the packages of Hone in targets, and returns an error if one of them does not exist.
func (p *planner) loadChecked(patterns, targets []string) error {
	p.progress("loading packages")
	if err := p.loadAll(patterns, targets); err != nil {
		return err
	}
	for i, g := range p.graphs {
		if i == 0 {
			if err := missing(g, targets); err != nil {
				return err
			}
		}
		p.progress("checking %s", g.config)
		g.check()
		if !g.fails() {
			continue // with the change, and so without it
		}
		p.progress("checking %s without the change", g.config)
		p.unplanned(g.baseline)
		p.skipBroken(g)
	}
	return nil
}

// loadAll loads the packages, and the packages of Hone in targets, in the configuration of the
// environment, and then in other configurations that include the remaining files.
func (p *planner) loadAll(patterns, targets []string) error {
	patterns = slices.Concat(patterns, p.m.work.patterns())
	p.shared = newDependencies()
	g, err := p.load(config{}, patterns, targets)
	if err != nil {
		return err
	}
	p.graphs = []*graph{g}
	rest := map[*source]string{}
	for path, s := range p.byPath {
		if s.keep == "" && s.changed() {
			rest[s] = path
		}
	}
	p.deleteCovered(rest, g)
	// In a dependency, only packages that are part of the build matter. The tests of the dependency,
	// and packages that nothing imports, do not.
	built := map[string]bool{}
	g.lists(func(path string, n *node) { built[filepath.Dir(path)] = true })
	for s, path := range rest {
		if s.dep && (strings.HasSuffix(path, "_test.go") || !built[filepath.Dir(path)]) {
			delete(rest, s)
			for _, u := range s.units {
				u.selected, u.change = false, false
			}
		}
	}
	return p.loadOtherConfigs(rest, patterns, targets)
}

// text returns the text of a planned file.
func (p *planner) text(path string) ([]byte, bool) {
	s := p.byPath[filepath.Clean(path)]
	if s == nil {
		return nil, false
	}
	if !s.changed() && s.exact == nil {
		return s.data, true
	}
	key := ""
	for _, symbol := range sortedKeys(s.units) {
		if s.units[symbol].change {
			key += symbol + " "
		}
	}
	if t, ok := p.texts[s]; ok && t.key == key {
		return t.text, true
	}
	t := planText{key, s.planned()}
	p.texts[s] = t
	return t.text, true
}

func (p *planner) units(path string) []*unit {
	s := p.byPath[filepath.Clean(path)]
	if s == nil {
		return nil
	}
	var list []*unit
	for _, symbol := range sortedKeys(s.units) {
		list = append(list, s.units[symbol])
	}
	return list
}
