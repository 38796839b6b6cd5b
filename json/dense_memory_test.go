package json

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// TestDenseMemory decodes texts with very many short values, into structs with and without a field for
// them. It counts all allocated memory: an index that grows to four times the length of
// the text allocates five times this length in total.
func TestDenseMemory(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	byHone(t)
	type none struct{ A int }
	type refused struct{ A int } // decoding into this type in one pass fails, so later decodes do not try it
	type raw struct{ U json.RawMessage }
	type limited struct {
		A int   `json:"a"`
		L []int `json:"l" length:"..10"`
	}
	for _, part := range []string{"[],", "[[]],", "{},", `{"":0},`, "12,", `"",`, "1,", "[1],", "[0,1,0,1],"} {
		sizes := []int{100 << 10, 1 << 20}
		if testkit.IsSlow() {
			sizes = append(sizes, 4<<20)
		}
		for _, size := range sizes {
			list := "[" + strings.Repeat(part, size/len(part)) + "0]"
			text := []byte(`{"u":` + list + `,"a":1}`)
			index := uint64(max(5*len(text), 5<<19) + 64<<10)
			for _, test := range []struct {
				name   string
				most   uint64
				decode func() error
			}{
				{"a new struct", 64 << 10, func() error { return Unmarshal(text, new(none)) }},
				{"a struct that is set", index, func() error { return Unmarshal(text, &none{1}) }},
				{"a stream", index + uint64(4*len(text)), func() error { return NewDecoder(bytes.NewReader(text)).Decode(new(none)) }},
				{"members checked", index + uint64(2*len(text)), func() error { return Config{CheckMembers: true}.Unmarshal(text, new(limited)) }},
				{"members refused", index + uint64(4*len(text)), func() error {
					if err := (Config{DisallowUnknownFields: true}).Unmarshal(text, new(refused)); err == nil {
						t.Error("no error for an unknown member")
					}
					return nil
				}},
				{"text", index + uint64(7*len(text)), func() error { return Unmarshal(text, new(raw)) }},
			} {
				runtime.GC()
				runtime.GC() // the second collection frees the index that a pool keeps after the first
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err := test.decode()
				runtime.ReadMemStats(&after)
				if _, members := err.(*MembersError); err != nil && !members {
					t.Errorf("%q repeated to %d bytes, %s: %v", part, size, test.name, err)
				}
				if took := after.TotalAlloc - before.TotalAlloc; took > test.most {
					t.Errorf("%q repeated to %d bytes, %s: %d bytes of memory, more than %d", part, size, test.name, took, test.most)
				}
			}
		}
	}
}
