package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
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

// names contains the names that the fields of a struct, or the cases of a union, have in JSON.
type names struct {
	of      []string
	index   map[string]int // index of a field or case by its name; former names too, but not names of removed fields
	byID    map[uint32]int // index of a union's case by its id
	unknown string         // the member with the unknown fields of an evolving struct

	solid    []int // indexes of the fields, except skips and removed fields whose encoding is empty
	required []int // for each field, and for the end, the number of required fields before it
}

// namesOf returns the names of t, which are computed once for each walk. A name that is not
// unique, or not usable in JSON, is replaced by a number. A former name also selects its field,
// if no other field has that name.
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
	unusable := func(name string) bool { return name == "" || name[0] == '#' || !utf8.ValidString(name) }
	name := func(name string, number uint64) string {
		if unusable(name) || times[name] > 1 {
			return "#" + strconv.FormatUint(number, 10)
		}
		return name
	}
	if !unusable(t.Unknown) && times[t.Unknown] == 0 {
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
			if at, present := n.index[n.of[i]]; present && at == i && !taken && !unusable(was) && was != n.unknown {
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

// isSkip reports whether f is a skip.
func (w *walk) isSkip(f *Field) bool {
	t := w.schema.Resolve(f.Type)
	return t != nil && t.Kind == "skip"
}

// optional reports whether a value need not have a member for f: f was removed, or is a skip.
func (w *walk) optional(f *Field) bool { return f.Removed != "" || w.isSkip(f) }

// A given is a member that the value or the JSON has: the index of its field, and its offset in the
// JSON.
type given struct {
	field, at int
	value     any
}

// arrange sorts members by the order of the fields of t. repeated is the index of a field with two
// members, and offset is the offset of the second in the JSON. missing is the index of a field
// whose member is missing. Each index is -1 if there is no such field. An evolving struct may end
// at any field, unless complete is set.
func (w *walk) arrange(t *Type, members []given, complete bool) (repeated, offset, missing int) {
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
	if !complete {
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
