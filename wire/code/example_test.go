package code_test

import (
	"fmt"

	"github.com/hone-go/hone/wire"
)

// The method HoneWire of deep is in a file that "hone gen -go" has written. Package wire finds it, so
// callers do not change. With Interpret the codec does not use it.
func Example() {
	generated, err := wire.For[deep]()
	if err != nil {
		fmt.Println(err)
	}
	derived, err := wire.For[deep](wire.Options{Interpret: true})
	if err != nil {
		fmt.Println(err)
	}
	v := deep{N: 3, M: map[string]int{"a": 1}}
	a, err := generated.Marshal(&v)
	if err != nil {
		fmt.Println(err)
	}
	b, err := derived.Marshal(&v)
	fmt.Printf("%x %x %v\n", a, b, err)
	// Output: 06010161020000 06010161020000 <nil>
}
