// Package limit checks values against the limits that the tags of their fields
// set; see [shape.Field.Limits] for those. A type is compiled once, and a check allocates
// nothing unless a limit is broken or a map has to be walked.
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

// MaxViolations is how many of them a check lists at most.
const MaxViolations = 100

// A Program checks the values of one type.
type Program struct {
	root    *node
	tests   *tests // whether all limits hold
	methods bool   // some values have a method Validate
}

// A node checks the values in one place of a type.
type node struct {
	shape  *shape.Shape
	limits *limits // of the field that the value is in; nil for none
	length bool    // their length applies to this value, not to one within
	unique bool    // no two elements may be equal
	calls  bool    // the value has a method Validate
	fields []field
	cases  []field // of a union that holds one of several: by their numbers
	elem   *node   // nil if there is nothing to check in it
}

type field struct {
	name   string       // in a path
	source shape.Source // of a parameter
	hops   []shape.Hop  // embedded pointers on the way
	offset uintptr
	node   *node
	// mayLack is set if the member need not be sent and its type has no other way to say so:
	// a union of which nothing is set is passed over.
	mayLack bool
}

// limits are those of a tag, with what can be made ready.
type limits struct {
	shape.Limits
	pattern *regexp.Regexp
	format  *format
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
			return nil, f.TagError("format", fmt.Errorf("there is no such format; there are %s", formatNames()))
		}
		l.format = &known
	}
	return l, nil
}

// Body returns the program for values of s that come as JSON, or nil if no
// member of it has a limit. The error is that of a tag that makes no sense.
func Body(s *shape.Shape) (*Program, error) {
	c := newCompiler()
	root, err := c.plain(s)
	if err != nil {
		return nil, err
	}
	return programOf(root), nil
}

// Params returns the program for the parameters of the struct s, or nil if none
// of them has a limit. A field with several sources goes by the first.
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
			err = p.Field.TagError(tag, errors.New("the field is a parameter, which is for requests alone"))
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

// reachable finds a member behind an embedded pointer whose tags ask for what is not done
// there: the pointer is nil until one of its members is set.
func reachable(m *shape.Member) error {
	if len(m.Through) == 0 {
		return nil
	}
	behind := errors.New("the member lies behind an embedded pointer")
	if _, ok := m.Field.Default(); ok {
		return m.Field.TagError("default", behind)
	}
	if m.Field.RequiredParam() {
		return m.Field.TagError("required", behind)
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

// A limitedKey is what a node with limits is made from.
type limitedKey struct {
	shape  *shape.Shape
	limits *limits
	length bool
}

func newCompiler() compiler {
	return compiler{nodes: map[*shape.Shape]*node{}, limitedNodes: map[limitedKey]*node{}}
}

// plain returns the node for values that are not limited themselves.
func (c *compiler) plain(s *shape.Shape) (*node, error) {
	if n := c.nodes[s]; n != nil {
		return n, nil
	}
	n := &node{shape: s, calls: validates(s)}
	c.nodes[s] = n
	if values := s.Values(); values != nil {
		n.limits = &limits{Limits: shape.Limits{MaxLength: -1, Enum: values}}
	}
	return n, c.fill(n, nil)
}

func (c *compiler) limited(s *shape.Shape, l *limits, length bool) (*node, error) {
	if l == nil || s.Kind == shape.Struct && s.Union == nil { // whose members have limits of their own
		return c.plain(s)
	}
	key := limitedKey{s, l, length}
	if n := c.limitedNodes[key]; n != nil {
		return n, nil
	}
	if values := s.Values(); values != nil && l.Enum == nil {
		with := *l
		with.Enum, l = values, &with
	}
	n := &node{shape: s, limits: l, calls: validates(s)}
	c.limitedNodes[key] = n
	// The outermost thing that has a length, or elements, is meant.
	n.length = length && l.HasLength() && s.HasLength()
	n.unique = length && l.Unique && s.Held() == nil
	return n, c.fill(n, l)
}

func (c *compiler) fill(n *node, l *limits) (err error) {
	s := n.shape
	held := s.Held()
	switch {
	case held != nil:
		n.elem, err = c.limited(held, l, !s.HasLength())
	case s.Kind == shape.Struct && s.Union == nil:
		if says := s.Unknown(); says != "" && says != "refused" && says != "ignored" {
			return fmt.Errorf("the tag unknown:%q of %v: it is neither refused nor ignored", says, s.Type)
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
				continue // which nobody sets
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

// reaches reports whether a node that has something can be reached from n.
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
	return n.limits != nil && (n.length || n.unique || n.limits.onLeaf() && n.isLeaf())
}

// matters reports whether the value has a limit or a method.
func (n *node) matters() bool { return n.calls || n.checks() }

// prune takes out of n what need not be walked.
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

func (l *limits) onLeaf() bool {
	return l.Min != nil || l.Max != nil || l.MultipleOf != nil || l.pattern != nil || l.Enum != nil || l.format != nil
}

// Check returns what is wrong with the value that v, a pointer to one of the
// program's type, points to: nil if nothing is. It must not hold itself. Past
// [MaxViolations] no more are looked for. A nil Program finds nothing.
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

// A check is one walk. The path is kept as the parts of it, to be joined when
// something is wrong.
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

func (c *check) violated(format string, args ...any) {
	source, path := c.where()
	c.found = append(c.found, Violation{Source: source, Path: path, Detail: fmt.Sprintf(format, args...)})
}

// where returns the source and the path of the value that is looked at.
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
	maxPath = 1 << 10 // bytes of a path that is told
	maxKey  = 64      // of a key in it
)

// Shorten returns the text, without its middle if it has more than so many bytes: who sends
// it chooses how long it is, and it is told again for each fault.
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
	if n.length {
		n.checkLength(c, a, off)
	}
	if n.unique {
		n.checkUnique(c, a, off)
	}
	if n.isLeaf() {
		if n.limits != nil {
			n.limits.check(c, n.shape, a, off)
		}
		return
	}
	n.within(c, a, off, (*node).check)
}

// within walks the values in the one at a+off.
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

// elements visits those of a slice or an array.
func (n *node) elements(c *check, a mem.Pointer, off uintptr, count int, visit func(n *node, c *check, a mem.Pointer, off uintptr)) {
	for i := range count {
		c.push(part{index: i})
		visit(n.elem, c, a, off+uintptr(i)*n.shape.Elem.Size)
		c.pop()
	}
}

func (n *node) checkLength(c *check, a mem.Pointer, off uintptr) {
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
	case high < 0:
		c.violated("must have at least %d %s", low, unit)
	case low == high:
		c.violated("must have %d %s", low, unit)
	case low == 0:
		c.violated("must have at most %d %s", high, unit)
	default:
		c.violated("must have %d to %d %s", low, high, unit)
	}
}
