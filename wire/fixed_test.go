package wire

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/mo"
)

type fixedInts struct {
	I16 int16             `wire:",fixed"`
	U16 uint16            `wire:",fixed"`
	I32 int32             `wire:",fixed"`
	U32 uint32            `wire:",fixed"`
	I64 int64             `wire:",fixed"`
	U64 uint64            `wire:",fixed"`
	I   int               `wire:",fixed"`
	U   uint              `wire:",fixed"`
	S   []uint32          `wire:",fixed"`
	A   [2]int16          `wire:",fixed"`
	P   *int64            `wire:",fixed"`
	O   mo.Option[uint16] `wire:",fixed"`
	N   [][]int32         `wire:",fixed"`
	L   []int             `wire:",fixed"`
	V   int64
}

func TestFixed(t *testing.T) {
	v := fixedInts{
		-2, 0x1234, -3, 0x12345678, math.MinInt64, math.MaxUint64, -4, 5,
		[]uint32{1, 0xffffffff}, [2]int16{-1, 256}, ptr(int64(7)), mo.Some[uint16](8), [][]int32{nil, {9}}, []int{-1}, -1,
	}
	want := "\xfe\xff" + "\x34\x12" + "\xfd\xff\xff\xff" + "\x78\x56\x34\x12" +
		"\x00\x00\x00\x00\x00\x00\x00\x80" + strings.Repeat("\xff", 8) +
		"\xfc" + strings.Repeat("\xff", 7) + "\x05\x00\x00\x00\x00\x00\x00\x00" +
		"\x02\x01\x00\x00\x00\xff\xff\xff\xff" + "\xff\xff\x00\x01" +
		"\x01\x07\x00\x00\x00\x00\x00\x00\x00" + "\x01\x08\x00" + "\x02\x00\x01\x09\x00\x00\x00" +
		"\x01" + strings.Repeat("\xff", 8) + "\x01"
	data, err := Marshal(&v)
	if err != nil || string(data) != want {
		t.Errorf("%x, %v\nwant %x", data, err, want)
	}
	var back fixedInts
	if err := Unmarshal([]byte(want), &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%+v, %v", back, err)
	}
	for n := range len(want) {
		var de *DecodeError
		if err := Unmarshal([]byte(want[:n]), new(fixedInts)); !errors.As(err, &de) || de.Path == "" {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	// Adjacent integers are copied in one step. The error about an integer in the middle of them
	// must still have the path of this integer.
	var de *DecodeError
	if err := Unmarshal([]byte(want[:9]), new(fixedInts)); !errors.As(err, &de) || de.Path != ".U32" {
		t.Errorf("half of U32: %v", err)
	}
}

// TestFixedOverflow decodes numbers that do not fit into an int of 32 bits. They must be refused
// where int has this size.
func TestFixedOverflow(t *testing.T) {
	type number struct {
		I int `wire:",fixed"`
	}
	var v number
	err := Unmarshal([]byte("\x00\x00\x00\x00\x01\x00\x00\x00"), &v)
	if math.MaxInt == math.MaxInt32 {
		if !errors.Is(err, ErrOverflow) {
			t.Errorf("%v, %v", v, err)
		}
	} else if err != nil || int64(v.I) != 1<<32 {
		t.Errorf("%v, %v", v, err)
	}
}

func TestFixedRefused(t *testing.T) {
	for _, make := range []func() error{
		codecError[struct {
			S string `wire:",fixed"`
		}],
		codecError[struct {
			I int8 `wire:",fixed"`
		}],
		codecError[struct {
			F float64 `wire:",fixed"`
		}],
		codecError[struct {
			M map[int]int `wire:",fixed"`
		}],
		codecError[struct {
			I int `wire:",unknown"`
		}],
		codecError[struct {
			I int `wire:"name"`
		}],
	} {
		var te *TypeError
		if err := make(); !errors.As(err, &te) || len(te.Path) != 2 {
			t.Errorf("%v", err)
		}
	}
}
