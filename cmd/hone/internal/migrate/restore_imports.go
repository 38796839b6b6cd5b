package migrate

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

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
			c.u.cause, c.u.reason = ruleCompile, p.reason(g, c.u, c.e)
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
			if u := s.units[symbol]; u.note && !u.fixed && !u.broken {
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
			u.note, u.cause, u.reason, u.where = false, "", "", position{}
		}
	}
	for _, g := range p.graphs {
		g.check()
	}
	return nil
}
