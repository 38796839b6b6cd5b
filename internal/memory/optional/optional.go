// Package optional describes the memory layout and the meaning of package mo's types. Package
// shape uses this description, so that it need not import mo. A test compares the description
// with mo's types.
package optional

import (
	"reflect"
	"strings"
)

// Path is the import path of package mo.
var Path = strings.TrimSuffix(reflect.TypeFor[Union]().PkgPath(), "internal/memory/optional") + "mo"

// NilError is the text of the error in a Result made from a nil error.
const NilError = "mo: failure without an error"

// Option returns the flag field and the value field of t, and reports whether t is an instance of
// mo.Option. A type defined from an mo.Option has another name and no methods, so it is an ordinary
// struct.
func Option(t reflect.Type) (present, value reflect.StructField, ok bool) {
	if name(t) != "Option" {
		return present, value, false
	}
	return t.Field(0), t.Field(1), true
}

// A Union is an mo type that holds one of several values: a Result, a Nullable or an Either.
type Union struct {
	Tag   reflect.StructField // a bool, an int8 or a uint8
	Cases []Case              // indexed by the value of the tag
}

// A Case is one value of a Union.
type Case struct {
	// Name is the JSON name of the case. It is "" for the cases of a Nullable: only one of them has
	// a value.
	Name  string
	Value reflect.StructField // its Type is nil if the case has no value
}

// casesOf lists the cases of a union in the order of the tag: the JSON name, and the field with
// the value, if any. It returns nil for another type.
func casesOf(union string) [][2]string {
	switch union {
	case "Nullable":
		return [][2]string{{"", ""}, {"", ""}, {"", "value"}}
	case "Result":
		return [][2]string{{"result", "value"}, {"error", "err"}}
	case "Either":
		return [][2]string{{"right", "right"}, {"left", "left"}}
	case "Either3":
		return args[:3]
	case "Either4":
		return args[:4]
	case "Either5":
		return args[:]
	}
	return nil
}

var args = [...][2]string{{"arg1", "arg1"}, {"arg2", "arg2"}, {"arg3", "arg3"}, {"arg4", "arg4"}, {"arg5", "arg5"}}

// UnionOf returns the description of t, and reports whether t is an mo union. The first field of
// each union is its tag.
func UnionOf(t reflect.Type) (u Union, ok bool) {
	list := casesOf(name(t))
	if list == nil {
		return u, false
	}
	u.Tag, u.Cases = t.Field(0), make([]Case, len(list))
	for i, c := range list {
		u.Cases[i].Name = c[0]
		if c[1] == "" {
			continue
		}
		if u.Cases[i].Value, ok = t.FieldByName(c[1]); !ok {
			panic("optional: " + t.String() + " has no field " + c[1])
		}
	}
	return u, true
}

// name returns the name of the generic mo type that t is an instance of, or "".
func name(t reflect.Type) string {
	if t.Kind() != reflect.Struct || t.PkgPath() != Path {
		return ""
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}
