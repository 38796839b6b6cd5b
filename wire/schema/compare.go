package schema

import (
	"fmt"
	"slices"
	"strconv"
)

// maxProblems is the maximum number of problems in one result. Without it a hostile schema could
// cause any number of problems.
const maxProblems = 100

// A Problem is a place where one schema does not read an encoding by another.
type Problem struct {
	Path   string // such as ".Items[].Price", at most about 256 bytes; "" at the root
	Reason string
}

// String returns the path and the reason.
func (p Problem) String() string {
	if p.Path == "" {
		return p.Reason
	}
	return p.Path + " " + p.Reason
}

// Reads returns the reasons why a program with the schema s cannot read every value of a program
// with the schema writer, or nothing if it can. It returns the first 100 reasons and leaves out the
// rest, and it shortens names of more than 256 bytes. Both schemas have passed [Schema.Check].
//
// A varint can be read with more bits than it was written with, and bytes can be read as a
// string. The fields of a struct are matched by position. A nested struct is compared as if its
// fields were fields of the enclosing struct, so the grouping of fields into structs does not
// matter. An evolving struct may have fewer or more fields at its end on either side, unless
// the reader is canonical. In a layout, bytes that one side skips may be fixed fields of the
// other side.
//
// Fields at the same position may have different names. But if one of the two names also occurs in
// the other struct, the fields have changed places, which is a problem unless [Field.Was] shows
// that the field was renamed. A removed field must have the form of the field on the other side.
func (s *Schema) Reads(writer *Schema) []Problem { return s.reading(writer).problems }

// Renames returns the fields of s that have another name at the same place in the schema writer, unless
// [Field.Was] shows that the field was renamed. Names are not encoded, so the reader cannot notice the difference:
// a field that has replaced another field gets the values of the old field. Renames returns the first 100 fields
// and leaves out the rest. Both schemas have passed [Schema.Check].
func (s *Schema) Renames(writer *Schema) []Problem { return s.reading(writer).renames }

// reading compares two schemas.
func (s *Schema) reading(written *Schema) *reading {
	r := &reading{reader: s, writer: written, seen: map[pair]bool{}, within: map[*Field][]string{}}
	if s.Mode != "" && s.Mode != written.Mode {
		r.add("is read only in %s form, and written in any form", s.Mode)
	}
	r.compare(s.Type, written.Type, false)
	return r
}

// A reading is the state of one call of Reads or Renames.
type reading struct {
	reader, writer *Schema
	path           typePath            // path of the pair that is being compared
	seen           map[pair]bool       // pairs that were compared
	problems       []Problem           // at most maxProblems
	renames        []Problem           // at most maxProblems
	within         map[*Field][]string // names of a leaf inside and outside its structs, for all flats: see [flat.within]
	flats          map[*Type]*flat     // each struct as the list of its leaves: see flatten
	leaves         int                 // number of leaves in all flats
	nameBytes      int                 // bytes of all names that were made for flats
	sizes          map[*Type]int       // results of fixed
}

// A pair is a pair of types that was compared. If fits is set, the sizes of numbers were ignored, because the writer
// writes only zeros or the reader skips the value.
type pair struct {
	reader, writer *Type
	fits           bool
}

// add adds a problem at the current path.
func (r *reading) add(format string, args ...any) { r.addAt(&r.problems, nil, format, args...) }

// addAt adds a problem to list, at the current path followed by the given steps.
func (r *reading) addAt(list *[]Problem, steps []typeStep, format string, args ...any) {
	if len(*list) >= maxProblems {
		return
	}
	for i := range args {
		if s, ok := args[i].(string); ok {
			args[i] = shorten(s)
		}
	}
	*list = append(*list, Problem{r.path.text(steps...), fmt.Sprintf(format, args...)})
}

// part compares two parts of the current pair. step leads from the pair to the parts.
func (r *reading) part(reader, writer *Type, step typeStep, fits bool) {
	r.path = append(r.path, step)
	r.compare(reader, writer, fits)
	r.path = r.path[:len(r.path)-1]
}

