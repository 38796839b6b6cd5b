package program

import (
	"slices"

	"github.com/hone-go/hone/wire/internal/spec"
)

// rawSize returns the size of s in memory if the encoding of every value has the same bytes as
// its memory, and 0 otherwise. A struct with padding has rawSize 0.
func rawSize(s *spec.Spec) uintptr {
	switch s.Form {
	case spec.FormByte:
		return 1
	// The number must be little-endian, with its width in memory. A byte has no order.
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

// hasFloat reports whether a value of s contains a float directly, not through a pointer.
func hasFloat(s *spec.Spec) bool {
	// Arrays and structs contain their parts directly.
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

// callsMethods reports whether a program for s passes memory of the value to methods of types. Such a
// method may keep the memory.
func callsMethods(s *spec.Spec) bool {
	return contains(s, spec.FormBigInt, spec.FormBinary, spec.FormTextual, spec.FormAccessor)
}

// holdsDynamic reports whether a value of s may contain an interface. It returns true for a
// type with methods, since the spec does not show its fields.
func holdsDynamic(s *spec.Spec) bool {
	return contains(s, spec.FormInterface, spec.FormBinary, spec.FormTextual, spec.FormVariant, spec.FormAccessor)
}

// contains reports whether a value of s has one of the forms, or contains such a value other than
// through a pointer.
func contains(s *spec.Spec, forms ...spec.Form) bool {
	switch {
	case slices.Contains(forms, s.Form):
		return true
	// Options and arrays contain their elements directly.
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
