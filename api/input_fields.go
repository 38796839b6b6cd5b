package api

import (
	"mime/multipart"
	"reflect"
)

// inputFields is what the tags of an In say.
type inputFields struct {
	params        bool
	cookies, form bool // some of the parameters are
	files         bool // some of the form are
	body          [][]int
	stray         []string // fields without any tag
}

// paramTags are the tags of what is not the body as a whole.
var paramTags = []string{"path", "param", "query", "header", "cookie", "form"}

func (f *inputFields) walk(t reflect.Type, index []int, path string, met map[reflect.Type]bool) {
	if met[t] {
		return // embedded in itself, by pointer
	}
	met[t] = true
	for i := range t.NumField() {
		field := t.Field(i)
		at := append(append([]int(nil), index...), i)
		name := path + "." + field.Name
		tagged := false
		for _, tag := range paramTags {
			if v, ok := field.Tag.Lookup(tag); ok {
				tagged = true
				f.params = f.params || v != "-"
				f.cookies = f.cookies || tag == "cookie" && v != "-"
				f.form = f.form || tag == "form" && v != "-"
				f.files = f.files || tag == "form" && v != "-" && isFile(field.Type)
			}
		}
		_, body := field.Tag.Lookup("body")
		switch {
		case body && field.IsExported():
			f.body = append(f.body, at)
		case tagged, !body && !field.IsExported() && !field.Anonymous:
		case field.Anonymous && field.Type.Kind() == reflect.Struct:
			f.walk(field.Type, at, name, met)
		case field.Anonymous && field.Type.Kind() == reflect.Pointer && field.Type.Elem().Kind() == reflect.Struct:
			sub := inputFields{}
			sub.walk(field.Type.Elem(), at, name, met)
			f.params, f.cookies, f.form, f.files = f.params || sub.params, f.cookies || sub.cookies, f.form || sub.form, f.files || sub.files
			f.stray = append(f.stray, sub.stray...)
			for range sub.body { // it would have to be reached through nil
				f.stray = append(f.stray, name)
			}
		default:
			f.stray = append(f.stray, name)
		}
	}
}

var fileType = reflect.TypeFor[multipart.FileHeader]()

// isFile reports whether a field of a form takes files.
func isFile(t reflect.Type) bool {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t == fileType
}
