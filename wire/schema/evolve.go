package schema

import (
	"encoding/hex"
	"fmt"
	"slices"
)

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

// same reports whether f and other share a present or former name: they are one field then.
func (f *Field) same(other *Field) bool {
	has := func(f *Field, name string) bool { return f.Name == name || slices.Contains(f.Was, name) }
	return has(f, other.Name) || slices.ContainsFunc(other.Was, func(was string) bool { return has(f, was) })
}

// badField returns the fault in the names and the removed fields of a struct, or "". The types of
// its fields are checked elsewhere.
func (t *Type) badField() string {
	if t.Unknown != "" && !t.Evolving {
		return fmt.Sprintf("%q keeps unknown fields, and the struct is not evolving", t.Unknown)
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if slices.Contains(f.Was, "") {
			return fmt.Sprintf("the field %d had no name", i)
		}
		if f.Name != "" && f.Name == t.Unknown {
			return fmt.Sprintf("%q is a field, and keeps unknown fields", f.Name)
		}
		if _, err := hex.DecodeString(f.Removed); err != nil {
			return fmt.Sprintf("the field %d: %q is not hexadecimal", i, f.Removed)
		}
	}
	return ""
}

// checkRemoved returns an error for a removed field whose zero value is not an encoding of its
// type. The types have been checked. The memory for reading is counted over all structs together.
func (s *Schema) checkRemoved(structs []*Type) error {
	d := newDecoder(s, nil)
	for _, t := range structs {
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Removed == "" {
				continue
			}
			d.in, _ = hex.DecodeString(f.Removed)
			d.pos = 0
			d.memory += memoryPerByte * int64(len(d.in))
			if err := d.run(func() { d.wholeOf(f.Type) }); err != nil {
				return fmt.Errorf("wire: schema: a field %s that was removed: its zero value %.64s: %w", fieldName(*f, i), f.Removed, err)
			}
		}
	}
	return nil
}
