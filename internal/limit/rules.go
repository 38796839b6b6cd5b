package limit

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// A rule checks values against one limit. Each limit has a row in three tables, in the three
// packages that implement the limit: shape reads the tag, this package checks values, and package
// openapi writes the keywords of JSON Schema. The tag identifies the rows; tests compare the
// tables.
type rule struct {
	tag string // one of shape.LimitTags
	set func(l *limits) bool

	// whole checks the value itself, and not its elements. It reports whether the remaining rules
	// should check the value. The function is nil for limits of numbers and strings, which apply to
	// elements too.
	whole func(n *node, c *check, a mem.Pointer, off uintptr) bool
	// applies reports whether whole can check values of shape s. If not, whole is called for the
	// value inside an option or a pointer.
	applies func(s *shape.Shape) bool

	number func(l *limits, c *check, s *shape.Shape, a mem.Pointer, off uintptr) // nil unless the limit applies to numbers
	text   func(l *limits, c *check, s string, bounded bool) bool                // nil unless the limit applies to strings

	// tested is set if the fast tests of fast_path.go can check the limit. Values with any other limit are
	// always walked.
	tested bool
}

// rules lists the rules in the order of checking. A string is checked up to the first limit that it
// breaks, so rules that take longer are last.
var rules = []rule{
	{
		tag: "length", set: func(l *limits) bool { return l.HasLength() },
		whole: (*node).checkLength, applies: (*shape.Shape).HasLength, tested: true,
	},
	{
		tag: "uniqueItems", set: func(l *limits) bool { return l.Unique },
		whole: (*node).checkUnique, applies: func(s *shape.Shape) bool { return s.Held() == nil },
	},
	{
		tag: "min", set: func(l *limits) bool { return l.Min != nil }, tested: true,
		number: func(l *limits, c *check, s *shape.Shape, a mem.Pointer, off uintptr) {
			if order, ok := order(l.Min, s, a, off); order < 0 || !ok {
				c.violated("must be at least %s", l.Min.Text)
			}
		},
	},
	{
		tag: "max", set: func(l *limits) bool { return l.Max != nil }, tested: true,
		number: func(l *limits, c *check, s *shape.Shape, a mem.Pointer, off uintptr) {
			if order, ok := order(l.Max, s, a, off); order > 0 || !ok {
				c.violated("must be at most %s", l.Max.Text)
			}
		},
	},
	{
		tag: "multipleOf", set: func(l *limits) bool { return l.MultipleOf != nil },
		number: func(l *limits, c *check, s *shape.Shape, a mem.Pointer, off uintptr) {
			if !isMultiple(l.MultipleOf, s, a, off) {
				c.violated("must be a multiple of %s", l.MultipleOf.Text)
			}
		},
	},
	{
		tag: "enum", set: func(l *limits) bool { return l.Enum != nil },
		number: func(l *limits, c *check, s *shape.Shape, a mem.Pointer, off uintptr) {
			l.checkEnum(c, numberText(s, a, off))
		},
		text: func(l *limits, c *check, s string, _ bool) bool { return l.checkEnum(c, s) },
	},
	{
		tag: "format", set: func(l *limits) bool { return l.format != nil },
		text: func(l *limits, c *check, s string, bounded bool) bool {
			return !tooLong(s, bounded) && l.format.valid(s) || c.violated("must be %s", l.format.description)
		},
	},
	{
		tag: "pattern", set: func(l *limits) bool { return l.pattern != nil },
		text: func(l *limits, c *check, s string, bounded bool) bool {
			if tooLong(s, bounded) {
				return c.violated("must have at most %d characters", MaxMatched)
			}
			if !c.budget.spend(l.work.steps(len(s))) {
				c.stopped = true
				return c.violated("cannot be checked, because the patterns of the request take too long to match; send shorter or fewer strings")
			}
			return l.pattern.MatchString(s) || c.violated("must match %s", l.pattern)
		},
	},
}

// rulesOf returns the rules for the limits in l, without the rules for which the function match
// returns false.
func rulesOf(l *limits, match func(r *rule) bool) (list []*rule) {
	for i := range rules {
		if r := &rules[i]; r.set(l) && match(r) {
			list = append(list, r)
		}
	}
	return list
}

// ready sets the rules for numbers and strings, and returns l. It is called after all limits are
// set.
func (l *limits) ready() *limits {
	l.rules = rulesOf(l, func(r *rule) bool { return r.whole == nil })
	return l
}

