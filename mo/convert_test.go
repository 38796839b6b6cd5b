package mo

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

func TestOptionMethods(t *testing.T) {
	some, none := Some(4), None[int]()
	twice := func(v int) (int, bool) { return 2 * v, v > 0 }
	nine := func() (int, bool) { return 9, true }
	for _, test := range []struct {
		name string
		got  any
		want any
	}{
		{name: "TupleToOption", got: TupleToOption(4, true), want: some},
		{name: "TupleToOption not ok", got: TupleToOption(4, false), want: none},
		{name: "EmptyableToOption", got: EmptyableToOption(4), want: some},
		{name: "EmptyableToOption zero", got: EmptyableToOption(0), want: none},
		{name: "EmptyableToOption nil interface", got: EmptyableToOption[error](nil).IsPresent(), want: false},
		{name: "EmptyableToOption empty slice", got: EmptyableToOption([]int{}).IsPresent(), want: true},
		{name: "PointerToOption", got: PointerToOption(new(int)), want: Some(0)},
		{name: "PointerToOption nil", got: PointerToOption[int](nil), want: none},
		{name: "ToPointer", got: *some.ToPointer(), want: 4},
		{name: "ToPointer none", got: none.ToPointer() == nil, want: true},
		{name: "Size", got: some.Size() - none.Size(), want: 1},
		{name: "IsZero", got: []bool{some.IsZero(), none.IsZero(), Some(0).IsZero()}, want: []bool{false, true, true}},
		{name: "presence", got: []bool{some.IsPresent(), some.IsSome(), none.IsAbsent(), none.IsNone()}, want: []bool{true, true, true, true}},
		{name: "absence", got: []bool{none.IsPresent(), none.IsSome(), some.IsAbsent(), some.IsNone()}, want: []bool{false, false, false, false}},
		{name: "OrElse", got: some.OrElse(1) + none.OrElse(1), want: 5},
		{name: "OrElseGet", got: some.OrElseGet(func() int { panic("called") }) + none.OrElseGet(func() int { return 1 }), want: 5},
		{name: "OrEmpty", got: some.OrEmpty() + none.OrEmpty(), want: 4},
		{name: "Or", got: []Option[int]{some.Or(Some(1)), none.Or(Some(1)), none.Or(none)}, want: []Option[int]{some, Some(1), none}},
		{name: "Filter", got: []Option[int]{some.Filter(even), Some(3).Filter(even), none.Filter(even)}, want: []Option[int]{some, none, none}},
		{name: "Map", got: []Option[int]{some.Map(twice), Some(-1).Map(twice), none.Map(twice)}, want: []Option[int]{Some(8), none, none}},
		{name: "MapValue", got: []Option[int]{some.MapValue(func(v int) int { return -v }), none.MapValue(func(int) int { panic("called") })}, want: []Option[int]{Some(-4), none}},
		{name: "MapNone", got: []Option[int]{some.MapNone(nine), none.MapNone(nine)}, want: []Option[int]{some, Some(9)}},
		{name: "FlatMap", got: []Option[int]{some.FlatMap(func(v int) Option[int] { return Some(v + 1) }), none.FlatMap(Some[int])}, want: []Option[int]{Some(5), none}},
		{name: "Match", got: []Option[int]{some.Match(twice, nine), none.Match(twice, nine)}, want: []Option[int]{Some(8), Some(9)}},
		{name: "ToResult", got: OptionToResult(some, errBoom), want: Ok(4)},
		{name: "ToResult none", got: OptionToResult(none, errBoom), want: Err[int](errBoom)},
		{name: "All", got: slices.Collect(some.All()), want: []int{4}},
		{name: "All none", got: len(slices.Collect(none.All())), want: 0},
		{name: "String", got: some.String() + none.String() + Some("x").String(), want: "Some(4)NoneSome(x)"},
		{name: "%v", got: fmt.Sprintf("%v %v", some, none), want: "Some(4) None"},
		{name: "Fold", got: Fold[error, int, string](some, func(v int) string { return fmt.Sprint(v) }, error.Error), want: "4"},
		{name: "Fold none", got: Fold[error, int, string](none, func(v int) string { return fmt.Sprint(v) }, error.Error), want: errAbsent.Error()},
	} {
		if fmt.Sprintf("%#v", test.got) != fmt.Sprintf("%#v", test.want) {
			t.Errorf("%s: %#v, want %#v", test.name, test.got, test.want)
		}
	}
	for range some.All() {
		break
	}
	some.ForEach(func(v int) {
		if v != 4 {
			t.Error(v)
		}
	})
	none.ForEach(func(int) { t.Error("ForEach of None called the function") })
	if v, ok := none.Get(); v != 0 || ok {
		t.Error(v, ok)
	}
	if r := Do(none.MustGet); !r.Is(errAbsent) {
		t.Error(r)
	}
}

