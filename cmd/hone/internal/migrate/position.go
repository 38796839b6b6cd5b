package migrate

import (
	"bytes"
	"fmt"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Location is the position of some code in the file before the change, and its position in the file after
// the change.
type Location struct {
	Where   string `json:"where,omitempty"`   // file:line or file:line:column before the change
	Written string `json:"written,omitempty"` // the position after the change
	// New is set if the code is new. Then Where is the nearest line before it, without a column.
	New bool `json:"new,omitempty"`
}

// onDisk returns the place in the file that the user has on disk: the place after the change if the
// change is written, and otherwise the place before it.
func (l Location) onDisk(written bool) string {
	switch {
	case written:
		return l.Written
	case l.New:
		return l.Where + " (new code after this line)"
	}
	return l.Where
}

// A position is a line and a column in a text of a file: before the change, or in a plan. The column is 0 if
// only the line matters. The zero value is no position.
type position struct {
	name         string
	source       *source // nil if the file does not change
	text         []byte
	line, column int
}

// position returns the position of an offset in the file before the change.
func (s *source) position(offset int) position {
	line, column := place(s.data, offset)
	return position{s.name, s, s.data, line, column}
}

// place converts an offset to a line and a column.
func place(data []byte, at int) (line, column int) {
	at = min(at, len(data))
	return bytes.Count(data[:at], []byte("\n")) + 1, at - bytes.LastIndexByte(data[:at], '\n')
}

// position returns the line of p in the text that the graph has checked.
func (p *planner) position(g *graph, pos token.Pos) position {
	if !pos.IsValid() {
		return position{}
	}
	file, line := g.at(pos)
	if s := p.byPath[file]; s != nil {
		return position{s.name, s, g.checked[file], line, 0}
	}
	if rel, err := filepath.Rel(p.m.root, file); err == nil && filepath.IsLocal(rel) {
		return position{name: filepath.ToSlash(rel), line: line}
	}
	return position{name: filepath.Base(file), line: line}
}

// before returns the position in the file before the change. If the code is new, found is false, and the
// position is the nearest line before it.
func (p position) before() (name string, line, column int, found bool) {
	if p.source == nil {
		return p.name, p.line, p.column, true
	}
	line, column, found = p.source.align(p.text, p.source.data).find(p.line, p.column)
	return p.name, line, column, found
}

// String returns the position in the file before the change as file:line or file:line:column, or "".
func (p position) String() string {
	if p.name == "" {
		return ""
	}
	return formatPlace(p.before())
}

func formatPlace(name string, line, column int, _ bool) string {
	if column == 0 {
		return fmt.Sprintf("%s:%d", name, line)
	}
	return fmt.Sprintf("%s:%d:%d", name, line, column)
}

// location returns the position in the file before and after the change. written returns the text of a source
// after the change.
func (p position) location(written func(*source) []byte) Location {
	if p.name == "" {
		return Location{}
	}
	_, _, _, found := p.before()
	l := Location{Where: p.String(), Written: p.String(), New: !found}
	if p.source != nil {
		line, column, found := p.source.align(p.text, written(p.source)).find(p.line, p.column)
		l.Written = formatPlace(p.name, line, column, found)
	}
	return l
}

// align aligns two texts of the source. It caches the alignments, since several positions need the
// same alignment.
func (s *source) align(from, to []byte) *alignment {
	if len(from) == 0 || len(to) == 0 {
		return align(from, to)
	}
	key := [2]*byte{&from[0], &to[0]}
	a := s.aligned[key]
	if a == nil {
		if s.aligned == nil {
			s.aligned = map[[2]*byte]*alignment{}
		}
		a = align(from, to)
		s.aligned[key] = a
	}
	return a
}

// filePosition matches the position of Go code in the output of a test or a compiler.
var filePosition = regexp.MustCompile(`((?:[A-Za-z]:)?[^\s:"'()]+\.go):(\d+)(?::(\d+))?`)

// mapOutputs converts the positions in outputs of the changed code to positions in the files on disk.
// Those are the files before the change, because nothing is written if a test differs.
func (c *Change) mapOutputs(t *Trial) {
	m := outputMap{c, map[string]*alignment{}}
	for i := range t.Differences {
		d := &t.Differences[i]
		d.Output = m.text(d.Package, d.Output)
	}
	for i := range t.NotBuilt {
		if n := &t.NotBuilt[i]; n.When == whenAfter {
			n.Output = m.text(n.Cause, n.Output)
		}
	}
}

// An outputMap maps positions in the changed files to positions in the files before the change.
type outputMap struct {
	c    *Change
	seen map[string]*alignment // by name; nil for files that do not change
}

// text converts the positions in an output about the package pkg. Tests print the names of files
// without the folder.
func (m outputMap) text(pkg, output string) string {
	folder := strings.TrimPrefix(strings.TrimPrefix(pkg, m.c.m.path), "/")
	return filePosition.ReplaceAllStringFunc(output, func(text string) string {
		part := filePosition.FindStringSubmatch(text)
		name := filepath.ToSlash(part[1])
		if rel, err := filepath.Rel(m.c.m.root, part[1]); err == nil && filepath.IsAbs(part[1]) {
			name = filepath.ToSlash(rel)
		} else if !strings.Contains(name, "/") {
			name = path.Join(folder, name)
		}
		a := m.alignment(path.Clean(name))
		if a == nil {
			return text
		}
		line, _ := strconv.Atoi(part[2]) // the pattern has only digits; a number that overflows is after the last line
		column, _ := strconv.Atoi(part[3])
		line, column, found := a.find(line, column)
		return Location{Where: formatPlace(part[1], line, column, found), New: !found}.onDisk(false)
	})
}

func (m outputMap) alignment(name string) *alignment {
	a, ok := m.seen[name]
	if !ok {
		i := slices.IndexFunc(m.c.Files, func(f File) bool { return f.Name == name && string(f.text.before) != string(f.text.after) })
		if i >= 0 {
			a = align(m.c.Files[i].text.after, m.c.Files[i].text.before)
		}
		m.seen[name] = a
	}
	return a
}
