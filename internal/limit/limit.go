// Package limit checks values against the limits in the tags of their fields; see
// [shape.Field.Limits]. A type is compiled once. A check allocates nothing unless a limit is
// broken or a map has to be walked.
package limit

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/literal"
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// A Violation is a value that breaks a limit.
type Violation struct {
	Source shape.Source // of a parameter; "" for a value in a body
	Path   string       // ".items[3].price" by the names in JSON, or "tags[3]" of a parameter
	Detail string       // "must be at least 1"
}

// MaxViolations is the maximum number of violations that a check lists.
const MaxViolations = 100

// A Program checks the values of one type.
type Program struct {
	root    *node
	tests   *tests // find out whether all limits hold
	methods bool   // some values have a Validate method
}

// A node checks the values at one place of a type.
type node struct {
	shape  *shape.Shape
	limits *limits // of the field that holds the value; nil for none
	whole  []*rule // for the value as a whole
	length bool    // the rule of the tag length is among them
	calls  bool    // the value has a Validate method
	fields []field
	cases  []field // of a union of several cases, by the number of the case
	elem   *node   // nil if the values inside need no check
}

type field struct {
	name   string       // as written in a path
	source shape.Source // of a parameter
	hops   []shape.Hop  // embedded pointers on the path to the field
	offset uintptr
	node   *node
	// mayLack is set if the member may be absent but its type, a union, cannot express that.
	// A union without a value is then skipped.
	mayLack bool
}

// limits are the limits of a field, with their compiled parts.
type limits struct {
	shape.Limits
	pattern *regexp.Regexp
	format  *format
	rules   []*rule // for numbers and strings
}

// limitsOf returns the limits in the tags of f, or nil.
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

// Body returns the program for values of s that are decoded from a body, or nil if no member
// of s has a limit. The error reports an invalid tag.
func Body(s *shape.Shape) (*Program, error) {
	c := newCompiler()
	root, err := c.plain(s)
	if err != nil {
		return nil, err
	}
	return programOf(root), nil
}

// Params returns the program for the parameters of the struct s, or nil if none of them has a
// limit. A field with several sources is reported under the first of them.
func Params(s *shape.Shape) (*Program, error) {
	c := newCompiler()
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
			err = p.Field.TagError(tag, errors.New("the field is a parameter, which only requests have"))
		}
		if err != nil {
			return nil, err
		}
		sub, err := c.limited(p.Field.Shape, limits, true)
		if err != nil {
			return nil, err
		}
		root.fields = append(root.fields, field{name: p.Name, source: p.Source, hops: p.Through, offset: p.Offset, node: sub})
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
	promoted := errors.New("the member is promoted through an embedded pointer")
	if _, ok := m.Field.Default(); ok {
		return m.Field.TagError("default", promoted)
	}
	if m.Field.RequiredParam() {
		return m.Field.TagError("required", promoted)
	}
	return nil
}

func programOf(root *node) *Program {
	p := &Program{root: root, methods: root.reaches(func(n *node) bool { return n.calls }, map[*node]bool{})}
	if !p.methods && !root.reaches((*node).checks, map[*node]bool{}) {
		return nil
	}
	root.prune(map[*node]bool{})
	p.tests = root.tests(map[*node]*tests{})
	return p
}

type compiler struct {
	nodes        map[*shape.Shape]*node // of values without limits
	limitedNodes map[limitedKey]*node
}

// A limitedKey identifies a node with limits.
type limitedKey struct {
	shape  *shape.Shape
	limits *limits
	length bool
}

func newCompiler() compiler {
	return compiler{nodes: map[*shape.Shape]*node{}, limitedNodes: map[limitedKey]*node{}}
}

// plain returns the node for values without limits of their own.
func (c *compiler) plain(s *shape.Shape) (*node, error) {
	if n := c.nodes[s]; n != nil {
		return n, nil
	}
	n := &node{shape: s, calls: validates(s)}
	c.nodes[s] = n
	if values := s.Values(); values != nil {
		n.limits = (&limits{Limits: shape.Limits{MaxLength: -1, Enum: values}}).ready()
	}
	return n, c.fill(n, nil)
}

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
	n := &node{shape: s, limits: l, calls: validates(s)}
	c.limitedNodes[key] = n
	if length { // the outermost value that has a length, or elements, is meant
		n.whole = rulesOf(l, func(r *rule) bool { return r.whole != nil && r.applies(s) })
		n.length = slices.ContainsFunc(n.whole, func(r *rule) bool { return r.tag == "length" })
	}
	return n, c.fill(n, l)
}

