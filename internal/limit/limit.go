// Package limit checks values against the limits that the tags of their fields
// set; see [Of] for those. A type is compiled once, and a check allocates
// nothing unless a limit is broken or a map has to be walked.
package limit

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/shape"
)

// A Violation is a value that breaks a limit.
type Violation struct {
	Path   string // ".items[3].price", by the names in JSON
	Detail string // "must be at least 1"
}

// MaxViolations is how many of them a check lists at most.
const MaxViolations = 100

// A Program checks the values of one type.
type Program struct{ root *node }

// A node checks the values in one place of a type.
type node struct {
	shape  *shape.Shape
	tags   *Tags // of the field that the value is in; nil for none
	length bool  // the tags' length applies to this value, not to one within
	fields []field
	elem   *node // nil if there is nothing to check in it
}

type field struct {
	name   string
	offset uintptr
	node   *node
}

// Name returns the name of a field by which its violations are reported, and
// false if the field is not to be looked at.
type Name func(f reflect.StructField) (name string, ok bool)

// For returns the program for t, or nil if no field of t has a limit. The error
// is that of a tag that makes no sense.
func For(t reflect.Type, name Name) (*Program, error) {
	c := compiler{name: name, nodes: map[*shape.Shape]*node{}}
	root, err := c.plain(shape.Of(t))
	if err != nil || !root.reaches(map[*node]bool{}) {
		return nil, err
	}
	root.prune(map[*node]bool{})
	return &Program{root}, nil
}

// JSONName is a [Name] for bodies in JSON.
func JSONName(f reflect.StructField) (string, bool) {
	tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case tag == "-" && f.Tag.Get("json") == "-", !f.IsExported() && !f.Anonymous:
		return "", false
	case tag != "":
		return "." + tag, true
	case f.Anonymous:
		return "", true
	}
	return "." + f.Name, true
}

type compiler struct {
	name  Name
	nodes map[*shape.Shape]*node // of values without tags
}

// plain returns the node for values that are not limited themselves.
func (c *compiler) plain(s *shape.Shape) (*node, error) {
	if n := c.nodes[s]; n != nil {
		return n, nil
	}
	n := &node{shape: s}
	c.nodes[s] = n
	return n, c.fill(n, nil)
}

func (c *compiler) limited(s *shape.Shape, tags *Tags, length bool) (*node, error) {
	if tags == nil {
		return c.plain(s)
	}
	n := &node{shape: s, tags: tags}
	// The outermost thing that has a length is meant.
	n.length = length && tags.hasLength() && hasOwnLength(s)
	return n, c.fill(n, tags)
}

func hasOwnLength(s *shape.Shape) bool {
	return s.Kind == shape.String || s.Kind == shape.Bytes || s.Kind == shape.Slice || s.Kind == shape.Array || s.Kind == shape.Map
}

func (t *Tags) hasLength() bool { return t.MinLength > 0 || t.MaxLength >= 0 }

func (c *compiler) fill(n *node, tags *Tags) (err error) {
	s := n.shape
	within := !hasOwnLength(s) // length applies to what is in an optional value, not to elements
	switch {
	case s.Union != nil:
		if i := nullable(s); i >= 0 {
			n.elem, err = c.limited(s.Union.Cases[i].Elem, tags, within)
		}
	case s.Kind == shape.Struct:
		for i := range s.Fields {
			f := s.Type.Field(i)
			name, ok := c.name(f)
			if !ok {
				continue
			}
			limits, err := Of(f)
			if err != nil {
				return err
			}
			sub, err := c.limited(s.Fields[i].Shape, limits, true)
			if err != nil {
				return err
			}
			n.fields = append(n.fields, field{name, s.Fields[i].Offset, sub})
		}
	case s.Kind == shape.Option, s.Kind == shape.Pointer:
		n.elem, err = c.limited(s.Elem, tags, within)
	case s.Kind == shape.Slice, s.Kind == shape.Array, s.Kind == shape.Map:
		n.elem, err = c.limited(s.Elem, tags, false)
	}
	return err
}

