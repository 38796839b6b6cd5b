//go:build go1.27

package mo

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

func TestIOSteps(t *testing.T) {
	var log []string
	one := NewIO(func() int { log = append(log, "one"); return 1 })
	text := one.MapTo(func(v int) string { log = append(log, "map"); return strconv.Itoa(v) })
	both := text.FlatMapTo(func(s string) IO[[]byte] {
		log = append(log, "flat")
		return NewIO(func() []byte { log = append(log, "inner"); return []byte(s) })
	})
	if len(log) > 0 {
		t.Errorf("a step ran before Run: %v", log)
	}
	for range 2 { // an IO may be run again
		log = nil
		if got := both.Run(); string(got) != "1" {
			t.Errorf("%q", got)
		}
		if want := []string{"one", "map", "flat", "inner"}; !slices.Equal(log, want) {
			t.Errorf("the steps are %v, want %v", log, want)
		}
	}
	sum := func(all ...int) (total int) {
		for i, v := range all {
			total += v * (i + 1) // so that the order of the arguments matters
		}
		return total
	}
	format := func(v int) string { return fmt.Sprint("<", v, ">") }
	for i, got := range []string{
		NewIO1(func(a int) int { return sum(a) }).MapTo(format).Run(1),
		NewIO2(func(a, b int) int { return sum(a, b) }).MapTo(format).Run(1, 2),
		NewIO3(func(a, b, c int) int { return sum(a, b, c) }).MapTo(format).Run(1, 2, 3),
		NewIO4(func(a, b, c, d int) int { return sum(a, b, c, d) }).MapTo(format).Run(1, 2, 3, 4),
		NewIO5(func(a, b, c, d, e int) int { return sum(a, b, c, d, e) }).MapTo(format).Run(1, 2, 3, 4, 5),
	} {
		if want := format(sum([]int{1, 2, 3, 4, 5}[:i+1]...)); got != want {
			t.Errorf("IO%d: %s, want %s", i+1, got, want)
		}
	}
}

func TestIOEitherSteps(t *testing.T) {
	never := func(int) string { t.Error("the function is called after an error"); return "" }
	neverFails := func(v int) (string, error) { return never(v), nil }
	text := func(v int) string { return strconv.Itoa(v) }
	fail := func(v int) (string, error) { return text(v), errBoom }
	good := NewIOEither(func() (int, error) { return 1, nil })
	bad := NewIOEither(func() (int, error) { return 1, errBoom })
	inner := func(s string, err error) func(int) IOEither[string] {
		return func(v int) IOEither[string] {
			return NewIOEither(func() (string, error) { return s + text(v), err })
		}
	}
	for name, test := range map[string][2]Either[error, string]{
		"MapTo":              {good.MapTo(text).Run(), Right[error]("1")},
		"MapTo error":        {bad.MapTo(never).Run(), Left[error, string](errBoom)},
		"MapTo nil":          {bad.MapTo[string](nil).Run(), Left[error, string](errBoom)},
		"ThenTo":             {good.ThenTo(func(v int) (string, error) { return text(v), nil }).Run(), Right[error]("1")},
		"ThenTo fails":       {good.ThenTo(fail).Run(), Left[error, string](errBoom)},
		"ThenTo error":       {bad.ThenTo(neverFails).Run(), Left[error, string](errBoom)},
		"ThenTo nil":         {bad.ThenTo[string](nil).Run(), Left[error, string](errBoom)},
		"FlatMapTo":          {good.FlatMapTo(inner("i", nil)).Run(), Right[error]("i1")},
		"FlatMapTo fails":    {good.FlatMapTo(inner("i", errBoom)).Run(), Left[error, string](errBoom)},
		"FlatMapTo error":    {bad.FlatMapTo(func(v int) IOEither[string] { never(v); return IOEither[string]{} }).Run(), Left[error, string](errBoom)},
		"1: MapTo":           {NewIOEither1(func(a int) (int, error) { return a, nil }).MapTo(text).Run(1), Right[error]("1")},
		"1: MapTo error":     {NewIOEither1(func(int) (int, error) { return 1, errBoom }).MapTo(never).Run(1), Left[error, string](errBoom)},
		"2: ThenTo fails":    {NewIOEither2(func(a, b int) (int, error) { return a - b, nil }).ThenTo(fail).Run(1, 2), Left[error, string](errBoom)},
		"2: MapTo":           {NewIOEither2(func(a, b int) (int, error) { return a - b, nil }).MapTo(text).Run(1, 2), Right[error]("-1")},
		"3: ThenTo error":    {NewIOEither3(func(a, b, c int) (int, error) { return a, errBoom }).ThenTo(neverFails).Run(1, 2, 3), Left[error, string](errBoom)},
		"3: MapTo":           {NewIOEither3(func(a, b, c int) (int, error) { return a - b*c, nil }).MapTo(text).Run(1, 2, 3), Right[error]("-5")},
		"4: MapTo":           {NewIOEither4(func(a, b, c, d int) (int, error) { return a - b*c + d, nil }).MapTo(text).Run(1, 2, 3, 9), Right[error]("4")},
		"5: MapTo":           {NewIOEither5(func(a, b, c, d, e int) (int, error) { return a - b*c + d/e, nil }).MapTo(text).Run(1, 2, 3, 9, 3), Right[error]("-2")},
		"5: MapTo, an error": {NewIOEither5(func(a, b, c, d, e int) (int, error) { return a, errBoom }).MapTo(never).Run(1, 2, 3, 9, 3), Left[error, string](errBoom)},
	} {
		if test[0] != test[1] {
			t.Errorf("%s: %v, want %v", name, test[0], test[1])
		}
	}
}

