package schema_test

import (
	"encoding/json"
	"fmt"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

// The new version reads the encodings of the old one, but not the reverse.
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

// Bytes can be read without the Go type.
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

// JSON is converted to bytes, which the Go type reads.
func ExampleSchema_EncodeJSON() {
	type user struct {
		Name string
		Age  mo.Option[uint8]
	}
	s := wire.Must(wire.SchemaOf[user]())

	data, err := s.EncodeJSON(nil, []byte(`{"Age": 42, "Name": "ann"}`))
	fmt.Printf("%x %v\n", data, err)

	var u user
	err = wire.Unmarshal(data, &u)
	fmt.Println(u.Name, u.Age.OrEmpty(), err)

	_, err = s.EncodeJSON(nil, []byte(`{"Age": 300, "Name": "ann"}`))
	fmt.Println(err)
	// Output:
	// 03616e6e012a <nil>
	// ann 42 <nil>
	// byte 8: .Age: number too large for its type
}

// A value is changed without the Go type. Fields that the schema does not have are kept.
func ExampleSchema_Decode() {
	type newer struct {
		_    wire.Evolving
		Name string
		Age  int
	}
	type older struct {
		_    wire.Evolving
		Name string
	}
	s := wire.Must(wire.SchemaOf[older]())
	data := wire.Must(wire.Marshal(&newer{Name: "ann", Age: 42}))

	v := wire.Must(s.Decode(data))
	user := v.(schema.Struct)
	for _, m := range user {
		fmt.Printf("%s: %v\n", m.Name, m.Value)
	}
	user[0].Value = "bob"

	var back newer
	err := wire.Unmarshal(wire.Must(s.Encode(nil, user)), &back)
	fmt.Println(back.Name, back.Age, err)
	// Output:
	// Name: ann
	// #unknown: [84]
	// bob 42 <nil>
}

// A schema from outside the program is parsed as JSON and checked.
func ExampleSchema_Check() {
	var s schema.Schema
	err := json.Unmarshal([]byte(`{"version": 1, "type": {"kind": "slice", "length": "uvarint", "elem": {"kind": "ref", "name": "user"}}}`), &s)
	fmt.Println(err)
	fmt.Println(s.Check())
	// Output:
	// <nil>
	// wire: schema: the value[]: unknown type "user"
}
