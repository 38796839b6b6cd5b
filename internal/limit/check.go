package limit

import (
	"encoding"
	"fmt"
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/shape"
)

// Check returns the violations of the value that v points to, up to [MaxViolations], and nil if
// there are none. v is a pointer to a value of the type for which p was compiled. The value must
// not contain itself. Matching patterns spends the budget b, and the check ends with a violation
// when b is spent. A nil Program finds no violations.
func (p *Program) Check(v any, b *Budget) []Violation {
	if p == nil {
		return nil
	}
	a := mem.OfPointer(reflect.ValueOf(v))
	before := *b
	if p.tests.hold(a, 0, b) {
		return nil
	}
	// The walk repeats the pattern matches of the fast tests. So it gets the budget that b had
	// before the tests, unless the tests have spent all of it.
	if b.left > 0 {
		*b = before
	}
	return p.root.walk(a, 0, b)
}

// walk checks the value at a+off and returns its violations.
func (n *node) walk(a mem.Pointer, off uintptr, b *Budget) []Violation {
	c := checks.Get().(*check)
	c.budget = *b
	n.check(c, a, off)
	found := c.found
	*b = c.budget
	*c = check{path: c.path}
	checks.Put(c)
	return found
}

// A check is one walk. It keeps the path as a list of parts, which are joined only for a
// violation.
type check struct {
	path    []part
	found   []Violation
	budget  Budget
	stopped bool // the budget is spent
}

type part struct {
	field *field // the field of a struct; nil for an element
	key   string // the key of an element of a map
	index int    // the index of any other element, if key is ""
}

func (c *check) push(p part) { c.path = append(c.path, p) }

func (c *check) pop() { c.path = c.path[:len(c.path)-1] }

// violated adds a violation of the current value. It returns false, so that a rule can return
// its result.
func (c *check) violated(format string, args ...any) bool {
	source, path := c.where()
	c.found = append(c.found, Violation{Source: source, Path: path, Detail: fmt.Sprintf(format, args...)})
	return false
}

// where returns the source and the path of the current value.
func (c *check) where() (source shape.Source, text string) {
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
			b = append(b, path.Index(p.index)...)
		}
	}
	return source, path.Shorten(b, maxPath)
}

// check adds the violations of the value at a+off to c.found.
func (n *node) check(c *check, a mem.Pointer, off uintptr) {
	if n == nil || c.stopped || len(c.found) >= MaxViolations {
		return
	}
	// A value of the wrong length is not checked against its other limits, because that may
	// take long. Its elements are checked, because they have their own limits.
	fits := true
	for _, r := range n.whole {
		if fits = r.whole(n, c, a, off); !fits {
			break
		}
	}
	if n.writable != nil && !n.writable(c, n.shape, a, off) {
		return
	}
	if n.isLeaf() {
		if n.limits != nil && fits {
			n.limits.check(c, n.shape, a, off, n.length && n.limits.MaxLength >= 0)
		}
		return
	}
	n.visitInner(c, a, off, (*node).check)
}

// visitInner visits the values inside the value at a+off.
func (n *node) visitInner(c *check, a mem.Pointer, off uintptr, visit func(n *node, c *check, a mem.Pointer, off uintptr)) {
	s := n.shape
	if s.Union != nil {
		if i := s.Union.Nullable(); i >= 0 && n.elem != nil && s.Union.Held(a, off) == i {
			visit(n.elem, c, a, off+s.Union.Cases[i].Offset)
		}
		if n.cases != nil {
			f := &n.cases[s.Union.Held(a, off)]
			if f.name != "" {
				c.push(part{field: f})
				defer c.pop()
			}
			visit(f.node, c, a, off+f.offset)
		}
		return
	}
	switch s.Kind {
	case shape.Interface:
		if s.Sum != nil {
			n.visitInSum(c, a, off, visit)
		}
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
			c.push(part{key: path.Name(keyText(iter.Key()))})
			visit(n.elem, c, mem.OfPointer(elem.Addr()), 0)
			c.pop()
		}
	}
}

// visitInSum visits the value in an interface with declared cases. A value that is not a pointer is
// copied.
func (n *node) visitInSum(c *check, a mem.Pointer, off uintptr, visit func(n *node, c *check, a mem.Pointer, off uintptr)) {
	v := a.Value(off, n.shape.Type)
	if v.IsNil() {
		return
	}
	v = v.Elem()
	i := n.shape.Sum.Of(v.Type())
	if i < 0 || n.cases[i].node == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return
	}
	if v.Kind() != reflect.Pointer {
		held := reflect.New(v.Type())
		held.Elem().Set(v)
		v = held
	}
	f := &n.cases[i]
	if f.name != "" {
		c.push(part{field: f})
		defer c.pop()
	}
	visit(f.node, c, mem.OfPointer(v), 0)
}

// elements visits the elements of a slice or an array.
func (n *node) elements(c *check, a mem.Pointer, off uintptr, count int, visit func(n *node, c *check, a mem.Pointer, off uintptr)) {
	for i := range count {
		c.push(part{index: i})
		visit(n.elem, c, a, off+uintptr(i)*n.shape.Elem.Size)
		c.pop()
	}
}

var checks = sync.Pool{New: func() any { return new(check) }}

// maxPath is the maximum length in bytes of a path in a violation.
const maxPath = 1 << 10

// keyText returns the text of a map's key in JSON.
func keyText(key reflect.Value) string {
	if key.Kind() == reflect.String {
		return key.String()
	}
	if m, ok := key.Interface().(encoding.TextMarshaler); ok {
		if text, err := m.MarshalText(); err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(key)
}
