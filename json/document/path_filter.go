package document

import (
	"unicode/utf8"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/document/internal/jsonpath"
)

// holds reports whether the expression x is true for the value at t.
func (s *selection) holds(x jsonpath.Logical, t int) bool {
	if !s.spend(1) {
		return false
	}
	switch x := x.(type) {
	case jsonpath.Or:
		for _, part := range x {
			if s.holds(part, t) {
				return true
			}
		}
		return false
	case jsonpath.And:
		for _, part := range x {
			if !s.holds(part, t) {
				return false
			}
		}
		return true
	case jsonpath.Not:
		return !s.holds(x.Of, t)
	case jsonpath.Exists:
		exists := false
		s.apply(x.Query.Segments, s.start(x.Query, t), func(int) bool { exists = true; return false })
		return exists
	case jsonpath.Comparison:
		return s.compare(x.Op, s.operand(x.Left, t), s.operand(x.Right, t))
	case *jsonpath.Call:
		return s.matches(x, t)
	}
	return false
}

// start returns the value at which a query in a filter begins.
func (s *selection) start(q *jsonpath.Query, t int) int {
	if q.Relative {
		return t
	}
	return s.root
}

// An operand is a value that a filter compares. Its kind is Invalid if a query selects nothing.
type operand struct {
	kind    Kind
	value   int    // of Array and Object
	text    string // of String: the content
	truth   bool   // of Bool
	float   float64
	integer int64 // of Number, if whole is set
	whole   bool  // the number is an int64
}

func (s *selection) operand(x jsonpath.Operand, t int) operand {
	switch x := x.(type) {
	case jsonpath.Literal:
		if x.IsString {
			return operand{kind: String, text: x.Text}
		}
		return operand{kind: kindOf[x.Text[0]], truth: x.Text == "true", float: x.Float, integer: x.Integer, whole: x.Whole}
	case *jsonpath.Query:
		at := -1
		if x.Singular {
			at = s.single(x, t)
		}
		return s.read(at)
	case *jsonpath.Call:
		return s.call(x, t)
	}
	return operand{}
}

// single returns the value that a singular query selects, or -1.
func (s *selection) single(q *jsonpath.Query, t int) int {
	at := s.start(q, t)
	for i := range q.Segments {
		if !s.spend(1) {
			return -1
		}
		x := &q.Segments[i].Selectors[0]
		var ok bool
		if x.Kind == jsonpath.Name {
			at, ok = s.member(at, x.Name)
		} else {
			at, ok = s.element(at, x.Index)
		}
		if !ok {
			return -1
		}
	}
	return at
}

// read returns the value at t, and no value if t is negative.
func (s *selection) read(t int) operand {
	if t < 0 {
		return operand{}
	}
	switch kind := s.doc.kind(t); kind {
	case String:
		return operand{kind: String, text: s.content(t)}
	case Array, Object:
		return operand{kind: kind, value: t}
	default:
		text := s.doc.data[s.doc.words[t].Pos():s.doc.end(t)]
		s.spend(costOf(len(text)))
		return scalar(kind, text)
	}
}

// costOf returns the steps for reading n bytes.
func costOf(n int) int { return n / 32 }

// content returns the content of the string at t, which may alias the text of the Document.
func (s *selection) content(t int) string {
	b := s.doc.content(t, nil)
	s.spend(costOf(len(b)))
	return mem.String(b)
}

// scalar returns the number or literal of a JSON text.
func scalar(kind Kind, text []byte) operand {
	x := operand{kind: kind, truth: text[0] == 't'}
	if kind == Number {
		x.float, x.integer, x.whole = jsonpath.Number(text)
	}
	return x
}

func count(n int) operand {
	return operand{kind: Number, float: float64(n), integer: int64(n), whole: true}
}

// call returns the result of a function with a value.
func (s *selection) call(c *jsonpath.Call, t int) operand {
	argument := c.Arguments[0]
	if c.Function == jsonpath.Length {
		switch x := s.operand(argument, t); x.kind {
		case String:
			return count(utf8.RuneCountInString(x.text))
		case Array, Object:
			return count(s.doc.count(x.value))
		}
		return operand{}
	}
	n, last := 0, 0
	q := argument.(*jsonpath.Query)
	s.apply(q.Segments, s.start(q, t), func(t int) bool {
		n++
		last = t
		return s.spend(1)
	})
	switch {
	case c.Function == jsonpath.Count:
		return count(n)
	case n == 1:
		return s.read(last)
	}
	return operand{}
}

// matches returns the result of match or search.
func (s *selection) matches(c *jsonpath.Call, t int) bool {
	text := s.operand(c.Arguments[0], t)
	if text.kind != String {
		return false
	}
	p, known := s.path.patterns[c]
	if !known {
		x := s.operand(c.Arguments[1], t)
		if x.kind != String {
			return false
		}
		p = s.pattern(c.Function, x.text)
	}
	return p != nil && s.spend(p.Cost(len(text.text))) && p.Matches(text.text)
}

// pattern compiles a pattern that is a value of the document. The selection keeps some of the patterns.
func (s *selection) pattern(f jsonpath.Function, text string) *jsonpath.Pattern {
	key := string(f) + text
	if p, known := s.dynamic[key]; known {
		return p
	}
	const compileCost, most = 1000, 100
	if !s.spend(compileCost + len(text)) {
		return nil
	}
	p, _ := jsonpath.Compile(f, text) // the result of a call with an invalid pattern is false
	if s.dynamic == nil || len(s.dynamic) == most {
		s.dynamic = map[string]*jsonpath.Pattern{}
	}
	s.dynamic[key] = p
	return p
}

func (s *selection) compare(op jsonpath.Operator, a, b operand) bool {
	switch op {
	case jsonpath.Equal:
		return s.equal(a, b)
	case jsonpath.NotEqual:
		return !s.equal(a, b)
	case jsonpath.Less:
		return less(a, b)
	case jsonpath.LessOrEqual:
		return less(a, b) || s.equal(a, b)
	case jsonpath.Greater:
		return less(b, a)
	case jsonpath.GreaterOrEqual:
		return less(b, a) || s.equal(a, b)
	}
	return false
}

// less compares two numbers, or two strings by their Unicode characters.
func less(a, b operand) bool {
	switch {
	case a.kind != b.kind:
		return false
	case a.kind == String:
		return a.text < b.text
	case a.kind == Number && a.whole && b.whole:
		return a.integer < b.integer
	case a.kind == Number:
		return a.float < b.float
	}
	return false
}

// equalBytesPerStep is how many bytes of arrays and objects are compared in one step.
const equalBytesPerStep = 8

func (s *selection) equal(a, b operand) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case Bool:
		return a.truth == b.truth
	case Number:
		if a.whole && b.whole {
			return a.integer == b.integer
		}
		return a.float == b.float
	case String:
		return a.text == b.text
	case Array, Object:
		v, w := s.doc.Root().at(a.value), s.doc.Root().at(b.value)
		return s.spend((len(v.Raw())+len(w.Raw()))/equalBytesPerStep) && v.Equal(w)
	}
	return true // both are null, or both queries select nothing
}
