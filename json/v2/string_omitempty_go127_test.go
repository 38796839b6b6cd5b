//go:build go1.27 && goexperiment.jsonv2

//lint:file-ignore SA5008 the tests need unusual tags

package json

import (
	"reflect"
	"testing"
)

// TestStringWithOmitempty encodes fields with the tag options string and omitempty, also of types
// that the option string does not support. The output and the errors must be the same as with the
// standard library.
func TestStringWithOmitempty(t *testing.T) {
	byHone(t)
	one := 1
	var bits []uint32
	for i := range len(flags) {
		bits = append(bits, 1<<i, 1<<31|1<<i)
	}
	for _, v := range []any{
		struct {
			V string `json:",string,omitempty"`
		}{},
		struct {
			V string `json:",string,omitempty"`
		}{"x"},
		struct {
			V []int `json:",string,omitempty"`
		}{},
		struct {
			V []int `json:",string,omitempty"`
		}{[]int{}},
		struct {
			V []int `json:",string,omitempty"`
		}{[]int{1}},
		struct {
			V map[string]int `json:",string,omitempty"`
		}{},
		struct {
			V map[string]int `json:",string,omitempty"`
		}{map[string]int{"a": 1}},
		struct {
			V [0]int `json:",string,omitempty"`
		}{},
		struct {
			V [1]int `json:",string,omitempty"`
		}{},
		struct {
			V any `json:",string,omitempty"`
		}{},
		struct {
			V any `json:",string,omitempty"`
		}{1},
		struct {
			V any `json:",string,omitempty"`
		}{""},
		struct {
			V any `json:",string"`
		}{1},
		struct {
			V any `json:",string"`
		}{"x"},
		struct {
			V *string `json:",string,omitempty"`
		}{},
		struct {
			V *int `json:",string,omitempty"`
		}{&one},
		struct {
			V **int `json:",string,omitempty"`
		}{},
		struct {
			V []byte `json:",string,omitempty"`
		}{},
		struct {
			V struct{} `json:",string,omitempty"`
		}{},
		struct {
			V bool `json:",string,omitempty"`
		}{},
		struct {
			V bool `json:",string,omitzero"`
		}{},
		struct {
			V string `json:",string,omitzero"`
		}{},
		struct {
			V any `json:",string,omitzero"`
		}{},
		struct {
			V textual `json:",string,omitempty"`
		}{},
	} {
		for _, b := range append(bits, 0, 1<<31) {
			if held := reflect.ValueOf(v).Field(0); held.Kind() == reflect.Interface && !held.IsNil() && (b>>31 != 0) != (b>>25&1 != 0) {
				continue // a known difference: see docs/migrating/json-v2.md
			}
			bothWays(t, v, b)
		}
	}
}
