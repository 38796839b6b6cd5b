package jsoncode_test

import (
	"fmt"

	"github.com/hone-go/hone/json"
)

// The method HoneEncodeJSON of Deep is in a file that "hone gen -go -json" has written. Package json
// finds it, so callers do not change. DeepTwin has the same fields and no method.
func Example() {
	note := "a<b"
	v := Deep{N: 3, Note: &note}
	generated, err := json.Marshal(&v)
	if err != nil {
		fmt.Println(err)
	}
	derived, err := json.Marshal((*DeepTwin)(&v))
	fmt.Printf("%s\n%s %v\n", generated, derived, err)
	// Output:
	// {"N":3,"Note":"a\u003cb"}
	// {"N":3,"Note":"a\u003cb"} <nil>
}
