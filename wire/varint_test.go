package wire

import (
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/mo"
)

type (
	narrow struct {
		I int8            `wire:",varint"`
		U uint8           `wire:",varint"`
		S []int8          `wire:",varint"`
		A [3]uint8        `wire:",varint"`
		P *int8           `wire:",varint"`
		O mo.Option[int8] `wire:",varint"`
	}
	wider struct {
		I int16
		U uint32
		S []int64
		A [3]uint16
		P *int
		O mo.Option[int]
	}
)

// TestVarint encodes 8-bit integers as varints. A struct with wider integers must decode them and
// write the same bytes.
func TestVarint(t *testing.T) {
	v := narrow{-128, 255, []int8{127, -1}, [3]uint8{1, 200, 3}, ptr(int8(-5)), mo.Some(int8(100))}
	want := "\xff\x01" + "\xff\x01" + "\x02\xfe\x01\x01" + "\x01\xc8\x01\x03" + "\x01\x09" + "\x01\xc8\x01"
	data, err := Marshal(&v)
	if err != nil || string(data) != want {
		t.Errorf("%x, %v, want %x", data, err, want)
	}
	var back narrow
	if err := Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%+v, %v", back, err)
	}
	var wide wider
	if err := Unmarshal(data, &wide); err != nil || !reflect.DeepEqual(wide, wider{-128, 255, []int64{127, -1}, [3]uint16{1, 200, 3}, ptr(-5), mo.Some(100)}) {
		t.Errorf("%+v, %v", wide, err)
	}
	if again, err := Marshal(&wide); err != nil || string(again) != want {
		t.Errorf("%x, %v, want %x", again, err, want)
	}
	for n := range len(want) {
		if err := Unmarshal([]byte(want[:n]), &back); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for _, test := range []struct {
		v    wider
		path string
	}{
		{wider{I: 128}, ".I"}, {wider{I: -129}, ".I"}, {wider{U: 256}, ".U"}, {wider{S: []int64{1, math.MinInt64}}, ".S[1]"},
		{wider{A: [3]uint16{0, 0, 256}}, ".A[2]"}, {wider{P: ptr(1000)}, ".P"}, {wider{O: mo.Some(1000)}, ".O"},
	} {
		var de *DecodeError
		if err := Unmarshal(Must(Marshal(&test.v)), &back); !errors.As(err, &de) || de.Err != ErrOverflow || de.Path != test.path {
			t.Errorf("%+v: %v", test.v, err)
		}
	}
	older, newer := Must(SchemaOf[narrow]()), Must(SchemaOf[wider]())
	if p := newer.Reads(older); len(p) > 0 {
		t.Error(p)
	}
	if p := older.Reads(newer); len(p) != 6 || !strings.Contains(p[0].Reason, "it may not fit") {
		t.Error(p)
	}
	if out, err := older.AppendJSON(nil, data); err != nil || string(out) != `{"I":-128,"U":255,"S":[127,-1],"A":[1,200,3],"P":-5,"O":100}` {
		t.Errorf("%s, %v", out, err)
	}
	if err := Unmarshal([]byte("\x80\x00"), &back); !errors.Is(err, ErrNonMinimal) {
		t.Error(err)
	}
	for _, err := range []error{
		codecError[struct {
			V int16 `wire:",varint"`
		}](),
		codecError[struct {
			V []byte `wire:",varint"`
		}](),
		codecError[struct {
			V string `wire:",varint"`
		}](),
		codecError[struct {
			V bool `wire:",varint"`
		}](),
	} {
		var te *TypeError
		if !errors.As(err, &te) || te.Path != ".V" {
			t.Errorf("%v", err)
		}
	}
}
