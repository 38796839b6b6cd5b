package limit

import (
	"time"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// Most values break no limit. So a Program first runs a list of fast tests, which only find out
// whether all limits hold. They do not collect the paths, sources and texts of violations. The
// Program walks the nodes only for a value that fails a test.

// tests are the tests of the values of one node. They are referenced by a pointer, so that the tests of
// a recursive type can refer to themselves.
type tests struct{ list []test }

type test struct {
	op        operation
	offset    uintptr
	size      uintptr // size of an integer or an element, in bytes
	low, high int64
	within    *tests // the tests of an element, or of a value that is not zero
	node      *node  // the node that checks the value, if op is unlessZero or walked
}

type operation uint8

const (
	signed     operation = iota // an integer from low to high
	letters                     // a string of low to high characters
	elements                    // a slice of low to high elements, each with the tests within
	finite                      // a float that is neither NaN nor an infinity
	dateTime                    // a time that JSON can write
	unlessZero                  // any value: it is zero, or the tests within hold
	walked                      // any value; the node checks it
)

// tests returns the tests of n. The map cache contains the known tests of each node.
func (n *node) tests(cache map[*node]*tests) *tests {
	if t := cache[n]; t != nil {
		return t
	}
	t := &tests{}
	cache[n] = t
	t.list = n.appendTests(nil, 0, cache)
	return t
}

// appendTests appends the tests of the value at offset.
func (n *node) appendTests(list []test, offset uintptr, made map[*node]*tests) []test {
	s := n.shape
	switch {
	case s.Kind == shape.Struct && s.Union == nil && n.limits == nil:
		for i := range n.fields {
			f := &n.fields[i]
			if len(f.hops) > 0 {
				return append(list, test{op: walked, offset: offset, node: n})
			}
		}
		for i := range n.fields {
			f := &n.fields[i]
			if f.mayLack {
				list = append(list, test{op: unlessZero, offset: offset + f.offset, within: f.node.tests(made), node: f.node})
				continue
			}
			list = f.node.appendTests(list, offset+f.offset, made)
		}
		return list
	case s.Kind == shape.Slice && onlyTested(n.whole):
		t := test{op: elements, offset: offset, size: s.Elem.Size, low: 0, high: -1}
		if n.length {
			t.low, t.high = int64(n.limits.MinLength), int64(n.limits.MaxLength)
		}
		if n.elem != nil {
			t.within = n.elem.tests(made)
		}
		return append(list, t)
	case n.writable != nil && n.limits == nil && (s.Kind == shape.Float32 || s.Kind == shape.Float64):
		return append(list, test{op: finite, offset: offset, size: s.Size})
	case n.writable != nil && n.limits == nil && s.Kind == shape.Time:
		return append(list, test{op: dateTime, offset: offset})
	case s.Kind == shape.String && n.writable == nil && n.limits != nil && len(n.limits.rules) == 0 && onlyTested(n.whole):
		if !n.length {
			return list
		}
		return append(list, test{op: letters, offset: offset, low: int64(n.limits.MinLength), high: int64(n.limits.MaxLength)})
	case s.Kind >= shape.Int8 && s.Kind <= shape.Int64 && n.limits != nil && onlyTested(n.limits.rules) && onlyTested(n.whole):
		low, high := int64(-1<<63), int64(1<<63-1)
		if n.limits.Min != nil {
			low = n.limits.Min.Int
		}
		if n.limits.Max != nil {
			high = n.limits.Max.Int
		}
		return append(list, test{op: signed, offset: offset, size: s.Size, low: low, high: high})
	}
	return append(list, test{op: walked, offset: offset, node: n})
}

// hold reports whether the value at a+off is within all limits. It also returns false if the budget
// b is spent before this is known.
func (t *tests) hold(a mem.Pointer, off uintptr, b *Budget) bool {
	for i := range t.list {
		if t := &t.list[i]; !t.holds(a, off+t.offset, b) {
			return false
		}
	}
	return true
}

func (t *test) holds(a mem.Pointer, off uintptr, b *Budget) bool {
	switch t.op {
	case signed:
		unused := 64 - 8*t.size
		v := int64(mem.Bits(a.Add(off), t.size)<<unused) >> unused
		return t.low <= v && v <= t.high
	case letters:
		text := mem.Load[string](a, off)
		if n := int64(len(text)); t.low <= n/utf8.UTFMax && (t.high < 0 || n <= t.high) {
			return true // between n/4 and n characters: all of these numbers are within the bounds
		}
		n := int64(utf8.RuneCountInString(text))
		return t.low <= n && (t.high < 0 || n <= t.high)
	case elements:
		first, n := a.Slice(off)
		if int64(n) < t.low || t.high >= 0 && int64(n) > t.high {
			return false
		}
		if t.within != nil {
			for i := range n {
				if !t.within.hold(first, uintptr(i)*t.size, b) {
					return false
				}
			}
		}
		return true
	case finite:
		return isFinite(a, off, t.size)
	case unlessZero:
		return a.Value(off, t.node.shape.Type).IsZero() || t.within.hold(a, off, b)
	case dateTime:
		return isDateTime(mem.At[time.Time](a, off))
	default:
		return t.node.walk(a, off, b) == nil
	}
}