func even(v int) bool { return v%2 == 0 }

func TestResultMethods(t *testing.T) {
	ok, failed, empty := Ok(4), Err[int](errBoom), Err[int](nil)
	half := func(v int) (int, error) {
		if !even(v) {
			return 7, errBoom
		}
		return v / 2, nil
	}
	for _, test := range []struct {
		name string
		got  any
		want any
	}{
		{name: "TupleToResult", got: TupleToResult(4, nil), want: ok},
		{name: "TupleToResult error", got: TupleToResult(4, errBoom), want: failed},
		{name: "Try", got: Try(func() (int, error) { return half(8) }), want: ok},
		{name: "Try error", got: Try(func() (int, error) { return half(7) }), want: failed},
		{name: "Errf", got: Errf[int]("%d: %w", 1, errBoom).String(), want: "Err(1: boom)"},
		{name: "Errf wraps", got: Errf[int]("%d: %w", 1, errBoom).Is(errBoom), want: true},
		{name: "which", got: []bool{ok.IsOk(), ok.IsError(), failed.IsOk(), failed.IsError(), empty.IsError()}, want: []bool{true, false, false, true, true}},
		{name: "Error", got: []error{ok.Error(), failed.Error(), empty.Error()}, want: []error{nil, errBoom, ErrNil}},
		{name: "Is", got: []bool{ok.Is(nil), failed.Is(errBoom), failed.Is(ErrNil), empty.Is(ErrNil)}, want: []bool{false, true, false, true}},
		{name: "OrElse", got: ok.OrElse(1) + failed.OrElse(1) + empty.OrElse(1), want: 6},
		{name: "OrElseGet", got: failed.OrElseGet(func(err error) int { return len(err.Error()) }), want: 4},
		{name: "OrEmpty", got: ok.OrEmpty() + failed.OrEmpty(), want: 4},
		{name: "Map", got: []Result[int]{ok.Map(half), Ok(3).Map(half), failed.Map(half)}, want: []Result[int]{Ok(2), failed, failed}},
		{name: "MapValue", got: []Result[int]{ok.MapValue(func(v int) int { return -v }), failed.MapValue(func(int) int { panic("called") })}, want: []Result[int]{Ok(-4), failed}},
		{name: "MapErr", got: []Result[int]{ok.MapErr(func(error) (int, error) { panic("called") }), failed.MapErr(func(error) (int, error) { return 1, nil })}, want: []Result[int]{ok, Ok(1)}},
		{name: "FlatMap", got: []Result[int]{ok.FlatMap(func(v int) Result[int] { return Ok(v + 1) }), failed.FlatMap(Ok[int])}, want: []Result[int]{Ok(5), failed}},
		{name: "Match", got: []Result[int]{ok.Match(half, nil), failed.Match(nil, func(err error) (int, error) { return 0, errors.Join(err) }).MapErr(func(err error) (int, error) { return len(err.Error()), nil })}, want: []Result[int]{Ok(2), Ok(4)}},
		{name: "ToEither", got: []bool{ok.ToEither().IsRight(), failed.ToEither().IsLeft(), empty.ToEither().IsLeft()}, want: []bool{true, true, true}},
		{name: "ToOption", got: []Option[int]{ResultToOption(ok), ResultToOption(failed), ResultToOption(empty)}, want: []Option[int]{Some(4), None[int](), None[int]()}},
		{name: "All", got: append(slices.Collect(ok.All()), slices.Collect(failed.All())...), want: []int{4}},
		{name: "%v", got: fmt.Sprint(ok, failed), want: "Ok(4) Err(boom)"},
		{name: "Fold", got: Fold[error, int, int](ok, func(v int) int { return v }, func(error) int { return -1 }), want: 4},
		{name: "Fold error", got: Fold[error, int, int](empty, func(v int) int { return v }, func(error) int { return -1 }), want: -1},
	} {
		if fmt.Sprintf("%#v", test.got) != fmt.Sprintf("%#v", test.want) {
			t.Errorf("%s: %#v, want %#v", test.name, test.got, test.want)
		}
	}
	ok.ForEach(func(v int) {
		if v != 4 {
			t.Error(v)
		}
	})
	failed.ForEach(func(int) { t.Error("ForEach of an error called the function") })
	if r := Do(failed.MustGet); !r.Is(errBoom) {
		t.Error(r)
	}
	if r := Do(empty.MustGet); !r.Is(ErrNil) {
		t.Error("Err(nil).MustGet():", r)
	}
	if v, err := empty.Get(); v != 0 || err == nil {
		t.Error("Err(nil) is reported as a success:", v, err)
	}
	target := &PanicError{}
	if Err[int](fmt.Errorf("wrapped: %w", &PanicError{Value: 5})).As(&target); target.Value != 5 {
		t.Error(target)
	}
}

