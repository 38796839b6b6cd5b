package json

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// omittable are types of fields that may be omitted, each with a value that is not omitted. The
// encoder tests them in different ways: it reads a word or a byte of the field, or calls a
// function.
var omittable = []struct {
	tag   string
	value any
}{
	{"omitempty", "s"}, {"omitempty", 1}, {"omitempty", uint(2)}, {"omitempty", ptr(0)}, {"omitempty", []int{3}},
	{"omitempty", true}, {"omitempty", int8(-4)}, {"omitempty", uint8(5)},
	{"omitempty", int16(6)}, {"omitempty", uint32(7)}, {"omitempty", int64(8) << 32}, {"omitempty", 0.5}, {"omitempty", float32(1.5)},
	{"omitempty", map[string]int{"m": 9}}, {"omitempty", [1]int{}}, {"omitempty", [0]int{}},
	{"omitzero", "z"}, {"omitzero", 10}, {"omitzero", []int{}}, {"omitzero", time.Unix(11, 0).UTC()},
	{"omitzero", struct{ A, B int }{0, 12}}, {"omitempty,omitzero", []int{13}},
	{"", 14}, {"", "always"}, // these are never omitted
}

// TestOmitRuns encodes structs of up to eight fields that may be omitted, for all combinations of
// omitted fields. The output must be the same as with encoding/json. The fields are in the struct
// itself or in an embedded pointer.
func TestOmitRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		fields := make([]reflect.StructField, 1+r.IntN(8))
		values := make([]reflect.Value, len(fields))
		// Half of the structs have few kinds of fields, so that long runs of one kind occur.
		kinds := r.Perm(len(omittable))[:[]int{2, len(omittable)}[r.IntN(2)]]
		for i := range fields {
			o := omittable[kinds[r.IntN(len(kinds))]]
			values[i] = reflect.ValueOf(o.value)
			name := fmt.Sprintf("F%d", i)
			tag := strings.Repeat("n", r.IntN(40)) + name + "," + o.tag
			fields[i] = reflect.StructField{Name: name, Type: values[i].Type(), Tag: reflect.StructTag(`json:"` + strings.TrimSuffix(tag, ",") + `"`)}
		}
		flat := reflect.StructOf(fields)
		through := reflect.StructOf([]reflect.StructField{
			{Name: "First", Type: reflect.TypeFor[int](), Tag: `json:",omitempty"`},
			{Name: "Embedded", Type: reflect.PointerTo(flat), Anonymous: true},
			{Name: "Last", Type: reflect.TypeFor[string](), Tag: `json:",omitempty"`},
		})
		for set := range 1 << len(fields) {
			v := reflect.New(flat)
			for i := range fields {
				if set>>i&1 != 0 {
					v.Elem().Field(i).Set(values[i])
				}
			}
			sameEncoding(t, v.Interface())
			sameEncoding(t, v.Elem().Interface())
			outer := reflect.New(through).Elem()
			outer.Field(1).Set(v)
			sameEncoding(t, outer.Interface())
			outer.Field(0).SetInt(1)
			outer.Field(2).SetString("l")
			sameEncoding(t, outer.Interface())
			if t.Failed() {
				return
			}
		}
	}
}

// TestNameLengths appends names of all lengths up to 100 to slices of all capacities. Nothing may
// be written beyond the capacity, although the encoder copies names in units of 16 bytes.
func TestNameLengths(t *testing.T) {
	for n := 1; n <= 100; n++ {
		name := strings.Repeat("abcdefghij", 10)[:n]
		typ := reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[int](), Tag: reflect.StructTag(`json:"` + name + `"`)},
			{Name: "B", Type: reflect.TypeFor[*bool](), Tag: reflect.StructTag(`json:"` + name + `2"`)},
		})
		v := reflect.Zero(typ).Interface()
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		sameEncoding(t, v)
		for free := range len(want) + 40 {
			whole := []byte(strings.Repeat("x", 3+free+40))
			got, err := Append(whole[:3:3+free], v)
			if err != nil || string(got) != "xxx"+string(want) {
				t.Fatalf("Append to a slice with %d free bytes: %s, %v; want xxx%s", free, got, err, want)
			}
			if after := string(whole[3+free:]); after != strings.Repeat("x", 40) {
				t.Fatalf("Append to a slice with %d free bytes wrote beyond its capacity: %q", free, after)
			}
		}
	}
}
