package schema

import (
	"fmt"
	"strconv"

	"github.com/hone-go/hone/wire/internal/program"
)

// Check reports what makes s no schema of this version: a kind, a length or a
// ref that does not exist, or a part that is missing. It is for schemas that were
// read from somewhere.
func (s *Schema) Check() error {
	if s.Version != Version {
		return fmt.Errorf("wire: schema of version %d; this is for version %d", s.Version, Version)
	}
	if s.Mode != "" && s.Mode != Canonical {
		return fmt.Errorf("wire: schema: unknown mode %q", s.Mode)
	}
	seen := map[*Type]bool{}
	var structs []*Type
	var check func(t *Type, path string, depth int) error
	check = func(t *Type, path string, depth int) error {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("wire: schema: %s: %s", path, fmt.Sprintf(format, args...))
		}
		switch {
		case t == nil:
			return fail("no type")
		case depth > maxSchemaDepth:
			return fail("nested too deeply")
		case seen[t]:
			return nil
		}
		seen[t] = true
		part := func(t *Type, name string) error { return check(t, path+name, depth+1) }
		if _, ok := program.ParseLen(t.Length); t.Length != "" && !ok {
			return fail("unknown length %q", t.Length)
		}
		if t.Length == "" && (t.Kind == "string" || t.Kind == "bytes" || t.Kind == "slice" || t.Kind == "map" || t.Kind == "raw") {
			return fail("no length")
		}
		if t.Count < 0 {
			return fail("a count below zero")
		}
		switch t.Kind {
		case "bool", "bigint", "string", "bytes", "time", "time utc", "time location", "binary", "text", "skip":
		case "int", "uint":
			fixed := t.Coding == "little" || t.Coding == "big"
			if !fixed && t.Coding != "varint" || t.Bits != 8 && t.Bits != 16 && t.Bits != 32 && t.Bits != 64 {
				return fail("no %s has %d bits and the coding %q", t.Kind, t.Bits, t.Coding)
			}
		case "float", "complex":
			if t.Bits != 32 && t.Bits != 64 || t.Coding != "little" && t.Coding != "big" {
				return fail("no %s has %d bits and the coding %q", t.Kind, t.Bits, t.Coding)
			}
		case "slice", "array", "optional", "raw":
			return part(t.Elem, "[]")
		case "map":
			if err := part(t.Key, "[key]"); err != nil {
				return err
			}
			return part(t.Elem, "[]")
		case "struct":
			structs = append(structs, t)
			if reason := t.badField(); reason != "" {
				return fail("%s", reason)
			}
			for i, f := range t.Fields {
				if err := part(f.Type, "."+fieldName(f, i)); err != nil {
					return err
				}
			}
		case "union":
			if t.Tag != "byte" && t.Tag != "uvarint" {
				return fail("unknown tag %q", t.Tag)
			}
			if err := t.checkIDs(); err != nil {
				return fail("%v", err)
			}
			ids := map[uint32]bool{}
			for _, c := range t.Cases {
				if ids[c.ID] {
					return fail("the case %d is there twice", c.ID)
				}
				ids[c.ID] = true
				if c.Type == nil {
					continue
				}
				if err := part(c.Type, ".("+c.Name+")"); err != nil {
					return err
				}
			}
		case "ref":
			named := s.Types[t.Name]
			if named == nil {
				return fail("there is no type %q", t.Name)
			}
			if named.Kind == "ref" {
				return fail("%q is a ref to a ref", t.Name)
			}
			return check(named, path, depth+1)
		default:
			return fail("unknown kind %q", t.Kind)
		}
		return nil
	}
	if err := check(s.Type, "the value", 0); err != nil {
		return err
	}
	if err := s.checkTypes(); err != nil {
		return err
	}
	return s.checkRemoved(structs)
}

func fieldName(f Field, i int) string {
	if f.Name == "" {
		return strconv.Itoa(i)
	}
	return f.Name
}