// onlyTested reports whether the fast tests of fast_path.go can check all of the rules.
func onlyTested(list []*rule) bool {
	return !slices.ContainsFunc(list, func(r *rule) bool { return !r.tested })
}

// check reports the first limit that a string breaks, or all limits that a number breaks. bounded
// is set if the tag length sets a maximum for the string.
func (l *limits) check(c *check, s *shape.Shape, a mem.Pointer, off uintptr, bounded bool) {
	if s.Kind == shape.String {
		text := mem.Load[string](a, off)
		for _, r := range l.rules {
			if r.text != nil && !r.text(l, c, text, bounded) {
				return
			}
		}
		return
	}
	for _, r := range l.rules {
		if r.number != nil {
			r.number(l, c, s, a, off)
		}
	}
}

func (l *limits) checkEnum(c *check, text string) bool {
	return slices.Contains(l.Enum, text) || c.violated("must be one of %s", strings.Join(l.Enum, ", "))
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

// MaxMatched is the maximum number of characters of a string with a pattern or a format, if the
// tag length sets no maximum. Matching a pattern takes time in proportion to the length of the
// string and to the length of the pattern with its repetitions expanded.
const MaxMatched = 64 << 10

// tooLong reports whether a string has more than MaxMatched characters and no length limit.
func tooLong(s string, bounded bool) bool {
	return !bounded && len(s) > MaxMatched && utf8.RuneCountInString(s) > MaxMatched
}

// checkUnique reports whether no two elements are equal. It allocates a map of the elements.
func (n *node) checkUnique(c *check, a mem.Pointer, off uintptr) bool {
	list := a.Value(off, n.shape.Type)
	met := make(map[any]int, list.Len())
	for i := range list.Len() {
		v := list.Index(i).Interface()
		if first, twice := met[v]; twice {
			return c.violated("must not have equal elements: [%d] and [%d] are equal", first, i)
		}
		met[v] = i
	}
	return true
}

// order compares the number at a+off with the bound, as cmp.Compare does. ok is false for NaN,
// which has no order.
func order(n *shape.Number, s *shape.Shape, a mem.Pointer, off uintptr) (order int, ok bool) {
	switch {
	case s.Kind <= shape.Int64:
		return cmp.Compare(loadInt(s, a, off), n.Int), true
	case s.Kind <= shape.Uintptr:
		return cmp.Compare(loadUint(s, a, off), n.Uint), true
	}
	f := loadFloat(s, a, off)
	return cmp.Compare(f, n.Float), !math.IsNaN(f)
}

func loadInt(s *shape.Shape, a mem.Pointer, off uintptr) int64 {
	unused := 64 - 8*s.Size
	return int64(loadUint(s, a, off)<<unused) >> unused
}

func loadUint(s *shape.Shape, a mem.Pointer, off uintptr) uint64 {
	return mem.Bits(a.Add(off), s.Size)
}

func loadFloat(s *shape.Shape, a mem.Pointer, off uintptr) float64 {
	if s.Kind == shape.Float32 {
		return float64(mem.Load[float32](a, off))
	}
	return mem.Load[float64](a, off)
}

// numberText formats the number at a+off as in Limits.Enum.
func numberText(s *shape.Shape, a mem.Pointer, off uintptr) string {
	switch {
	case s.Kind <= shape.Int64:
		return strconv.FormatInt(loadInt(s, a, off), 10)
	case s.Kind <= shape.Uintptr:
		return strconv.FormatUint(loadUint(s, a, off), 10)
	}
	return strconv.FormatFloat(loadFloat(s, a, off), 'g', -1, s.Type.Bits())
}

// isMultiple reports whether the number at a+off is a whole multiple of n. For a float the
// quotient may differ from a whole number by the rounding error of the float's type: 0.3 is a
// multiple of 0.1.
func isMultiple(n *shape.Number, s *shape.Shape, a mem.Pointer, off uintptr) bool {
	switch {
	case s.Kind <= shape.Int64:
		return loadInt(s, a, off)%n.Int == 0
	case s.Kind <= shape.Uintptr:
		return loadUint(s, a, off)%n.Uint == 0
	}
	q := loadFloat(s, a, off) / n.Float
	digits := 1e-12
	if s.Kind == shape.Float32 {
		digits = 1e-6
	}
	return math.Abs(q-math.Round(q)) <= digits*math.Max(1, math.Abs(q))
}
