package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/hone-go/hone/wire"
)

// Records are sent over a connection, after the fingerprint of their schema.
func ExampleNewEncoder() {
	var connection bytes.Buffer
	print := wire.Must(wire.SchemaOf[Reading]()).Fingerprint()

	e := wire.NewEncoder(&connection)
	if err := e.Fingerprint(print); err != nil {
		fmt.Println(err)
	}
	for _, host := range []string{"db-1", "db-2"} {
		if err := e.Encode(&Reading{Host: host}); err != nil {
			fmt.Println(err)
		}
	}

	d := wire.NewDecoder(&connection, 0)
	if err := d.Fingerprint(print); err != nil {
		fmt.Println(err)
	}
	for {
		var r Reading
		err := d.Decode(&r)
		if errors.Is(err, io.EOF) {
			break
		}
		fmt.Println(r.Host, err)
	}
	// Output:
	// db-1 <nil>
	// db-2 <nil>
}

// Equal values have equal bytes, which can be the key of a cache or the input of a signature.
func ExampleOptions() {
	codec := wire.Must(wire.For[map[string]int](wire.Options{Canonical: true}))
	one, _ := codec.Append(nil, &map[string]int{"a": 1, "b": 2})
	other, _ := codec.Append(nil, &map[string]int{"b": 2, "a": 1})
	fmt.Printf("% x\n%t\n", one, bytes.Equal(one, other))

	err := codec.Unmarshal([]byte("\x02\x01b\x04\x01a\x02"), new(map[string]int))
	fmt.Println(err)
	// Output:
	// 02 01 61 02 01 62 04
	// true
	// wire: decode (map[string]int) at byte 4: not the canonical form of the value: map keys out of order
}

func ExampleRegisterType() {
	types := new(wire.Types)
	for _, err := range []error{wire.RegisterType[string](types, 1), wire.RegisterType[Reading](types, 2)} {
		if err != nil {
			fmt.Println(err)
		}
	}
	codec := wire.Must(wire.For[[]any](wire.Options{Types: types}))
	data, _ := codec.Append(nil, &[]any{"text", Reading{Host: "db-1"}, nil})

	var back []any
	err := codec.Unmarshal(data, &back)
	fmt.Printf("%v %v\n", back, err)
	// Output: [text {db-1 [] None} <nil>] <nil>
}

// Config has a new field. Programs of both versions read each other's encodings.
func ExampleEvolving() {
	type first struct {
		_    wire.Evolving
		Name string
	}
	type second struct {
		_    wire.Evolving
		Name string
		Port uint16
	}
	data, _ := wire.Marshal(&second{Name: "db", Port: 5432})
	var old first
	err := wire.Unmarshal(data, &old)
	fmt.Println(old.Name, err)

	problems := wire.Must(wire.SchemaOf[first]()).Reads(wire.Must(wire.SchemaOf[second]()))
	fmt.Println(len(problems), "problems")
	// Output:
	// db <nil>
	// 0 problems
}
