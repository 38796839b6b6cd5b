//go:build go1.27

package mo_test

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/mo/either"
	"github.com/hone-go/hone/mo/either3"
	"github.com/hone-go/hone/mo/either4"
	"github.com/hone-go/hone/mo/either5"
	"github.com/hone-go/hone/mo/option"
	"github.com/hone-go/hone/mo/result"
)

var errOdd = errors.New("odd")

// same fails the test if a method and its twin, the function of a subpackage, have different results.
func same[T any](t *testing.T, what string, method, twin T) {
	t.Helper()
	if !reflect.DeepEqual(method, twin) {
		t.Errorf("%s: %v, the function returns %v", what, method, twin)
	}
}

func halfOption(v int) mo.Option[string] { return mo.TupleToOption(halfOK(v)) }

func halfOK(v int) (string, bool) { return strconv.Itoa(v / 2), v%2 == 0 }

func halfResult(v int) mo.Result[string] { return mo.TupleToResult(half(v)) }

// half returns a value beside the error, which a Result must not keep.
func half(v int) (string, error) {
	if v%2 != 0 {
		return "odd", errOdd
	}
	return strconv.Itoa(v / 2), nil
}

// identity returns its argument.
func identity[T any](v T) T { return v }

func TestOptionTwins(t *testing.T) {
	noneOK := func() (string, bool) { return "none", false }
	otherOK := func() (string, bool) { return "other", true }
	other := func() mo.Option[string] { return mo.Some("other") }
	for _, o := range []mo.Option[int]{mo.None[int](), mo.Some(0), mo.Some(3), mo.Some(-8)} {
		name := o.String()
		same(t, name+".MapTo", o.MapTo(strconv.Itoa), option.Map(strconv.Itoa)(o))
		same(t, name+".FlatMapTo", o.FlatMapTo(halfOption), option.FlatMap(halfOption)(o))
		same(t, name+".MatchTo", o.MatchTo(halfOK, otherOK), option.Match(halfOK, otherOK)(o))
		same(t, name+".MatchTo none", o.MatchTo(halfOK, noneOK), option.Match(halfOK, noneOK)(o))
		same(t, name+".FlatMatchTo", o.FlatMatchTo(halfOption, other), option.FlatMatch(halfOption, other)(o))
		same(t, name+".FoldTo", o.FoldTo(strconv.Itoa, func() string { return "none" }),
			mo.Fold[error](o, strconv.Itoa, func(error) string { return "none" }))
		// The laws of a functor and of a monad.
		same(t, name+" identity", o.MapTo(identity[int]), o)
		same(t, name+" composition", o.MapTo(strconv.Itoa).MapTo(func(s string) int { return len(s) }), o.MapTo(func(v int) int { return len(strconv.Itoa(v)) }))
		same(t, name+" right identity", o.FlatMapTo(mo.Some[int]), o)
		size := func(s string) mo.Option[int] { return mo.TupleToOption(len(s), s != "0") }
		same(t, name+" associativity", o.FlatMapTo(halfOption).FlatMapTo(size), o.FlatMapTo(func(v int) mo.Option[int] { return halfOption(v).FlatMapTo(size) }))
	}
	// A function that is not needed may be nil.
	none, some := mo.None[int](), mo.Some(4)
	same(t, "MapTo(nil)", none.MapTo[string](nil), mo.None[string]())
	same(t, "FlatMapTo(nil)", none.FlatMapTo[string](nil), mo.None[string]())
	same(t, "MatchTo(nil, f)", none.MatchTo(nil, otherOK), mo.Some("other"))
	same(t, "MatchTo(f, nil)", some.MatchTo(halfOK, nil), mo.Some("2"))
	same(t, "FlatMatchTo(nil, f)", none.FlatMatchTo(nil, other), mo.Some("other"))
	same(t, "FlatMatchTo(f, nil)", some.FlatMatchTo(halfOption, nil), mo.Some("2"))
	same(t, "FoldTo(nil, f)", none.FoldTo(nil, func() string { return "none" }), "none")
	same(t, "FoldTo(f, nil)", some.FoldTo(strconv.Itoa, nil), "4")
}

