package wire

import (
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// FuzzEvolving decodes bytes into each version of an evolving struct, and with an oracle. The
// oracle reads the length of the struct, and then fields until the bytes of this length are used
// up. Both must accept the same input and decode the same values.
func FuzzEvolving(f *testing.F) {
	v := make5[config5](3)
	data, err := Marshal(&v)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("\x02\x03\x01a\x05\x00\x00"))
	f.Add([]byte("\x02\x05\x01a\x80\x00\x00\x00\x00"))
	testkit.AddCorpus(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		evolvesAs[config1](t, data)
		evolvesAs[config2](t, data)
		evolvesAs[config3](t, data)
		evolvesAs[config4](t, data)
		evolvesAs[config5](t, data)
	})
}

func evolvesAs[T any](t *testing.T, data []byte) {
	t.Helper()
	fast, slow := make5[T](7), enclosing[T]{}
	err := Unmarshal(data, &fast)
	ok := slowUnmarshal(data, reflect.ValueOf(&slow).Elem()) == nil
	if ok != (err == nil) {
		t.Fatalf("%T from %x: %v; the oracle accepts it: %t", fast, data, err, ok)
	}
	if ok && !reflect.DeepEqual(fast, slow) {
		t.Fatalf("%T from %x: %+v; the oracle: %+v", fast, data, fast, slow)
	}
}
