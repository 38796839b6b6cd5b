package api

import (
	"net/http"
	"reflect"

	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/shape"
)

// limits are what the tags of an input's fields allow.
type limits struct {
	params *limit.Program // of the fields that are parameters; nil for no limits
	body   *limit.Program
	field  []int // of the body in the input; nil if that is the body
}

// limitsOf reads the tags of the input type s, whose body is at the place, or is
// the whole of it if that is nil.
func limitsOf(s *shape.Shape, body *shape.Place, hasBody bool) (l limits, err error) {
	if hasBody {
		of := s
		if body != nil {
			of, l.field = body.Field.Shape, body.Index
		}
		if l.body, err = limit.Body(of); err != nil || body == nil {
			return l, err
		}
	}
	l.params, err = limit.Params(s)
	return l, err
}

// check holds *v, which has been read, to the limits.
func (l *limits) check(v any) error {
	var wrong []FieldProblem
	if l.params != nil {
		for _, x := range l.params.Check(v) {
			wrong = append(wrong, FieldProblem{In: string(x.Source), Name: x.Path, Detail: x.Detail})
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
