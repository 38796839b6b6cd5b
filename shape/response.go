package shape

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Response describes how the fields of a struct become the response to a request.
type Response struct {
	Fields []Param // with source FromHeader or FromCookie
	Bodies []Place // fields with a `body` tag; there should be at most one
	// Statuses are the statuses in the `status` tag, the default first. It is nil if the struct has
	// no such tag.
	Statuses []int
	Status   *Place  // the field with the `status` tag; nil if this field is blank
	Untagged []Place // as in Request, without the fields listed above and the fields inside them
}

// takes reports whether the field at p is the status field, a field with a header or cookie tag, or
// inside one of these.
func (r *Response) takes(p *Place) bool {
	within := func(outer []int) bool {
		return len(outer) <= len(p.Index) && slices.Equal(outer, p.Index[:len(outer)])
	}
	return r.Status != nil && within(r.Status.Index) ||
		slices.ContainsFunc(r.Fields, func(f Param) bool { return within(f.Index) })
}

// Envelope reports whether the struct is more than the body of a response: a field has a `header`,
// `cookie`, `status` or `body` tag.
func (r *Response) Envelope() bool {
	return len(r.Fields) > 0 || len(r.Bodies) > 0 || r.Statuses != nil
}

// Response describes how the fields of a struct type become a response. The error reports an
// invalid `status` tag.
func (s *Shape) Response() (*Response, error) {
	out := &Response{}
	if s.Kind != Struct || s.Union != nil {
		return out, nil
	}
	request := s.Request()
	for _, p := range request.Params {
		if p.Source == FromHeader || p.Source == FromCookie {
			out.Fields = append(out.Fields, p)
		}
	}
	out.Bodies = request.Bodies
	for i := range s.Fields {
		f := &s.Fields[i]
		text, ok := f.tag.Lookup("status")
		if !ok {
			continue
		}
		if out.Statuses != nil {
			return nil, f.TagError("status", fmt.Errorf("another field has this tag as well"))
		}
		for part := range strings.SplitSeq(text, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(part))
			if err != nil || n < 200 || n > 399 {
				return nil, f.TagError("status", fmt.Errorf("not a list of statuses in 200..399"))
			}
			out.Statuses = append(out.Statuses, n)
		}
		if f.Name == "_" {
			if len(out.Statuses) > 1 {
				return nil, f.TagError("status", fmt.Errorf("a blank field can have only one status"))
			}
			continue
		}
		if !f.Exported || f.Shape.Kind < Int8 || f.Shape.Kind > Int64 || f.Shape.Kind == Int8 {
			return nil, f.TagError("status", fmt.Errorf("the field is not an exported int"))
		}
		place := area{shape: s}.place(i)
		out.Status = &place
	}
	for _, p := range request.Untagged {
		if !out.takes(&p) {
			out.Untagged = append(out.Untagged, p)
		}
	}
	return out, nil
}