func TestStateSteps(t *testing.T) {
	// Each run of next counts the state up.
	next := NewState(func(state int) (int, int) { return state, state + 1 })
	text := next.MapTo(strconv.Itoa)
	pair := text.FlatMapTo(func(first string) State[int, []string] {
		return next.MapTo(func(second int) []string { return []string{first, strconv.Itoa(second)} })
	})
	if got, state := text.Run(5); got != "5" || state != 6 {
		t.Error(got, state)
	}
	for range 2 {
		if got, state := pair.Run(5); !slices.Equal(got, []string{"5", "6"}) || state != 7 {
			t.Error(got, state)
		}
	}
	// The laws of a monad, on several states.
	double := func(v int) State[int, string] {
		return NewState(func(state int) (string, int) { return fmt.Sprint(v, state), 2 * state })
	}
	size := func(s string) State[int, int] {
		return NewState(func(state int) (int, int) { return len(s) + state, state - 1 })
	}
	run := func(s State[int, int], state int) string { return fmt.Sprint(s.Run(state)) }
	for _, state := range []int{-3, 0, 12345} {
		if got, want := run(next.FlatMapTo(ReturnState[int, int]), state), run(next, state); got != want {
			t.Errorf("right identity: %s, want %s", got, want)
		}
		if got, want := run(ReturnState[int]("ab").FlatMapTo(size), state), run(size("ab"), state); got != want {
			t.Errorf("left identity: %s, want %s", got, want)
		}
		apart := next.FlatMapTo(double).FlatMapTo(size)
		together := next.FlatMapTo(func(v int) State[int, int] { return double(v).FlatMapTo(size) })
		if got, want := run(apart, state), run(together, state); got != want {
			t.Errorf("associativity: %s, want %s", got, want)
		}
	}
}

