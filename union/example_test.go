package union_test

import (
	"fmt"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/union"
)

type Figure interface{ Area() float64 }

type Disc struct {
	Radius float64 `json:"radius"`
}

type Tile struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

func (d Disc) Area() float64  { return 3 * d.Radius * d.Radius }
func (t *Tile) Area() float64 { return t.Width * t.Height }

var _ = union.Internal[Figure]("kind",
	union.Case[Disc]("disc", 1),
	union.Case[*Tile]("tile", 2))

func ExampleInternal() {
	var shapes []Figure
	err := json.Unmarshal([]byte(`[{"kind":"disc","radius":2},{"kind":"tile","width":2,"height":3}]`), &shapes)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range shapes {
		fmt.Printf("%T %v\n", s, s.Area())
	}
	data, err := json.Marshal(shapes[:1])
	fmt.Println(string(data), err)
	// Output:
	// union_test.Disc 12
	// *union_test.Tile 6
	// [{"kind":"disc","radius":2}] <nil>
}