func TestResultTwins(t *testing.T) {
	rescue := func(error) (string, error) { return "rescued", nil }
	fail := func(error) (string, error) { return "odd", errOdd }
	rescued := func(error) mo.Result[string] { return mo.Ok("rescued") }
	for _, r := range []mo.Result[int]{{}, mo.Ok(3), mo.Ok(-8), mo.Err[int](errOdd), mo.Err[int](nil)} {
		name := r.String()
		same(t, name+".MapTo", r.MapTo(strconv.Itoa), result.Map(strconv.Itoa)(r))
		same(t, name+".FlatMapTo", r.FlatMapTo(halfResult), result.FlatMap(halfResult)(r))
		same(t, name+".ThenTo", r.ThenTo(half), result.Then(half)(r))
		same(t, name+".MatchTo", r.MatchTo(half, rescue), result.Match(half, func() (string, error) { return rescue(nil) })(r))
		same(t, name+".MatchTo fails", r.MatchTo(half, fail), result.Match(half, func() (string, error) { return fail(nil) })(r))
		same(t, name+".FlatMatchTo", r.FlatMatchTo(halfResult, rescued), result.FlatMatch(halfResult, func() mo.Result[string] { return rescued(nil) })(r))
		same(t, name+".FoldTo", r.FoldTo(strconv.Itoa, error.Error), mo.Fold[error](r, strconv.Itoa, error.Error))
		same(t, name+" identity", r.MapTo(identity[int]), r)
		same(t, name+" composition", r.MapTo(strconv.Itoa).MapTo(func(s string) int { return len(s) }), r.MapTo(func(v int) int { return len(strconv.Itoa(v)) }))
		same(t, name+" right identity", r.FlatMapTo(mo.Ok[int]), r)
		atoi := func(s string) mo.Result[int] { return mo.TupleToResult(strconv.Atoi(s + "x")) }
		same(t, name+" associativity", r.FlatMapTo(halfResult).FlatMapTo(atoi), r.FlatMapTo(func(v int) mo.Result[int] { return halfResult(v).FlatMapTo(atoi) }))
		// Like the method Match, and unlike the function of package result, these methods pass the error.
		if r.IsError() {
			var got []error
			r.MatchTo(half, func(err error) (string, error) { got = append(got, err); return "", nil })
			r.FlatMatchTo(halfResult, func(err error) mo.Result[string] { got = append(got, err); return mo.Ok("") })
			r.FoldTo(strconv.Itoa, func(err error) string { got = append(got, err); return "" })
			same(t, name+": the errors that are passed", got, []error{r.Error(), r.Error(), r.Error()})
		}
	}
	failed, ok := mo.Err[int](errOdd), mo.Ok(4)
	same(t, "MapTo(nil)", failed.MapTo[string](nil), mo.Err[string](errOdd))
	same(t, "FlatMapTo(nil)", failed.FlatMapTo[string](nil), mo.Err[string](errOdd))
	same(t, "ThenTo(nil)", failed.ThenTo[string](nil), mo.Err[string](errOdd))
	same(t, "MatchTo(nil, f)", failed.MatchTo(nil, rescue), mo.Ok("rescued"))
	same(t, "MatchTo(f, nil)", ok.MatchTo(half, nil), mo.Ok("2"))
	same(t, "FlatMatchTo(nil, f)", failed.FlatMatchTo(nil, rescued), mo.Ok("rescued"))
	same(t, "FlatMatchTo(f, nil)", ok.FlatMatchTo(halfResult, nil), mo.Ok("2"))
	same(t, "FoldTo(nil, f)", failed.FoldTo(nil, error.Error), "odd")
	same(t, "FoldTo(f, nil)", ok.FoldTo(strconv.Itoa, nil), "4")
}

