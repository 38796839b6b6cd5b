package schema_test

import (
	"fmt"

	"github.com/hone-go/hone/wire"
)

// The new version reads what the old one wrote, but not the other way round.
func ExampleSchema_Reads() {
	type first struct {
		ID   int32
		Name string
	}
	type second struct {
		ID   int64
		Name string
	}
	older, newer := wire.Must(wire.SchemaOf[first]()), wire.Must(wire.SchemaOf[second]())

	fmt.Println(len(newer.Reads(older)), "problems")
	for _, p := range older.Reads(newer) {
		fmt.Println(p)
	}
	// Output:
	// 0 problems
	// .ID is read as int32 varint and written as int64 varint: it may not fit
}

// Bytes can be read where there is no Go type.
func ExampleSchema_AppendJSON() {
	type user struct {
		Name string
		Tags []string
	}
	s := wire.Must(wire.SchemaOf[user]())
	data := wire.Must(wire.Marshal(&user{Name: "ann", Tags: []string{"a", "b"}}))

	text, err := s.AppendJSON(nil, data)
	fmt.Println(string(text), err)

	_, err = s.AppendJSON(nil, data[:6])
	fmt.Println(err)
	// Output:
	// {"Name":"ann","Tags":["a","b"]} <nil>
	// byte 6: .Tags: unexpected EOF
}
