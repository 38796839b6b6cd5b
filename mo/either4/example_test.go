package either4_test

import (
	"fmt"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/mo/either4"
)

// An operator changes one of the 4 types. The other values pass unchanged.
func ExamplePipe2() {
	double := either4.MapArg1[int, string, bool, error](func(n int) int { return 2 * n })
	length := either4.MapArg2[int, string, bool, error](func(s string) int { return len(s) })
	for _, v := range []mo.Either4[int, string, bool, error]{
		mo.NewEither4Arg1[int, string, bool, error](21),
		mo.NewEither4Arg2[int, string, bool, error]("abc"),
		mo.NewEither4Arg3[int, string, bool, error](true),
	} {
		fmt.Println(either4.Pipe2(v, double, length))
	}
	// Output:
	// {0 42 0 false <nil>}
	// {1 0 3 false <nil>}
	// {2 0 0 true <nil>}
}