func TestEitherTwins(t *testing.T) {
	length := func(s string) int { return len(s) }
	leftOrRight := func(s string) mo.Either[int, int] {
		if s == "" {
			return mo.Right[int](-1)
		}
		return mo.Left[int, int](len(s))
	}
	rightOrLeft := func(v int) mo.Either[string, string] {
		if v < 0 {
			return mo.Left[string, string]("negative")
		}
		return mo.Right[string](strconv.Itoa(v))
	}
	for _, e := range []mo.Either[string, int]{{}, mo.Left[string, int](""), mo.Left[string, int]("abc"), mo.Right[string](7), mo.Right[string](-7)} {
		name := fmt.Sprint(e)
		same(t, name+".MapLeftTo", e.MapLeftTo(length), either.MapLeft[string, int](length)(e))
		same(t, name+".MapRightTo", e.MapRightTo(strconv.Itoa), either.MapRight[string](strconv.Itoa)(e))
		same(t, name+".FlatMapLeftTo", e.FlatMapLeftTo(leftOrRight), either.FlatMapLeft(leftOrRight)(e))
		same(t, name+".FlatMapRightTo", e.FlatMapRightTo(rightOrLeft), either.FlatMapRight(rightOrLeft)(e))
		same(t, name+".MatchTo", e.MatchTo(length, strconv.Itoa), either.Match(length, strconv.Itoa)(e))
		same(t, name+".FoldTo", e.FoldTo(identity[string], strconv.Itoa), mo.Fold[string](e, strconv.Itoa, identity[string]))
		same(t, name+" identity", e.MapLeftTo(identity[string]).MapRightTo(identity[int]), e)
		same(t, name+" right identity", e.FlatMapRightTo(mo.Right[string, int]).FlatMapLeftTo(mo.Left[string, int]), e)
		same(t, name+" order", e.MapLeftTo(length).MapRightTo(strconv.Itoa), e.MatchTo(length, strconv.Itoa))
	}
	left, right := mo.Left[string, int]("abc"), mo.Right[string](7)
	same(t, "MapLeftTo(nil)", right.MapLeftTo[int](nil), mo.Right[int](7))
	same(t, "MapRightTo(nil)", left.MapRightTo[string](nil), mo.Left[string, string]("abc"))
	same(t, "FlatMapLeftTo(nil)", right.FlatMapLeftTo[int](nil), mo.Right[int](7))
	same(t, "FlatMapRightTo(nil)", left.FlatMapRightTo[string](nil), mo.Left[string, string]("abc"))
	same(t, "MatchTo(f, nil)", left.MatchTo[int, string](length, nil), mo.Left[int, string](3))
	same(t, "MatchTo(nil, f)", right.MatchTo[int, string](nil, strconv.Itoa), mo.Right[int]("7"))
	same(t, "FoldTo(f, nil)", left.FoldTo(length, nil), 3)
	same(t, "FoldTo(nil, f)", right.FoldTo(nil, strconv.Itoa), "7")
}

// The functions for arguments of one Either3 to Either5 return other types and values.
func text1(v int) string                       { return "1:" + strconv.Itoa(v) }
func text2(v string) []byte                    { return []byte("2:" + v) }
func text3(v bool) error                       { return fmt.Errorf("3:%v", v) }
func text4(v float64) [1]string                { return [1]string{fmt.Sprint("4:", v)} }
func text5(v []int) map[string]int             { return map[string]int{"5": len(v)} }
func print1(v int) string                      { return text1(v) }
func print2(v string) string                   { return string(text2(v)) }
func print3(v bool) string                     { return text3(v).Error() }
func print4(v float64) string                  { return text4(v)[0] }
func print5(v []int) string                    { return fmt.Sprint(text5(v)) }
func called[T any](want string) func(T) string { return func(T) string { return want } }