func TestDo(t *testing.T) {
	if r := Do(func() int { return 1 }); r != Ok(1) {
		t.Error(r)
	}
	r := Do(func() int { return len(os.Args[len(os.Args)]) })
	var re runtime.Error
	var pe *PanicError
	if !r.As(&re) || !r.As(&pe) || !strings.Contains(string(pe.Stack), "TestDo") {
		t.Errorf("Do of a runtime error: %v", r)
	}
	if r := Do(func() int { panic(errBoom) }); r.Error() != errBoom {
		t.Errorf("Do of a panic with an error: %v", r)
	}
	if r := Do(func() int { panic("text") }); !r.As(&pe) || pe.Value != "text" || pe.Error() != "text" || pe.Unwrap() != nil {
		t.Errorf("Do of a panic with a string: %v", r)
	}
}

func TestState(t *testing.T) {
	counter := NewState(func(n int) (string, int) { return strings.Repeat("x", n), n + 1 })
	if a, n := counter.Run(3); a != "xxx" || n != 4 {
		t.Error(a, n)
	}
	if a, n := ReturnState[int]("r").Run(3); a != "r" || n != 3 {
		t.Error(a, n)
	}
	if a, n := counter.Get().Run(3); a != 3 || n != 3 {
		t.Error(a, n)
	}
	if a, n := counter.Modify(func(n int) int { return n * 10 }).Run(3); a != "" || n != 30 {
		t.Error(a, n)
	}
	if a, n := counter.Put(9).Run(3); a != "" || n != 9 {
		t.Errorf("Put did not replace the state: %q, %d", a, n)
	}
}

func TestLogs(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	log.Info("m", "some", Some("x"), "none", None[int](), "ok", Ok(5), "err", Err[int](errBoom), "nested", Some(Ok(1)))
	if want := "level=INFO msg=m some=x none=<nil> ok=5 err=boom nested=1\n"; b.String() != want {
		t.Errorf("got  %swant %s", b.String(), want)
	}
}

