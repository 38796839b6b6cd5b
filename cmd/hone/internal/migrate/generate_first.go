package migrate

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
)

// missingCode matches errors of a package whose code or files are missing, and the package that lacks a name.
var missingCode = regexp.MustCompile(`undefined: (?:(\w+)\.)?\w+|could not import|there is no package|no matching files found`)

// noteGenerator advises to run the generator, if a package does not compile because of missing code, and the module has
// lines //go:generate.
func (c *Change) noteGenerator(t *tree) {
	all := unique(t.byPath)
	for _, s := range all {
		for _, symbol := range sortedKeys(s.units) {
			u := s.units[symbol]
			x := missingCode.FindStringSubmatch(u.reason)
			if !u.broken || x == nil {
				continue
			}
			if at := generateLine(all, path.Dir(s.name), x[1]); at != "" {
				c.note("%v: %s: if the missing code is generated, run its generator (//go:generate in %s), and then hone migrate again", u.where, x[0], at)
				return
			}
		}
	}
}

// generateLine returns the position of a line //go:generate: in the package with the given name if there is one,
// else in the folder dir, else anywhere.
func generateLine(all []*source, dir, name string) string {
	best, found := 0, ""
	for _, s := range all {
		at := bytes.Index(append([]byte("\n"), s.data...), []byte("\n//go:generate "))
		if at < 0 {
			continue
		}
		rank := 1
		switch folder := path.Dir(s.name); {
		case name != "" && path.Base(folder) == name:
			rank = 3
		case folder == dir:
			rank = 2
		}
		if rank > best {
			line, _ := place(s.data, at)
			best, found = rank, fmt.Sprintf("%s:%d", s.name, line)
		}
	}
	return found
}
