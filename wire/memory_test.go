package wire

import (
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

// TestMemory decodes input with length prefixes that exceed the input, and checks that the memory
// stays within the default limits.
func TestMemory(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	type node struct{ Kids []node }
	type wide struct {
		A [100]string
		M map[string]string
	}
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0x0f}
	nested := make([]byte, 2000)
	for i := range nested {
		nested[i] = 1
	}
	ones := make([]byte, 1<<16)
	copy(ones, []byte{0xf0, 0xff, 0x03})
	for name, decode := range map[string]func() error{
		"slice":   func() error { return Unmarshal(huge, new([]uint64)) },
		"structs": func() error { return Unmarshal(huge, new([]wide)) },
		"string":  func() error { return Unmarshal(huge, new(string)) },
		"map":     func() error { return Unmarshal(huge, new(map[string]int)) },
		"nested":  func() error { return Unmarshal(nested, new(node)) },
		"maps":    func() error { return Unmarshal(ones, new([]map[uint64]wide)) },
		"options": func() error { return Unmarshal(ones, new([]*wide)) },
		"empties": func() error { return Unmarshal(ones, new([][]string)) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := decode()
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(4096/8*(1<<16)); got > most {
			t.Errorf("%s: %d bytes of memory", name, got)
		}
	}
}

// TestSparse encodes and decodes, within the default limits, values that take much more memory than
// their encodings have bytes.
func TestSparse(t *testing.T) {
	options := make([]mo.Option[struct {
		A, B, C, D, E, F, G, H string
		T                      time.Time
	}], 3000)
	pointers := make([]struct{ M [40]map[int8]*[300]int64 }, 2000)
	voids := make([]struct{}, 60_000) // each counts as one byte
	nested := make([][4096]struct{ A [4096]struct{} }, 1000)
	for _, v := range []any{&options, &pointers, &voids, &nested} {
		rv := reflect.ValueOf(v).Elem()
		data, err := marshalValue(rv)
		if err != nil {
			t.Fatal(err)
		}
		back := reflect.New(rv.Type()).Elem()
		if err := unmarshalValue(data, back); err != nil || back.Len() != rv.Len() {
			t.Errorf("%d elements of %v in %d bytes: %d, %v", rv.Len(), rv.Type().Elem(), len(data), back.Len(), err)
		}
	}
}
