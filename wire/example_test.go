package wire_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

type Reading struct {
	Host    string
	CPU     []float32
	Celsius mo.Option[float64]
}

func Example() {
	r := Reading{Host: "db-1", CPU: []float32{0.5, 0.25}, Celsius: mo.Some(41.5)}

	buf, err := wire.Append(nil, &r)
	if err != nil {
		fmt.Println(err)
		return
	}
	var back Reading
	if err := wire.Unmarshal(buf, &back); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(buf), "bytes:", back.Host, back.CPU, back.Celsius.OrEmpty())
	// Output: 23 bytes: db-1 [0.5 0.25] 41.5
}

// A codec is made once, when the program starts. For then returns an error if the type cannot be
// encoded.
func ExampleFor() {
	codec, err := wire.For[Reading]()
	if err != nil {
		fmt.Println(err)
		return
	}
	data, _ := codec.Append(nil, &Reading{Host: "db-1"})
	fmt.Printf("%q\n", data)

	_, err = wire.For[struct{ Jobs []chan int }]()
	fmt.Println(err)
	// Output:
	// "\x04db-1\x00\x00"
	// wire: cannot encode struct { Jobs []chan int }: .Jobs[] chan int: a chan has no meaning outside this process; the tag `wire:"-"` leaves the field out
}

func ExampleDecodeError() {
	data, _ := wire.Marshal(&Reading{Host: "db-1", CPU: []float32{1}})
	err := wire.Unmarshal(data[:8], new(Reading))

	var bad *wire.DecodeError
	if errors.As(err, &bad) {
		fmt.Println("offset", bad.Offset, "field", bad.Path)
	}
	fmt.Println(err)
	// Output:
	// offset 8 field .CPU
	// wire: decode .CPU ([]float32) at byte 8: unexpected EOF
}

// The examples of docs/wire-format.md.
func ExampleMarshal() {
	type Point struct {
		Name string
		X, Y int32
		Tags []string
		Next *Point
	}
	p, _ := wire.Marshal(&Point{Name: "ab", X: 1, Y: -300, Tags: []string{"t"}})
	t, _ := wire.Marshal(&time.Time{})
	fmt.Printf("% x\n% x\n", p, t)
	// Output:
	// 02 61 62 02 d7 04 01 01 74 00
	// ff db 8f f9 ce 03 00 00
}
