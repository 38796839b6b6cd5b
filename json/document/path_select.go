package document

import (
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/document/internal/jsonpath"
)

// A selection is one evaluation of a [Path]. Values are the indexes of their words in the Document.
type selection struct {
	path    *Path
	doc     *Document
	root    int
	steps   int                          // the number of steps that are left; negative if a limit was exceeded
	depth   int                          // of the recursion
	dynamic map[string]*jsonpath.Pattern // patterns that are values of the document, see pattern
}

// maxSelectDepth is the limit of the recursion, in calls of apply. Each takes less than a kilobyte of stack.
const maxSelectDepth = 40_000

// spend counts steps. It returns false if there were not enough.
func (s *selection) spend(steps int) bool {
	if s.steps < 0 {
		return false
	}
	s.steps = max(s.steps-steps, -1)
	return s.steps >= 0
}

// apply calls yield with each value that the segments select from the value at t. It returns false if yield has
// returned false or no steps are left.
func (s *selection) apply(segments []jsonpath.Segment, t int, yield func(t int) bool) bool {
	if len(segments) == 0 {
		return yield(t)
	}
	if s.depth++; s.depth > maxSelectDepth {
		s.steps = -1
	}
	ok := s.steps >= 0 && s.applyFirst(segments, t, yield)
	s.depth--
	return ok
}

// applyFirst implements apply for at least one segment.
func (s *selection) applyFirst(segments []jsonpath.Segment, t int, yield func(t int) bool) bool {
	segment, rest := &segments[0], segments[1:]
	for i := range segment.Selectors {
		if !s.selectBy(&segment.Selectors[i], rest, t, yield) {
			return false
		}
	}
	if segment.Descendants {
		for child, after, step := s.children(t); child < after; child = s.doc.after(child) + step {
			if !s.spend(1) || !s.apply(segments, child, yield) {
				return false
			}
		}
	}
	return true
}

// children returns the first child of the value at t, the word after the last one, and the number of words before
// each child: 1 for the name of a member.
func (s *selection) children(t int) (child, after, step int) {
	switch s.doc.kind(t) {
	case Object:
		step = 1
	case Array:
	default:
		return 0, 0, 0
	}
	return t + syntax.ContainerWords + step, syntax.After(s.doc.words, t), step
}

// selectBy applies the rest of the segments to the children of the value at t that x selects.
func (s *selection) selectBy(x *jsonpath.Selector, rest []jsonpath.Segment, t int, yield func(t int) bool) bool {
	if !s.spend(1) {
		return false
	}
	switch x.Kind {
	case jsonpath.Name:
		if child, ok := s.member(t, x.Name); ok {
			return s.apply(rest, child, yield)
		}
	case jsonpath.Index:
		if child, ok := s.element(t, x.Index); ok {
			return s.apply(rest, child, yield)
		}
	case jsonpath.Slice:
		if s.doc.kind(t) == Array {
			return s.slice(x, rest, t, yield)
		}
	case jsonpath.Wildcard, jsonpath.Filter:
		for child, after, step := s.children(t); child < after; child = s.doc.after(child) + step {
			if !s.spend(1) {
				return false
			}
			selected := x.Kind == jsonpath.Wildcard || s.holds(x.Filter, child)
			if s.steps < 0 || selected && !s.apply(rest, child, yield) { // without steps the filter is not known
				return false
			}
		}
	}
	return s.steps >= 0
}

// nameBytesPerStep is how many bytes of names a look-up compares in one step.
const nameBytesPerStep = 256

func (s *selection) member(t int, name string) (child int, ok bool) {
	if s.doc.kind(t) != Object || !s.spend(min(s.doc.words[t].Count(), minTable)*len(name)/nameBytesPerStep) {
		return 0, false
	}
	child = s.doc.find(t, name)
	return child, child >= 0
}

func (s *selection) element(t int, i int64) (child int, ok bool) {
	if s.doc.kind(t) != Array {
		return 0, false
	}
	n := int64(s.doc.count(t))
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return 0, false
	}
	return s.doc.element(t, int(i)), true
}

// slice implements selectBy for a slice of an array.
func (s *selection) slice(x *jsonpath.Selector, rest []jsonpath.Segment, t int, yield func(t int) bool) bool {
	n := int64(s.doc.count(t))
	from, to := bounds(x, n)
	switch {
	case x.Step > 0 && from < to:
		child := s.doc.element(t, int(from))
		for i := from; ; {
			if !s.spend(1) || !s.apply(rest, child, yield) {
				return false
			}
			if i += x.Step; i >= to {
				return true
			}
			if !s.spend(int(x.Step)) {
				return false
			}
			for range x.Step {
				child = s.doc.after(child)
			}
		}
	case x.Step < 0:
		for i := to; i > from; i += x.Step {
			if !s.spend(1) || !s.apply(rest, s.doc.element(t, int(i)), yield) {
				return false
			}
		}
	}
	return true
}

// bounds returns the lower and the upper bound of a slice of n elements (RFC 9535, section 2.3.4.2.2). With a positive
// step the lower bound is part of the slice, with a negative one the upper.
func bounds(x *jsonpath.Selector, n int64) (lower, upper int64) {
	start, end := x.Start, x.End
	if x.Step < 0 {
		if !x.HasStart {
			start = n - 1
		}
		if !x.HasEnd {
			end = -n - 1
		}
	} else if !x.HasEnd {
		end = n
	}
	if start < 0 {
		start += n
	}
	if end < 0 {
		end += n
	}
	if x.Step < 0 {
		return min(max(end, -1), n-1), min(max(start, -1), n-1)
	}
	return min(max(start, 0), n), min(max(end, 0), n)
}
