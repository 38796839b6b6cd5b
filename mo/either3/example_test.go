package either3_test

import (
	"fmt"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/mo/either3"
)

// An operator changes one of the 3 types. The other values pass unchanged.
func ExamplePipe2() {
	double := either3.MapArg1[int, string, bool](func(n int) int { return 2 * n })
	length := either3.MapArg2[int, string, bool](func(s string) int { return len(s) })
	for _, v := range []mo.Either3[int, string, bool]{
		mo.NewEither3Arg1[int, string, bool](21),
		mo.NewEither3Arg2[int, string, bool]("abc"),
		mo.NewEither3Arg3[int, string, bool](true),
	} {
		fmt.Println(either3.Pipe2(v, double, length))
	}
	// Output:
	// {0 42 0 false}
	// {1 0 3 false}
	// {2 0 0 true}
}
