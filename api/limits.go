package api

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

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
// limits. Faults are what has been found before: of the same place one fault is listed.
func (l *limits) check(v, body any, faults []FieldProblem) error {
	return notAllowed("", append(l.params.Check(v), l.body.Check(body)...), faults)
}

// notAllowed is the answer to values that break limits, and nil if there are none.
// path is where in the body the values are.
func notAllowed(path string, found []limit.Violation, faults []FieldProblem) error {
	if len(found)+len(faults) == 0 {
		return nil
	}
	met := map[[2]string]bool{}
	for _, f := range faults {
		met[[2]string{f.In, f.Name}] = true
	}
	for _, x := range found {
		f := FieldProblem{In: cmp.Or(string(x.Source), "body"), Name: path + x.Path, Detail: x.Detail}
		if !met[[2]string{f.In, f.Name}] {
			faults = append(faults, f)
		}
	}
	slices.SortStableFunc(faults, func(a, b FieldProblem) int { return cmp.Compare(rank(a.In), rank(b.In)) })
	p := NewProblem(http.StatusUnprocessableEntity, "the request has values that are not allowed")
	p.Errors = faults[:min(len(faults), limit.MaxViolations)]
	return p
}

// rank puts faults of the body behind those of parameters.
func rank(in string) int {
	if in == "body" {
		return 1
	}
	return 0
}

// validate asks the methods Validate of the input and of the body.
func (l *limits) validate(ctx context.Context, v, body any) error {
	return invalid("", append(l.params.Validate(ctx, v), l.body.Validate(ctx, body)...))
}

// invalid is the answer to what methods Validate have found, and nil if that is nothing. An
// error that has another status than that of a bad request, or is that of a context, is the
// answer itself.
func invalid(path string, found []limit.Invalid) error {
	var faults []FieldProblem
	for _, x := range found {
		var coder interface{ StatusCode() int }
		if errors.As(x.Err, &coder) && coder.StatusCode() != http.StatusUnprocessableEntity && coder.StatusCode() != http.StatusBadRequest ||
			errors.Is(x.Err, context.Canceled) || errors.Is(x.Err, context.DeadlineExceeded) {
			return x.Err
		}
		faults = appendFaults(faults, FieldProblem{In: cmp.Or(string(x.Source), "body"), Name: path + x.Path}, x.Err)
	}
	return notAllowed("", nil, faults)
}

// appendFaults appends what err says, at the given place.
func appendFaults(faults []FieldProblem, at FieldProblem, err error) []FieldProblem {
	var (
		several interface{ Unwrap() []error }
		field   FieldProblem
		problem *Problem
		detail  interface{ Detail() string }
	)
	switch {
	case errors.As(err, &several):
		for _, one := range several.Unwrap() {
			faults = appendFaults(faults, at, one)
		}
		return faults
	case errors.As(err, &field):
		at.In, at.Name, at.Detail = cmp.Or(field.In, at.In), at.Name+field.Name, field.Detail
	case errors.As(err, &problem) && len(problem.Errors) > 0:
		for _, one := range problem.Errors {
			faults = append(faults, FieldProblem{In: cmp.Or(one.In, at.In), Name: at.Name + one.Name, Detail: one.Detail})
		}
		return faults
	case problem != nil:
		at.Detail = cmp.Or(problem.Detail, problem.Title)
	case errors.As(err, &detail):
		at.Detail = detail.Detail()
	default:
		at.Detail = err.Error()
	}
	return append(faults, at)
}
