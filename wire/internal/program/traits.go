package program

import (
	"slices"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/spec"
)

// rawSize returns the size of s if its encoding is the same bytes as its memory, for all values,
// and 0 otherwise. A struct qualifies if it has no padding.
func rawSize(s *spec.Spec) uintptr {
	switch s.Form {
	case spec.FormByte:
		return 1
	// A little-endian number of its size in memory. A byte has no order.
	case spec.FormFixed, spec.FormFloat:
		if !s.Big && uintptr(s.Width) == s.Size || s.Width == 1 {
			return s.Size
		}
	// The elements must have no padding between them.
	case spec.FormArray:
		if n := rawSize(s.Elem); n > 0 && n == s.Elem.Size {
			return uintptr(s.Count) * n
		}
	case spec.FormStruct:
		// The fields must be adjacent in memory, in their order, from the first byte to the last.
		end := uintptr(0)
		for i := range s.Fields {
			n := rawSize(s.Fields[i].Spec)
			if n == 0 || s.Fields[i].Off != end || s.Evolving {
				return 0
			}
			end += n
		}
		if end == s.Size {
			return end
		}
	}
	return 0
}

// hasFloat reports whether a value of s contains a float in its own memory.
func hasFloat(s *spec.Spec) bool {
	// Arrays and structs have their parts in their own memory. Slices, maps and pointers have them
	// elsewhere.
	if s.Float || s.Elem != nil && s.Form == spec.FormArray && hasFloat(s.Elem) {
		return true
	}
	for i := range s.Fields {
		if f := s.Fields[i].Spec; f.Form < spec.FormPointer && hasFloat(f) {
			return true
		}
	}
	return false
}

// callsMethods reports whether a program for s passes memory that it works on to methods of
// types, which may keep it.
func callsMethods(s *spec.Spec) bool {
	return contains(s, spec.FormBigInt, spec.FormBinary, spec.FormTextual, spec.FormAccessor)
}

// holdsDynamic reports whether a value of s may contain an interface. A type with methods may,
// since its spec does not show its fields.
func holdsDynamic(s *spec.Spec) bool {
	return contains(s, spec.FormInterface, spec.FormBinary, spec.FormTextual, spec.FormVariant, spec.FormAccessor)
}

// contains reports whether a value of s has one of the forms, or contains such a value in its own
// memory, not through a pointer.
func contains(s *spec.Spec, forms ...spec.Form) bool {
	switch {
	case slices.Contains(forms, s.Form):
		return true
	// These two have their element in their own memory, as a struct has its fields.
	case s.Form == spec.FormOption || s.Form == spec.FormArray:
		return contains(s.Elem, forms...)
	}
	for i := range s.Fields {
		if contains(s.Fields[i].Spec, forms...) {
			return true
		}
	}
	for _, one := range s.Cases {
		if one.Spec != nil && s.Form == spec.FormVariant && contains(one.Spec, forms...) {
			return true
		}
	}
	return false
}

// zeroFields sets the encoded fields of a struct to zero, and leaves the others as they are.
func zeroFields(s *spec.Spec, a mem.Pointer) {
	for i := range s.Fields {
		f := &s.Fields[i]
		// A nested struct may have fields that are not encoded, so it is not set as a whole.
		if f.Spec.Form == spec.FormStruct {
			zeroFields(f.Spec, a.Add(f.Off))
		} else if f.Spec.Size > 0 {
			a.Add(f.Off).Value(0, f.Spec.Type).SetZero()
		}
	}
}
