package mo_test

import (
	"fmt"

	"github.com/hone-go/hone/mo"
)

func ExampleEither() {
	for _, id := range []mo.Either[int, string]{mo.Left[int, string](7), mo.Right[int]("ada")} {
		id.ForEach(
			func(number int) { fmt.Println("number", number) },
			func(name string) { fmt.Println("name", name) },
		)
	}
	// Output:
	// number 7
	// name ada
}

func ExampleEither3() {
	v := mo.NewEither3Arg2[int, string, bool]("text")
	fmt.Println(v.IsArg1(), v.IsArg2(), v.Arg2OrEmpty(), v.Arg1OrElse(5))
	// Output: false true text 5
}

func ExampleEither4() {
	v := mo.NewEither4Arg4[int, string, bool](2.5)
	fmt.Println(v.MapArg4(func(f float64) mo.Either4[int, string, bool, float64] {
		return mo.NewEither4Arg1[int, string, bool, float64](int(f))
	}).MustArg1())
	// Output: 2
}

func ExampleEither5() {
	v := mo.NewEither5Arg3[int, string, bool, float64, []byte](true)
	data, _ := v.MarshalJSON()
	fmt.Println(string(data))
	// Output: {"arg3":true}
}
