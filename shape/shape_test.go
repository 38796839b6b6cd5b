//lint:file-ignore U1000 the tests need fields that no engine touches

package shape_test

import (
	"reflect"
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
		t.Error("the recursive type does not refer to its own shape")
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
			t.Error("two shapes for one type")
		}
	}
}
