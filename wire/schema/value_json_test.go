package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/layout"
	"github.com/hone-go/hone/wire/schema"
)

// order has a field of every kind.
type order struct {
	ID      int64
	Small   int8
	Code    uint16 `wire:",fixed"`
	Note    string
	Raw     []byte
	Paid    bool
	Price   float32
	Phase   complex128
	Due     mo.Option[int]
	Left    *order
	Lines   []line
	By      map[string]uint8
	Odd     map[bool]string
	Pairs   map[[2]int8]bool
	At      time.Time
	Total   *big.Int
	Outcome mo.Result[int]
	State   mo.Nullable[string]
	Config  config
	Grid    [2][2]int
}

// line is a part of an order.
type line struct{ Item, Count int }

// config is an evolving struct.
type config struct {
	_     wire.Evolving
	Level int
}

func newOrder() order {
	return order{
		ID: -1 << 40, Small: -5, Code: 65535, Note: "größer \x00", Raw: []byte{1, 2}, Paid: true, Price: 1.5, Phase: 1 - 2i,
		Due: mo.Some(7), Left: &order{Total: big.NewInt(1)}, Lines: []line{{Item: 1, Count: 2}, {Item: 3}},
		By: map[string]uint8{"k": 9}, Odd: map[bool]string{true: "yes"}, Pairs: map[[2]int8]bool{{1, -1}: true},
		At:    time.Date(2024, 2, 29, 23, 59, 59, 5, time.FixedZone("X", 3600)),
		Total: big.NewInt(1 << 40), Outcome: mo.Ok(4), State: mo.Value("on"), Config: config{Level: 3},
		Grid: [2][2]int{{1, 2}, {3, 4}},
	}
}

const orderJSON = `{"ID":-1099511627776,"Small":-5,"Code":65535,"Note":"größer \u0000","Raw":"AQI=","Paid":true,"Price":1.5,"Phase":[1,-2],` +
	`"Due":7,"Left":{"ID":0,"Small":0,"Code":0,"Note":"","Raw":"","Paid":false,"Price":0,"Phase":[0,0],"Due":null,"Left":null,"Lines":[],` +
	`"By":{},"Odd":{},"Pairs":[],"At":"0001-01-01T00:00:00Z","Total":1,"Outcome":{"result":0},"State":"absent","Config":{"Level":0},"Grid":[[0,0],[0,0]]},` +
	`"Lines":[{"Item":1,"Count":2},{"Item":3,"Count":0}],"By":{"k":9},"Odd":{"true":"yes"},"Pairs":[[[1,-1],true]],` +
	`"At":"2024-02-29T23:59:59.000000005+01:00[X]","Total":1099511627776,"Outcome":{"result":4},"State":{"value":"on"},"Config":{"Level":3},"Grid":[[1,2],[3,4]]}`

func TestAppendJSON(t *testing.T) {
	v := newOrder()
	data := wire.Must(wire.Marshal(&v))
	s := wire.Must(wire.SchemaOf[order]())
	out, err := s.AppendJSON([]byte("kept"), data)
	if string(out) != "kept"+orderJSON || err != nil {
		t.Errorf("%v\ngot  %s\nwant %s", err, out, orderJSON)
	}
	if !json.Valid(out[4:]) {
		t.Error("this is not JSON")
	}
	var fault *schema.DecodeError
	if _, err := s.AppendJSON(nil, append(data, 'x')); !errors.Is(err, wire.ErrTrailing) || !errors.As(err, &fault) || fault.Offset != len(data) {
		t.Errorf("a byte too many: %v", err)
	}
}

// TestCorrupt decodes every prefix and many corruptions of an encoding with its schema. The schema must
// refuse every prefix, and must accept every corruption that package wire accepts.
func TestCorrupt(t *testing.T) {
	v := newOrder()
	data := wire.Must(wire.Marshal(&v))
	s := wire.Must(wire.SchemaOf[order]())
	for n := range data {
		var fault *schema.DecodeError
		if _, err := s.AppendJSON(nil, data[:n]); !errors.As(err, &fault) || fault.Offset > n {
			t.Errorf("%d of %d bytes: %v", n, len(data), err)
		}
	}
	for i := range data {
		for _, c := range []byte{0, 1, 2, 0x80, 0xff} {
			bad := bytes.Clone(data)
			bad[i] = c
			// A schema does not find text that a method refuses, or keys that are equal only in
			// Go. So the reader may accept more than wire.
			if wire.Unmarshal(bad, new(order)) != nil {
				continue
			}
			if _, err := s.AppendJSON(nil, bad); err != nil {
				t.Errorf("byte %d set to %#x: wire accepts it, the schema does not: %v", i, c, err)
			}
		}
	}
}

func TestAppendJSONLines(t *testing.T) {
	var stream bytes.Buffer
	e := wire.NewEncoder(&stream)
	for i := range 3 {
		if err := e.Encode(&line{Item: i, Count: -i}); err != nil {
			t.Fatal(err)
		}
	}
	s := wire.Must(wire.SchemaOf[line]())
	want := "{\"Item\":0,\"Count\":0}\n{\"Item\":1,\"Count\":-1}\n{\"Item\":2,\"Count\":-2}\n"
	if out, err := s.AppendJSONLines(nil, stream.Bytes()); string(out) != want || err != nil {
		t.Errorf("%s, %v", out, err)
	}
	var fault *schema.DecodeError
	if _, err := s.AppendJSONLines(nil, stream.Bytes()[:stream.Len()-1]); !errors.As(err, &fault) || fault.Path != "record 2" {
		t.Errorf("half a record: %v", err)
	}
}

func TestAppendJSONOfLayout(t *testing.T) {
	type pet struct {
		Name string
		Born time.Time
		Legs []uint16
	}
	pets := wire.Must(layout.New(func(l *layout.Fields, p *pet) {
		layout.Field(l, &p.Name, layout.Varchar)
		layout.Field(l, &p.Born, layout.TimeLocation)
		layout.Field(l, &p.Legs, layout.Slice(layout.LenI16BE, layout.Uint16(layout.BE)))
		l.Skip(2)
	}))
	data := wire.Must(pets.Append(nil, &pet{Name: "cat", Born: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), Legs: []uint16{1, 256}}))
	out, err := pets.Schema().AppendJSON(nil, data)
	if want := `{"Name":"cat","Born":"2020-01-02T03:04:05Z[UTC]","Legs":[1,256]}`; string(out) != want || err != nil {
		t.Errorf("%s, %v", out, err)
	}
}