// reaches reports whether a limit can be reached from n.
func (n *node) reaches(met map[*node]bool) bool {
	if n == nil || met[n] {
		return false
	}
	met[n] = true
	if n.tags != nil && (n.length || n.tags.onLeaf() && n.isLeaf()) {
		return true
	}
	for _, f := range n.fields {
		if f.node.reaches(met) {
			return true
		}
	}
	return n.elem.reaches(met)
}

// prune takes out of n what need not be walked.
func (n *node) prune(met map[*node]bool) {
	if n == nil || met[n] {
		return
	}
	met[n] = true
	n.fields = slices.DeleteFunc(n.fields, func(f field) bool { return !f.node.reaches(map[*node]bool{}) })
	for _, f := range n.fields {
		f.node.prune(met)
	}
	if n.elem != nil && !n.elem.reaches(map[*node]bool{}) {
		n.elem = nil
	}
	n.elem.prune(met)
}

func (n *node) isLeaf() bool {
	k := n.shape.Kind
	return k == shape.String || k >= shape.Int8 && k <= shape.Float64
}

func (t *Tags) onLeaf() bool {
	return t.Min != nil || t.Max != nil || t.Pattern != nil || t.Enum != nil || t.Format != ""
}

// Check returns what is wrong with the value that v, a pointer to one of the
// program's type, points to: nil if nothing is. It must not hold itself. Past
// [MaxViolations] no more are looked for.
func (p *Program) Check(v any) []Violation {
	c := checks.Get().(*check)
	p.root.check(c, mem.OfPointer(reflect.ValueOf(v)), 0)
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
	name  string
	index int // of an element, if name is ""
}

func (c *check) push(p part) { c.path = append(c.path, p) }

func (c *check) pop() { c.path = c.path[:len(c.path)-1] }

func (c *check) violated(format string, args ...any) {
	var b strings.Builder
	for _, p := range c.path {
		if p.name != "" {
			b.WriteString(p.name)
		} else {
			fmt.Fprintf(&b, "[%d]", p.index)
		}
	}
	c.found = append(c.found, Violation{b.String(), fmt.Sprintf(format, args...)})
}

func (n *node) check(c *check, a mem.Pointer, off uintptr) {
	if n == nil || len(c.found) >= MaxViolations {
		return
	}
	if n.length {
		n.checkLength(c, a, off)
	}
	s := n.shape
	switch {
	case s.Union != nil:
		if i := nullable(s); i >= 0 && s.Union.Held(a, off) == i {
			n.elem.check(c, a, off+s.Union.Cases[i].Offset)
		}
		return
	case n.isLeaf():
		if n.tags != nil {
			n.tags.check(c, s, a, off)
		}
		return
	}
	switch s.Kind {
	case shape.Struct:
		for i := range n.fields {
			f := &n.fields[i]
			if f.name == "" {
				f.node.check(c, a, off+f.offset)
				continue
			}
			c.push(part{name: f.name})
			f.node.check(c, a, off+f.offset)
			c.pop()
		}
	case shape.Option:
		if mem.Load[bool](a, off+s.Present) {
			n.elem.check(c, a, off+s.Value)
		}
	case shape.Pointer:
		if to := a.Elem(off); !to.IsNil() {
			n.elem.check(c, to, 0)
		}
	case shape.Slice:
		if n.elem != nil {
			first, count := a.Slice(off)
			n.checkElements(c, first, 0, count)
		}
	case shape.Array:
		if n.elem != nil {
			n.checkElements(c, a, off, s.Len)
		}
	case shape.Map:
		if n.elem == nil || a.MapIsNil(off) {
			return
		}
		elem := reflect.New(s.Elem.Type).Elem()
		for iter := a.Value(off, s.Type).MapRange(); iter.Next(); {
			elem.SetIterValue(iter)
			c.push(part{name: "[" + strconv.Quote(fmt.Sprint(iter.Key())) + "]"})
			n.elem.check(c, mem.OfPointer(elem.Addr()), 0)
			c.pop()
		}
	}
}

