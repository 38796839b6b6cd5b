package result_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/mo/result"
)

var errBoom = errors.New("boom")

func parse(s string) mo.Result[int] { return mo.TupleToResult(strconv.Atoi(s)) }

func TestMaps(t *testing.T) {
	ok, failed, empty := mo.Ok("4"), mo.Err[string](errBoom), mo.Err[string](nil)
	match := result.Match(strconv.Atoi, func() (int, error) { return 9, nil })
	flatMatch := result.FlatMatch(parse, func() mo.Result[int] { return mo.Ok(9) })
	length := result.Map(func(s string) int { return len(s) })
	for name, test := range map[string][2]mo.Result[int]{
		"Map":                   {length(ok), mo.Ok(1)},
		"Map error":             {length(failed), mo.Err[int](errBoom)},
		"Map Err(nil)":          {length(empty), mo.Err[int](nil)},
		"FlatMap":               {result.FlatMap(parse)(ok), mo.Ok(4)},
		"FlatMap error":         {result.FlatMap(parse)(failed), mo.Err[int](errBoom)},
		"Then":                  {result.Then(strconv.Atoi)(ok), mo.Ok(4)},
		"Then error":            {result.Then(strconv.Atoi)(failed), mo.Err[int](errBoom)},
		"Then Err(nil)":         {result.Then(strconv.Atoi)(empty), mo.Err[int](nil)},
		"Then fails":            {result.Then(func(string) (int, error) { return 4, errBoom })(ok), mo.Err[int](errBoom)},
		"Then nil function":     {result.Then[string, int](nil)(failed), mo.Err[int](errBoom)},
		"Match":                 {match(ok), mo.Ok(4)},
		"Match error":           {match(failed), mo.Ok(9)},
		"Match Err(nil)":        {match(empty), mo.Ok(9)},
		"FlatMatch":             {flatMatch(ok), mo.Ok(4)},
		"FlatMatch of an error": {flatMatch(failed), mo.Ok(9)},
		"Pipe2":                 {result.Pipe2(ok, result.FlatMap(parse), result.Map(func(v int) int { return v + 1 })), mo.Ok(5)},
		"Pipe2 error":           {result.Pipe2(failed, result.FlatMap(parse), result.Map(func(int) int { panic("called") })), mo.Err[int](errBoom)},
	} {
		if test[0] != test[1] {
			t.Errorf("%s: %v, want %v", name, test[0], test[1])
		}
	}
	for _, f := range []func(mo.Result[string]) mo.Result[int]{result.FlatMap(parse), result.Then(strconv.Atoi)} {
		if r := f(mo.Ok("x")); !r.Is(strconv.ErrSyntax) {
			t.Error(r)
		}
	}
}

func TestSlices(t *testing.T) {
	if got := result.Traverse([]string{"1", "2"}, parse); !slices.Equal(got.OrEmpty(), []int{1, 2}) {
		t.Error(got)
	}
	if got := result.Sequence([]mo.Result[int]{mo.Ok(1), mo.Err[int](errBoom), mo.Err[int](nil)}); !got.Is(errBoom) {
		t.Errorf("want the first error, got %v", got)
	}
	if got := result.Sequence[int](nil); got.IsError() {
		t.Error(got)
	}
}

func ExampleTraverse() {
	fmt.Println(result.Traverse([]string{"1", "2", "3"}, parse))
	// Output: Ok([1 2 3])
}

func ExampleThen() {
	half := func(v int) (int, error) {
		if v%2 != 0 {
			return 0, fmt.Errorf("%d is odd", v)
		}
		return v / 2, nil
	}
	for _, text := range []string{"8", "7", "seven"} {
		fmt.Println(result.Pipe2(mo.Ok(text), result.Then(strconv.Atoi), result.Then(half)))
	}
	// Output:
	// Ok(4)
	// Err(7 is odd)
	// Err(strconv.Atoi: parsing "seven": invalid syntax)
}
