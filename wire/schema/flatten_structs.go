package schema

import "strings"

// The encoding of a struct is the encodings of its fields. So structs are compared by their
// leaves, which are the fields that are not structs. The grouping of fields into structs does
// not matter, nor does a field with an empty encoding.
//
// maxLeaves bounds the leaves of one struct: types that refer to one another could have more
// leaves than fit in memory.
const maxLeaves = 1 << 14

// maxAllLeaves bounds the leaves of all structs in one comparison. maxAllNames bounds the bytes of
// the names of these leaves, which include the names of enclosing structs. A struct that exceeds a
// bound is compared field by field.
const (
	maxAllLeaves = 1 << 16
	maxAllNames  = 1 << 20
)

// A flat lists the leaves of a struct.
type flat struct {
	typ  *Type        // a struct whose fields are the leaves
	ends map[int]bool // for each field of the struct, the index after its last leaf
	// A struct with a single leaf gives its name to the leaf. For such a leaf, the map within
	// contains the leaf's own name and the names of the inner structs.
	within map[int][]string
}

// flatten replaces two types by simpler ones with the same encodings. It returns nil if there is
// nothing to compare, or if a problem has been added.
func (r *reading) flatten(reader, writer *Type) (_, _ *Type) {
	if isPlain(reader) != isPlain(writer) && (reader.Kind != writer.Kind) {
		// One side may be a struct with a single field.
		reader, writer = r.unwrap(r.reader, reader), r.unwrap(r.writer, writer)
	}
	walks := [2]walk{newWalk(r.reader), newWalk(r.writer)}
	if walks[0].void(reader) && walks[1].void(writer) {
		return nil, nil
	}
	if reader.Kind != "struct" || writer.Kind != "struct" || reader.Evolving != writer.Evolving {
		return reader, writer
	}
	a, b := r.flat(r.reader, reader), r.flat(r.writer, writer)
	if a == nil || b == nil {
		return reader, writer
	}
	// A reader that knows more fields of an evolving struct can stop after a field of the struct,
	// but not between two leaves of such a field.
	n := len(b.typ.Fields)
	if reader.Evolving && len(a.typ.Fields) > n && !a.ends[n] {
		return reader, writer
	}
	if r.moved(a.typ.Fields, b.typ.Fields) {
		return nil, nil
	}
	return a.typ, b.typ
}

// isPlain reports whether the encoding of a t consists of the encodings of its fields alone.
func isPlain(t *Type) bool { return t.Kind == "struct" && !t.Evolving }

// unwrap returns t, or the type of its only leaf.
func (r *reading) unwrap(s *Schema, t *Type) *Type {
	if !isPlain(t) {
		return t
	}
	if f := r.flat(s, t); f != nil && len(f.typ.Fields) == 1 {
		leaf := &f.typ.Fields[0]
		if inner := s.Resolve(leaf.Type); inner != nil && inner.Kind != "skip" && leaf.Removed == "" {
			return inner
		}
	}
	return t
}

// flat returns the leaves of a struct, or nil if there are too many. It returns the same
// pointer for the same struct, so that compare recognizes pairs that were compared before.
func (r *reading) flat(s *Schema, t *Type) *flat {
	if f, known := r.flats[t]; known {
		return f
	}
	if r.flats == nil {
		r.flats = map[*Type]*flat{}
	}
	made := *t
	made.Fields = nil
	f := &flat{typ: &made, ends: map[int]bool{0: true}, within: map[int][]string{}}
	w := newWalk(s)
	for i := range t.Fields {
		if r.leaves >= maxAllLeaves || !r.addLeaves(f, &w, t.Fields[i], i, []string{""}, 0) {
			f = nil
			break
		}
		f.ends[len(made.Fields)] = true
	}
	r.leaves += len(made.Fields)
	r.flats[t] = f
	if f != nil {
		for i, names := range f.within {
			r.within[&made.Fields[i]] = names
		}
	}
	return f
}

// addLeaves adds the leaves of a field to f. The field is number i of its struct. The first of
// prefixes is the path of that struct, and the others are its former paths. The leaves of a removed
// struct are removed fields too: a zero value is written for each.
func (r *reading) addLeaves(f *flat, w *walk, field Field, i int, prefixes []string, depth int) bool {
	t := w.schema.Resolve(field.Type)
	if t == nil || depth > maxSchemaDepth || len(f.typ.Fields) >= maxLeaves {
		return false
	}
	if w.void(t) {
		return true
	}
	if isPlain(t) {
		before := len(f.typ.Fields)
		names, ok := r.names(&field, prefixes, fieldName(field, i))
		if !ok {
			return false
		}
		inner := make([]string, len(names))
		for k := range names {
			inner[k] = names[k] + "."
		}
		for j := range t.Fields {
			one := t.Fields[j]
			if one.Removed == "" {
				one.Removed = field.Removed
			}
			if !r.addLeaves(f, w, one, j, inner, depth+1) {
				return false
			}
		}
		if len(f.typ.Fields) == before+1 { // a struct with a single leaf
			f.within[before] = append(f.within[before], f.typ.Fields[before].Name)
			f.typ.Fields[before].Name, f.typ.Fields[before].Was = names[0], names[1:]
		}
		return true
	}
	if field.Name != "" {
		names, ok := r.names(&field, prefixes, field.Name)
		if !ok {
			return false
		}
		field.Name, field.Was = names[0], names[1:]
	}
	f.typ.Fields = append(f.typ.Fields, field)
	return true
}

// maxNames bounds the present and former names of a leaf, including the names of the enclosing
// structs.
const maxNames = 16

// names returns the names of a field under each of the prefixes: the present name first, and
// then the former ones. It returns false if the names exceed maxAllNames.
func (r *reading) names(f *Field, prefixes []string, name string) (_ []string, ok bool) {
	var out []string
	for _, prefix := range prefixes {
		for i := range min(1+len(f.Was), maxNames-len(out)) {
			one := name
			if i > 0 {
				one = f.Was[i-1]
			}
			if r.nameBytes += len(prefix) + len(one) + 1; r.nameBytes > maxAllNames {
				return nil, false
			}
			out = append(out, prefix+one)
		}
	}
	return out, true
}

// splitLeafName splits the name of a leaf into the names of its structs and its own name.
func splitLeafName(name string) (within, of string) {
	i := strings.LastIndexByte(name, '.') + 1
	return name[:i], name[i:]
}

// moved finds leaves that have changed places although their full names do not show it, because
// one of them has also moved into another struct.
func (r *reading) moved(reader, writer []Field) bool {
	count := func(fields []Field) map[string]int {
		m := map[string]int{}
		for i := range fields {
			_, name := splitLeafName(fields[i].Name)
			m[name]++
		}
		return m
	}
	var inReader, inWriter map[string]int
	for i := range min(len(reader), len(writer)) {
		if r.reader.Resolve(reader[i].Type).Kind == "skip" || r.writer.Resolve(writer[i].Type).Kind == "skip" {
			break // positions after a skip do not correspond
		}
		inA, a := splitLeafName(reader[i].Name)
		inB, b := splitLeafName(writer[i].Name)
		if a == b || a == "" || b == "" || inA == inB || reader[i].same(&writer[i]) {
			continue
		}
		if inReader == nil {
			inReader, inWriter = count(reader), count(writer)
		}
		if inWriter[a] == 1 || inReader[b] == 1 {
			r.addAt(&r.problems, []typeStep{fieldStep(reader[i], i)}, "stands where %s was written: fields have changed places", writer[i].Name)
			return true
		}
	}
	return false
}
