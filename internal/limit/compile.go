package limit

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/hone-go/hone/internal/literal"
	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/shape"
)

// limits are the limits of a field, with the compiled pattern and rules.
type limits struct {
	shape.Limits
	pattern *regexp.Regexp
	work    *work // an upper bound of the steps that matching the pattern takes
	format  *format
	rules   []*rule // rules for numbers and strings
}

// limitsOf returns the limits in the tags of f, or nil if there are none. The error reports an
// invalid tag, including the tags default and example.
func limitsOf(f *shape.Field) (*limits, error) {
	tags, err := f.Limits()
	if err == nil {
		_, err = literal.Default(f)
	}
	if err == nil {
		_, err = literal.Example(f)
	}
	if tags == nil || err != nil {
		return nil, err
	}
	l := &limits{Limits: *tags}
	if l.Pattern != "" {
		if l.pattern, err = regexp.Compile(l.Pattern); err != nil {
			return nil, f.TagError("pattern", err)
		}
		if l.work, err = workOf(l.Pattern); err != nil {
			return nil, f.TagError("pattern", err)
		}
	}
	if l.Format != "" {
		known, ok := formats[l.Format]
		if !ok {
			return nil, f.TagError("format", fmt.Errorf("unknown format; the formats are %s", formatNames()))
		}
		l.format = &known
	}
	return l.ready(), nil
}

// Body returns the program for values of s that are decoded from JSON, or nil if there is nothing
// to check: neither a limit, nor a Validate method, nor a time. The program checks that JSON can represent
// the times. The error reports an invalid tag.
func Body(s *shape.Shape) (*Program, error) { return newCompiler(writableTime).body(s) }

// Binary is like Body, for values that are decoded from a format other than JSON. The program also
// checks that JSON can represent the values. It follows the rules of encoding/json/v2 if v2 is set,
// and otherwise the rules of encoding/json.
func Binary(s *shape.Shape, v2 bool) (*Program, error) {
	if v2 {
		return newCompiler(writableV2).body(s)
	}
	return newCompiler(writableV1).body(s)
}

func (c *compiler) body(s *shape.Shape) (*Program, error) {
	root, err := c.plain(s)
	if err == nil {
		err = c.checkDefaults()
	}
	if err != nil {
		return nil, err
	}
	return programOf(root), nil
}

// Params returns the program for the parameters of the struct s, or nil if there is nothing to
// check. A field with several sources is reported under the first of them. The program also checks
// that JSON can represent the values; for example, floats must be finite.
func Params(s *shape.Shape) (*Program, error) {
	c := newCompiler(writableV1)
	root := &node{shape: s, calls: validates(s)}
	params := s.Request().Params
	for i := range params {
		p := &params[i]
		if i > 0 && p.Field == params[i-1].Field && p.Beside(&params[i-1].Place) {
			continue
		}
		limits, err := limitsOf(p.Field)
		if err == nil && (p.Field.ReadOnly() || p.Field.WriteOnly()) {
			tag := map[bool]string{true: "readOnly", false: "writeOnly"}[p.Field.ReadOnly()]
			err = p.Field.TagError(tag, errors.New("a parameter cannot have this tag"))
		}
		if err != nil {
			return nil, err
		}
		sub, err := c.limited(p.Field.Shape, limits, true)
		if err != nil {
			return nil, err
		}
		c.defaults = append(c.defaults, fieldNode{p.Field, sub})
		root.fields = append(root.fields, field{name: p.Name, source: p.Source, hops: p.Through, offset: p.Offset, node: sub, mayLack: p.MayBeSkipped()})
	}
	if err := c.checkDefaults(); err != nil {
		return nil, err
	}
	return programOf(root), nil
}

// reachable returns an error for the tags default and required:"true" of a member that is
// promoted through an embedded pointer. The tags would have no effect, because the pointer is nil
// until one of its members is set.
func reachable(m *shape.Member) error {
	if len(m.Through) == 0 {
		return nil
	}
	promoted := errors.New("the tag has no effect on a member that is promoted through an embedded pointer; embed the struct by value")
	if _, ok := m.Field.Default(); ok {
		return m.Field.TagError("default", promoted)
	}
	if m.Field.RequiredParam() {
		return m.Field.TagError("required", promoted)
	}
	return nil
}

