package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

// FuzzSchema parses a schema. A valid schema must read its own encodings, must not change when it is
// encoded as JSON and decoded, and must decode or refuse any bytes.
func FuzzSchema(f *testing.F) {
	v := newOrder()
	data, err := wire.Marshal(&v)
	if err != nil {
		f.Fatal(err)
	}
	text, err := json.Marshal(wire.Must(wire.SchemaOf[order]()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, data)
	f.Add([]byte(`{"version":1,"type":{"kind":"ref","name":"a"},"types":{"a":{"kind":"slice","length":"uvarint","elem":{"kind":"ref","name":"a"}}}}`), []byte("\x02\x00\x00"))
	f.Add([]byte(`{"version":1,"type":{"kind":"array","count":1000000000,"elem":{"kind":"struct"}}}`), []byte{})
	f.Add([]byte(`{"version":1,"type":{"kind":"slice","length":"u64le","elem":{"kind":"skip"}}}`), []byte("\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Add([]byte(`{"version":1,"type":{"kind":"union","tag":"byte","cases":[{"id":0,"name":"x"},{"id":1,"name":"y","type":{"kind":"time"}}]}}`), []byte("\x01\x00\x00\x00"))
	f.Add([]byte(`{"version":1,"type":{"kind":"struct","evolving":true,"unknown":"Rest","fields":[{"name":"A","was":["B"],"removed":"0000","type":{"kind":"array","count":2,"elem":{"kind":"int","bits":16,"coding":"varint"}}},{"name":"C","type":{"kind":"raw","length":"uvarint","elem":{"kind":"bool"}}}]}}`), []byte("\x06\x80\x80\x08\x00\x01\x01"))
	testkit.AddCorpus(f)
	f.Fuzz(func(t *testing.T, text, data []byte) {
		s, err := parse(text)
		if err != nil {
			return
		}
		if problems := s.Reads(s); len(problems) > 0 {
			t.Fatalf("%s does not read itself: %v", text, problems)
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		back, err := parse(again)
		if err != nil || back.Fingerprint() != s.Fingerprint() {
			t.Fatalf("%s is parsed again as %s: %v", text, again, err)
		}
		out, err := s.AppendJSON([]byte("kept"), data)
		if err != nil {
			if string(out) != "kept" {
				t.Fatalf("%x by %s: %v, and yet %s", data, text, err, out)
			}
			return
		}
		if out = out[4:]; !json.Valid(out) {
			t.Fatalf("%x by %s is %s", data, text, out)
		}
		if most := 6 * (1<<20 + 1<<10*len(data)); len(out) > most {
			t.Fatalf("%d bytes by a schema of %d are %d of JSON", len(data), len(text), len(out))
		}
		got, err := s.EncodeJSON(nil, out)
		if err == nil && removes(s) { // the value of a removed field becomes zero
			data = got
			out, err = s.AppendJSON(nil, data)
			if err == nil {
				got, err = s.EncodeJSON(nil, out)
			}
		}
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%x by %s is %s, which is %x: %v", data, text, out, got, err)
		}
	})
}

// removes reports whether a struct has removed fields.
func removes(s *schema.Schema) bool { return strings.Contains(s.Canonical(), " removed") }

// FuzzEncodeJSON parses JSON by a schema. If the JSON is valid, the schema must be able to read the
// encoding, and the JSON of this encoding must be encoded to the same bytes.
func FuzzEncodeJSON(f *testing.F) {
	v := newOrder()
	s := wire.Must(wire.SchemaOf[order]())
	text, err := json.Marshal(s)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, []byte(orderJSON), wire.Must(wire.Marshal(&v)))
	f.Add([]byte(`{"version":1,"type":{"kind":"map","length":"u8","key":{"kind":"float","bits":32,"coding":"big"},"elem":{"kind":"skip","count":3}}}`), []byte(`[[0,null],["NaN",null],["NaN:7f800001","AAAB"]]`), []byte{})
	f.Add([]byte(`{"version":1,"type":{"kind":"struct","evolving":true,"fields":[{"name":"a","type":{"kind":"time"}},{"type":{"kind":"skip","count":1}}]}}`),
		[]byte(`{"a":"2024-02-29T00:00:00.5+01:00[X]","#1":null,"#unknown":"AA=="}`), []byte{})
	f.Fuzz(func(t *testing.T, schema, text, data []byte) {
		s, err := parse(schema)
		if err != nil {
			return
		}
		if out, err := s.AppendJSON(nil, data); err == nil {
			text = out
		}
		data, err = s.EncodeJSON([]byte("kept"), text)
		if err != nil {
			if string(data) != "kept" {
				t.Fatalf("%s by %s: %v, and yet %x", text, schema, err, data)
			}
			return
		}
		data = data[4:]
		out, err := s.AppendJSON(nil, data)
		if errors.Is(err, wire.ErrLimit) {
			return // the text has many values without bytes
		}
		if err != nil {
			t.Fatalf("%s by %s is %x, which is not read: %v", text, schema, data, err)
		}
		if again, err := s.EncodeJSON(nil, out); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%s by %s is %x, which is %s, which is %x: %v", text, schema, data, out, again, err)
		}
	})
}

// either has a field of each kind of union that a codec derives without registration.
type either struct {
	A mo.Either[string, int]
	B mo.Either3[int8, time.Time, []bool]
	C mo.Result[string]
	D mo.Nullable[mo.Option[int]]
	E mo.Option[mo.Option[mo.Option[int]]]
	F **int
	G map[mo.Option[int]]float32
	H map[[2]float64]complex64
}

// grown may grow further.
type grown struct {
	_ wire.Evolving
	A string
	B []float32
	C *grown
}

var moreTypes = []reflect.Type{
	reflect.TypeFor[either](), reflect.TypeFor[grown](), reflect.TypeFor[big.Int](), reflect.TypeFor[*big.Int](), reflect.TypeFor[netip.Addr](),
	reflect.TypeFor[complex64](), reflect.TypeFor[map[bool]float64](), reflect.TypeFor[map[float32]struct{}](), reflect.TypeFor[map[time.Time]int](),
}

// FuzzTypes makes a type and a value of it from a seed. The encoding of the value is read without the
// type, as JSON and as a value, and both must be encoded to the same bytes. If wire accepts a prefix or
// a corruption of the encoding, the schema must accept it too. The reverse must be true except for
// errors that need the type.
func FuzzTypes(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		typ := random.Type(r, 3, []string{"", "", `wire:"-"`}, moreTypes...)
		v := reflect.New(typ)
		random.Fill(r, v.Elem(), 4)
		c, err := wire.ForType(typ, wire.Options{Canonical: seed%3 == 0})
		if err != nil {
			t.Fatal(err)
		}
		data, err := c.Append(nil, v.Interface())
		if errors.Is(err, wire.ErrDuplicate) {
			return // two times that are the same instant
		}
		if err != nil {
			t.Fatal(err)
		}
		s := c.Schema()
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		check := func(data []byte) error {
			text, err := s.AppendJSON(nil, data)
			if err != nil {
				return err
			}
			if !json.Valid(text) {
				t.Fatalf("%v: %x is %s", typ, data, text)
			}
			if got, err := s.EncodeJSON(nil, text); err != nil || !bytes.Equal(got, data) {
				t.Fatalf("%v: %x is %s, which is %x: %v", typ, data, text, got, err)
			}
			value, err := s.Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := s.Encode(nil, value); err != nil || !bytes.Equal(got, data) {
				t.Fatalf("%v: %x is %v, which is %x: %v", typ, data, value, got, err)
			}
			return nil
		}
		if err := check(data); err != nil {
			t.Fatalf("%v: %x: %v", typ, data, err)
		}
		for range min(len(data), 40) {
			bad := bytes.Clone(data)
			if i := r.IntN(len(bad)); r.IntN(4) == 0 {
				bad = bad[:i]
			} else {
				bad[i] = byte(r.Uint32() >> r.IntN(8))
			}
			typed, plain := c.Unmarshal(bad, reflect.New(typ).Interface()), check(bad)
			if typed == nil && plain != nil {
				t.Fatalf("%v: wire accepts %x, the schema does not: %v", typ, bad, plain)
			}
			if typed != nil && plain == nil && !onlyTyped(typed) {
				t.Fatalf("%v: the schema accepts %x, wire does not: %v", typ, bad, typed)
			}
		}
	})
}

// onlyTyped reports whether an error of wire may be about a property that a schema does not have:
// keys that may be pointers, the methods of a type, the memory of Go values, and ints of 32 bits.
func onlyTyped(err error) bool {
	var e *wire.DecodeError
	if strconv.IntSize == 32 && errors.Is(err, wire.ErrOverflow) {
		return true
	}
	if errors.Is(err, wire.ErrDuplicate) || errors.Is(err, wire.ErrLimit) {
		return true
	}
	return errors.As(err, &e) && e.Type == reflect.TypeFor[netip.Addr]()
}

func parse(text []byte) (*schema.Schema, error) {
	s := new(schema.Schema)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, err
	}
	return s, s.Check()
}
