package shape_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
	. "github.com/hone-go/hone/shape"
)

type pageOf[T any] struct{ Of []T }

type rawNamed json.RawMessage

// TestTypeName compares the names with constants, which are the same in every release of Go.
func TestTypeName(t *testing.T) {
	for _, test := range []struct {
		t    reflect.Type
		want string
	}{
		{reflect.TypeFor[json.RawMessage](), "json.RawMessage"},
		{reflect.TypeFor[*json.RawMessage](), "*json.RawMessage"},
		{reflect.TypeFor[[]json.RawMessage](), "[]json.RawMessage"},
		{reflect.TypeFor[[3][]json.RawMessage](), "[3][]json.RawMessage"},
		{reflect.TypeFor[map[string]json.RawMessage](), "map[string]json.RawMessage"},
		{reflect.TypeFor[map[string]*json.RawMessage](), "map[string]*json.RawMessage"},
		{reflect.TypeFor[json.Marshaler](), "json.Marshaler"},
		{reflect.TypeFor[mo.Option[json.RawMessage]](), "mo.Option[encoding/json.RawMessage]"},
		{reflect.TypeFor[pageOf[map[string][]json.RawMessage]](), "shape_test.pageOf[map[string][]encoding/json.RawMessage]"},
		{reflect.TypeFor[pageOf[pageOf[json.Unmarshaler]]](), "shape_test.pageOf[github.com/hone-go/hone/shape_test.pageOf[encoding/json.Unmarshaler]]"},
		{reflect.TypeFor[struct {
			R json.RawMessage `json:"r"`
			N int
		}](), `struct { R json.RawMessage "json:\"r\""; N int }`},
		{reflect.TypeFor[rawNamed](), "shape_test.rawNamed"},
	} {
		if got := TypeName(test.t); got != test.want {
			t.Errorf("%v: got %s, want %s", test.t, got, test.want)
		}
	}
	// The names of other types are as package reflect prints them, since existing code has their fingerprints.
	for _, of := range []reflect.Type{
		reflect.TypeFor[int](), reflect.TypeFor[[]byte](), reflect.TypeFor[map[string][4]*time.Time](), reflect.TypeFor[any](), reflect.TypeFor[error](),
		reflect.TypeFor[struct {
			a int `x:"y"`
			time.Time
		}](), reflect.TypeFor[struct{}](), reflect.TypeFor[func(int) chan<- string](), reflect.TypeFor[<-chan (<-chan int)](),
		reflect.TypeFor[pageOf[struct{ A int }]](), reflect.TypeFor[pageOf[pageOf[time.Time]]](), reflect.TypeFor[json.Number](), reflect.TypeFor[mo.Option[*[]int]](),
		reflect.TypeFor[interface{ M(json.Number) }](),
	} {
		if got := TypeName(of); got != of.String() {
			t.Errorf("%v: got %s", of, got)
		}
	}
}
