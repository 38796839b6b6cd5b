package print

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/gosource"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A leaf is a part of a struct for which one statement is printed. The fields of nested structs are
// leaves of the outer struct.
type leaf struct {
	spec     *spec.Spec
	name     string // expression of the part, such as v.Address.City
	path     string // path of the part in errors, such as .Address.City
	strategy strategy
	table    string // expression of the table of the struct that has the field
	within   string // path of that struct in errors, or ""
	field    int    // index of the field in the table
	fields   string // name of the functions for the elements, if strategy is each
}

// A strategy says how generated code encodes and decodes a leaf.
type strategy uint8

const (
	byEngine  strategy = iota // the engine runs the program of the field
	single                    // a value for which the package code has a function
	byteArray                 // an array of bytes
	option                    // an option of a single value
	pointer                   // a pointer to a single value
	each                      // a slice of structs that have functions
	slice                     // a slice of strings, of bytes or of integers
	entries                   // a map of single keys and elements
)

// inPlace is the largest number of values in a nested struct that is printed in place. Without the
// limit, structs that contain two structs each would double the code at each level.
const inPlace = 100

// size returns the number of values in s, or more than inPlace if there are more.
func size(s *spec.Spec) int {
	if s.Form != spec.FormStruct || s.Evolving {
		return 1
	}
	n := 0
	for i := range s.Fields {
		if n += size(s.Fields[i].Spec); n > inPlace {
			break
		}
	}
	return n
}

// leaves returns the leaves of s, the struct *v. starts has the index of the
// first leaf of each field.
func (f *file) leaves(s *spec.Spec) (all []leaf, starts []int) {
	for i := range s.Fields {
		starts = append(starts, len(all))
		all = f.add(all, leaf{spec: s.Fields[i].Spec, name: "v." + s.Fields[i].Name, path: "." + s.Fields[i].Name, table: "t", field: i})
	}
	return all, starts
}

// add appends l to leaves. If l is a struct, these are the leaves of its fields.
func (f *file) add(leaves []leaf, l leaf) []leaf {
	s := l.spec
	l.strategy = f.strategyOf(s)
	switch {
	case s.Form == spec.FormRemoved:
		l.name = "*v" // a removed field has no memory, and may have no name
	case s.Form == spec.FormSlice:
		l.fields = f.names[s.Elem.Type]
	case s.Form == spec.FormStruct && !s.Evolving && f.accessible(s) && size(s) <= inPlace:
		for i := range s.Fields {
			field := &s.Fields[i]
			leaves = f.add(leaves, leaf{spec: field.Spec, name: l.name + "." + field.Name, path: l.path + "." + field.Name,
				table: fmt.Sprintf("%s.Part(%d).Table", l.table, l.field), within: l.path, field: i})
		}
		return leaves
	case s.Form == spec.FormArray && s.Count <= spec.Unrolled && l.strategy == byEngine && f.isUnrolled(s.Elem):
		for i := range s.Count {
			at := fmt.Sprintf("[%d]", i)
			leaves = append(leaves, leaf{spec: s.Elem, name: l.name + at, path: l.path + at, strategy: single})
		}
		return leaves
	}
	return append(leaves, l)
}

// isUnrolled reports whether the elements of a short array are printed one by one. The engine copies
// an array of numbers of a fixed width as bytes.
func (f *file) isUnrolled(s *spec.Spec) bool {
	switch s.Form {
	case spec.FormBool, spec.FormVarint, spec.FormUvarint, spec.FormTime:
		return f.isSingle(s)
	}
	return false
}

