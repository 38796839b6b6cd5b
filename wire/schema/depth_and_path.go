package schema

import (
	"strings"

	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/fault"
)

// A walk is the common state of the decoder, the encoder and the JSON parser and writer: the
// path, the depth, and cached properties of types. At a fault each of them panics with its own
// error type; the exported function recovers the panic and returns the error.
type walk struct {
	schema *Schema
	path   []step
	levels int // remaining levels of nesting, as the format counts them
	frames int // remaining nested calls of value
	raws   int // number of raw values that enclose the current value
	names  map[*Type]*names
	voids  map[*Type]bool
}

// maxFrames bounds the recursion into nested structs and arrays, which the format does not
// count as levels.
const maxFrames = 64 * budget.DefaultDepth

func newWalk(s *Schema) walk {
	return walk{schema: s, levels: budget.DefaultDepth, frames: maxFrames}
}

// A step of a path is a name, or an index if the name is empty.
type step struct {
	name  string
	index int
}

func (w *walk) push(name string, index int) { w.path = append(w.path, step{name, index}) }

func (w *walk) pop() { w.path = w.path[:len(w.path)-1] }

// pathText returns the path as text, or the beginning of a long path.
func (w *walk) pathText() string {
	var b strings.Builder
	for _, s := range w.path {
		switch {
		case b.Len() > maxPath:
			return shorten(b.String())
		case s.name != "":
			b.WriteString(s.name)
		default:
			b.WriteString(path.Index(s.index))
		}
	}
	return b.String()
}

// enter resolves t, returns the row of its kind, and counts a level of recursion. If cause is
// nil, the caller must call leave.
func (w *walk) enter(t *Type) (_ *Type, row *kind, cause error) {
	t = w.schema.Resolve(t)
	switch {
	case t == nil:
		return nil, nil, errNoType
	case w.frames == 0:
		return nil, nil, fault.ErrDepth
	}
	if row = kindOf(t.Kind); row == nil {
		return nil, nil, errNoType
	}
	if (row.nests || t.Kind == "struct") && w.levels == 0 {
		return nil, nil, fault.ErrDepth
	}
	w.frames--
	if nests(t, row) {
		w.levels--
	}
	return t, row, nil
}

// leave undoes the count of enter.
func (w *walk) leave(t *Type, row *kind) {
	w.frames++
	if nests(t, row) {
		w.levels++
	}
}

// nests reports whether the format counts a value of t as a level of nesting. Package wire also
// counts an array as a level if its program does not unroll the array. A schema does not show this.
func nests(t *Type, row *kind) bool { return row.nests || t.Evolving && t.Kind == "struct" }

// void reports whether the encoding of every value of t is empty. Values of other types have at
// least one byte.
func (w *walk) void(t *Type) bool {
	t = w.schema.Resolve(t)
	if t == nil {
		return true
	}
	v, known := w.voids[t]
	if known {
		return v
	}
	if w.voids == nil {
		w.voids = map[*Type]bool{}
	}
	w.voids[t] = true // for a type that contains itself
	switch t.Kind {
	case "struct":
		v = !t.Evolving
		for i := 0; v && i < len(t.Fields); i++ {
			v = w.void(t.Fields[i].Type)
		}
	case "array":
		v = t.Count == 0 || w.void(t.Elem)
	case "skip":
		v = t.Count == 0
	}
	w.voids[t] = v
	return v
}

// isSkip reports whether f is a skip.
func (w *walk) isSkip(f *Field) bool {
	t := w.schema.Resolve(f.Type)
	return t != nil && t.Kind == "skip"
}

// optional reports whether a value need not have a member for f: f was removed, or is a skip.
func (w *walk) optional(f *Field) bool { return f.Removed != "" || w.isSkip(f) }

// canonical reports whether values must be in canonical form. The content of a raw value need not
// be.
func (w *walk) canonical() bool { return w.schema.Mode == Canonical && w.raws == 0 }

// nullable reports whether null may be the JSON of a value of t. If it may, an optional t wraps its
// values in an object.
func (w *walk) nullable(t *Type) bool {
	t = w.schema.Resolve(t)
	if t == nil || t.Kind == "union" {
		return t == nil || t.Tag == "uvarint"
	}
	row := kindOf(t.Kind)
	return row != nil && row.null
}
