package either_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/mo/either"
	"github.com/hone-go/hone/mo/either3"
	"github.com/hone-go/hone/mo/either4"
	"github.com/hone-go/hone/mo/either5"
)

func size(s string) int { return len(s) }

func TestMaps(t *testing.T) {
	left, right := mo.Left[int, string](4), mo.Right[int]("abc")
	if got := either.MapLeft[int, string](strconv.Itoa)(left); got != mo.Left[string, string]("4") {
		t.Error(got)
	}
	if got := either.MapLeft[int, string](strconv.Itoa)(right); got != mo.Right[string]("abc") {
		t.Error(got)
	}
	if got := either.MapRight[int](size)(right); got != mo.Right[int](3) {
		t.Error(got)
	}
	if got := either.MapRight[int](size)(left); got != mo.Left[int, int](4) {
		t.Error(got)
	}
	toRight := either.FlatMapLeft(func(v int) mo.Either[bool, string] { return mo.Right[bool](strconv.Itoa(v)) })
	if toRight(left) != mo.Right[bool]("4") || toRight(right) != mo.Right[bool]("abc") {
		t.Error(toRight(left), toRight(right))
	}
	match := either.Match(strconv.Itoa, size)
	if match(left) != mo.Left[string, int]("4") || match(right) != mo.Right[string](3) {
		t.Error(match(left), match(right))
	}
	if got := either.Pipe2(right, either.Swap[int, string](), either.MapLeft[string, int](size)); got != mo.Left[int, int](3) {
		t.Error(got)
	}
}

// TestArguments maps each argument of each EitherN, and checks that the other arguments are
// unchanged.
func TestArguments(t *testing.T) {
	three := []mo.Either3[int, int, int]{mo.NewEither3Arg1[int, int, int](1), mo.NewEither3Arg2[int, int, int](2), mo.NewEither3Arg3[int, int](3)}
	for i, e := range three {
		got := fmt.Sprint(either3.MapArg1[int, int, int](strconv.Itoa)(e), either3.MapArg2[int, int, int](strconv.Itoa)(e), either3.MapArg3[int, int, int](strconv.Itoa)(e))
		want := [...]string{"{0 1 0 0} {0 1  0} {0 1 0 }", "{1  2 0} {1 0 2 0} {1 0 2 }", "{2  0 3} {2 0  3} {2 0 0 3}"}[i]
		if got != want {
			t.Errorf("Either3 argument %d: %s, want %s", i+1, got, want)
		}
	}
	four := mo.NewEither4Arg4[int, int, int](4)
	if got, ok := either4.MapArg4[int, int, int](strconv.Itoa)(four).Arg4(); !ok || got != "4" {
		t.Error(got, ok)
	}
	if got, ok := either4.MapArg1[int, int, int, int](strconv.Itoa)(four).Arg4(); !ok || got != 4 {
		t.Error(got, ok)
	}
	five := mo.NewEither5Arg5[int, int, int, int](5)
	if got, ok := either5.MapArg5[int, int, int, int](strconv.Itoa)(five).Arg5(); !ok || got != "5" {
		t.Error(got, ok)
	}
	if got, ok := either5.MapArg2[int, int, int, int, int](strconv.Itoa)(five).Arg5(); !ok || got != 5 {
		t.Error(got, ok)
	}
	match := either3.Match(strconv.Itoa, func(v int) int { return -v }, func(v int) bool { return v > 2 })
	if got := fmt.Sprint(match(three[0]).MustArg1(), match(three[1]).MustArg2(), match(three[2]).MustArg3()); got != "1-2 true" {
		t.Error(got)
	}
}

func ExampleMatch() {
	describe := either.Match(func(id int) string { return "#" + strconv.Itoa(id) }, func(name string) string { return "@" + name })
	fmt.Println(describe(mo.Left[int, string](7)).MustLeft(), describe(mo.Right[int]("ada")).MustRight())
	// Output: #7 @ada
}
