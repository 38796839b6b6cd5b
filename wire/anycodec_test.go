package wire

import (
	"errors"
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/memory/mem"
)

// marshalValue and unmarshalValue are Marshal and Unmarshal for a type that is known only when
// the test runs. v is addressable.
func marshalValue(v reflect.Value) ([]byte, error) {
	return derived(v.Type()).Append(nil, false, mem.OfPointer(v.Addr()), Limits{})
}

func unmarshalValue(data []byte, v reflect.Value) error {
	return derived(v.Type()).Unmarshal(data, false, mem.OfPointer(v.Addr()), Limits{}, false)
}

func TestAnyCodec(t *testing.T) {
	codec, err := ForType(reflect.TypeFor[tree]())
	if err != nil {
		t.Fatal(err)
	}
	v := tree{V: 1, Kids: []tree{{V: 2}}}
	data, err := codec.Append([]byte("x"), &v)
	want, _ := Marshal(&v)
	if err != nil || string(data) != "x"+string(want) {
		t.Errorf("Append = %q, %v", data, err)
	}
	var back tree
	if err := codec.Unmarshal(data[1:], &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("Unmarshal: %+v, %v", back, err)
	}
	for _, bad := range []any{nil, v, new(int), (*tree)(nil)} {
		if dst, err := codec.Append([]byte("kept"), bad); err == nil || string(dst) != "kept" {
			t.Errorf("Append of %T = %q, %v", bad, dst, err)
		}
		if err := codec.Unmarshal(data[1:], bad); err == nil {
			t.Errorf("Unmarshal into a %T: no error", bad)
		}
	}
	if err := codec.WithLimits(Limits{Depth: 1}).Unmarshal(data[1:], &back); !errors.Is(err, ErrDepth) {
		t.Errorf("past the depth limit: %v", err)
	}
	if _, err := ForType(reflect.TypeFor[chan int]()); err == nil {
		t.Error("a channel has a codec")
	}
}

func ofValue(v reflect.Value) mem.Pointer { return mem.OfPointer(v.Addr()) }
