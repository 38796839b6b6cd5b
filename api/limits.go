package api

import (
	"cmp"
	"net/http"

	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/shape"
)

// limits are what the tags of an input's fields allow.
type limits struct {
	params *limit.Program // of the fields that are parameters; nil for no limits
	body   *limit.Program
}

// limitsOf reads the tags of the input type s, whose body is at the place, or is
// the whole of it if that is nil.
func limitsOf(s *shape.Shape, body *shape.Place, hasBody bool) (l limits, err error) {
	if hasBody {
		of := s
		if body != nil {
			of = body.Field.Shape
		}
		if l.body, err = limit.Body(of); err != nil || body == nil {
			return l, err
		}
	}
	l.params, err = limit.Params(s)
	return l, err
}

// check holds the input that v points to, and the body that body points to, to the
// limits.
func (l *limits) check(v, body any) error {
	return notAllowed("", append(l.params.Check(v), l.body.Check(body)...))
}

// notAllowed is the answer to values that break limits, and nil if there are none.
// path is where in the body the values are.
func notAllowed(path string, found []limit.Violation) error {
	if len(found) == 0 {
		return nil
	}
	p := NewProblem(http.StatusUnprocessableEntity, "the request has values that are not allowed")
	for _, x := range found {
		p.Errors = append(p.Errors, FieldProblem{In: cmp.Or(string(x.Source), "body"), Name: path + x.Path, Detail: x.Detail})
	}
	return p
}
