package union_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/union"
	"github.com/hone-go/hone/wire"
)

// TestWire encodes random values in the binary format, decodes them, and encodes them again. Both
// encodings must be the same. Several unions use the same numbers for their cases, and one codec
// contains all of them.
func TestWire(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	held := 0
	for range 2000 {
		root := roots[r.IntN(len(roots))]
		v := reflect.New(root)
		fill(r, v.Elem(), 5)
		for _, canonical := range []bool{false, true} {
			codec, err := wire.ForType(root, wire.Options{Canonical: canonical})
			if err != nil {
				t.Fatal(err)
			}
			data, err := codec.Append(nil, v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			back := reflect.New(root)
			if err := codec.Unmarshal(data, back.Interface()); err != nil {
				t.Fatalf("%v: %v", root, err)
			}
			// The format does not distinguish nil from empty slices and maps.
			want, got := noEmpty(slowEncode(v.Elem(), nil)), noEmpty(slowEncode(back.Elem(), nil))
			if got != want {
				t.Fatalf("%v\ngot  %s\nwant %s", root, got, want)
			}
			held += strings.Count(got, `"type"`)
			again, err := codec.Append(nil, back.Interface())
			if err != nil || canonical && !bytes.Equal(again, data) {
				t.Fatalf("%v: %x %x %v", root, data, again, err)
			}
			if len(data) > 0 {
				// Decoding damaged bytes may return an error or another value, but must not panic.
				data[r.IntN(len(data))] ^= byte(1 << r.IntN(8))
				_ = codec.Unmarshal(data, reflect.New(root).Interface())
			}
		}
	}
	if held < 1000 {
		t.Errorf("only %d values", held)
	}
}

// noEmpty replaces empty lists and maps in a text by null.
func noEmpty(text string) string {
	return strings.NewReplacer("[]", "null", "{}", "null").Replace(text)
}

// TestWireErrors encodes values that are not cases, and decodes a number that no case has. Each
// must be an error. The schema must list the names of the cases.
func TestWireErrors(t *testing.T) {
	if _, err := wire.Marshal(&[]Event{stranger{}}); !errors.Is(err, wire.ErrUnregistered) || !strings.Contains(err.Error(), "union_test.stranger is not a case of union_test.Event") {
		t.Errorf("%v", err)
	}
	if _, err := wire.Marshal(&[]Message{&Later{Unknown: union.Unknown{Name: "x"}}}); !errors.Is(err, wire.ErrUnregistered) {
		t.Errorf("a value with an unknown name: %v", err)
	}
	data := binary.AppendUvarint([]byte{1}, 99)
	if err := wire.Unmarshal(data, new([]Event)); !errors.Is(err, wire.ErrUnregistered) || !strings.Contains(err.Error(), "the number 99 is not a case of union_test.Event") {
		t.Errorf("%v", err)
	}
	schema, err := wire.SchemaOf[[]Shape]()
	if err != nil || schema.Check() != nil {
		t.Fatal(err, schema.Check())
	}
	var text strings.Builder
	for _, c := range schema.Resolve(schema.Resolve(schema.Type).Elem).Cases {
		text.WriteString(c.Name + " ")
	}
	if text.String() != "circle square polygon group " {
		t.Errorf("the cases of the schema: %s", text.String())
	}
}
