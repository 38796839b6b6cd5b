package print_test

import (
	"fmt"
	"strings"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/code/print"
)

type Point struct{ X, Y int32 }

// The command "hone gen -go Point" prints this file.
func Example() {
	source, err := print.File(print.Options{Package: "shapes", Command: "hone gen -go Point"}, print.Of[Point](wire.For[Point]()))
	if err != nil {
		fmt.Println(err)
	}
	_, put, _ := strings.Cut(string(source), "// putPoint")
	put, _, _ = strings.Cut(put, "// getPoint")
	fmt.Println(strings.TrimSpace("// putPoint" + put))
	// Output:
	// // putPoint writes the fields of *v.
	// func putPoint(e *code.Encoder, t *code.Table, n int, v *Point) int {
	// 	b := e.Room(n, 18)
	// 	// X int32
	// 	n = code.PutUint(b, n, code.Zigzag(int64(v.X)))
	// 	// Y int32
	// 	n = code.PutUint(b, n, code.Zigzag(int64(v.Y)))
	// 	return n
	// }
}
