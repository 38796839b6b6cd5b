package shape

import (
	"reflect"
	"strconv"
	"strings"
)

// TypeName returns the text of a type for fingerprints and schemas. It is t.String(), except for types that
// encoding/json declares in another package in another release of Go: these have the name of Go 1.26 in every
// release, also as a part of t. For example, json.RawMessage is an alias of jsontext.Value since Go 1.27.
func TypeName(t reflect.Type) string {
	if name := t.Name(); name != "" {
		if old := withOldPaths(t.PkgPath() + "." + name); old != t.PkgPath()+"."+name && !strings.Contains(name, "[") {
			return old[strings.LastIndexByte(old, '/')+1:]
		}
		return withOldPaths(t.String()) // type arguments are printed with the paths of their packages
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + TypeName(t.Elem())
	case reflect.Slice:
		return "[]" + TypeName(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + TypeName(t.Elem())
	case reflect.Map:
		return "map[" + TypeName(t.Key()) + "]" + TypeName(t.Elem())
	case reflect.Struct:
		if text, moved := structName(t); moved {
			return text
		}
	}
	return t.String()
}

// structName returns the text of a struct type without a name, and whether a field has a moved type.
func structName(t reflect.Type) (text string, moved bool) {
	var b strings.Builder
	b.WriteString("struct {")
	for i := range t.NumField() {
		f := t.Field(i)
		name := TypeName(f.Type)
		moved = moved || name != f.Type.String()
		b.WriteString(" " + f.Name + " " + name)
		if f.Tag != "" {
			b.WriteString(" " + strconv.Quote(string(f.Tag)))
		}
		b.WriteByte(';')
	}
	return strings.TrimSuffix(b.String(), ";") + " }", moved
}

// movedTypes has the paths of types that releases of Go declare in different packages, and their paths in Go 1.26.
// Package stream declares those that Go 1.26 lacks.
var movedTypes = [...][2]string{
	{"encoding/json/jsontext.Value", "encoding/json.RawMessage"},
	{"github.com/hone-go/hone/json/internal/stream.Value", "encoding/json.RawMessage"},
	{"github.com/hone-go/hone/json/internal/stream.Kind", "encoding/json/jsontext.Kind"},
	{"github.com/hone-go/hone/json/internal/stream.Token", "encoding/json/jsontext.Token"},
	{"encoding/json/v2.Marshaler", "encoding/json.Marshaler"},
	{"encoding/json/v2.Unmarshaler", "encoding/json.Unmarshaler"},
}

func withOldPaths(name string) string {
	for _, moved := range movedTypes {
		name = strings.ReplaceAll(name, moved[0], moved[1])
	}
	return name
}
