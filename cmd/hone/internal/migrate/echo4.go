package migrate

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hone-go/hone/cmd/hone/internal/echo4"
)

// noteEcho4 adds a note if the module has files for Echo v4, which only -from changes.
func (c *Change) noteEcho4(t *tree) {
	files := 0
	for _, s := range unique(t.byPath) {
		if s.echo4 {
			files++
		}
	}
	if files > 0 {
		c.note("%s %s, whose API differs from Hone's: hone migrate -from echo/v4 rewrites the code", count(files, "file"),
			map[bool]string{true: "imports", false: "import"}[files == 1]+" "+echo4.Module)
	}
}

// unique returns the sources in a tree, sorted by name.
func unique(byPath map[string]*source) []*source {
	var list []*source
	for _, path := range sortedKeys(byPath) {
		list = append(list, byPath[path])
	}
	slices.SortStableFunc(list, func(a, b *source) int { return strings.Compare(a.name, b.name) })
	return slices.Compact(list)
}

// withEcho4 returns all files of a tree, or nil if none of them imports Echo v4. A file without the
// import may use Echo too, by a type of another package.
func (t *tree) withEcho4() []*source {
	all := unique(t.byPath)
	if !slices.ContainsFunc(all, func(s *source) bool { return s.echo4 }) {
		return nil
	}
	for _, s := range all {
		if s.units[echo4Symbol] == nil {
			s.units[echo4Symbol] = &unit{source: s, symbol: echo4Symbol}
		}
	}
	return all
}

// runEcho4 plans the rewriting of all packages that can leave Echo v4. The decision is made for
// groups of packages that share values of Echo's types.
func (p *planner) runEcho4(patterns []string) error {
	p.paths = map[string]string{}
	p.texts = map[*source]planText{}
	var also []string
	for _, r := range p.rules {
		p.paths[r.To] = r.Symbol
		also = append(also, r.To)
	}
	if err := p.loadChecked(patterns, also); err != nil {
		return err
	}
	h := newHolder(p)
	h.apply()
	for _, g := range p.graphs {
		p.progress("rewriting %s", g.config)
		p.rewrite(g, h)
	}
	for _, s := range p.sources {
		if u := s.units[echo4Symbol]; u != nil && u.change && s.code == nil && !s.echo4 {
			u.change = false // the file does not use Echo
		}
	}
	clear(p.texts)
	for _, g := range p.graphs {
		if p.m.ctx.Err() != nil {
			return p.m.ctx.Err()
		}
		p.progress("checking the new code, %s", g.config)
		g.check()
		p.listErrors(g)
	}
	return p.m.ctx.Err()
}

// rewrite rewrites the packages of a graph by package echo4.
func (p *planner) rewrite(g *graph, h *holder) {
	// The test variant of a package has all files of the package itself.
	best := map[string]*node{}
	for _, n := range g.nodes {
		if !n.own || n.broken || n.info == nil || n.types == nil {
			continue
		}
		if b := best[n.pkg.PkgPath]; b == nil || len(n.files) > len(b.files) {
			best[n.pkg.PkgPath] = n
		}
	}
	var pkgs []*echo4.Package
	for _, path := range sortedKeys(best) {
		n := best[path]
		pkg := &echo4.Package{Fset: g.fset, Types: n.types, Info: n.info}
		for i, f := range n.files {
			s := p.byPath[filepath.Clean(n.names[i])]
			if s == nil || s.units[echo4Symbol] == nil || !s.units[echo4Symbol].change {
				continue
			}
			_, expr := tags(s.data)
			pkg.Files = append(pkg.Files, echo4.File{Name: filepath.Clean(n.names[i]), Syntax: f, Text: s.data, Constrained: expr != "" || forPlatform(n.names[i])})
		}
		if len(pkg.Files) > 0 {
			pkgs = append(pkgs, pkg)
		}
	}
	for _, r := range echo4.Rewrite(pkgs) {
		s := p.byPath[r.Name]
		if s.code != nil && s.code.size() >= size(r.Edits) {
			continue // keep the edits from another configuration, which rewrites at least as much
		}
		s.code = &rewriting{dropped: r.Dropped, count: r.Rewritten}
		for _, x := range r.Places {
			s.code.places = append(s.code.places, codePlace{s.position(x.Offset), x.Old, x.Say, x.Compiles})
		}
		for _, e := range r.Edits {
			s.code.edits = append(s.code.edits, edit{e.From, e.To, e.Text})
		}
	}
	for _, s := range p.sources {
		if list := h.forced[s]; len(list) > 0 {
			if s.code == nil {
				s.code = &rewriting{}
			}
			s.code.places = append(s.code.places, list...)
			delete(h.forced, s)
		}
	}
}

// forPlatform reports whether the name of a file restricts its platform, as in a_windows.go.
func forPlatform(name string) bool {
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".go"), "_test")
	i := strings.LastIndexByte(base, '_')
	return i >= 0 && known(base[i+1:])
}

func size(edits []echo4.Edit) int {
	n := 0
	for _, e := range edits {
		n += len(e.Text)
	}
	return n
}

// listErrors adds the compile errors of the new code to the places, except errors at a listed place.
func (p *planner) listErrors(g *graph) {
	for _, n := range g.nodes {
		if !n.own || n.broken {
			continue
		}
		for _, e := range n.errs {
			if strings.HasPrefix(e.Msg, "\t") || !e.Pos.IsValid() {
				continue
			}
			pos := g.fset.PositionFor(e.Pos, false)
			s := p.byPath[filepath.Clean(pos.Filename)]
			if s == nil {
				continue
			}
			if s.code == nil {
				s.code = &rewriting{}
			}
			at := position{s.name, s, g.checked[filepath.Clean(pos.Filename)], pos.Line, pos.Column}
			_, line, _, _ := at.before()
			if slices.ContainsFunc(s.code.places, func(x codePlace) bool {
				_, known, _, _ := x.at.before()
				return !x.compiles && known == line
			}) {
				continue
			}
			s.code.places = append(s.code.places, codePlace{at: at, say: "this does not compile with Hone: " + oneLine(e.Msg)})
		}
	}
}
