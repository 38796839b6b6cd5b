package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hone-go/hone/wire/internal/program"
)

// A walk is what reading and writing values by a schema have in common: where they
// are, how deep, and what has been found out about types. Its users panic with an
// error of their own at a fault, which their entry points return.
type walk struct {
	schema *Schema
	path   []step
	levels int // how many more levels a value may nest, counted as the format does
	frames int // how many more calls of value may nest
	raws   int // within how many values of the kind raw
	names  map[*Type]*names
	voids  map[*Type]bool
}

// maxFrames bounds the recursion where the format counts no level: structs and arrays
// that lie in one another.
const maxFrames = 64 * program.DefaultDepth

func newWalk(s *Schema) walk {
	return walk{schema: s, levels: program.DefaultDepth, frames: maxFrames}
}

// A step of a path is a name, or if that is empty an index.
type step struct {
	name  string
	index int
}

func (w *walk) push(name string, index int) { w.path = append(w.path, step{name, index}) }

func (w *walk) pop() { w.path = w.path[:len(w.path)-1] }

// where renders the path, or the beginning of a long one.
func (w *walk) where() string {
	const most = 256
	var b strings.Builder
	for _, s := range w.path {
		switch {
		case b.Len() > most:
			return b.String()[:most] + "…"
		case s.name != "":
			b.WriteString(s.name)
		default:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		}
	}
	return b.String()
}

// enter resolves t and counts a level of recursion; cause says what is wrong. What
// enters leaves.
func (w *walk) enter(t *Type) (_ *Type, cause error) {
	t = w.schema.Resolve(t)
	switch {
	case t == nil:
		return nil, errNoType
	case w.frames == 0:
		return nil, program.ErrDepth
	}
	switch t.Kind {
	case "optional", "slice", "map", "struct", "union", "raw":
		if w.levels == 0 {
			return nil, program.ErrDepth
		}
	}
	w.frames--
	if nests(t) {
		w.levels--
	}
	return t, nil
}

func (w *walk) leave(t *Type) {
	w.frames++
	if nests(t) {
		w.levels++
	}
}

// nests reports whether the format counts a t as a level of nesting. It counts
// arrays too, but not those that are written out in place; no schema says which.
func nests(t *Type) bool {
	switch t.Kind {
	case "optional", "slice", "map", "union", "raw":
		return true
	case "struct":
		return t.Evolving
	}
	return false
}

// void reports whether a t takes no bytes, whatever it is. What is not void takes at
// least one.
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

// names are what the parts of a struct or a union are called in JSON.
type names struct {
	of      []string
	index   map[string]int // fields that were removed have none; names that fields had before do
	byID    map[uint32]int // of a union's cases
	unknown string         // what an evolving struct calls what it does not know

	solid    []int // the fields but for skips of no bytes, of which there is no trace anywhere
	required []int // for each field, and the end, how many in front of it have to be there
}

func (w *walk) namesOf(t *Type) *names {
	if n := w.names[t]; n != nil {
		return n
	}
	n := &names{index: map[string]int{}, byID: map[uint32]int{}, unknown: Unknown}
	times := map[string]int{}
	for i := range t.Fields {
		if t.Fields[i].Removed == "" {
			times[t.Fields[i].Name]++
		}
	}
	for i := range t.Cases {
		times[t.Cases[i].Name]++
	}
	odd := func(name string) bool { return name == "" || name[0] == '#' || !utf8.ValidString(name) }
	name := func(name string, number uint64) string {
		if odd(name) || times[name] > 1 {
			return "#" + strconv.FormatUint(number, 10)
		}
		return name
	}
	if !odd(t.Unknown) && times[t.Unknown] == 0 {
		n.unknown = t.Unknown
	}
	required := 0
	for i := range t.Fields {
		f := &t.Fields[i]
		n.of = append(n.of, name(f.Name, uint64(i)))
		n.required = append(n.required, required)
		optional := w.optional(f)
		if !optional {
			required++
		}
		if !optional || !w.void(f.Type) {
			n.solid = append(n.solid, i)
			if f.Removed == "" {
				n.index[n.of[i]] = i
			}
		}
	}
	n.required = append(n.required, required)
	for i := range t.Fields {
		for _, was := range t.Fields[i].Was {
			_, taken := n.index[was]
			if at, present := n.index[n.of[i]]; present && at == i && !taken && !odd(was) && was != n.unknown {
				n.index[was] = i
			}
		}
	}
	for i := range t.Cases {
		n.of = append(n.of, name(t.Cases[i].Name, uint64(t.Cases[i].ID)))
		n.byID[t.Cases[i].ID] = i
		n.index[n.of[i]] = i
	}
	if w.names == nil {
		w.names = map[*Type]*names{}
	}
	w.names[t] = n
	return n
}

func (w *walk) isSkip(f *Field) bool {
	t := w.schema.Resolve(f.Type)
	return t != nil && t.Kind == "skip"
}

// optional reports whether a value need not say what stands in f: it was removed, or is
// skipped.
func (w *walk) optional(f *Field) bool { return f.Removed != "" || w.isSkip(f) }

// A given is a member of a value: which field it is, and where it stands in JSON.
type given struct {
	field, at int
	value     any
}

// arrange puts members into the order of the fields of t, and returns the number of a
// field that is there twice, and where, or that is missing, or -1. An evolving struct
// may end anywhere, unless all is set.
func (w *walk) arrange(t *Type, members []given, all bool) (twice, at, missing int) {
	byField := func(a, b given) int { return a.field - b.field }
	if !slices.IsSortedFunc(members, byField) {
		slices.SortStableFunc(members, byField)
	}
	n := w.namesOf(t)
	required := 0
	for i, m := range members {
		if i > 0 && members[i-1].field == m.field {
			return m.field, m.at, -1
		}
		if !w.optional(&t.Fields[m.field]) {
			required++
		}
	}
	end := len(t.Fields)
	if !all {
		if end = 0; len(members) > 0 {
			end = members[len(members)-1].field + 1
		}
	}
	if required == n.required[end] {
		return -1, 0, -1
	}
	for i := range end {
		if len(members) > 0 && members[0].field == i {
			members = members[1:]
		} else if !w.optional(&t.Fields[i]) {
			return -1, 0, i
		}
	}
	return -1, 0, -1
}

// canonical reports whether values have one form each. What a raw holds may have any.
func (w *walk) canonical() bool { return w.schema.Mode == Canonical && w.raws == 0 }

// nullable reports whether the JSON of some t is null, so that an optional t needs
// more than that to say that it is there.
func (w *walk) nullable(t *Type) bool {
	t = w.schema.Resolve(t)
	return t == nil || t.Kind == "optional" || t.Kind == "raw" || t.Kind == "skip" || t.Kind == "union" && t.Tag == "uvarint"
}
