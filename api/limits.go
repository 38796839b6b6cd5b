package api

import (
	"net/http"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/limit"
)

// limits are what the tags of an input's fields allow.
type limits struct {
	params *limit.Program // of the fields that are parameters; nil for no limits
	body   *limit.Program
	field  []int // of the body in the input; nil if that is the body
}

// limitsOf reads the tags of the input type t, whose body is in the field.
func limitsOf(t reflect.Type, field []int, hasBody bool) (l limits, err error) {
	l.field = field
	body := t
	if field != nil {
		body = t.FieldByIndex(field).Type
	}
	if hasBody {
		if l.body, err = limit.For(body, limit.JSONName); err != nil || field == nil {
			return l, err
		}
	}
	l.params, err = limit.For(t, paramName)
	return l, err
}

// paramName names a parameter by its source, a space and its name.
func paramName(f reflect.StructField) (string, bool) {
	for _, tag := range paramTags {
		name, _, _ := strings.Cut(f.Tag.Get(tag), ",")
		switch {
		case name == "-":
			return "", false
		case name == "":
			continue
		case tag == "param":
			tag = "path"
		case tag == "header":
			name = http.CanonicalHeaderKey(name)
		}
		return tag + " " + name, true
	}
	_, body := f.Tag.Lookup("body")
	return "", f.Anonymous && !body
}

// check holds *v, which has been read, to the limits.
func (l *limits) check(v any) error {
	var wrong []FieldProblem
	if l.params != nil {
		for _, x := range l.params.Check(v) {
			source, name, _ := strings.Cut(x.Path, " ")
			wrong = append(wrong, FieldProblem{In: source, Name: name, Detail: x.Detail})
		}
	}
	if l.body != nil {
		body := v
		if l.field != nil {
			body = reflect.ValueOf(v).Elem().FieldByIndex(l.field).Addr().Interface()
		}
		for _, x := range l.body.Check(body) {
			wrong = append(wrong, FieldProblem{In: "body", Name: x.Path, Detail: x.Detail})
		}
	}
	if wrong == nil {
		return nil
	}
	p := NewProblem(http.StatusUnprocessableEntity, "the request has values that are not allowed")
	p.Errors = wrong
	return p
}