func (c *compiler) fill(n *node, l *limits) (err error) {
	s := n.shape
	held := s.Held()
	switch {
	case held != nil:
		n.elem, err = c.limited(held, l, !s.HasLength())
	case s.Kind == shape.Struct && s.Union == nil:
		if value := s.Unknown(); value != "" && value != "refused" && value != "ignored" {
			return fmt.Errorf("the tag unknown:%q of %v: it is neither refused nor ignored", value, s.Type)
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
			if m.Field.ReadOnly() {
				continue // clients do not set it
			}
			sub, err := c.limited(m.Field.Shape, limits, true)
			if err != nil {
				return err
			}
			n.fields = append(n.fields, field{name: "." + m.Name, hops: m.Through, offset: m.Offset, node: sub, mayLack: sub.cases != nil && !m.Required()})
		}
	case s.Union != nil:
		n.cases = make([]field, len(s.Union.Cases))
		for i, held := range s.Union.Cases {
			n.cases[i] = field{name: "." + held.Name, offset: held.Offset}
			if held.Elem == nil || held.Elem.Kind == shape.Interface {
				continue
			}
			if n.cases[i].node, err = c.plain(held.Elem); err != nil {
				return err
			}
		}
	case s.Kind == shape.Slice, s.Kind == shape.Array, s.Kind == shape.Map:
		n.elem, err = c.limited(s.Elem, l, false)
	}
	return err
}

// reaches reports whether has is true for a node that can be reached from n.
func (n *node) reaches(has func(*node) bool, met map[*node]bool) bool {
	if n == nil || met[n] {
		return false
	}
	met[n] = true
	if has(n) {
		return true
	}
	for _, list := range [][]field{n.fields, n.cases} {
		for _, f := range list {
			if f.node.reaches(has, met) {
				return true
			}
		}
	}
	return n.elem.reaches(has, met)
}

// checks reports whether the value itself has a limit.
func (n *node) checks() bool {
	return len(n.whole) > 0 || n.limits != nil && len(n.limits.rules) > 0 && n.isLeaf()
}

// matters reports whether the value has a limit or a Validate method.
func (n *node) matters() bool { return n.calls || n.checks() }

// prune removes from n the nodes that need not be walked.
func (n *node) prune(met map[*node]bool) {
	if n == nil || met[n] {
		return
	}
	met[n] = true
	n.fields = slices.DeleteFunc(n.fields, func(f field) bool { return !f.node.reaches((*node).matters, map[*node]bool{}) })
	for _, f := range n.fields {
		f.node.prune(met)
	}
	for i := range n.cases {
		if f := &n.cases[i]; !f.node.reaches((*node).matters, map[*node]bool{}) {
			f.node = nil
		} else {
			f.node.prune(met)
		}
	}
	if n.elem != nil && !n.elem.reaches((*node).matters, map[*node]bool{}) {
		n.elem = nil
	}
	n.elem.prune(met)
}

func (n *node) isLeaf() bool {
	k := n.shape.Kind
	return k == shape.String || k >= shape.Int8 && k <= shape.Float64
}

// Check returns the violations of the value that v points to, up to [MaxViolations], and nil
// if there are none. v is a pointer to the program's type. The value must not contain itself.
// A nil Program finds no violations.
func (p *Program) Check(v any) []Violation {
	if p == nil {
		return nil
	}
	a := mem.OfPointer(reflect.ValueOf(v))
	if p.tests.hold(a, 0) {
		return nil
	}
	c := checks.Get().(*check)
	p.root.check(c, a, 0)
	found := c.found
	c.found = nil
	checks.Put(c)
	return found
}

var checks = sync.Pool{New: func() any { return new(check) }}

// A check is one walk. It keeps the path as a list of parts, which are joined only for a
// violation.
type check struct {
	path  []part
	found []Violation
}

type part struct {
	field *field // nil for an element
	key   string // of an element of a map
	index int    // of another element, if key is ""
}

func (c *check) push(p part) { c.path = append(c.path, p) }

func (c *check) pop() { c.path = c.path[:len(c.path)-1] }

// violated adds a violation of the current value. It returns false, the result of a rule that is
// broken.
func (c *check) violated(format string, args ...any) bool {
	source, path := c.where()
	c.found = append(c.found, Violation{Source: source, Path: path, Detail: fmt.Sprintf(format, args...)})
	return false
}

// where returns the source and the path of the current value.
func (c *check) where() (source shape.Source, path string) {
	var b []byte
	for i, p := range c.path {
		switch {
		case p.field != nil:
			b = append(b, p.field.name...)
			if i == 0 {
				source = p.field.source
			}
		case p.key != "":
			b = append(b, p.key...)
		default:
			b = append(strconv.AppendInt(append(b, '['), int64(p.index), 10), ']')
		}
	}
	return source, Shorten(b, maxPath)
}

const (
	maxPath = 1 << 10 // bytes of a path in a violation
	maxKey  = 64      // bytes of a map's key in a path
)