func TestEither3Twins(t *testing.T) {
	type E = mo.Either3[int, string, bool]
	for i, e := range []E{{}, mo.NewEither3Arg2[int, string, bool]("x"), mo.NewEither3Arg3[int, string](true)} {
		name := fmt.Sprint(e)
		same(t, name+".MapArg1To", e.MapArg1To(text1), either3.MapArg1[int, string, bool](text1)(e))
		same(t, name+".MapArg2To", e.MapArg2To(text2), either3.MapArg2[int, string, bool](text2)(e))
		same(t, name+".MapArg3To", e.MapArg3To(text3), either3.MapArg3[int, string](text3)(e))
		same(t, name+".MatchTo", e.MatchTo(text1, text2, text3), either3.Match(text1, text2, text3)(e))
		same(t, name+".FoldTo", e.FoldTo(print1, print2, print3), [...]string{"1:0", "2:x", "3:true"}[i])
		same(t, name+" identity", e.MapArg1To(identity[int]).MapArg2To(identity[string]).MapArg3To(identity[bool]), e)
	}
	first, second := E{}, mo.NewEither3Arg2[int, string, bool]("x")
	same(t, "MapArg1To(nil)", second.MapArg1To[string](nil), mo.NewEither3Arg2[string, string, bool]("x"))
	same(t, "MapArg2To(nil)", first.MapArg2To[int](nil), mo.NewEither3Arg1[int, int, bool](0))
	same(t, "MapArg3To(nil)", first.MapArg3To[int](nil), mo.NewEither3Arg1[int, string, int](0))
	same(t, "MatchTo(nil, f, nil)", second.MatchTo[int, []byte, int](nil, text2, nil), mo.NewEither3Arg2[int, []byte, int]([]byte("2:x")))
	same(t, "FoldTo(nil, f, nil)", second.FoldTo(nil, called[string]("second"), nil), "second")
}

func TestEither4Twins(t *testing.T) {
	type E = mo.Either4[int, string, bool, float64]
	for i, e := range []E{
		{}, mo.NewEither4Arg2[int, string, bool, float64]("x"), mo.NewEither4Arg3[int, string, bool, float64](true),
		mo.NewEither4Arg4[int, string, bool](0.5),
	} {
		name := fmt.Sprint(e)
		same(t, name+".MapArg1To", e.MapArg1To(text1), either4.MapArg1[int, string, bool, float64](text1)(e))
		same(t, name+".MapArg2To", e.MapArg2To(text2), either4.MapArg2[int, string, bool, float64](text2)(e))
		same(t, name+".MapArg3To", e.MapArg3To(text3), either4.MapArg3[int, string, bool, float64](text3)(e))
		same(t, name+".MapArg4To", e.MapArg4To(text4), either4.MapArg4[int, string, bool](text4)(e))
		same(t, name+".MatchTo", e.MatchTo(text1, text2, text3, text4), either4.Match(text1, text2, text3, text4)(e))
		same(t, name+".FoldTo", e.FoldTo(print1, print2, print3, print4), [...]string{"1:0", "2:x", "3:true", "4:0.5"}[i])
		same(t, name+" identity", e.MapArg1To(identity[int]).MapArg2To(identity[string]).MapArg3To(identity[bool]).MapArg4To(identity[float64]), e)
	}
	first, fourth := E{}, mo.NewEither4Arg4[int, string, bool](0.5)
	same(t, "MapArg1To(nil)", fourth.MapArg1To[int](nil), fourth)
	same(t, "MapArg2To(nil)", first.MapArg2To[string](nil), first)
	same(t, "MapArg3To(nil)", first.MapArg3To[bool](nil), first)
	same(t, "MapArg4To(nil)", first.MapArg4To[float64](nil), first)
	same(t, "MatchTo(nil, nil, nil, f)", fourth.MatchTo[int, string, bool, float64](nil, nil, nil, identity[float64]), fourth)
	same(t, "FoldTo(nil, nil, nil, f)", fourth.FoldTo(nil, nil, nil, called[float64]("fourth")), "fourth")
}

