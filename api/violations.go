package api

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/hone-go/hone/internal/http/problem"
	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/shape"
)

// notAllowed returns the problem of values that break limits, and nil if there are none. The
// paths of the values begin with path. faults are other faults of the request. A violation of a value
// that already has a fault is omitted.
func notAllowed(path string, found []limit.Violation, faults []FieldProblem) error {
	if len(found)+len(faults) == 0 {
		return nil
	}
	p := NewProblem(http.StatusUnprocessableEntity, "the request has values that are not allowed")
	p.Errors = withViolations(faults, path, found)
	return p
}

// withViolations adds violations to faults, puts the faults of parameters first, and returns at most
// limit.MaxViolations of them.
func withViolations(faults []FieldProblem, path string, found []limit.Violation) []FieldProblem {
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
	return faults[:min(len(faults), limit.MaxViolations)]
}

// rank returns the position of a part of the request in the list of faults: faults of parameters come before faults of
// the body.
func rank(in string) int {
	if in == "body" {
		return 1
	}
	return 0
}

// invalid returns the problem for errors of Validate methods, and nil if there are none. An error
// of a context, or with a status other than 400 and 422, is returned unchanged.
func invalid(path string, found []limit.Invalid) error {
	var faults []FieldProblem
	for _, x := range found {
		var coder problem.StatusCoder
		if errors.As(x.Err, &coder) && coder.StatusCode() != http.StatusUnprocessableEntity && coder.StatusCode() != http.StatusBadRequest ||
			errors.Is(x.Err, context.Canceled) || errors.Is(x.Err, context.DeadlineExceeded) {
			return x.Err
		}
		faults = appendFaults(faults, FieldProblem{In: cmp.Or(string(x.Source), "body"), Name: path + x.Path}, x.Err)
	}
	return notAllowed("", nil, faults)
}

// appendFaults appends the faults in err to faults. A Validate method has returned err, and place is
// the place of the value that the method has checked.
func appendFaults(faults []FieldProblem, place FieldProblem, err error) []FieldProblem {
	var (
		several interface{ Unwrap() []error }
		field   FieldProblem
		whole   *Problem
		detail  problem.Detailer
	)
	switch {
	case errors.As(err, &several):
		for _, one := range several.Unwrap() {
			faults = appendFaults(faults, place, one)
		}
		return faults
	case errors.As(err, &field):
		place.In, place.Name, place.Detail = cmp.Or(field.In, place.In), place.Name+field.Name, field.Detail
	case errors.As(err, &whole) && len(whole.Errors) > 0:
		for _, one := range whole.Errors {
			faults = append(faults, FieldProblem{In: cmp.Or(one.In, place.In), Name: place.Name + one.Name, Detail: one.Detail})
		}
		return faults
	case whole != nil:
		place.Detail = cmp.Or(whole.Detail, whole.Title)
	case errors.As(err, &detail):
		place.Detail = detail.Detail()
	default:
		place.Detail = err.Error()
	}
	return append(faults, place)
}

// locatedPath returns the path of an error of decoding data, such as ".items[3].price", and "" if the
// error has no position.
func locatedPath(data []byte, err error) string {
	at, _ := json.Locate(data, err)
	return path.Shorten(at.Path, maxPath)
}

// maxPath is the maximum length in bytes of a path in a problem.
const maxPath = 1 << 10

// jsonPath converts the path of a [wire.DecodeError], such as ".Items[3].Price", to the
// fields' names in JSON: ".items[3].price". The path ends where JSON has no name for the
// next step.
func jsonPath(s *shape.Shape, goPath string) string {
	named := ""     // the result so far
	embedding := "" // the embedded structs of s entered since the last named step
	for goPath != "" {
		for (s.Kind == shape.Pointer || s.Kind == shape.Option) && !s.Endless() {
			s = s.Elem
		}
		step, name, rest, isName := path.First(goPath)
		goPath = rest
		switch {
		case step == "[key]" && s.Kind == shape.Map:
			named, s = named+step, s.Key
		case s.Kind == shape.Map && isName:
			named, s = named+path.Name(name), s.Elem
		case s.Kind == shape.Map && len(step) > 1 && step[len(step)-1] == ']' && step != "[…]": // a number, which JSON writes as a string
			named, s = named+path.Name(step[1:len(step)-1]), s.Elem
		case !isName && s.Elem != nil:
			named, s = named+step, s.Elem
		case isName && s.Kind == shape.Struct:
			embedding += step
			for _, m := range s.Members() {
				if m.GoPath() == embedding {
					named, s, embedding = named+path.Name(m.Name), m.Field.Shape, ""
					break
				}
			}
		default:
			return named
		}
	}
	return named
}
