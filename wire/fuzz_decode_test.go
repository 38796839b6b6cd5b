package wire

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
)

// FuzzDecode feeds bytes to the default decoder. It must accept exactly the input that the oracle
// accepts, and decode the same value. Encoding this value must give as many bytes as the input has.
func FuzzDecode(f *testing.F) {
	v := full(f)
	data, err := Marshal(&v)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte{})
	f.Add([]byte{0x80, 0x00})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Add([]byte{2, 1, 1, 1, 1})
	testkit.AddCorpus(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		decodeBoth[everything](t, data)
		decodeBoth[tree](t, data)
		decodeBoth[[]tree](t, data)
		decodeBoth[map[string][]int](t, data)
		decodeBoth[map[int8]map[[2]bool]inner](t, data)
		decodeBoth[[][][]uint16](t, data)
		decodeBoth[***string](t, data)
		decodeBoth[time.Time](t, data)
		decodeBoth[struct{ X, Y []struct{} }](t, data)
		decodeBoth[[5]float32](t, data)
		decodeBoth[complex64](t, data)
	})
}

func decodeBoth[T any](t *testing.T, data []byte) {
	t.Helper()
	var fast, slow T
	err, slowErr := Unmarshal(data, &fast), slowUnmarshal(data, reflect.ValueOf(&slow).Elem())
	if errors.Is(err, ErrLimit) {
		return
	}
	if (err == nil) != (slowErr == nil) {
		t.Fatalf("Unmarshal(%x, %T): %v; the oracle: %v", data, fast, err, slowErr)
	}
	if err != nil {
		de := (*DecodeError)(nil)
		if !errors.As(err, &de) || de.Offset < 0 || de.Offset > int64(len(data)) || de.Err == nil || de.Type == nil {
			t.Fatalf("Unmarshal(%x, %T): %#v", data, fast, err)
		}
		return
	}
	again, err := Marshal(&fast)
	if err != nil {
		t.Fatal(err)
	}
	// A local time of another zone is decoded as a time of a fixed zone, and is written with the
	// name of that zone.
	_, hasTime := any(fast).(everything)
	_, isTime := any(fast).(time.Time)
	if len(again) != len(data) && !hasTime && !isTime {
		t.Fatalf("%x decodes to a %T that encodes to %x", data, fast, again)
	}
	if back := slowAppend(nil, reflect.ValueOf(&slow).Elem()); len(back) != len(again) {
		t.Fatalf("the decoder and the oracle decode %x as different values: %x, %x", data, again, back)
	}
}
