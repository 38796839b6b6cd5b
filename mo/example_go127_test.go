//go:build go1.27

package mo_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hone-go/hone/mo"
)

func ExampleOption_MapTo() {
	fmt.Println(mo.Some(42).MapTo(strconv.Itoa).MapTo(func(s string) int { return len(s) }))
	fmt.Println(mo.None[int]().MapTo(strconv.Itoa))
	// Output:
	// Some(2)
	// None
}

func ExampleOption_FlatMapTo() {
	ports := map[string]int{"http": 80}
	port := func(name string) mo.Option[int] {
		number, ok := ports[name]
		return mo.TupleToOption(number, ok)
	}
	fmt.Println(mo.Some("http").FlatMapTo(port), mo.Some("gopher").FlatMapTo(port))
	// Output: Some(80) None
}

func ExampleOption_MatchTo() {
	parse := func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil
	}
	fallback := func() (int, bool) { return 8080, true }
	fmt.Println(mo.Some("80").MatchTo(parse, fallback), mo.Some("x").MatchTo(parse, fallback), mo.None[string]().MatchTo(parse, fallback))
	// Output: Some(80) None Some(8080)
}

func ExampleOption_FlatMatchTo() {
	size := func(s string) mo.Option[int] { return mo.Some(len(s)) }
	fmt.Println(mo.Some("abc").FlatMatchTo(size, mo.None[int]), mo.None[string]().FlatMatchTo(size, mo.None[int]))
	// Output: Some(3) None
}

func ExampleOption_FoldTo() {
	for _, age := range []mo.Option[int]{mo.Some(42), mo.None[int]()} {
		fmt.Println(age.FoldTo(strconv.Itoa, func() string { return "unknown" }))
	}
	// Output:
	// 42
	// unknown
}

func ExampleResult_MapTo() {
	fmt.Println(mo.Ok("abc").MapTo(func(s string) int { return len(s) }))
	// Output: Ok(3)
}

func ExampleResult_FlatMapTo() {
	parse := func(s string) mo.Result[int] { return mo.TupleToResult(strconv.Atoi(s)) }
	fmt.Println(mo.Ok("42").FlatMapTo(parse))
	// Output: Ok(42)
}

func ExampleResult_ThenTo() {
	for _, text := range []string{"2.5", "two"} {
		fmt.Println(mo.Ok(text).
			MapTo(func(s string) string { return s + "s" }).
			ThenTo(func(s string) (float64, error) { return strconv.ParseFloat(strings.TrimSuffix(s, "s"), 64) }))
	}
	// Output:
	// Ok(2.5)
	// Err(strconv.ParseFloat: parsing "two": invalid syntax)
}

func ExampleResult_MatchTo() {
	fallback := func(err error) (int, error) {
		if errors.Is(err, errors.ErrUnsupported) {
			return 0, nil
		}
		return 0, err
	}
	fmt.Println(mo.Ok("42").MatchTo(strconv.Atoi, fallback))
	fmt.Println(mo.Err[string](errors.ErrUnsupported).MatchTo(strconv.Atoi, fallback))
	// Output:
	// Ok(42)
	// Ok(0)
}

func ExampleResult_FlatMatchTo() {
	fmt.Println(mo.Err[string](errors.New("no file")).FlatMatchTo(
		func(s string) mo.Result[int] { return mo.Ok(len(s)) },
		func(err error) mo.Result[int] { return mo.Errf[int]("size: %w", err) },
	))
	// Output: Err(size: no file)
}

func ExampleResult_FoldTo() {
	status := func(r mo.Result[int]) string { return r.FoldTo(strconv.Itoa, error.Error) }
	fmt.Println(status(mo.Ok(42)), status(mo.Err[int](errors.New("no answer"))))
	// Output: 42 no answer
}

func ExampleEither_MapLeftTo() {
	failed := mo.Left[error, int](errors.New("no answer"))
	fmt.Println(failed.MapLeftTo(error.Error).MustLeft(), mo.Right[error](42).MapLeftTo(error.Error).MustRight())
	// Output: no answer 42
}

func ExampleEither_MapRightTo() {
	failed := mo.Left[string, int]("no answer")
	fmt.Println(mo.Right[string](42).MapRightTo(strconv.Itoa).MustRight(), failed.MapRightTo(strconv.Itoa).MustLeft())
	// Output: 42 no answer
}

func ExampleEither_FlatMapLeftTo() {
	retry := func(status int) mo.Either[error, string] {
		if status == 503 {
			return mo.Right[error]("answer")
		}
		return mo.Left[error, string](fmt.Errorf("status %d", status))
	}
	fmt.Println(mo.Left[int, string](503).FlatMapLeftTo(retry).MustRight(), mo.Left[int, string](404).FlatMapLeftTo(retry).MustLeft())
	// Output: answer status 404
}

func ExampleEither_FlatMapRightTo() {
	half := func(v int) mo.Either[string, float64] {
		if v == 0 {
			return mo.Left[string, float64]("nothing")
		}
		return mo.Right[string](float64(v) / 2)
	}
	fmt.Println(mo.Right[string](3).FlatMapRightTo(half).MustRight(), mo.Right[string](0).FlatMapRightTo(half).MustLeft())
	// Output: 1.5 nothing
}

