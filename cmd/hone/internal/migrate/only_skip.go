package migrate

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A selection has the values of -only and -skip.
type selection struct {
	only, skip choice
	inside     choice // the packages named as arguments
}

// A choice is a list of symbols, and a list of functions that match file names.
type choice struct {
	symbols []string
	places  []func(file string) bool
}

// shadowSymbols returns the symbols of -only whose imports move to a shadow package, and the values of
// -only without the suffix.
func (o *Options) shadowSymbols() (symbols, only []string, err error) {
	for _, list := range o.Only {
		for v := range strings.SplitSeq(list, ",") {
			symbol, is := strings.CutSuffix(strings.TrimSpace(v), shadowSuffix)
			switch {
			case !is:
			case shadowed[symbol] == "":
				return nil, nil, fmt.Errorf("-only %s: only %s have a shadow package", v, strings.Join(sortedKeys(shadowed), " and "))
			case o.Revert:
				return nil, nil, fmt.Errorf("-only %s: with -revert write -only %s, which selects the shadow package too", v, symbol)
			default:
				symbols = append(symbols, symbol)
			}
			only = append(only, symbol)
		}
	}
	for _, symbol := range symbols {
		both := 0
		for _, v := range only {
			if strings.TrimSpace(v) == symbol {
				both++
			}
		}
		if both > 1 {
			return nil, nil, fmt.Errorf("-only selects %s twice: write %s or %s%s", symbol, symbol, symbol, shadowSuffix)
		}
	}
	return symbols, only, nil
}

// parseChoice parses the values of -only or -skip. A value is a symbol, a pattern of file names, or
// a package. It is an error if a pattern or a package matches no Go file of the module.
func parseChoice(flag string, values []string, m *module, cwd string, t *tree) (choice, error) {
	var c choice
	for _, list := range values {
		for v := range strings.SplitSeq(list, ",") {
			v = strings.TrimSpace(v)
			switch {
			case v == "":
				return c, fmt.Errorf("%s has an empty value", flag)
			case slices.Contains(Symbols, v):
				c.symbols = append(c.symbols, v)
				continue
			}
			place, err := parsePlace(v, m, cwd)
			if err != nil {
				return c, fmt.Errorf("%s: %w", flag, err)
			}
			if !slices.ContainsFunc(t.files, place) {
				return c, fmt.Errorf("%s %s: not one of the symbols %s, and no Go file of the module matches", flag, v, strings.Join(Symbols, ", "))
			}
			c.places = append(c.places, place)
		}
	}
	return c, nil
}

// parsePlace returns a function that tests file names, which are relative to the module.
func parsePlace(v string, m *module, cwd string) (func(string) bool, error) {
	if strings.HasSuffix(v, ".go") || strings.ContainsAny(v, "*?[") {
		pattern := filepath.ToSlash(v)
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("%q is not a pattern of file names: %w", v, err)
		}
		if !strings.Contains(pattern, "/") {
			return func(file string) bool { ok, _ := path.Match(pattern, path.Base(file)); return ok }, nil
		}
		pattern = strings.TrimPrefix(pattern, "./")
		return func(file string) bool { ok, _ := path.Match(pattern, file); return ok }, nil
	}
	dir, deep := strings.CutSuffix(filepath.ToSlash(v), "/...")
	if v == "..." {
		dir, deep = m.path, true
	}
	switch rest, in := strings.CutPrefix(dir, m.path); {
	case in && (rest == "" || rest[0] == '/'):
		dir = strings.TrimPrefix(rest, "/")
	default:
		abs := filepath.FromSlash(dir)
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(cwd, abs)
		}
		rel, err := filepath.Rel(m.root, abs)
		if err != nil || !filepath.IsLocal(rel) && rel != "." {
			return nil, fmt.Errorf("%s is outside of module %s", v, m.path)
		}
		dir = filepath.ToSlash(rel)
	}
	if dir == "" {
		dir = "."
	}
	return func(file string) bool {
		in := path.Dir(file)
		return in == dir || deep && (dir == "." || strings.HasPrefix(in, dir+"/"))
	}, nil
}

func (c choice) place(file string) bool {
	return slices.ContainsFunc(c.places, func(p func(string) bool) bool { return p(file) })
}

// includes reports whether the selection includes imports of a symbol in a file.
func (s *selection) includes(file, symbol string) bool {
	if len(s.inside.places) > 0 && !s.inside.place(file) {
		return false
	}
	if len(s.only.symbols) > 0 && !slices.Contains(s.only.symbols, symbol) {
		return false
	}
	if len(s.only.places) > 0 && !s.only.place(file) {
		return false
	}
	return !slices.Contains(s.skip.symbols, symbol) && !s.skip.place(file)
}

// everything reports whether the selection includes everything.
func (s *selection) everything() bool {
	return len(s.only.symbols)+len(s.only.places)+len(s.skip.symbols)+len(s.skip.places)+len(s.inside.places) == 0
}

func (o *Options) selection(m *module, dir string, t *tree) (*selection, error) {
	var s selection
	var err error
	if s.only, err = parseChoice("-only", o.Only, m, dir, t); err != nil {
		return nil, err
	}
	if s.skip, err = parseChoice("-skip", o.Skip, m, dir, t); err != nil {
		return nil, err
	}
	for _, p := range o.Patterns {
		place, err := parsePlace(p, m, dir)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(t.files, place) {
			return nil, fmt.Errorf("no Go file of the module matches %s", p)
		}
		if p == "./..." && dir == m.root {
			s.inside.places = nil
			break
		}
		s.inside.places = append(s.inside.places, place)
	}
	return &s, nil
}

// selectUnits marks the units that the selection includes. For units that cannot change, it records the reason.
func (c *Change) selectUnits(o *Options, sources []*source, sel *selection) {
	for _, s := range sources {
		for symbol, u := range s.units {
			u.selected = sel.includes(s.name, symbol)
			switch {
			case !u.selected:
			case s.keep != "":
				u.cause, u.reason = ruleLink, s.keep
			case s.generated && !o.Generated:
				u.cause, u.reason = ruleGenerated, "the file is generated: -generated changes such files too"
			default:
				u.change = true
			}
		}
	}
}

// includesSymbol reports whether the selection includes a symbol in some file.
func (s *selection) includesSymbol(symbol string) bool {
	return (len(s.only.symbols) == 0 || slices.Contains(s.only.symbols, symbol)) && !slices.Contains(s.skip.symbols, symbol)
}
