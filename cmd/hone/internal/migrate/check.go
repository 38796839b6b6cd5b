package migrate

import (
	"context"
	"path/filepath"
	"slices"
)

// A Found is an import of a package that Hone replaces.
type Found struct {
	Rule   string `json:"rule"`  // new-import
	Where  string `json:"where"` // file:line
	Import string `json:"import"`
	To     string `json:"to"` // the package that replaces it
}

// Check returns the imports that [Prepare] could change, in the order of the files, without type-checking. An import
// that stays, with a comment of hone migrate above it, is not among them, nor is an import in a generated file, unless
// o.Generated is set. Check writes temporary files below tmp.
func Check(ctx context.Context, tmp string, o Options) ([]Found, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	m, err := open(ctx, dir, tmp)
	if err != nil {
		return nil, err
	}
	if err := o.checkFrom(); err != nil {
		return nil, err
	}
	shadows, only, err := o.shadowSymbols()
	if err != nil {
		return nil, err
	}
	o.Only = only
	t, err := walk(m.root, "", withShadow(Rules(false, o.From), shadows))
	if err != nil {
		return nil, err
	}
	sel, err := o.selection(m, dir, t)
	if err != nil {
		return nil, err
	}
	t.dropOwn(m.path)
	list := []Found{}
	for _, s := range t.sources {
		if s.keep != "" || s.generated && !o.Generated {
			continue
		}
		specs := slices.SortedFunc(slices.Values(s.specs), func(a, b spec) int { return a.path - b.path })
		for _, sp := range specs {
			if sp.noteAt == sp.line && sel.includes(s.name, sp.rule.Symbol) {
				at := s.position(sp.path)
				at.column = 0
				list = append(list, Found{ruleNewImport, at.String(), sp.rule.From, sp.rule.To})
			}
		}
	}
	return list, nil
}
