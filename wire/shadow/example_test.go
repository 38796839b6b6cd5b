package shadow_test

import (
	"fmt"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/shadow"
)

// Gob produces the results, and every call compares them with the wire format.
func ExampleNew() {
	type Reading struct {
		Host string
		Load []float64
	}
	readings := shadow.New(shadow.Gob[Reading](), wire.Must(wire.For[Reading]()), shadow.Settings{Share: 1})
	data, err := readings.Marshal(&Reading{"web-1", []float64{0.5, 0.25}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var r Reading
	fmt.Println(readings.Unmarshal(data, &r), r)
	counts := readings.Counts()
	fmt.Println(counts.BytesOther < counts.BytesAnswered)
	// Output:
	// <nil> {web-1 [0.5 0.25]}
	// true
}
