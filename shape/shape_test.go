//lint:file-ignore U1000 fields that no engine may touch are what is tested

package shape_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
)

type (
	myTime   time.Time
	myOption mo.Option[int]
	list     struct {
		Value int
		Next  *list
		Kids  []list
	}
)

func TestKinds(t *testing.T) {
	word := shape.Int64
	if reflect.TypeFor[int]().Size() == 4 {
		word = shape.Int32
	}
	for typ, want := range map[reflect.Type]shape.Kind{
		reflect.TypeFor[bool]():                        shape.Bool,
		reflect.TypeFor[int]():                         word,
		reflect.TypeFor[int8]():                        shape.Int8,
		reflect.TypeFor[uint16]():                      shape.Uint16,
		reflect.TypeFor[uint]():                        word + 4,
		reflect.TypeFor[uintptr]():                     shape.Uintptr,
		reflect.TypeFor[float32]():                     shape.Float32,
		reflect.TypeFor[complex128]():                  shape.Complex128,
		reflect.TypeFor[time.Duration]():               shape.Int64,
		reflect.TypeFor[string]():                      shape.String,
		reflect.TypeFor[[]byte]():                      shape.Bytes,
		reflect.TypeFor[[]shape.Kind]():                shape.Bytes,
		reflect.TypeFor[[]int]():                       shape.Slice,
		reflect.TypeFor[[3]int]():                      shape.Array,
		reflect.TypeFor[time.Time]():                   shape.Time,
		reflect.TypeFor[myTime]():                      shape.Struct,
		reflect.TypeFor[mo.Option[string]]():           shape.Option,
		reflect.TypeFor[myOption]():                    shape.Struct,
		reflect.TypeFor[mo.Result[int]]():              shape.Struct,
		reflect.TypeFor[*int]():                        shape.Pointer,
		reflect.TypeFor[map[string]int]():              shape.Map,
		reflect.TypeFor[any]():                         shape.Interface,
		reflect.TypeFor[chan int]():                    shape.Chan,
		reflect.TypeFor[func()]():                      shape.Func,
		reflect.TypeFor[struct{ mo.Option[string] }](): shape.Struct,
	} {
		if got := shape.Of(typ); got.Kind != want || got.Type != typ || got.Size != typ.Size() {
			t.Errorf("%v: %v, want %v", typ, got.Kind, want)
		}
	}
}

func TestRecursive(t *testing.T) {
	s := shape.For[list]()
	if s.Fields[1].Shape.Elem != s || s.Fields[2].Shape.Elem != s {
		t.Error("a recursive type does not refer to its own shape")
	}
	o := shape.For[mo.Option[list]]()
	if o.Elem != s || o.Value == o.Present {
		t.Errorf("Option: %+v", o)
	}
}

func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	shapes := make([]*shape.Shape, 8)
	for i := range shapes {
		wg.Go(func() { shapes[i] = shape.Of(reflect.TypeFor[map[string][]struct{ L *list }]()) })
	}
	wg.Wait()
	for _, s := range shapes {
		if s != shapes[0] || s.Elem.Elem.Fields[0].Shape.Elem.Fields[1].Shape.Kind != shape.Pointer {
			t.Error("two shapes of one type")
		}
	}
}

type (
	Base struct {
		ID   int
		Name string
		note string
	}
	Other struct {
		Name  string
		Extra int `name:"extra"`
	}
	closed struct{ Open int }
	Up     struct{ *Up2 }
	Up2    struct {
		*Up
		Far int
	}
)

// TestFlatten compares with the order and choice that are written down, one
// line a field: name, offset, pointers on the way, index.
func TestFlatten(t *testing.T) {
	byTag := func(f *shape.Field) (string, bool, bool) {
		tag := f.Tag.Get("name")
		if tag != "" {
			return tag, true, tag == "-"
		}
		return f.Name, false, false
	}
	for _, test := range []struct {
		typ  reflect.Type
		want []string
	}{
		{reflect.TypeFor[Base](), []string{"ID [0]", "Name [1]"}},
		{reflect.TypeFor[struct {
			Base
			Name string
		}](), []string{"ID [0 0]", "Name [1]"}},
		{reflect.TypeFor[struct {
			Base
			Other
		}](), []string{"ID [0 0]", "extra [1 1]"}}, // Name: two at one depth, neither tagged
		{reflect.TypeFor[struct {
			*Base
			B Base `name:"base"`
		}](), []string{"ID *[0 0]", "Name *[0 1]", "base [1]"}},
		{reflect.TypeFor[struct {
			*closed
			time.Duration
			error
		}](), []string{"Open x[0 0]", "Duration [1]"}},
		{reflect.TypeFor[Up](), []string{"Far *[0 1]"}},
		{reflect.TypeFor[struct {
			A int `name:"-"`
			B int `name:"x"`
			C int `name:"x"`
		}](), nil},
		{reflect.TypeFor[struct {
			Other
			Extra int
			More  int `name:"Extra"`
		}](), []string{"Name [0 0]", "extra [0 1]", "Extra [2]"}},
	} {
		var got []string
		for _, f := range shape.Of(test.typ).Flatten(byTag) {
			hops := ""
			for _, h := range f.Through {
				hops += "*"
				if h.Closed {
					hops = strings.ReplaceAll(hops, "*", "x")
				}
			}
			got = append(got, fmt.Sprintf("%s %s%v", f.Name, hops, f.Index))
			// The offset is where package reflect finds the field.
			v := reflect.New(test.typ)
			at, typ := uintptr(0), test.typ
			for _, i := range f.Index {
				if typ.Kind() == reflect.Pointer {
					typ, at = typ.Elem(), 0
				}
				at, typ = at+typ.Field(i).Offset, typ.Field(i).Type
			}
			if at != f.Offset || typ != f.Field.Shape.Type {
				t.Errorf("%v: field %s at %d of type %v, want %d, %v", v.Type(), f.Name, f.Offset, f.Field.Shape.Type, at, typ)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v\ngot  %q\nwant %q", test.typ, got, test.want)
		}
	}
}
