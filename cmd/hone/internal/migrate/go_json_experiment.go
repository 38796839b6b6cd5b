package migrate

import (
	"path"
	"slices"
)

// noteExperiment adds a note if the module has files for go-json-experiment/json, which only -from
// changes.
func (c *Change) noteExperiment(t *tree) {
	files := 0
	for _, s := range unique(t.byPath) {
		if s.experiment {
			files++
		}
	}
	if files > 0 {
		c.note("%s %s: hone migrate -from go-json-experiment moves them to json/v2, and changes their tags", count(files, "file"),
			map[bool]string{true: "imports", false: "import"}[files == 1]+" "+experimentModule)
	}
}

// withExperiment returns the files that import go-json-experiment/json. It also returns the files in
// the same packages with struct tags that may change.
func (t *tree) withExperiment() []*source {
	packages := map[string]bool{}
	all := unique(t.byPath)
	for _, s := range all {
		packages[path.Dir(s.name)] = packages[path.Dir(s.name)] || s.experiment
	}
	return slices.DeleteFunc(all, func(s *source) bool {
		if !packages[path.Dir(s.name)] {
			return true
		}
		if s.code = tagsOf(s); s.code != nil && s.units[experimentSymbol] == nil {
			s.units[experimentSymbol] = &unit{source: s, symbol: experimentSymbol}
		}
		return s.units[experimentSymbol] == nil
	})
}