func TestEither5Twins(t *testing.T) {
	type E = mo.Either5[int, string, bool, float64, []int]
	for i, e := range []E{
		{}, mo.NewEither5Arg2[int, string, bool, float64, []int]("x"), mo.NewEither5Arg3[int, string, bool, float64, []int](true),
		mo.NewEither5Arg4[int, string, bool, float64, []int](0.5), mo.NewEither5Arg5[int, string, bool, float64]([]int{1, 2}),
	} {
		name := fmt.Sprint(e)
		same(t, name+".MapArg1To", e.MapArg1To(text1), either5.MapArg1[int, string, bool, float64, []int](text1)(e))
		same(t, name+".MapArg2To", e.MapArg2To(text2), either5.MapArg2[int, string, bool, float64, []int](text2)(e))
		same(t, name+".MapArg3To", e.MapArg3To(text3), either5.MapArg3[int, string, bool, float64, []int](text3)(e))
		same(t, name+".MapArg4To", e.MapArg4To(text4), either5.MapArg4[int, string, bool, float64, []int](text4)(e))
		same(t, name+".MapArg5To", e.MapArg5To(text5), either5.MapArg5[int, string, bool, float64](text5)(e))
		same(t, name+".MatchTo", e.MatchTo(text1, text2, text3, text4, text5), either5.Match(text1, text2, text3, text4, text5)(e))
		same(t, name+".FoldTo", e.FoldTo(print1, print2, print3, print4, print5), [...]string{"1:0", "2:x", "3:true", "4:0.5", "map[5:2]"}[i])
		same(t, name+" identity", e.MapArg1To(identity[int]).MapArg2To(identity[string]).MapArg3To(identity[bool]).MapArg4To(identity[float64]).MapArg5To(identity[[]int]), e)
	}
	first, fifth := E{}, mo.NewEither5Arg5[int, string, bool, float64]([]int{1})
	same(t, "MapArg1To(nil)", fifth.MapArg1To[int](nil), fifth)
	same(t, "MapArg2To(nil)", first.MapArg2To[string](nil), first)
	same(t, "MapArg3To(nil)", first.MapArg3To[bool](nil), first)
	same(t, "MapArg4To(nil)", first.MapArg4To[float64](nil), first)
	same(t, "MapArg5To(nil)", first.MapArg5To[[]int](nil), first)
	same(t, "MatchTo(nil, …, f)", fifth.MatchTo[int, string, bool, float64, []int](nil, nil, nil, nil, identity[[]int]), fifth)
	same(t, "FoldTo(nil, …, f)", fifth.FoldTo(nil, nil, nil, nil, called[[]int]("fifth")), "fifth")
}

// TestGenericMethodsAllocs fails if a method that promises it allocates memory.
func TestGenericMethodsAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	o, r, l, e3 := mo.Some(42), mo.Ok(42), mo.Left[int, int](42), mo.NewEither3Arg3[int, int](42)
	var texts mo.Option[string]
	var parsed mo.Result[string]
	var sides mo.Either[float64, int]
	var args mo.Either3[int, int, float64]
	float := func(v int) float64 { return float64(v) }
	digit := func(v int) string { return "0123456789"[v%10 : v%10+1] }
	for name, f := range map[string]func(){
		"Option.MapTo":      func() { texts = o.MapTo(digit) },
		"Option.FlatMapTo":  func() { texts = o.FlatMapTo(func(v int) mo.Option[string] { return mo.Some(digit(v)) }) },
		"Result.MapTo":      func() { parsed = r.MapTo(digit) },
		"Result.ThenTo":     func() { parsed = r.ThenTo(func(v int) (string, error) { return digit(v), nil }) },
		"Either.MapLeftTo":  func() { sides = l.MapLeftTo(float) },
		"Either3.MapArg3To": func() { args = e3.MapArg3To(float) },
		"Option.FoldTo":     func() { texts = mo.Some(o.FoldTo(digit, func() string { return "" })) },
	} {
		if n := testing.AllocsPerRun(100, f); n > 0 {
			t.Errorf("%s: %v allocs, budget 0", name, n)
		}
	}
	if texts != mo.Some("2") || parsed != mo.Ok("2") || sides != mo.Left[float64, int](42) || args != mo.NewEither3Arg3[int, int](42.0) {
		t.Error(texts, parsed, sides, args)
	}
}