// programOf returns the program for the values of root, or nil if none of them has a limit or a
// Validate method.
func programOf(root *node) *Program {
	p := &Program{root: root, methods: root.reaches(func(n *node) bool { return n.calls }, map[*node]bool{})}
	if !p.methods && !root.reaches((*node).checks, map[*node]bool{}) {
		return nil
	}
	root.prune(map[*node]bool{})
	root.setMayLack(map[*node]bool{})
	p.tests = root.tests(map[*node]*tests{})
	return p
}

type compiler struct {
	nodes        map[*shape.Shape]*node // nodes of values that are not in a field with limits
	limitedNodes map[limitedKey]*node
	writable     func(*shape.Shape) writable
	defaults     []fieldNode // the fields whose tag default, if they have one, must be within their limits
}

// A limitedKey identifies a node with limits.
type limitedKey struct {
	shape  *shape.Shape
	limits *limits
	length bool
}

func newCompiler(writable func(*shape.Shape) writable) *compiler {
	return &compiler{writable: writable, nodes: map[*shape.Shape]*node{}, limitedNodes: map[limitedKey]*node{}}
}

func (c *compiler) node(s *shape.Shape) *node {
	return &node{shape: s, calls: validates(s), writable: c.writable(s)}
}

// plain returns the node for values that are not in a field with limits.
func (c *compiler) plain(s *shape.Shape) (*node, error) {
	if n := c.nodes[s]; n != nil {
		return n, nil
	}
	n := c.node(s)
	c.nodes[s] = n
	if values := s.Values(); values != nil {
		n.limits = (&limits{Limits: shape.Limits{MaxLength: -1, Enum: values}}).ready()
	}
	return n, c.fill(n, nil)
}

// limited returns the node for values of s in a field with the limits l, which may be nil. length is
// set if the tags length and uniqueItems apply to the value itself, and not only to the values in
// it.
func (c *compiler) limited(s *shape.Shape, l *limits, length bool) (*node, error) {
	if l == nil || s.Kind == shape.Struct && s.Union == nil { // the members of a struct have their own limits
		return c.plain(s)
	}
	key := limitedKey{s, l, length}
	if n := c.limitedNodes[key]; n != nil {
		return n, nil
	}
	if values := s.Values(); values != nil && l.Enum == nil {
		with := *l
		with.Enum = values
		l = with.ready()
	}
	n := c.node(s)
	n.limits = l
	c.limitedNodes[key] = n
	if length { // the tags length and uniqueItems apply to the outermost value that has a length or elements
		n.whole = rulesOf(l, func(r *rule) bool { return r.whole != nil && r.applies(s) })
		n.length = slices.ContainsFunc(n.whole, func(r *rule) bool { return r.tag == "length" })
	}
	return n, c.fill(n, l)
}

// fill sets the nodes for the values inside n: fields, cases or elements. l are the limits in the
// tags of the field that n checks. They apply to the value inside an option and to elements, too.
func (c *compiler) fill(n *node, l *limits) (err error) {
	s := n.shape
	held := s.Held()
	switch {
	case held != nil:
		n.elem, err = c.limited(held, l, !s.HasLength())
	case s.Kind == shape.Struct && s.Union == nil:
		if value := s.Unknown(); value != "" && value != "refused" && value != "ignored" {
			return fmt.Errorf("the tag unknown:%q of %v: the value must be \"refused\" or \"ignored\"", value, s.Type)
		}
		members := s.Members()
		for i := range members {
			m := &members[i]
			if err := reachable(m); err != nil {
				return err
			}
			limits, err := limitsOf(m.Field)
			if err != nil {
				return err
			}
			if err := timeInJSON(m.Field); err != nil {
				return err
			}
			if m.Field.ReadOnly() {
				continue // clients cannot set the member
			}
			sub, err := c.limited(m.Field.Shape, limits, true)
			if err != nil {
				return err
			}
			c.defaults = append(c.defaults, fieldNode{m.Field, sub})
			n.fields = append(n.fields, field{name: path.Name(m.Name), hops: m.Through, offset: m.Offset, node: sub, mayLack: m.MayBeSkipped()})
		}
	case s.Union != nil:
		n.cases = make([]field, len(s.Union.Cases))
		for i, held := range s.Union.Cases {
			n.cases[i] = field{name: caseStep(s.Union.Sum, held.Name), offset: held.Offset}
			if held.Elem == nil || held.Elem.Kind == shape.Interface && held.Elem.Sum == nil {
				continue
			}
			if n.cases[i].node, err = c.plain(held.Elem); err != nil {
				return err
			}
		}
	case s.Sum != nil:
		return c.sum(n, s.Sum)
	case s.Kind == shape.Slice, s.Kind == shape.Array, s.Kind == shape.Map:
		n.elem, err = c.limited(s.Elem, l, false)
	}
	return err
}

