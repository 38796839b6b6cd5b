// Package mo has the contests between mo and samber/mo.
package mo

import (
	"errors"
	"fmt"
	"strconv"

	samber "github.com/samber/mo"
	samberoption "github.com/samber/mo/option"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/mo/option"
)

// Samber is the name of the peer.
const Samber = "samber/mo"

var errBoom = errors.New("boom")

// moPlace is a struct without pointers, as large as a few words.
type moPlace struct {
	X, Y int
	Name string
}

// versus returns the contest of a piece of work between mo and samber/mo. Each does it n times and
// returns the result. The two results must be equal.
func versus[R any](name string, hone, peer func(n int) (R, error)) contest.Contest {
	return against(name, Samber, hone, peer)
}

func against[R any](name, other string, hone, peer func(n int) (R, error)) contest.Contest {
	prepare := func(work func(n int) (R, error)) func() (func(int), error) {
		return func() (func(int), error) {
			want, err := peer(1)
			if err != nil {
				return nil, err
			}
			got, err := hone(1)
			if err != nil {
				return nil, err
			}
			var sink R // a variable outside of the loop, so that the compiler does not remove the loop
			return func(n int) {
				sink, err = work(n)
				if err != nil {
					panic(fmt.Sprint(err, sink))
				}
			}, contest.Same(got, want)
		}
	}
	return contest.Contest{Name: name, Contestants: []contest.Contestant{
		{Name: "hone", New: prepare(hone)},
		{Name: other, New: prepare(peer)},
	}}
}

// Contests returns the contests of mo.
func Contests() []contest.Contest {
	var all []contest.Contest
	all = append(all, optionContests()...)
	all = append(all, jsonContests()...)
	all = append(all, binaryContests()...)
	all = append(all, futureContests()...)
	return all
}

func optionContests() []contest.Contest {
	place := moPlace{1, 2, "here"}
	return []contest.Contest{
		versus("mo/OptionEqual/Int", func(n int) (equal bool, _ error) {
			a, b := mo.Some(42), mo.Some(42)
			for range n {
				equal = a.Equal(b)
			}
			return equal, nil
		}, func(n int) (equal bool, _ error) {
			a, b := samber.Some(42), samber.Some(42)
			for range n {
				equal = a.Equal(b)
			}
			return equal, nil
		}),
		versus("mo/OptionEqual/String", func(n int) (equal bool, _ error) {
			a, b := mo.Some("some text"), mo.Some("some text")
			for range n {
				equal = a.Equal(b)
			}
			return equal, nil
		}, func(n int) (equal bool, _ error) {
			a, b := samber.Some("some text"), samber.Some("some text")
			for range n {
				equal = a.Equal(b)
			}
			return equal, nil
		}),
		versus("mo/OptionEqual/Struct", func(n int) (equal bool, _ error) {
			a, b := mo.Some(place), mo.Some(place)
			for range n {
				equal = a.Equal(b)
			}
			return equal, nil
		}, func(n int) (equal bool, _ error) {
			a, b := samber.Some(place), samber.Some(place)
			for range n {
				equal = a.Equal(b)
			}
			return equal, nil
		}),
		versus("mo/OptionScan/Int64", scanOf[int64](new(mo.Option[int64]), int64(42)), scanOf[int64](new(samber.Option[int64]), int64(42))),
		versus("mo/OptionScan/Int64 to int", scanOf[int](new(mo.Option[int]), int64(42)), scanOf[int](new(samber.Option[int]), int64(42))),
		versus("mo/OptionScan/String", scanOf[string](new(mo.Option[string]), "some text"), scanOf[string](new(samber.Option[string]), "some text")),
		versus("mo/Option/Some and Get", func(n int) (sum int, _ error) {
			for i := range n {
				v, _ := mo.Some(i).Get()
				sum += v
			}
			return sum, nil
		}, func(n int) (sum int, _ error) {
			for i := range n {
				v, _ := samber.Some(i).Get()
				sum += v
			}
			return sum, nil
		}),
		versus("mo/Option/OrElse", func(n int) (sum int, _ error) {
			for i := range n {
				sum += mo.TupleToOption(i, i%2 == 0).OrElse(1)
			}
			return sum, nil
		}, func(n int) (sum int, _ error) {
			for i := range n {
				sum += samber.TupleToOption(i, i%2 == 0).OrElse(1)
			}
			return sum, nil
		}),
		versus("mo/Option/Map", func(n int) (sum int, _ error) {
			o := mo.Some(1)
			for range n {
				o = o.Map(func(v int) (int, bool) { return v ^ 3, true })
			}
			return o.MustGet() &^ 3, nil
		}, func(n int) (sum int, _ error) {
			o := samber.Some(1)
			for range n {
				o = o.Map(func(v int) (int, bool) { return v ^ 3, true })
			}
			return o.MustGet() &^ 3, nil
		}),
		versus("mo/Option/FlatMap", func(n int) (sum int, _ error) {
			o := mo.Some(1)
			for range n {
				o = o.FlatMap(func(v int) mo.Option[int] { return mo.Some(v ^ 3) })
			}
			return o.MustGet() &^ 3, nil
		}, func(n int) (sum int, _ error) {
			o := samber.Some(1)
			for range n {
				o = o.FlatMap(func(v int) samber.Option[int] { return samber.Some(v ^ 3) })
			}
			return o.MustGet() &^ 3, nil
		}),
		versus("mo/Option/Match", func(n int) (sum int, _ error) {
			o := mo.Some(1)
			for range n {
				o = o.Match(func(v int) (int, bool) { return v ^ 3, true }, func() (int, bool) { return 0, true })
			}
			return o.MustGet() &^ 3, nil
		}, func(n int) (sum int, _ error) {
			o := samber.Some(1)
			for range n {
				o = o.Match(func(v int) (int, bool) { return v ^ 3, true }, func() (int, bool) { return 0, true })
			}
			return o.MustGet() &^ 3, nil
		}),
		versus("mo/Result/Map", func(n int) (sum int, _ error) {
			r := mo.Ok(1)
			for range n {
				r = r.Map(func(v int) (int, error) { return v ^ 3, nil })
			}
			return r.MustGet() &^ 3, nil
		}, func(n int) (sum int, _ error) {
			r := samber.Ok(1)
			for range n {
				r = r.Map(func(v int) (int, error) { return v ^ 3, nil })
			}
			return r.MustGet() &^ 3, nil
		}),
		versus("mo/Option/Pipe5", func(n int) (sum int, _ error) {
			increment := option.Map(func(v int) int { return v + 1 })
			length := option.FlatMap(func(s string) mo.Option[int] { return mo.Some(len(s)) })
			text := option.Map(func(v int) string { return strconv.Itoa(v & 63) })
			for i := range n {
				sum += option.Pipe5(mo.Some(i), increment, text, length, increment, increment).OrEmpty()
			}
			return sum, nil
		}, func(n int) (sum int, _ error) {
			increment := samberoption.Map(func(v int) int { return v + 1 })
			length := samberoption.FlatMap(func(s string) samber.Option[int] { return samber.Some(len(s)) })
			text := samberoption.Map(func(v int) string { return strconv.Itoa(v & 63) })
			for i := range n {
				sum += samberoption.Pipe5(samber.Some(i), increment, text, length, increment, increment).OrEmpty()
			}
			return sum, nil
		}),
	}
}