// Resolve returns t, or what it refers to.
func (s *Schema) Resolve(t *Type) *Type {
	if t != nil && t.Kind == "ref" {
		return s.Types[t.Name]
	}
	return t
}

// A Problem is a place where one schema does not read what another wrote.
type Problem struct {
	Path   string // such as ".Items[].Price"; "" at the root
	Reason string
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.Reason
	}
	return p.Path + " " + p.Reason
}

// Reads returns what keeps a program whose schema is s from reading every value
// that was written by one whose schema is written: nothing if it does. Both have
// passed [Schema.Check].
//
// A varint of more bits reads one of fewer; a string reads bytes. The fields of a
// struct are matched by position, those of structs within it in their place: which
// struct a field stands in does not matter, nor does a struct around one field. An evolving one may have fewer fields or more
// on either side, at the end, unless the reader is canonical; in a layout, bytes that one side skips may be fixed
// fields of the other. A field may have another name, but not one that another
// field has on the other side: those have changed places, unless [Field.Was] tells that
// it is the same. What a field that was removed is on the other side counts for its form.
func (s *Schema) Reads(written *Schema) []Problem {
	r := reading{reader: s, writer: written, seen: map[pair]bool{}}
	if s.Mode != "" && s.Mode != written.Mode {
		r.add("", "is read in %s form only, and written in any", s.Mode)
	}
	r.compare(s.Type, written.Type, "", false)
	return r.problems
}

type reading struct {
	reader, writer *Schema
	seen           map[pair]bool
	problems       []Problem
	flats          map[*Type]*flat // structs that were taken apart: see flatten
}

// A pair is what was compared. Fits says that all numbers fit: the writer writes zero, or
// the reader skips what is there.
type pair struct {
	reader, writer *Type
	fits           bool
}

func (r *reading) add(path, format string, args ...any) {
	r.problems = append(r.problems, Problem{path, fmt.Sprintf(format, args...)})
}

func (r *reading) compare(reader, writer *Type, path string, fits bool) {
	reader, writer = r.reader.Resolve(reader), r.writer.Resolve(writer)
	if reader == nil || writer == nil {
		r.add(path, "is not there on one side")
		return
	}
	if met := (pair{reader, writer, fits}); r.seen[met] {
		return
	} else {
		r.seen[met] = true
	}
	if reader, writer = r.flatten(reader, writer, path); reader == nil {
		return
	}
	text := func(t *Type) bool { return t.Kind == "string" || t.Kind == "bytes" }
	switch {
	case text(reader) && (text(writer) || writer.Kind == "raw") && reader.Length == writer.Length:
		return
	case reader.Kind == "raw" && text(writer) && reader.Length == writer.Length:
		r.add(path, "is read as %s and written as %s: it may be the encoding of something else", reader.short(), writer.short())
		return
	case reader.Kind != writer.Kind,
		reader.Coding != writer.Coding,
		reader.Length != writer.Length,
		reader.Tag != writer.Tag,
		reader.Count != writer.Count,
		reader.Evolving != writer.Evolving,
		reader.Bits != writer.Bits && reader.Coding != "varint":
		r.add(path, "is read as %s and written as %s", reader.short(), writer.short())
		return
	case reader.Bits < writer.Bits && !fits:
		r.add(path, "is read as %s and written as %s: it may not fit", reader.short(), writer.short())
		return
	case reader.Name != writer.Name:
		r.add(path, "is encoded by the methods of %s on one side, of %s on the other", reader.Name, writer.Name)
		return
	}
	if reader.Key != nil || writer.Key != nil {
		r.compare(reader.Key, writer.Key, path+"[key]", fits)
	}
	if reader.Elem != nil || writer.Elem != nil {
		if reader.Kind == "optional" || reader.Kind == "raw" {
			r.compare(reader.Elem, writer.Elem, path, fits)
		} else {
			r.compare(reader.Elem, writer.Elem, path+"[]", fits)
		}
	}
	switch reader.Kind {
	case "union":
		r.cases(reader, writer, path, fits)
	case "struct":
		r.fields(reader, writer, path, fits)
	}
}