// compare adds a problem for each reason why a value of the type writer cannot be read as the type reader.
func (r *reading) compare(reader, writer *Type, fits bool) {
	reader, writer = r.reader.Resolve(reader), r.writer.Resolve(writer)
	if reader == nil || writer == nil {
		r.add("is missing on one side")
		return
	}
	if len(r.path) > maxFrames {
		r.add("is nested too deeply")
		return
	}
	if met := (pair{reader, writer, fits}); r.seen[met] {
		return
	} else {
		r.seen[met] = true
	}
	if reader, writer = r.flatten(reader, writer); reader == nil {
		return
	}
	text := func(t *Type) bool { return t.Kind == "string" || t.Kind == "bytes" }
	switch {
	case text(reader) && (text(writer) || writer.Kind == "raw") && reader.Length == writer.Length:
		return
	case reader.Kind == "raw" && text(writer) && reader.Length == writer.Length:
		r.add("is read as %s and written as %s: it may be the encoding of something else", reader.description(), writer.description())
		return
	case reader.Kind != writer.Kind,
		reader.Coding != writer.Coding,
		reader.Length != writer.Length,
		reader.Tag != writer.Tag,
		reader.Count != writer.Count,
		reader.Evolving != writer.Evolving,
		reader.Bits != writer.Bits && reader.Coding != "varint":
		r.add("is read as %s and written as %s", reader.description(), writer.description())
		return
	case reader.Bits < writer.Bits && !fits:
		r.add("is read as %s and written as %s: it may not fit", reader.description(), writer.description())
		return
	case reader.Name != writer.Name:
		r.add("is encoded by the methods of %s on one side, of %s on the other", reader.Name, writer.Name)
		return
	}
	if reader.Key != nil || writer.Key != nil {
		r.part(reader.Key, writer.Key, mapKeyStep, fits)
	}
	if reader.Elem != nil || writer.Elem != nil {
		if reader.Kind == "optional" || reader.Kind == "raw" {
			r.part(reader.Elem, writer.Elem, typeStep{}, fits)
		} else {
			r.part(reader.Elem, writer.Elem, elemStep, fits)
		}
	}
	switch reader.Kind {
	case "union":
		r.cases(reader, writer, fits)
	case "struct":
		r.fields(reader, writer, fits)
	}
}

// cases compares the cases of two unions by their ids. Cases with the same id may have different
// names. But if the name of one case is the name of another case in the other union, the cases have
// changed places or numbers, which is a problem.
func (r *reading) cases(reader, writer *Type, fits bool) {
	known, named := map[uint32]Case{}, map[string][]uint32{}
	for _, c := range reader.Cases {
		known[c.ID] = c
		named[c.Name] = append(named[c.Name], c.ID)
	}
	for _, c := range writer.Cases {
		at := caseStep(c)
		k, ok := known[c.ID]
		switch same := named[c.Name]; {
		case ok && k.Name == c.Name:
		case len(same) == 1:
			r.addAt(&r.problems, []typeStep{at}, "is written under %d, and read under %d", c.ID, same[0])
			continue
		case ok:
			r.addAt(&r.renames, []typeStep{at}, "is written under %d, which is read as %q", c.ID, k.Name)
		}
		switch {
		case !ok:
			r.addAt(&r.problems, []typeStep{at}, "is written under %d, which is not read", c.ID)
		case (k.Type == nil) != (c.Type == nil):
			r.addAt(&r.problems, []typeStep{at}, "has a value on one side only")
		case c.Type != nil:
			r.part(k.Type, c.Type, at, fits)
		}
	}
}

// fields compares the fields of two structs by position. A skip on one side may correspond to
// several fields on the other side.
func (r *reading) fields(reader, writer *Type, fits bool) {
	inReader, inWriter := namesOf(reader), namesOf(writer)
	i, j := 0, 0
	skippedI, skippedJ := 0, 0 // bytes of a skip that were compared with earlier fields
	for i < len(reader.Fields) && j < len(writer.Fields) {
		a, b := r.reader.Resolve(reader.Fields[i].Type), r.writer.Resolve(writer.Fields[j].Type)
		if a == nil || b == nil {
			r.add("has a field without a type")
			return
		}
		skipA, skipB := a.Kind == "skip", b.Kind == "skip"
		switch {
		case skipA && skipB:
			n := min(a.Count-skippedI, b.Count-skippedJ)
			skippedI, skippedJ = skippedI+n, skippedJ+n
		case skipA || skipB:
			// One side has a field where the other side has a skip. The field must have a fixed
			// length, and zeros must be one of its values.
			schema, skip, other, used := r.writer, a, b, &skippedI
			if skipB {
				schema, skip, other, used = r.reader, b, a, &skippedJ
			}
			n := r.fixed(schema, other, 0)
			if n <= 0 || n > skip.Count-*used {
				r.addAt(&r.problems, []typeStep{fieldStep(reader.Fields[i], i)}, "is read as %s and written as %s", a.description(), b.description())
				return
			}
			*used += n
			if skipA {
				j++
			} else {
				i++
			}
		default:
			here, there := &reader.Fields[i], &writer.Fields[j]
			at := fieldStep(*here, i)
			if here.Name != "" && there.Name != "" && !here.same(there) && (inWriter[here.Name] || inReader[there.Name]) {
				r.addAt(&r.problems, []typeStep{at}, "stands where %s was written: fields have changed places", there.Name)
				return
			}
			if r.renamed(here, there) {
				_, before := splitLeafName(there.Name)
				r.addAt(&r.renames, []typeStep{at}, "stands where %s was written: the tag was=%s says that it is the same field", before, before)
			}
			if here.Removed != "" && there.Removed == "" && r.reader.Mode == Canonical {
				r.addAt(&r.problems, []typeStep{at}, "was removed but is written; a canonical reader accepts only zero in its place")
			}
			r.part(a, b, at, fits || here.Removed != "" || there.Removed != "")
			i, j = i+1, j+1
			continue
		}
		if skipA && skippedI == a.Count {
			i, skippedI = i+1, 0
		}
		if skipB && skippedJ == b.Count {
			j, skippedJ = j+1, 0
		}
	}
	if reader.Evolving && r.reader.Mode == "" {
		return
	}
	for ; i < len(reader.Fields); i++ {
		r.addAt(&r.problems, []typeStep{fieldStep(reader.Fields[i], i)}, "is read and was not written; mark the struct as evolving to add fields")
	}
	for ; j < len(writer.Fields); j++ {
		r.addAt(&r.problems, []typeStep{fieldStep(writer.Fields[j], j)}, "was written and is not read; mark the struct as evolving to add fields")
	}
}