func TestTaskSteps(t *testing.T) {
	settled(t)
	runs := 0
	one := NewTask(func() *Future[int] { runs++; return resolved(1) })
	bad := NewTask(func() *Future[int] { return rejected[int](errBoom) })
	text := func(v int) (string, error) { return strconv.Itoa(v), nil }
	never := func(int) (string, error) { t.Error("the function is called after an error"); return "", nil }
	steps := one.ThenTo(text).FlatMapTo(func(s string) Task[[]byte] {
		return NewTaskFromIO(NewIO(func() []byte { return []byte(s + "!") }))
	})
	if runs > 0 {
		t.Error("the task ran before Run")
	}
	for range 2 {
		if r := collect(t, steps.Run()); string(r.OrEmpty()) != "1!" {
			t.Error(r)
		}
	}
	if runs != 2 {
		t.Errorf("%d runs of the first task, want 2", runs)
	}
	missing := func(int) Task[string] { t.Error("the function is called after an error"); return Task[string]{} }
	for name, test := range map[string]struct {
		got  *Future[string]
		want Result[string]
	}{
		"ThenTo of an error":            {bad.ThenTo(never).Run(), Err[string](errBoom)},
		"ThenTo fails":                  {one.ThenTo(func(int) (string, error) { return "x", errBoom }).Run(), Err[string](errBoom)},
		"FlatMapTo of an error":         {bad.FlatMapTo(missing).Run(), Err[string](errBoom)},
		"FlatMapTo to an error":         {one.FlatMapTo(func(int) Task[string] { return bad.ThenTo(text) }).Run(), Err[string](errBoom)},
		"Task1":                         {NewTask1(func(a int) *Future[int] { return resolved(a) }).ThenTo(text).Run(1), Ok("1")},
		"Task2":                         {NewTask2(func(a, b int) *Future[int] { return resolved(a - b) }).ThenTo(text).Run(1, 2), Ok("-1")},
		"Task3":                         {NewTask3(func(a, b, c int) *Future[int] { return resolved(a - b*c) }).ThenTo(text).Run(1, 2, 3), Ok("-5")},
		"Task4":                         {NewTask4(func(a, b, c, d int) *Future[int] { return resolved(a - b*c + d) }).ThenTo(text).Run(1, 2, 3, 9), Ok("4")},
		"Task5":                         {NewTask5(func(a, b, c, d, e int) *Future[int] { return resolved(a - b*c + d/e) }).ThenTo(text).Run(1, 2, 3, 9, 3), Ok("-2")},
		"TaskEither.ThenTo":             {TaskEither[int]{one}.ThenTo(text).Run(), Ok("1")},
		"TaskEither.ThenTo of an error": {TaskEither[int]{bad}.ThenTo(never).Run(), Err[string](errBoom)},
		"TaskEither.FlatMapTo":          {TaskEither[int]{one}.FlatMapTo(func(v int) TaskEither[string] { return TaskEither[int]{one}.ThenTo(text) }).Run(), Ok("1")},
	} {
		if r := collect(t, test.got); r != test.want {
			t.Errorf("%s: %v, want %v", name, r, test.want)
		}
	}
	// The steps of a TaskEither keep the methods of a TaskEither.
	if got := (TaskEither[int]{bad}).ThenTo(text).OrElse("fallback"); got != "fallback" {
		t.Error(got)
	}
	if got := (TaskEither[int]{one}).ThenTo(text).ToEither(); got != Right[error]("1") {
		t.Error(got)
	}
	boom := NewTask(func() *Future[int] { return resolved(1) }).ThenTo(func(int) (string, error) { panic(errBoom) })
	var p *PanicError
	if r := collect(t, boom.Run()); !errors.As(r.Error(), &p) || !r.Is(errBoom) {
		t.Error(r)
	}
}

// TestStepsAllocs fails if a step allocates more or fewer functions than its comment says.
func TestStepsAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	number := func(s string) int { return len(s) }
	atoi := func(s string) (int, error) { return strconv.Atoi(s) }
	io, either := NewIO(func() string { return "" }), NewIOEither(func() (string, error) { return "", nil })
	state, task := ReturnState[bool](""), NewTask(func() *Future[string] { return nil })
	var (
		ioSink     IO[int]
		eitherSink IOEither[int]
		stateSink  State[bool, int]
		taskSink   Task[int]
	)
	toIO := func(string) IO[int] { return ioSink }
	toEither := func(string) IOEither[int] { return eitherSink }
	toState := func(string) State[bool, int] { return stateSink }
	toTask := func(string) Task[int] { return taskSink }
	for name, test := range map[string]struct {
		call func()
		want float64
	}{
		"IO.MapTo":           {func() { ioSink = io.MapTo(number) }, 1},
		"IO.FlatMapTo":       {func() { ioSink = io.FlatMapTo(toIO) }, 1},
		"IOEither.MapTo":     {func() { eitherSink = either.MapTo(number) }, 2},
		"IOEither.ThenTo":    {func() { eitherSink = either.ThenTo(atoi) }, 1},
		"IOEither.FlatMapTo": {func() { eitherSink = either.FlatMapTo(toEither) }, 2},
		"State.MapTo":        {func() { stateSink = state.MapTo(number) }, 1},
		"State.FlatMapTo":    {func() { stateSink = state.FlatMapTo(toState) }, 1},
		"Task.ThenTo":        {func() { taskSink = task.ThenTo(atoi) }, 1},
		"Task.FlatMapTo":     {func() { taskSink = task.FlatMapTo(toTask) }, 2},
	} {
		if n := testing.AllocsPerRun(100, test.call); n != test.want {
			t.Errorf("%s: %v allocs, its comment says %v", name, n, test.want)
		}
	}
}
