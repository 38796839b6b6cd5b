package wire

import (
	"reflect"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/spec"
)

// tagged returns s with the options of a tag applied, or nil if they do not fit the type of s.
func (d *deriver) tagged(s *spec.Spec, f *shape.Field, tag shape.Wire, at string) *spec.Spec {
	out := s
	switch {
	case tag.Fixed:
		if out = recoded(s, fixed); out == nil {
			d.fail(f.Shape.Type, at, "the tag option fixed applies only to integers of 16 bits or more, and to slices, arrays, pointers and options of such integers")
		}
	case tag.Varint:
		if out = recoded(s, varint); out == nil {
			d.fail(f.Shape.Type, at, "the tag option varint applies only to 8-bit integers, to slices of int8, and to arrays, pointers and options of these")
		}
	}
	return out
}

// recoded returns a copy of s in which change has modified the integer. The integer may be inside
// slices, arrays, pointers and options. recoded returns nil if s contains no integer, or if change
// returns false.
func recoded(s *spec.Spec, change func(*spec.Spec) bool) *spec.Spec {
	out := *s
	switch s.Form {
	case spec.FormSlice, spec.FormArray, spec.FormPointer, spec.FormOption:
		if out.Elem = recoded(s.Elem, change); out.Elem == nil {
			return nil
		}
		return &out
	}
	if !change(&out) {
		return nil
	}
	return &out
}

// fixed gives an integer of 16 bits or more its fixed width, little-endian. An int or a uint has 8
// bytes on every platform. fixed returns false for any other spec.
func fixed(s *spec.Spec) bool {
	if s.Form != spec.FormVarint && s.Form != spec.FormUvarint {
		return false
	}
	s.Form, s.Width = spec.FormFixed, uint8(s.Size)
	if k := s.Type.Kind(); k == reflect.Int || k == reflect.Uint {
		s.Width = 8
	}
	return true
}

// varint makes an integer of 8 bits a varint. It returns false for any other spec.
func varint(s *spec.Spec) bool {
	if s.Form != spec.FormByte {
		return false
	}
	s.Form, s.Width = spec.FormUvarint, 0
	if s.Signed {
		s.Form = spec.FormVarint
	}
	return true
}
