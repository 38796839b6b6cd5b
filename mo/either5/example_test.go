package either5_test

import (
	"fmt"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/mo/either5"
)

// An operator changes one of the 5 types. The other values pass unchanged.
func ExamplePipe2() {
	double := either5.MapArg1[int, string, bool, error, byte](func(n int) int { return 2 * n })
	length := either5.MapArg2[int, string, bool, error, byte](func(s string) int { return len(s) })
	for _, v := range []mo.Either5[int, string, bool, error, byte]{
		mo.NewEither5Arg1[int, string, bool, error, byte](21),
		mo.NewEither5Arg2[int, string, bool, error, byte]("abc"),
		mo.NewEither5Arg3[int, string, bool, error, byte](true),
	} {
		fmt.Println(either5.Pipe2(v, double, length))
	}
	// Output:
	// {0 42 0 false <nil> 0}
	// {1 0 3 false <nil> 0}
	// {2 0 0 true <nil> 0}
}
