package message

import (
	"fmt"
	"mime/multipart"
	"net/http"
	"reflect"
	"slices"

	"github.com/hone-go/hone/shape"
)

// A requestFields holds the sources of the fields of an In.
type requestFields struct{ *shape.Request }

// fieldsOf returns the sources of the fields of s in a request of the method. It returns an error
// if fields exclude each other.
func fieldsOf(s *shape.Shape, method string) (from requestFields, err error) {
	if s.Kind != shape.Struct {
		return requestFields{new(shape.Request)}, nil
	}
	from = requestFields{s.Request()}
	stray := from.Untagged
	for i := range from.Bodies {
		if b := &from.Bodies[i]; !b.Field.Exported || len(b.Through) > 0 { // an embedded pointer on the path to the field may be nil
			stray = append(slices.Clip(stray), *b)
		}
	}
	form := from.has(shape.FromForm)
	switch {
	case len(from.Bodies) > 1:
		return from, fmt.Errorf("%v has more than one field for the body", s.Type)
	case from.tagged() && len(stray) > 0:
		return from, fmt.Errorf("field %s of %v has no source: add one of the tags path, query, header, cookie, form and body", stray[0].GoPath(), s.Type)
	case form && len(from.Bodies) > 0:
		return from, fmt.Errorf("%v has both form fields and a body field", s.Type)
	case form && (method == http.MethodGet || method == http.MethodHead):
		return from, fmt.Errorf("%v has fields with the tag \"form\", but %s requests have no body: use the tag \"query\" instead", s.Type, method)
	}
	return from, nil
}

// tagged reports whether a field has a tag for its source. If no field has such a tag, the
// whole In is the body.
func (f requestFields) tagged() bool { return len(f.Params) > 0 || len(f.Bodies) > 0 }

func (f requestFields) has(source shape.Source) bool {
	return slices.ContainsFunc(f.Params, func(p shape.Param) bool { return p.Source == source })
}

// files reports whether a field of a form takes files.
func (f requestFields) files() bool {
	return slices.ContainsFunc(f.Params, func(p shape.Param) bool {
		return p.Source == shape.FromForm && isFile(p.Field.Shape.Type)
	})
}

var fileType = reflect.TypeFor[multipart.FileHeader]()

// isFile reports whether t is multipart.FileHeader, inside any number of pointers and slices.
func isFile(t reflect.Type) bool {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t == fileType
}
