package schema

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
)

// badField returns the fault in the names and the removed fields of a struct, or "". The types of
// its fields are checked elsewhere.
func (t *Type) badField() string {
	if t.Unknown != "" && !t.Evolving {
		return fmt.Sprintf("%q keeps unknown fields, and the struct is not evolving", t.Unknown)
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if slices.Contains(f.Was, "") {
			return fmt.Sprintf("field %d has an empty former name", i)
		}
		if f.Name != "" && f.Name == t.Unknown {
			return fmt.Sprintf("%q is both a field and the name of the unknown fields", f.Name)
		}
		if _, err := hex.DecodeString(f.Removed); err != nil {
			return fmt.Sprintf("the field %d: %q is not hexadecimal", i, f.Removed)
		}
	}
	return ""
}

// checkRemoved returns an error for a removed field whose zero value is not an encoding of its
// type. The types have been checked. All zero values share one budget of memory.
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
				return fmt.Errorf("wire: schema: the zero value of the removed field %s, %.64s: %w", fieldName(*f, i), f.Removed, err)
			}
		}
	}
	return nil
}

// fieldName returns the name of a field, or its index if it has none.
func fieldName(f Field, i int) string {
	if f.Name == "" {
		return strconv.Itoa(i)
	}
	return f.Name
}