func TestEither(t *testing.T) {
	left, right := Left[int, string](4), Right[int]("r")
	if v, ok := left.Left(); v != 4 || !ok || !left.IsLeft() || left.IsRight() {
		t.Error(left)
	}
	if v, ok := right.Right(); v != "r" || !ok || right.IsLeft() || !right.IsRight() {
		t.Error(right)
	}
	if v, ok := left.Right(); v != "" || ok {
		t.Error(v, ok)
	}
	if left.MustLeft() != 4 || right.MustRight() != "r" || left.LeftOrElse(1) != 4 || right.LeftOrElse(1) != 1 || left.RightOrElse("f") != "f" ||
		right.RightOrElse("f") != "r" || right.LeftOrEmpty() != 0 || left.RightOrEmpty() != "" {
		t.Error(left, right)
	}
	if r := Do(right.MustLeft); !r.Is(errNoLeft) {
		t.Error(r)
	}
	if r := Do(left.MustRight); !r.Is(errNoRight) {
		t.Error(r)
	}
	if l, r := left.Unpack(); l != 4 || r != "" {
		t.Error(l, r)
	}
	if left.Swap() != Right[string](4) || right.Swap() != Left[string, int]("r") {
		t.Error(left.Swap(), right.Swap())
	}
	wrap := func(v int) error { return fmt.Errorf("left %d", v) }
	if EitherToResult(right, wrap) != Ok("r") || EitherToResult(left, wrap).String() != "Err(left 4)" {
		t.Error(EitherToResult(left, wrap))
	}
	calls := ""
	for _, e := range []Either[int, string]{left, right} {
		e.ForEach(func(v int) { calls += fmt.Sprint(v) }, func(s string) { calls += s })
		calls += fmt.Sprint(e.Match(func(int) Either[int, string] { return right }, func(string) Either[int, string] { return left }).IsLeft())
		calls += fmt.Sprint(e.MapLeft(func(int) Either[int, string] { return right }).IsRight(), e.MapRight(func(string) Either[int, string] { return left }).IsLeft())
		calls += Fold[int, string, string](e, func(s string) string { return s }, func(v int) string { return fmt.Sprint(v) }) + " "
	}
	if want := "4falsetrue true4 rtruetrue truer "; calls != want {
		t.Errorf("%q, want %q", calls, want)
	}
}

func TestEitherN(t *testing.T) {
	type e = Either5[int, string, bool, float64, []int]
	all := []e{
		NewEither5Arg1[int, string, bool, float64, []int](1), NewEither5Arg2[int, string, bool, float64, []int]("2"), NewEither5Arg3[int, string, bool, float64, []int](true),
		NewEither5Arg4[int, string, bool, float64, []int](4), NewEither5Arg5[int, string, bool, float64]([]int{5}),
	}
	for i, x := range all {
		_, is1 := x.Arg1()
		_, is2 := x.Arg2()
		_, is3 := x.Arg3()
		_, is4 := x.Arg4()
		_, is5 := x.Arg5()
		for j, is := range [][2]bool{{is1, x.IsArg1()}, {is2, x.IsArg2()}, {is3, x.IsArg3()}, {is4, x.IsArg4()}, {is5, x.IsArg5()}} {
			if is[0] != (i == j) || is[1] != is[0] {
				t.Errorf("argument %d as %d: %v", i+1, j+1, is)
			}
		}
		for j, r := range []Result[any]{
			Do(func() any { return x.MustArg1() }), Do(func() any { return x.MustArg2() }), Do(func() any { return x.MustArg3() }),
			Do(func() any { return x.MustArg4() }), Do(func() any { return x.MustArg5() }),
		} {
			if r.IsOk() != (i == j) {
				t.Errorf("argument %d as %d: %v", i+1, j+1, r)
			}
		}
		called := 0
		x.ForEach(func(int) { called = 1 }, func(string) { called = 2 }, func(bool) { called = 3 }, func(float64) { called = 4 }, func([]int) { called = 5 })
		if called != i+1 {
			t.Errorf("ForEach of argument %d called function %d", i+1, called)
		}
		next := x.Match(func(int) e { return all[1] }, func(string) e { return all[2] }, func(bool) e { return all[3] }, func(float64) e { return all[4] }, func([]int) e { return all[0] })
		if int(next.argId) != (i+1)%5 {
			t.Errorf("Match of argument %d returned %d", i+1, next.argId+1)
		}
		for j, mapped := range []e{
			x.MapArg1(func(int) e { return next }), x.MapArg2(func(string) e { return next }), x.MapArg3(func(bool) e { return next }),
			x.MapArg4(func(float64) e { return next }), x.MapArg5(func([]int) e { return next }),
		} {
			if (mapped.argId == next.argId) != (i == j) {
				t.Errorf("MapArg%d of argument %d returned %d", j+1, i+1, mapped.argId+1)
			}
		}
	}
	x := all[1]
	if x.Arg1OrElse(7) != 7 || x.Arg2OrElse("f") != "2" || x.Arg1OrEmpty() != 0 || x.Arg2OrEmpty() != "2" {
		t.Error(x)
	}
	if a, b, c, d, f := x.Unpack(); a != 0 || b != "2" || c || d != 0 || f != nil {
		t.Error(a, b, c, d, f)
	}
}

