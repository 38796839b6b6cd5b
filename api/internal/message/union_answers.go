package message

import (
	"fmt"
	"reflect"

	"github.com/hone-go/hone/shape"
)

// Responses returns the variants of a successful answer of the shape s. If union is true, s is an
// Either of mo, and each type that the Either may hold is a variant. Otherwise s is the only variant.
func Responses(s *shape.Shape, rules Rules) (variants []*Response, union bool, err error) {
	cases, err := variantsOf(s)
	if err != nil {
		return nil, false, err
	}
	if union = cases != nil; !union {
		cases = []*shape.Shape{s}
	}
	met := map[int]bool{}
	for _, c := range cases {
		f, err := newResponse(c, rules)
		if err != nil {
			return nil, false, err
		}
		for _, status := range f.Statuses {
			if met[status] {
				return nil, false, fmt.Errorf("two variants of %v have the status %d", s.Type, status)
			}
			met[status] = true
		}
		variants = append(variants, f)
	}
	return variants, union, nil
}

var errorType = reflect.TypeFor[error]()

// variantsOf returns the types of an Either of mo, if one of them has tags for its status, header,
// cookies or body. Otherwise it returns nil: the Either as a whole is then the body.
func variantsOf(s *shape.Shape) (cases []*shape.Shape, err error) {
	if s.Union == nil || s.Union.Nullable() >= 0 {
		return nil, nil
	}
	envelopes := 0
	for _, c := range s.Union.Cases {
		if c.Elem == nil || c.Elem.Type == errorType {
			return nil, nil
		}
		response, err := c.Elem.Response()
		if err != nil {
			return nil, err
		}
		if response.Envelope() {
			envelopes++
		}
		cases = append(cases, c.Elem)
	}
	if envelopes == 0 {
		return nil, nil
	}
	return cases, nil
}
