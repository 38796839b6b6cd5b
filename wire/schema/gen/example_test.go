package gen_test

import (
	"fmt"
	"strings"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema/gen"
)

type Point struct {
	X, Y int32
	Name string
}

// TypeScript makes a module from the schema of a codec. The module has the type and a codec.
func ExampleTypeScript() {
	module, err := gen.TypeScript(wire.Must(wire.For[Point]()).Schema())
	if err != nil {
		fmt.Println(err)
		return
	}
	_, text, _ := strings.Cut(string(module), "export interface")
	text, _, _ = strings.Cut(text, "}\n")
	fmt.Println("export interface" + text + "}")
	// Output:
	// export interface Point {
	//   x: number;
	//   y: number;
	//   name: string;
	// }
}