func (r *reading) cases(reader, writer *Type, path string, fits bool) {
	known := map[uint32]Case{}
	for _, c := range reader.Cases {
		known[c.ID] = c
	}
	for _, c := range writer.Cases {
		at := path + ".(" + c.Name + ")"
		k, ok := known[c.ID]
		switch {
		case !ok:
			r.add(at, "is written under %d, which is not read", c.ID)
		case (k.Type == nil) != (c.Type == nil):
			r.add(at, "has a value on one side only")
		case c.Type != nil:
			r.compare(k.Type, c.Type, at, fits)
		}
	}
}

func (r *reading) fields(reader, writer *Type, path string, fits bool) {
	inReader, inWriter := namesOf(reader), namesOf(writer)
	i, j := 0, 0
	skippedI, skippedJ := 0, 0 // bytes of a skip that are used up
	for i < len(reader.Fields) && j < len(writer.Fields) {
		a, b := r.reader.Resolve(reader.Fields[i].Type), r.writer.Resolve(writer.Fields[j].Type)
		if a == nil || b == nil {
			r.add(path, "has a field without a type")
			return
		}
		skipA, skipB := a.Kind == "skip", b.Kind == "skip"
		switch {
		case skipA && skipB:
			n := min(a.Count-skippedI, b.Count-skippedJ)
			skippedI, skippedJ = skippedI+n, skippedJ+n
		case skipA || skipB:
			// One side has a field where the other leaves room. The field must have
			// a fixed length, and zeros must be a value of it.
			schema, skip, other, used := r.writer, a, b, &skippedI
			if skipB {
				schema, skip, other, used = r.reader, b, a, &skippedJ
			}
			n := schema.fixed(other, 0)
			if n <= 0 || n > skip.Count-*used {
				r.add(path+"."+fieldName(reader.Fields[i], i), "is read as %s and written as %s", a.short(), b.short())
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
			at := path + "." + fieldName(*here, i)
			if here.Name != "" && there.Name != "" && !here.same(there) && (inWriter[here.Name] || inReader[there.Name]) {
				r.add(at, "stands where %s was written: fields have changed places", there.Name)
				return
			}
			if here.Removed != "" && there.Removed == "" && r.reader.Mode == Canonical {
				r.add(at, "was removed, and is written; a canonical reader takes nothing but zero in its place")
			}
			r.compare(a, b, at, fits || here.Removed != "" || there.Removed != "")
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
		r.add(path+"."+fieldName(reader.Fields[i], i), "is read and was not written; mark the struct as evolving to add fields")
	}
	for ; j < len(writer.Fields); j++ {
		r.add(path+"."+fieldName(writer.Fields[j], j), "was written and is not read; mark the struct as evolving to add fields")
	}
}

// fixed returns the bytes of a type that always has as many, of which all may be
// zero; 0 for any other type.
func (s *Schema) fixed(t *Type, depth int) int {
	t = s.Resolve(t)
	if t == nil || depth > maxSchemaDepth {
		return 0
	}
	switch t.Kind {
	case "bool":
		return 1
	case "int", "uint", "float":
		if t.Coding == "varint" {
			return 0
		}
		return t.Bits / 8
	case "complex":
		return t.Bits / 4
	case "time utc":
		return 8
	case "array":
		return t.Count * s.fixed(t.Elem, depth+1)
	case "struct":
		n := 0
		for _, f := range t.Fields {
			one := s.fixed(f.Type, depth+1)
			if one == 0 || t.Evolving {
				return 0
			}
			n += one
		}
		return n
	}
	return 0
}

// short names a type in a few words.
func (t *Type) short() string {
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
