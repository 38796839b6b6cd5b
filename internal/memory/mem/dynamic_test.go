package mem_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/memory/mem"
)

type pair struct{ A, B int64 }

func (p pair) String() string { return fmt.Sprint(p.A, "+", p.B) }

type reference struct{ p *pair }

func (r reference) String() string { return r.p.String() }

// TestDynamic sets interfaces with a method to values of types that an interface stores in its data
// word, and of types that it does not.
func TestDynamic(t *testing.T) {
	in := reflect.TypeFor[fmt.Stringer]()
	var v struct {
		Before int64
		S      fmt.Stringer
		After  int64
	}
	off := reflect.TypeOf(v).Field(1).Offset
	set := func(typ reflect.Type, fill func(mem.Pointer)) {
		d := mem.DynamicOf(in, typ)
		at := d.New()
		fill(at)
		d.Set(mem.Of(&v), off, at)
		if v.Before != 0 || v.After != 0 {
			t.Fatalf("%v: another field changed: %+v", typ, v)
		}
	}
	fill := func(at mem.Pointer) { *mem.At[pair](at, 0) = pair{1, 2} }
	for _, typ := range []reflect.Type{reflect.TypeFor[pair](), reflect.TypeFor[*pair]()} {
		set(typ, fill)
		if reflect.TypeOf(v.S) != typ || v.S.String() != "1+2" {
			t.Errorf("%v: %#v", typ, v.S)
		}
	}
	set(reflect.TypeFor[reference](), func(at mem.Pointer) { *mem.At[reference](at, 0) = reference{&pair{3, 4}} })
	if r, ok := v.S.(reference); !ok || r.String() != "3+4" {
		t.Errorf("%#v", v.S)
	}
}

func TestTypeID(t *testing.T) {
	seen := map[uintptr]reflect.Type{}
	for _, typ := range []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[*int](), reflect.TypeFor[pair](), reflect.TypeFor[[]pair]()} {
		id := mem.TypeID(typ)
		if other := seen[id]; other != nil {
			t.Errorf("%v has the number of %v", typ, other)
		}
		if again := mem.TypeID(reflect.Zero(typ).Type()); again != id {
			t.Errorf("%v has the numbers %d and %d", typ, id, again)
		}
		seen[id] = typ
	}
}

// TestErased calls a function through a type that has an address in the place of a pointer.
func TestErased(t *testing.T) {
	add := mem.Erased(func(a, b int, sum string, p *pair) string { return fmt.Sprint(sum, a, b, p) })
	if got, want := add(1, 2, "", mem.Of(&pair{3, 4})), "1 2 3+4"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
