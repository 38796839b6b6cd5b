package limit

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// TestRules: each tag in shape.LimitTags has exactly one rule, and each rule checks something.
func TestRules(t *testing.T) {
	var tags []string
	for _, r := range rules {
		tags = append(tags, r.tag)
		switch {
		case r.set == nil:
			t.Errorf("%s: the rule has no function set", r.tag)
		case (r.whole == nil) != (r.applies == nil):
			t.Errorf("%s: the rule has only one of the functions whole and applies", r.tag)
		case r.whole == nil && r.number == nil && r.text == nil:
			t.Errorf("%s: the rule checks nothing", r.tag)
		}
	}
	want := shape.LimitTags()
	slices.Sort(tags)
	slices.Sort(want)
	if !slices.Equal(tags, want) {
		t.Errorf("the rules are %q, but shape reads %q", tags, want)
	}
}

// TestInventedRule adds a rule to the table. The fast tests of fast_path.go cannot check it, so a value
// that breaks it must be walked, whether or not the field has other limits.
func TestInventedRule(t *testing.T) {
	before := rules
	t.Cleanup(func() { rules = before })
	set := func(*limits) bool { return true }
	for name, invented := range map[string]rule{
		"of a number": {tag: "even", set: set, number: func(_ *limits, c *check, s *shape.Shape, a mem.Pointer, off uintptr) {
			if loadInt(s, a, off)%2 != 0 {
				c.violated("must be even")
			}
		}},
		"of a string": {tag: "even", set: set, text: func(_ *limits, c *check, s string, _ bool) bool {
			return len(s)%2 == 0 || c.violated("must be even")
		}},
		"of a whole value": {tag: "even", set: set, applies: (*shape.Shape).HasLength, whole: func(n *node, c *check, a mem.Pointer, off uintptr) bool {
			return a.Value(off, n.shape.Type).Len()%2 == 0 || c.violated("must be even")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			rules = append(slices.Clone(before), invented)
			for _, v := range []any{
				&struct {
					V int `min:"0" max:"9"`
				}{3},
				&struct {
					V string `length:"1..9"`
				}{"abc"},
				&struct {
					V []string `length:"1..9"`
				}{[]string{"abc", "ab", "ab"}},
				&struct {
					V map[string]int8 `multipleOf:"3"`
				}{map[string]int8{"x": 3}},
				&struct {
					V []int `uniqueItems:"true"`
				}{[]int{1, 2, 4}},
			} {
				s := shape.Of(reflect.TypeOf(v).Elem())
				program, err := Body(s)
				if err != nil {
					t.Fatal(err)
				}
				found := program.Check(v, Unlimited())
				if want := breaks(invented, s.Fields[0].Shape); (len(found) > 0) != want {
					t.Errorf("%v: %v, want violations: %v", s.Type, found, want)
				}
				for _, f := range found {
					if !strings.Contains(f.Detail, "even") {
						t.Errorf("%v: %v", s.Type, f)
					}
				}
			}
		})
	}
}

// breaks reports whether the invented rule checks values of s, or values inside them.
func breaks(r rule, s *shape.Shape) bool {
	if r.whole != nil {
		return r.applies(s)
	}
	for s.Kind == shape.Slice || s.Kind == shape.Map {
		s = s.Elem
	}
	return r.text != nil && s.Kind == shape.String || r.number != nil && s.Kind != shape.String
}