// strategyOf returns the strategy for a value of s that is not a struct.
func (f *file) strategyOf(s *spec.Spec) strategy {
	switch s.Form {
	case spec.FormOption:
		if f.isSingle(s.Elem) && isOption(s.Type) {
			return option
		}
	case spec.FormPointer:
		if f.isSingle(s.Elem) && s.Type.Name() == "" {
			return pointer
		}
	case spec.FormArray:
		if s.Elem.Type == reflect.TypeFor[byte]() && s.Elem.Form == spec.FormByte && s.Count > 0 && s.Count <= 64 {
			return byteArray
		}
	case spec.FormSlice:
		if s.Len != scalar.LenVarint || s.Empty {
			break
		}
		if s.Elem.Form == spec.FormStruct && !s.Elem.Evolving {
			if _, ok := f.function(s.Elem); ok {
				return each
			}
		}
		if sliceFunction(s) != "" && f.namesSlice(s) {
			return slice
		}
	case spec.FormBytes:
		// Package code converts no slice of a named byte type to a []byte.
		if !s.Empty && s.Len == scalar.LenVarint && s.Type.Elem() == reflect.TypeFor[byte]() && f.namesSlice(s) {
			return slice
		}
	case spec.FormMap:
		if !s.Empty && s.Len == scalar.LenVarint && f.isSingle(s.Elem) && f.isKey(s.Key) {
			return entries
		}
	default:
		if f.isSingle(s) {
			return single
		}
	}
	return byEngine
}

// isSingle reports whether package code has functions for values of s, and the file can name its
// type.
func (f *file) isSingle(s *spec.Spec) bool {
	switch s.Form {
	case spec.FormBool, spec.FormByte, spec.FormVarint, spec.FormUvarint, spec.FormTime:
	case spec.FormFixed, spec.FormFloat:
		if s.Big {
			return false
		}
	case spec.FormText:
		if s.Len != scalar.LenVarint {
			return false
		}
	default:
		return false
	}
	_, ok := f.TypeName(s.Type)
	return ok
}

// sliceFunction returns the name of the functions of package code for a slice like s, without the
// prefixes Put and Get. It returns "" for a slice of small integers, which the engine encodes.
func sliceFunction(s *spec.Spec) string {
	switch {
	case s.Form == spec.FormBytes:
		return "Bytes"
	case s.Elem.Form == spec.FormText && s.Elem.Len == scalar.LenVarint:
		return "Strings"
	case (s.Elem.Form == spec.FormVarint || s.Elem.Form == spec.FormUvarint) && bits(s.Elem) >= 32:
		return "Ints"
	}
	return ""
}

// namesSlice reports whether the file can name the type of s, a slice, for errors.
func (f *file) namesSlice(s *spec.Spec) bool {
	_, ok := f.TypeName(s.Type)
	return ok
}

// isKey reports whether s is a single value for which two map keys are equal in Go if, and only if,
// their encodings are equal. Floats and times are excluded: NaN is not equal to itself, and equal
// times may differ in their zones.
func (f *file) isKey(s *spec.Spec) bool {
	return f.isSingle(s) && s.Form != spec.FormFloat && s.Form != spec.FormTime
}

// isOption reports whether t is an Option with the functions Some and None: hone's or samber's.
func isOption(t reflect.Type) bool {
	return strings.HasPrefix(t.Name(), "Option[") && (t.PkgPath() == "github.com/hone-go/hone/mo" || t.PkgPath() == "github.com/samber/mo")
}

// optionType returns the name of the option s in the file.
func (f *file) optionType(s *spec.Spec) string {
	elem, _ := f.TypeName(s.Elem.Type)
	return f.Import(s.Type.PkgPath(), gosource.PackageName(s.Type)) + ".Option[" + elem + "]"
}

// typeOf returns the name of the type of s in the file. s is a single value, a pointer to a single
// value, an option of a single value, or an array.
func (f *file) typeOf(s *spec.Spec) string {
	if s.Form == spec.FormOption {
		return f.optionType(s)
	}
	name, _ := f.TypeName(s.Type)
	return name
}

// bits returns the number of bits of s, an integer, in the encoding. It is 64 for an int or a uint, on
// every platform.
func bits(s *spec.Spec) int {
	switch s.Type.Kind() {
	case reflect.Int8, reflect.Uint8:
		return 8
	case reflect.Int16, reflect.Uint16:
		return 16
	case reflect.Int32, reflect.Uint32:
		return 32
	}
	return 64
}

// bound returns the maximum number of bytes of a single value, without the bytes of a string.
func bound(s *spec.Spec) int {
	switch s.Form {
	case spec.FormVarint, spec.FormUvarint:
		return (bits(s) + 6) / 7
	case spec.FormFixed, spec.FormFloat:
		return int(s.Width)
	case spec.FormTime:
		return scalar.TimeBound
	}
	return 1
}
