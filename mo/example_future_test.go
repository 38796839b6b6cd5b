package mo_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/hone-go/hone/mo"
)

func ExampleFuture() {
	price := mo.NewFuture(func(resolve func(int), reject func(error)) { resolve(100) })
	gross := price.Then(func(v int) (int, error) { return v + v/5, nil })
	failed := price.Then(func(int) (int, error) { return 0, errors.New("sold out") }).
		Catch(func(err error) (int, error) { return -1, nil })
	fmt.Println(gross.Result(), failed.Result())
	// Output: Ok(120) Ok(-1)
}

func ExampleNewFutureContext() {
	ctx, cancel := context.WithCancelCause(context.Background())
	f := mo.NewFutureContext(ctx, func(ctx context.Context) (int, error) {
		<-ctx.Done()
		return 0, context.Cause(ctx)
	})
	cancel(errors.New("shutting down"))
	fmt.Println(f.Result())
	// Output: Err(shutting down)
}

func ExampleIO() {
	greet := mo.NewIO1(func(name string) string { return "hello " + name })
	fmt.Println(greet.Run("ada"))
	// Output: hello ada
}

func ExampleIOEither() {
	parse := mo.NewIOEither1(strconv.Atoi)
	fmt.Println(parse.Run("12").RightOrElse(-1), parse.Run("x").RightOrElse(-1))
	// Output: 12 -1
}

func ExampleTask() {
	task := mo.NewTaskFromIO1(mo.NewIO1(func(v int) int { return v * v }))
	fmt.Println(task.Run(5).Result())
	// Output: Ok(25)
}

func ExampleTaskEither() {
	task := mo.NewTaskEither(func() *mo.Future[int] {
		return mo.NewFuture(func(_ func(int), reject func(error)) { reject(errors.New("no")) })
	})
	fmt.Println(task.OrElse(7))
	// Output: 7
}

func ExampleState() {
	next := mo.NewState(func(n int) (string, int) { return "ticket " + strconv.Itoa(n), n + 1 })
	ticket, state := next.Run(41)
	fmt.Println(ticket, state)
	_, state = next.Put(100).Run(state)
	fmt.Println(state)
	// Output:
	// ticket 41 42
	// 100
}
