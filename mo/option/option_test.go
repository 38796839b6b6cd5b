package option_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/mo/option"
)

func positive(v int) mo.Option[string] {
	if v <= 0 {
		return mo.None[string]()
	}
	return mo.Some(strconv.Itoa(v))
}

func TestMaps(t *testing.T) {
	some, negative, none := mo.Some(4), mo.Some(-4), mo.None[int]()
	match := option.Match(func(v int) (string, bool) { return strconv.Itoa(v), v > 0 }, func() (string, bool) { return "none", true })
	flatMatch := option.FlatMatch(positive, func() mo.Option[string] { return mo.Some("none") })
	for name, test := range map[string][2]mo.Option[string]{
		"Map":                {option.Map(strconv.Itoa)(some), mo.Some("4")},
		"Map none":           {option.Map(strconv.Itoa)(none), mo.None[string]()},
		"FlatMap":            {option.FlatMap(positive)(some), mo.Some("4")},
		"FlatMap to none":    {option.FlatMap(positive)(negative), mo.None[string]()},
		"FlatMap none":       {option.FlatMap(positive)(none), mo.None[string]()},
		"Match":              {match(some), mo.Some("4")},
		"Match to none":      {match(negative), mo.None[string]()},
		"Match none":         {match(none), mo.Some("none")},
		"FlatMatch":          {flatMatch(some), mo.Some("4")},
		"FlatMatch to none":  {flatMatch(negative), mo.None[string]()},
		"FlatMatch of none":  {flatMatch(none), mo.Some("none")},
		"Pipe1":              {option.Pipe1(some, option.Map(strconv.Itoa)), mo.Some("4")},
		"Pipe2, stops early": {option.Pipe2(negative, option.FlatMap(positive), option.Map(func(string) string { panic("called") })), mo.None[string]()},
	} {
		if test[0] != test[1] {
			t.Errorf("%s: %v, want %v", name, test[0], test[1])
		}
	}
}

func TestSlices(t *testing.T) {
	if got := option.Sequence([]mo.Option[int]{mo.Some(1), mo.Some(2)}); !slices.Equal(got.OrEmpty(), []int{1, 2}) {
		t.Error(got)
	}
	if got := option.Sequence([]mo.Option[int]{mo.Some(1), mo.None[int]()}); got.IsPresent() {
		t.Error(got)
	}
	if got := option.Traverse([]int{1, 2}, positive); !slices.Equal(got.OrEmpty(), []string{"1", "2"}) {
		t.Error(got)
	}
	if got := option.Traverse(nil, positive); !got.IsPresent() {
		t.Error(got)
	}
}

func TestPipes(t *testing.T) {
	add := option.Map(func(v int) int { return v + 1 })
	o := mo.Some(0)
	for i, got := range []mo.Option[int]{
		option.Pipe1(o, add), option.Pipe2(o, add, add), option.Pipe3(o, add, add, add), option.Pipe4(o, add, add, add, add),
		option.Pipe5(o, add, add, add, add, add), option.Pipe6(o, add, add, add, add, add, add), option.Pipe7(o, add, add, add, add, add, add, add),
		option.Pipe8(o, add, add, add, add, add, add, add, add), option.Pipe9(o, add, add, add, add, add, add, add, add, add),
		option.Pipe10(o, add, add, add, add, add, add, add, add, add, add),
	} {
		if got != mo.Some(i+1) {
			t.Errorf("Pipe%d: %v", i+1, got)
		}
	}
	testkit.SkipIfInstrumented(t)
	if n := testing.AllocsPerRun(100, func() { o = option.Pipe5(o, add, add, add, add, add) }); n > 0 {
		t.Errorf("Pipe5: %v allocs, budget 0", n)
	}
}

func ExamplePipe2() {
	fmt.Println(option.Pipe2(
		mo.Some(42),
		option.Map(strconv.Itoa),
		option.FlatMap(func(s string) mo.Option[int] { return mo.Some(len(s)) }),
	))
	// Output: Some(2)
}
