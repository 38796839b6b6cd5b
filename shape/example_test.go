package shape_test

import (
	"fmt"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
)

type Audit struct {
	By string `json:"by,omitempty"`
}

type Account struct {
	Audit
	ID    int64             `json:"id" path:"id"`
	Email mo.Option[string] `json:"email" format:"email"`
	Limit float64           `json:"-" query:"limit" max:"100"`
}

// A Shape describes kinds and offsets, and the element of an mo.Option.
func ExampleFor() {
	s := shape.For[Account]()
	for _, f := range s.Fields {
		fmt.Println(f.Name, f.Shape.Kind)
	}
	// Output:
	// Audit struct
	// ID int64
	// Email option
	// Limit float64
}

// Members returns the JSON members of a struct, including promoted fields.
func ExampleShape_Members() {
	for _, m := range shape.For[Account]().Members() {
		fmt.Println(m.Name, m.GoPath(), m.OmitEmpty)
	}
	// Output:
	// by .Audit.By true
	// id .ID false
	// email .Email false
}

// Request lists the fields that are set from the parts of a request.
func ExampleShape_Request() {
	for _, p := range shape.For[Account]().Request().Params {
		limits, err := p.Field.Limits()
		fmt.Println(p.Source, p.Name, limits != nil, err)
	}
	// Output:
	// path id false <nil>
	// query limit true <nil>
}