func (n *node) checkElements(c *check, a mem.Pointer, off uintptr, count int) {
	for i := range count {
		c.push(part{index: i})
		n.elem.check(c, a, off+uintptr(i)*n.shape.Elem.Size)
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
	low, high := n.tags.MinLength, n.tags.MaxLength
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

// check holds a number or a string to the limits.
func (t *Tags) check(c *check, s *shape.Shape, a mem.Pointer, off uintptr) {
	if s.Kind == shape.String {
		text := mem.Load[string](a, off)
		switch {
		case t.Enum != nil && !slices.Contains(t.Enum, text):
			c.violated("must be one of %s", strings.Join(t.Enum, ", "))
		case t.Pattern != nil && !t.Pattern.MatchString(text):
			c.violated("must match %s", t.Pattern)
		case t.Format != "" && !formats[t.Format].valid(text):
			c.violated("must be %s", formats[t.Format].what)
		}
		return
	}
	if t.Min != nil {
		if order, ok := t.Min.order(s.Kind, a, off); order < 0 || !ok {
			c.violated("must be at least %s", t.Min.Text)
		}
	}
	if t.Max != nil {
		if order, ok := t.Max.order(s.Kind, a, off); order > 0 || !ok {
			c.violated("must be at most %s", t.Max.Text)
		}
	}
	if t.Enum != nil && !slices.Contains(t.Enum, numberText(s, a, off)) {
		c.violated("must be one of %s", strings.Join(t.Enum, ", "))
	}
}

// order compares the number at a+off with the bound, as cmp.Compare does. NaN
// has no order.
func (n *Number) order(k shape.Kind, a mem.Pointer, off uintptr) (order int, ok bool) {
	switch {
	case k <= shape.Int64:
		return cmp.Compare(loadInt(k, a, off), n.Int), true
	case k <= shape.Uintptr:
		return cmp.Compare(loadUint(k, a, off), n.Uint), true
	}
	f := loadFloat(k, a, off)
	return cmp.Compare(f, n.Float), !math.IsNaN(f)
}

func loadInt(k shape.Kind, a mem.Pointer, off uintptr) int64 {
	switch k {
	case shape.Int8:
		return int64(mem.Load[int8](a, off))
	case shape.Int16:
		return int64(mem.Load[int16](a, off))
	case shape.Int32:
		return int64(mem.Load[int32](a, off))
	}
	return mem.Load[int64](a, off)
}

func loadUint(k shape.Kind, a mem.Pointer, off uintptr) uint64 {
	switch k {
	case shape.Uint8:
		return uint64(mem.Load[uint8](a, off))
	case shape.Uint16:
		return uint64(mem.Load[uint16](a, off))
	case shape.Uint32:
		return uint64(mem.Load[uint32](a, off))
	case shape.Uintptr:
		return uint64(mem.Load[uintptr](a, off))
	}
	return mem.Load[uint64](a, off)
}

func loadFloat(k shape.Kind, a mem.Pointer, off uintptr) float64 {
	if k == shape.Float32 {
		return float64(mem.Load[float32](a, off))
	}
	return mem.Load[float64](a, off)
}

// numberText returns the number at a+off as an enum's tag writes it.
func numberText(s *shape.Shape, a mem.Pointer, off uintptr) string {
	switch k := s.Kind; {
	case k <= shape.Int64:
		return strconv.FormatInt(loadInt(k, a, off), 10)
	case k <= shape.Uintptr:
		return strconv.FormatUint(loadUint(k, a, off), 10)
	}
	return strconv.FormatFloat(loadFloat(s.Kind, a, off), 'g', -1, s.Type.Bits())
}