type scanner[T any] interface {
	Scan(src any) error
	Get() (T, bool)
}

func scanOf[T any](o scanner[T], src any) func(int) (T, error) {
	return func(n int) (T, error) {
		for range n {
			if err := o.Scan(src); err != nil {
				var none T
				return none, err
			}
		}
		v, _ := o.Get()
		return v, nil
	}
}

func futureContests() []contest.Contest {
	increment := func(v int) (int, error) { return v + 1, nil }
	return []contest.Contest{
		versus("mo/Future/create and collect", unlocked(func(n int) (v int, err error) {
			for range n {
				v, err = mo.NewFuture(func(resolve func(int), _ func(error)) { resolve(1) }).Collect()
			}
			return v, err
		}), unlocked(func(n int) (v int, err error) {
			for range n {
				v, err = samber.NewFuture(func(resolve func(int), _ func(error)) { resolve(1) }).Collect()
			}
			return v, err
		})),
		versus("mo/Future/chain of 5", unlocked(func(n int) (v int, err error) {
			for range n {
				v, err = mo.NewFuture(func(resolve func(int), _ func(error)) { resolve(1) }).
					Then(increment).Then(increment).Then(increment).Then(increment).Then(increment).Collect()
			}
			return v, err
		}), unlocked(func(n int) (v int, err error) {
			for range n {
				v, err = samber.NewFuture(func(resolve func(int), _ func(error)) { resolve(1) }).
					Then(increment).Then(increment).Then(increment).Then(increment).Then(increment).Collect()
			}
			return v, err
		})),
	}
}

// unlocked runs work in a separate goroutine. The goroutine that is timed is locked to its thread,
// so each wait in that goroutine would switch threads.
func unlocked[R any](work func(n int) (R, error)) func(int) (R, error) {
	type outcome struct {
		r   R
		err error
	}
	return func(n int) (R, error) {
		done := make(chan outcome)
		go func() {
			r, err := work(n)
			done <- outcome{r, err}
		}()
		o := <-done
		return o.r, o.err
	}
}
