package migrate

import (
	"fmt"
	"go/types"
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

// maxReason is the maximum length of a reason in a comment.
const maxReason = 240

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
		p.progress("checking %s", g.config)
		p.unplanned(g.baseline)
		p.skipBroken(g)
		if i == 0 {
			if err := missing(g, targets); err != nil {
				return err
			}
		}
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
	covered := func(g *graph) {
		g.lists(func(path string, n *node) {
			if s := p.byPath[filepath.Clean(path)]; s != nil && (n.own || s.path != "") {
				delete(rest, s)
			}
		})
	}
	covered(g)
	// In a dependency, only packages that are part of the build matter. Its tests, and packages that
	// nothing imports, do not.
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
	// The remaining files are not part of any package that was loaded.
	words, exprs := map[string][]string{}, map[string]string{}
	var alone, files []string
	for s, path := range rest {
		words[path], exprs[path] = tags(s.data)
		if slices.Contains(words[path], "ignore") {
			alone = append(alone, path)
		} else {
			files = append(files, path)
		}
	}
	slices.Sort(alone)
	slices.Sort(files)
	configs, _ := configsFor(files, words, p.m.goos, p.m.goarch, p.m.cgo)
	for _, path := range alone {
		if len(configs) < maxConfigs {
			configs = append(configs, config{file: path})
		}
	}
	for _, c := range configs {
		p.progress("loading packages for %s", c)
		g, err := p.load(c, patterns, targets)
		if err != nil {
			if p.m.ctx.Err() != nil {
				return err
			}
			continue // the files of this configuration are reported as not checked
		}
		p.graphs = append(p.graphs, g)
		covered(g)
	}
	for s, path := range rest {
		why := "none of the build configurations that hone migrate tries includes this file"
		if exprs[path] != "" {
			why += " (" + exprs[path] + ")"
		}
		for _, u := range s.units {
			if u.change {
				u.change, u.reason = false, "not checked: "+why
			}
		}
	}
	return nil
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

// unplanned calls f with a plan that changes nothing.
func (p *planner) unplanned(f func()) {
	var planned []*unit
	for _, s := range p.sources {
		for _, u := range s.units {
			if u.change {
				planned = append(planned, u)
				u.change = false
			}
		}
	}
	f()
	for _, u := range planned {
		u.change = true
	}
}

// skipBroken excludes from the change the packages that do not compile before it. A package may
// compile in the configuration of the environment and be broken only in another configuration, which
// may lack a C header or a generated file. Then skipBroken excludes only the files that no working
// configuration includes.
func (p *planner) skipBroken(g *graph) {
	builds := map[string]bool{}
	if g != p.graphs[0] {
		p.graphs[0].lists(func(path string, n *node) { builds[path] = builds[path] || !n.broken })
	}
	for _, n := range g.nodes {
		if !n.broken || !n.own {
			continue
		}
		for _, f := range n.pkg.GoFiles {
			for _, u := range p.units(f) {
				if u.change && !builds[f] {
					u.change, u.reason = false, "its package does not compile before the change: "+oneLine(n.errs[0].Msg)
					u.where, u.broken = p.position(g, n.errs[0].Pos), true
				}
			}
		}
	}
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

// round checks all configurations once and restores the imports that cause errors. It returns the
// number of restored units.
func (p *planner) round() (int, error) {
	back := 0
	for _, g := range p.graphs {
		g.check()
		b := &blamer{g: g, units: p.units, paths: p.paths}
		here := 0
		// Units are restored after all errors of the round were examined, since all errors belong
		// to the same plan.
		type culprit struct {
			u *unit
			e types.Error
		}
		var culprits []culprit
		for _, n := range g.frontier() {
			g.open(n)
			for _, e := range n.errs {
				if strings.HasPrefix(e.Msg, "\t") {
					continue // the line continues the previous error
				}
				found := b.blame(n, e)
				if len(found) == 0 {
					return 0, fmt.Errorf("%v: %s: the change causes this error, and hone migrate cannot find the import that causes it", p.position(g, e.Pos), oneLine(e.Msg))
				}
				for _, u := range found {
					culprits = append(culprits, culprit{u, e})
				}
			}
			g.close(n)
		}
		for _, c := range culprits {
			if !c.u.change {
				continue
			}
			c.u.change, c.u.note = false, true
			c.u.where = p.position(g, c.e.Pos)
			c.u.reason = p.reason(g, c.u, c.e)
			here++
		}
		back += here
	}
	return back, nil
}

// frontier returns the packages that have errors although none of their dependencies has errors.
func (g *graph) frontier() []*node {
	var list []*node
	bad := map[*node]bool{}
	for _, n := range g.nodes {
		if !n.target {
			continue
		}
		below := slices.ContainsFunc(n.deps, func(d *node) bool { return bad[d] })
		errs := len(n.errs) > 0 && !n.broken
		if below || errs {
			bad[n] = true
		}
		if errs && !below {
			list = append(list, n)
		}
	}
	return list
}

// retry changes the restored units again, one at a time, and keeps each change that compiles. It is needed because
// round restores all units that may cause an error, although only one of them may be the real cause.
func (p *planner) retry() error {
	var list []*unit
	for _, s := range p.sources {
		for _, symbol := range sortedKeys(s.units) {
			if u := s.units[symbol]; u.note && !u.fixed {
				list = append(list, u)
			}
		}
	}
	const most = 64
	if len(list) < 2 || len(list) > most {
		return nil
	}
	for i, u := range list {
		if p.m.ctx.Err() != nil {
			return p.m.ctx.Err()
		}
		p.progress("trying the remaining imports again, %d of %d", i+1, len(list))
		u.change = true
		for _, g := range p.graphs {
			g.check()
			if len(g.frontier()) > 0 {
				u.change = false
				break
			}
		}
		if u.change {
			u.note, u.reason, u.where = false, "", position{}
		}
	}
	for _, g := range p.graphs {
		g.check()
	}
	return nil
}

// reason returns the text of the comment: the compiler's message, after the name of the file if the
// error is not in u's file.
func (p *planner) reason(g *graph, u *unit, e types.Error) string {
	text := oneLine(e.Msg)
	if len(text) > maxReason {
		cut := maxReason
		for cut > 0 && text[cut]&0xC0 == 0x80 {
			cut--
		}
		text = text[:cut] + " …"
	}
	file, _ := g.at(e.Pos)
	if e.Pos.IsValid() && p.byPath[file] != u.source {
		text = "in " + p.position(g, e.Pos).name + ": " + text
	}
	return text
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
