package json

import (
	"reflect"
	"strings"
	"unicode"

	"github.com/hone-go/hone/shape"
)

// A structField is a field as it takes part in JSON.
type structField struct {
	shape.Flat
	omitEmpty bool
	omitZero  bool
	quoted    bool // the option string, on a type that it applies to
}

// structFields lists the fields of s by the rules of encoding/json.
func structFields(s *shape.Shape) []structField {
	flat := s.Flatten(func(f *shape.Field) (name string, tagged, skip bool) {
		tag := f.Tag.Get("json")
		if tag == "-" {
			return "", false, true
		}
		name, _, _ = strings.Cut(tag, ",")
		if validName(name) {
			return name, true, false
		}
		return f.Name, false, false
	})
	fields := make([]structField, len(flat))
	for i, f := range flat {
		_, options, _ := strings.Cut(f.Field.Tag.Get("json"), ",")
		out := &fields[i]
		out.Flat = f
		for options != "" {
			var o string
			switch o, options, _ = strings.Cut(options, ","); o {
			case "omitempty":
				out.omitEmpty = true
			case "omitzero":
				out.omitZero = true
			case "string":
				out.quoted = quotable(f.Field.Shape.Type)
			}
		}
	}
	return fields
}

// quotable reports whether the option string applies to a field of type t.
func quotable(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	switch k := t.Kind(); {
	case k >= reflect.Bool && k <= reflect.Float64, k == reflect.String:
		return true
	}
	return false
}

func validName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}