// sum sets the nodes for the cases of an interface. A case that is a pointer gets the node of the
// pointer's target.
func (c *compiler) sum(n *node, s *shape.Sum) (err error) {
	n.cases = make([]field, len(s.Cases))
	for i := range s.Cases {
		f := &n.cases[i]
		f.name = caseStep(s, s.Cases[i].Name)
		held := s.Cases[i].Shape
		if held.Kind == shape.Pointer {
			held = held.Elem
		}
		if f.node, err = c.plain(held); err != nil {
			return err
		}
	}
	return nil
}

// caseStep returns the path element that leads from a union to the value of a case, such as ".circle".
// It is "" if the JSON of the value is not nested in another object. s is nil for a union of package
// mo without declared cases.
func caseStep(s *shape.Sum, name string) string {
	switch {
	case s == nil || s.Form == shape.SumExternal:
		return path.Name(name)
	case s.Form == shape.SumAdjacent:
		return path.Name(s.Value)
	}
	return ""
}

// timeInJSON returns an error for a time with a format other than RFC 3339: encoding/json always
// writes times by RFC 3339.
func timeInJSON(f *shape.Field) error {
	leaf := f.Shape
	for visited := map[*shape.Shape]bool{}; leaf.Elem != nil && !visited[leaf]; leaf = leaf.Elem {
		visited[leaf] = true // a slice may be its own element
	}
	if format := f.Format(); leaf.Kind == shape.Time && format != "" && format != "date-time" {
		return f.TagError("format", errors.New("a time.Time in JSON is a date-time; package json/format has types for other formats"))
	}
	return nil
}

// reaches reports whether the function match returns true for n, or for a node that can be reached
// from n.
func (n *node) reaches(match func(*node) bool, visited map[*node]bool) bool {
	if n == nil || visited[n] {
		return false
	}
	visited[n] = true
	if match(n) {
		return true
	}
	for _, list := range [][]field{n.fields, n.cases} {
		for _, f := range list {
			if f.node.reaches(match, visited) {
				return true
			}
		}
	}
	return n.elem.reaches(match, visited)
}

// checks reports whether the value itself has a limit.
func (n *node) checks() bool {
	return n.writable != nil || len(n.whole) > 0 || n.limits != nil && len(n.limits.rules) > 0 && n.isLeaf()
}

// matters reports whether the value must be visited: it has a limit or a Validate method.
func (n *node) matters() bool { return n.calls || n.checks() }

// prune removes from n the nodes that need not be walked.
func (n *node) prune(visited map[*node]bool) {
	if n == nil || visited[n] {
		return
	}
	visited[n] = true
	n.fields = slices.DeleteFunc(n.fields, func(f field) bool { return !f.node.reaches((*node).matters, map[*node]bool{}) })
	for _, f := range n.fields {
		f.node.prune(visited)
	}
	for i := range n.cases {
		if f := &n.cases[i]; !f.node.reaches((*node).matters, map[*node]bool{}) {
			f.node = nil
		} else {
			f.node.prune(visited)
		}
	}
	if n.elem != nil && !n.elem.reaches((*node).matters, map[*node]bool{}) {
		n.elem = nil
	}
	n.elem.prune(visited)
}

func (n *node) isLeaf() bool {
	k := n.shape.Kind
	return k == shape.String || k >= shape.Int8 && k <= shape.Float64
}