// renamed reports whether two fields at the same position have different names. It ignores the names of their structs.
// A field that is the only leaf of a struct matches by its own name and by the names of the structs around it.
func (r *reading) renamed(a, b *Field) bool {
	if a.Name == "" || b.Name == "" || a.same(b) {
		return false
	}
	for _, x := range append([]string{a.Name}, r.within[a]...) {
		_, x = splitLeafName(x)
		if slices.ContainsFunc(append([]string{b.Name}, r.within[b]...), func(y string) bool { _, y = splitLeafName(y); return x == y }) {
			return false
		}
	}
	return true
}

// fixed returns the number of bytes of every value of t, if there is such a number and the zero
// value consists of zeros only. It returns 0 for any other type, and at most maxFixed. Types
// refer to one another, so the result for each is cached.
func (r *reading) fixed(s *Schema, t *Type, depth int) int {
	t = s.Resolve(t)
	if t == nil || depth > maxSchemaDepth {
		return 0
	}
	if n, known := r.sizes[t]; known {
		return n
	}
	if r.sizes == nil {
		r.sizes = map[*Type]int{}
	}
	r.sizes[t] = 0 // for a type that contains itself, which Check refuses
	n := r.fixedOf(s, t, depth)
	r.sizes[t] = n
	return n
}

// fixedOf is fixed without the cache.
func (r *reading) fixedOf(s *Schema, t *Type, depth int) int {
	switch t.Kind {
	case "array":
		one := r.fixed(s, t.Elem, depth+1)
		if one > 0 && t.Count > maxFixed/one {
			return maxFixed
		}
		return t.Count * one
	case "struct":
		n := 0
		for _, f := range t.Fields {
			one := r.fixed(s, f.Type, depth+1)
			if one == 0 || t.Evolving {
				return 0
			}
			n = min(n+one, maxFixed)
		}
		return n
	}
	if row := kindOf(t.Kind); row != nil && row.fixed != nil {
		return row.fixed(t)
	}
	return 0
}

// description describes a type in a few words.
func (t *Type) description() string {
	s := t.Kind
	if t.Evolving {
		s = "evolving " + s
	}
	if t.Bits > 0 {
		s += strconv.Itoa(t.Bits)
	}
	for _, more := range []string{t.Coding, t.Length, t.Tag} {
		if more != "" {
			s += " " + more
		}
	}
	if t.Count > 0 {
		s += " of " + strconv.Itoa(t.Count)
	}
	return s
}

// namesOf returns the present and the former names of the fields of a struct.
func namesOf(t *Type) map[string]bool {
	all := map[string]bool{}
	for _, f := range t.Fields {
		all[f.Name] = true
		for _, was := range f.Was {
			all[was] = true
		}
	}
	delete(all, "")
	return all
}

// same reports whether f and other have a present or former name in common, so that they are
// the same field.
func (f *Field) same(other *Field) bool {
	has := func(f *Field, name string) bool { return f.Name == name || slices.Contains(f.Was, name) }
	return has(f, other.Name) || slices.ContainsFunc(other.Was, func(was string) bool { return has(f, was) })
}
