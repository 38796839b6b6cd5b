// Package optional says how the types of package mo lie in memory and what they
// mean, so that package shape can describe them and mo need not be linked for
// it. A test compares what is said here with mo's types.
package optional

import (
	"reflect"
	"strings"
)

// Path is the import path of package mo.
var Path = strings.TrimSuffix(reflect.TypeFor[Union]().PkgPath(), "internal/memory/optional") + "mo"

// NilError is the text of the error in a Result that was made a failure without
// one.
const NilError = "mo: failure without an error"

// Option returns the two fields of t, the flag and the value, and reports
// whether t is an instance of mo.Option. A type that a user defines from one
// has another name and none of its methods: it is a struct like any other.
func Option(t reflect.Type) (present, value reflect.StructField, ok bool) {
	if name(t) != "Option" {
		return present, value, false
	}
	return t.Field(0), t.Field(1), true
}

// A Union is a type of mo that holds one of several values: a Result, a
// Nullable or one of the Eithers.
type Union struct {
	Tag   reflect.StructField // a bool, an int8 or a uint8
	Cases []Case              // by the number that the tag has then
}

// A Case is one value of a Union.
type Case struct {
	// Name is that of the case in JSON; "" for the cases of a Nullable, of which
	// only one has a value.
	Name  string
	Value reflect.StructField // its Type is nil if the case has no value
}

// cases lists the cases of each union in the order of their tags: the name in
// JSON and the field that has the value, if there is one.
var cases = map[string][][2]string{
	"Nullable": {{"", ""}, {"", ""}, {"", "value"}},
	"Result":   {{"result", "value"}, {"error", "err"}},
	"Either":   {{"right", "right"}, {"left", "left"}},
	"Either3":  {{"arg1", "arg1"}, {"arg2", "arg2"}, {"arg3", "arg3"}},
	"Either4":  {{"arg1", "arg1"}, {"arg2", "arg2"}, {"arg3", "arg3"}, {"arg4", "arg4"}},
	"Either5":  {{"arg1", "arg1"}, {"arg2", "arg2"}, {"arg3", "arg3"}, {"arg4", "arg4"}, {"arg5", "arg5"}},
}

// UnionOf describes t, and reports whether it is a union of mo. The tag is the
// first field of each.
func UnionOf(t reflect.Type) (u Union, ok bool) {
	list := cases[name(t)]
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

// name returns the name of the generic type of mo that t is an instance of, or "".
func name(t reflect.Type) string {
	if t.Kind() != reflect.Struct || t.PkgPath() != Path {
		return ""
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}
