package migrate

import "slices"

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
					u.change, u.cause, u.reason = false, ruleBroken, "its package does not compile before the change: "+oneLine(n.errs[0].Msg)
					// The message of a syntax error has a line, which a comment would change.
					u.where, u.broken, u.note = p.position(g, n.errs[0].Pos), true, n.errs[0].Pos.IsValid()
				}
			}
		}
	}
}

// fails reports whether a package that may change has errors.
func (g *graph) fails() bool {
	return slices.ContainsFunc(g.nodes, func(n *node) bool { return n.target && len(n.errs) > 0 })
}

// baseline checks the packages without changes, and marks those that have errors.
func (g *graph) baseline() {
	g.check()
	for _, n := range g.nodes {
		n.broken = n.target && len(n.errs) > 0
	}
}