// Shorten returns the text. If it has more than most bytes, its middle is replaced by "…". The
// client chooses the length of a text, and the text is repeated in each fault.
func Shorten[T string | []byte](text T, most int) string {
	if len(text) <= most {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:most/2]), "") + "…" + strings.ToValidUTF8(string(text[len(text)-most/2:]), "")
}

func (n *node) check(c *check, a mem.Pointer, off uintptr) {
	if n == nil || len(c.found) >= MaxViolations {
		return
	}
	// A value of the wrong length is not checked against further limits, which take longer.
	// Its elements are checked, because they have their own limits.
	fits := true
	for _, r := range n.whole {
		if fits = r.whole(n, c, a, off); !fits {
			break
		}
	}
	if n.isLeaf() {
		if n.limits != nil && fits {
			n.limits.check(c, n.shape, a, off, n.length && n.limits.MaxLength >= 0)
		}
		return
	}
	n.within(c, a, off, (*node).check)
}

// within visits the values inside the value at a+off.
func (n *node) within(c *check, a mem.Pointer, off uintptr, visit func(n *node, c *check, a mem.Pointer, off uintptr)) {
	s := n.shape
	if s.Union != nil {
		if i := s.Union.Nullable(); i >= 0 && n.elem != nil && s.Union.Held(a, off) == i {
			visit(n.elem, c, a, off+s.Union.Cases[i].Offset)
		}
		if n.cases != nil {
			f := &n.cases[s.Union.Held(a, off)]
			c.push(part{field: f})
			visit(f.node, c, a, off+f.offset)
			c.pop()
		}
		return
	}
	switch s.Kind {
	case shape.Struct:
		for i := range n.fields {
			f := &n.fields[i]
			at, start := a, off
			for j := 0; j < len(f.hops) && !at.IsNil(); j++ {
				at, start = at.Elem(start+f.hops[j].Offset), 0
			}
			if at.IsNil() {
				continue
			}
			if f.mayLack && at.Value(start+f.offset, f.node.shape.Type).IsZero() {
				continue
			}
			c.push(part{field: f})
			visit(f.node, c, at, start+f.offset)
			c.pop()
		}
	case shape.Option:
		if mem.Load[bool](a, off+s.Present) {
			visit(n.elem, c, a, off+s.Value)
		}
	case shape.Pointer:
		if to := a.Elem(off); !to.IsNil() {
			visit(n.elem, c, to, 0)
		}
	case shape.Slice:
		if n.elem != nil {
			first, count := a.Slice(off)
			n.elements(c, first, 0, count, visit)
		}
	case shape.Array:
		if n.elem != nil {
			n.elements(c, a, off, s.Len, visit)
		}
	case shape.Map:
		if n.elem == nil || a.MapIsNil(off) {
			return
		}
		elem := reflect.New(s.Elem.Type).Elem()
		for iter := a.Value(off, s.Type).MapRange(); iter.Next(); {
			elem.SetIterValue(iter)
			c.push(part{key: "[" + strconv.Quote(Shorten(fmt.Sprint(iter.Key()), maxKey)) + "]"})
			visit(n.elem, c, mem.OfPointer(elem.Addr()), 0)
			c.pop()
		}
	}
}

// elements visits the elements of a slice or an array.
func (n *node) elements(c *check, a mem.Pointer, off uintptr, count int, visit func(n *node, c *check, a mem.Pointer, off uintptr)) {
	for i := range count {
		c.push(part{index: i})
		visit(n.elem, c, a, off+uintptr(i)*n.shape.Elem.Size)
		c.pop()
	}
}

// checkLength reports whether the length of the value is allowed.
func (n *node) checkLength(c *check, a mem.Pointer, off uintptr) bool {
	var length int
	unit := "elements"
	switch s := n.shape; s.Kind {
	case shape.String:
		length, unit = utf8.RuneCountInString(mem.Load[string](a, off)), "characters"
	case shape.Bytes:
		length, unit = len(a.Bytes(off)), "bytes"
	case shape.Slice:
		_, length = a.Slice(off)
	case shape.Array:
		length = s.Len
	case shape.Map:
		if !a.MapIsNil(off) {
			length = a.Value(off, s.Type).Len()
		}
	}
	low, high := n.limits.MinLength, n.limits.MaxLength
	if high == 1 || high < 0 && low == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	switch {
	case length >= low && (high < 0 || length <= high):
		return true
	case high < 0:
		return c.violated("must have at least %d %s", low, unit)
	case low == high:
		return c.violated("must have %d %s", low, unit)
	case low == 0:
		return c.violated("must have at most %d %s", high, unit)
	}
	return c.violated("must have %d to %d %s", low, high, unit)
}
