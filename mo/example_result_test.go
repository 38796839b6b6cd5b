package mo_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/hone-go/hone/mo"
)

func ExampleResult() {
	parse := func(s string) mo.Result[int] { return mo.TupleToResult(strconv.Atoi(s)) }
	double := func(v int) (int, error) { return 2 * v, nil }
	fmt.Println(parse("21").Map(double).OrElse(-1), parse("x").Map(double).OrElse(-1))
	fmt.Println(parse("x").Is(strconv.ErrSyntax))
	data, _ := json.Marshal([]mo.Result[int]{parse("21"), mo.Err[int](errors.New("no"))})
	fmt.Println(string(data))
	// Output:
	// 42 -1
	// true
	// [{"result":21},{"error":{"message":"no"}}]
}

func ExampleTry() {
	size := mo.Try(func() (fs.FileInfo, error) { return os.Stat("/nowhere") })
	fmt.Println(size.IsError(), size.Is(fs.ErrNotExist))
	// Output: true true
}

func ExampleDo() {
	sum := mo.Do(func() int {
		a := mo.Ok(1).MustGet()
		b := mo.Err[int](errors.New("no b")).MustGet()
		return a + b
	})
	fmt.Println(sum)
	// Output: Err(no b)
}

func ExampleFold() {
	describe := func(o mo.Option[int]) string {
		return mo.Fold[error, int, string](o, strconv.Itoa, func(err error) string { return err.Error() })
	}
	fmt.Println(describe(mo.Some(1)))
	fmt.Println(describe(mo.None[int]()))
	// Output:
	// 1
	// no such element
}