func TestComputations(t *testing.T) {
	settled(t)
	sum := func(a, b, c, d, e int) int { return a + b + c + d + e }
	if NewIO(func() int { return 0 }).Run() != 0 || NewIO5(sum).Run(1, 2, 3, 4, 5) != 15 || NewIO2(func(a, b int) int { return a - b }).Run(5, 3) != 2 {
		t.Error("the results of IOs are wrong")
	}
	for fail, want := range map[bool]string{false: "1", true: "boom"} {
		e := NewIOEither1(func(fail bool) (int, error) {
			if fail {
				return 0, errBoom
			}
			return 1, nil
		}).Run(fail)
		if got := Fold[error, int, string](e, func(v int) string { return fmt.Sprint(v) }, error.Error); got != want {
			t.Error(got)
		}
	}
	if r := collect(t, NewTaskFromIO5(NewIO5(sum)).Run(1, 2, 3, 4, 5)); r != Ok(15) {
		t.Error(r)
	}
	if r := collect(t, NewTask1(func(v int) *Future[int] { return resolved(v) }).Run(3)); r != Ok(3) {
		t.Error(r)
	}
	if r := collect(t, NewTaskFromIO(NewIO(func() int { panic(errBoom) })).Run()); !r.Is(errBoom) {
		t.Error(r)
	}
	fine := NewTaskEitherFromIO(NewIO(func() int { return 1 }))
	bad := NewTaskEither(func() *Future[int] { return rejected[int](errBoom) })
	if fine.OrElse(2) != 1 || bad.OrElse(2) != 2 || fine.ToEither().IsLeft() || bad.ToEither().IsRight() {
		t.Error("the results of TaskEithers are wrong")
	}
	if r := collect(t, bad.ToTask(5).Run()); r != Ok(5) {
		t.Error(r)
	}
	recovered := func(error) Either[error, int] { return Right[error](8) }
	if bad.Match(recovered, nil).RightOrEmpty() != 8 || bad.TryCatch(recovered, nil).RightOrEmpty() != 8 {
		t.Error("Match or TryCatch did not return the result of onLeft")
	}
}

func TestPlainAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	total := 0
	if n := testing.AllocsPerRun(100, func() {
		o := Some(total).Map(func(v int) (int, bool) { return v + 1, true }).FlatMap(Some[int]).Filter(func(v int) bool { return v > 0 }).Or(None[int]())
		r := OptionToResult(o, errBoom).Map(func(v int) (int, error) { return v, nil }).MapErr(func(err error) (int, error) { return 0, err })
		e := r.ToEither().Swap()
		for v := range o.All() {
			total += v & 1
		}
		total += e.LeftOrElse(1)&1 + r.OrElse(1)&1
	}); n > 0 {
		t.Errorf("%v allocs, budget 0", n)
	}
}

// TestMethodsStayAlone fails if a method of Option or Nullable has a Result or an Either in its signature. The
// compiler would compile all methods of these types too, for each T.
func TestMethodsStayAlone(t *testing.T) {
	type local struct{}
	for _, root := range []reflect.Type{reflect.TypeFor[*Option[local]](), reflect.TypeFor[*Nullable[local]]()} {
		if root.NumMethod() == 0 {
			t.Errorf("%v has no methods", root)
		}
		for m := range root.Methods() {
			if text := m.Type.String(); strings.Contains(text, "mo.Result[") || strings.Contains(text, "mo.Either[") {
				t.Errorf("%v.%s: %s", root, m.Name, text)
			}
		}
	}
}