func ExampleEither_MatchTo() {
	size := func(s string) int { return len(s) }
	e := mo.Left[string, int]("abc").MatchTo(size, strconv.Itoa) // a mo.Either[int, string]
	fmt.Println(e.MustLeft())
	// Output: 3
}

func ExampleEither_FoldTo() {
	for _, id := range []mo.Either[string, int]{mo.Left[string, int]("ada"), mo.Right[string](7)} {
		fmt.Println(id.FoldTo(strconv.Quote, strconv.Itoa))
	}
	// Output:
	// "ada"
	// 7
}

func ExampleFuture_ThenTo() {
	text := mo.NewFuture(func(resolve func(string), _ func(error)) { resolve("42") })
	number, err := text.ThenTo(strconv.Atoi).Collect()
	fmt.Println(number, err)
	// Output: 42 <nil>
}

func ExampleFuture_FinallyTo() {
	text := mo.NewFuture(func(_ func(string), reject func(error)) { reject(errors.New("no answer")) })
	status, _ := text.FinallyTo(func(_ string, err error) (int, error) {
		if err != nil {
			return 502, nil
		}
		return 200, nil
	}).Collect()
	fmt.Println(status)
	// Output: 502
}

func ExampleFuture_FlatMapTo() {
	user := mo.NewFuture(func(resolve func(string), _ func(error)) { resolve("ada") })
	orders := user.FlatMapTo(func(name string) *mo.Future[[]string] {
		return mo.NewFuture(func(resolve func([]string), _ func(error)) { resolve([]string{name + "'s order"}) })
	})
	fmt.Println(orders.Collect())
	// Output: [ada's order] <nil>
}

func ExampleTask_ThenTo() {
	read := mo.NewTaskFromIO(mo.NewIO(func() string { return "42" }))
	fmt.Println(read.ThenTo(strconv.Atoi).Run().Collect())
	// Output: 42 <nil>
}

func ExampleTask_FlatMapTo() {
	one := mo.NewTaskFromIO(mo.NewIO(func() int { return 1 }))
	text := one.FlatMapTo(func(v int) mo.Task[string] {
		return mo.NewTaskFromIO(mo.NewIO(func() string { return strconv.Itoa(v) }))
	})
	fmt.Println(text.Run().Collect())
	// Output: 1 <nil>
}

func ExampleTaskEither_ThenTo() {
	read := mo.NewTaskEitherFromIO(mo.NewIO(func() string { return "many" }))
	fmt.Println(read.ThenTo(strconv.Atoi).OrElse(-1))
	// Output: -1
}

func ExampleTaskEither_FlatMapTo() {
	name := mo.NewTaskEitherFromIO(mo.NewIO(func() string { return "ada" }))
	order := name.FlatMapTo(func(name string) mo.TaskEither[[]string] {
		return mo.NewTaskEitherFromIO(mo.NewIO(func() []string { return []string{name + "'s order"} }))
	})
	fmt.Println(order.OrElse(nil))
	// Output: [ada's order]
}

func ExampleIO_MapTo() {
	read := mo.NewIO(func() string { return "ada" })
	fmt.Println(read.MapTo(func(s string) int { return len(s) }).Run())
	// Output: 3
}

func ExampleIO_FlatMapTo() {
	read := mo.NewIO(func() string { return "ada" })
	write := func(s string) mo.IO[int] {
		return mo.NewIO(func() int { n, _ := fmt.Println(s); return n })
	}
	fmt.Println(read.FlatMapTo(write).Run())
	// Output:
	// ada
	// 4
}

func ExampleIOEither_MapTo() {
	number := mo.NewIOEither(func() (int, error) { return strconv.Atoi("42") })
	fmt.Println(number.MapTo(func(v int) float64 { return float64(v) / 4 }).Run().MustRight())
	// Output: 10.5
}

func ExampleIOEither_ThenTo() {
	read := mo.NewIOEither(func() (string, error) { return "42", nil })
	fmt.Println(read.ThenTo(strconv.Atoi).Run().MustRight())
	// Output: 42
}

func ExampleIOEither_FlatMapTo() {
	read := mo.NewIOEither(func() (string, error) { return "ada", nil })
	write := func(s string) mo.IOEither[int] {
		return mo.NewIOEither(func() (int, error) { return fmt.Println(s) })
	}
	fmt.Println(read.FlatMapTo(write).Run().MustRight())
	// Output:
	// ada
	// 4
}

func ExampleState_MapTo() {
	id := mo.NewState(func(next int) (int, int) { return next, next + 1 })
	fmt.Println(id.MapTo(strconv.Itoa).Run(7))
	// Output: 7 8
}

func ExampleState_FlatMapTo() {
	// Each run takes the next id, which is the state.
	id := mo.NewState(func(next int) (int, int) { return next, next + 1 })
	pair := id.FlatMapTo(func(first int) mo.State[int, string] {
		return id.MapTo(func(second int) string { return fmt.Sprint(first, " and ", second) })
	})
	fmt.Println(pair.Run(7))
	// Output: 7 and 8 9
}
