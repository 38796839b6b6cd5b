package mo

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/testkit"
)

// folded is equal whatever the case, by a method of the value.
type folded string

func (f folded) Equal(other folded) bool { return strings.EqualFold(string(f), string(other)) }

// modulo is equal by its remainder, by a method of the pointer.
type modulo struct {
	n    int
	seen *int
}

func (m *modulo) Equal(other modulo) bool { return m.n%10 == other.n%10 }

// misled has a method Equal of another signature, which is not asked.
type misled struct{ n int }

func (misled) Equal(any) bool { return true }

func TestOptionEqual(t *testing.T) {
	utc := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	east := utc.In(time.FixedZone("east", 3600))
	type flat struct {
		A int
		B [2]string
		C struct{ D bool }
	}
	type deep struct{ P *int }
	one, another, two := new(int), new(int), new(int)
	*two = 2
	nan := math.NaN()
	type f struct{ F float64 }
	for _, test := range []struct {
		name string
		got  bool
		want bool
	}{
		{"none", None[int]().Equal(None[int]()), true},
		{"none and some", None[int]().Equal(Some(0)), false},
		{"some and none", Some(0).Equal(None[int]()), false},
		{"bool", Some(true).Equal(Some(true)), true},
		{"int", Some(1).Equal(Some(2)), false},
		{"int8", Some(int8(1)).Equal(Some(int8(1))), true},
		{"int32", Some(int32(1)).Equal(Some(int32(2))), false},
		{"int64", Some(int64(1)).Equal(Some(int64(1))), true},
		{"uint8", Some(uint8(1)).Equal(Some(uint8(2))), false},
		{"uint32", Some(uint32(1)).Equal(Some(uint32(1))), true},
		{"uint64", Some(uint64(1)).Equal(Some(uint64(2))), false},
		{"float64", Some(0.5).Equal(Some(0.5)), true},
		{"string", Some("a").Equal(Some("b")), false},
		{"NaN", Some(nan).Equal(Some(nan)), false},
		{"NaN as float32", Some(float32(nan)).Equal(Some(float32(nan))), false},
		{"NaN in a struct", Some(f{nan}).Equal(Some(f{nan})), false},
		{"zeros of both signs", Some(0.0).Equal(Some(math.Copysign(0, -1))), true},
		{"struct", Some(flat{A: 1}).Equal(Some(flat{A: 1})), true},
		{"struct that differs inside", Some(flat{C: struct{ D bool }{true}}).Equal(Some(flat{})), false},
		{"struct with a pointer to an equal", Some(deep{one}).Equal(Some(deep{another})), true},
		{"struct with a pointer to another", Some(deep{one}).Equal(Some(deep{two})), false},
		{"pointers to equals", Some(one).Equal(Some(another)), true},
		{"nil and a pointer", Some[*int](nil).Equal(Some(one)), false},
		{"slices", Some([]int{1, 2}).Equal(Some([]int{1, 2})), true},
		{"nil and empty slices", Some([]int(nil)).Equal(Some([]int{})), false},
		{"maps", Some(map[string]int{"a": 1}).Equal(Some(map[string]int{"a": 2})), false},
		{"interfaces", Some(any(1)).Equal(Some(any(1))), true},
		{"interfaces of different types", Some(any(1)).Equal(Some(any(int8(1)))), false},
		{"interfaces that hold slices", Some(any([]int{1})).Equal(Some(any([]int{1}))), true},
		{"nil interfaces", Some(any(nil)).Equal(Some(any(nil))), true},
		{"errors", Some(errBoom).Equal(Some(errBoom)), true},
		{"functions", Some(func() {}).Equal(Some(func() {})), false},
		{"its own Equal", Some(folded("A")).Equal(Some(folded("a"))), true},
		{"its own Equal says no", Some(folded("A")).Equal(Some(folded("b"))), false},
		{"its own Equal of the pointer", Some(modulo{12, one}).Equal(Some(modulo{22, two})), true},
		{"its own Equal of the pointer says no", Some(modulo{12, nil}).Equal(Some(modulo{13, nil})), false},
		{"an Equal of another signature", Some(misled{1}).Equal(Some(misled{2})), false},
		{"time in two zones", Some(utc).Equal(Some(east)), true},
		{"time", Some(utc).Equal(Some(utc.Add(1))), false},
		{"option in an option", Some(Some(folded("A"))).Equal(Some(Some(folded("a")))), true},
	} {
		if test.got != test.want {
			t.Errorf("%s: %v, want %v", test.name, test.got, test.want)
		}
	}
	one1, same := Some(1), PointerToOption(&[]int{1}[0])
	if one1 != same || one1 == Some(2) || None[int]() == Some(0) {
		t.Error("== does not compare presence and value")
	}
}

func TestEqualAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	now, text, word := Some(time.Now()), Some("a text"), Some(folded("a"))
	flat := Some(struct {
		A int
		B string
	}{1, "b"})
	for name, test := range map[string]struct {
		budget float64
		f      func()
	}{
		"string": {0, func() { text.Equal(text) }},
		"struct": {0, func() { flat.Equal(flat) }},
		// Boxed for the method, and copied to be.
		"time":  {2, func() { now.Equal(now) }},
		"named": {3, func() { word.Equal(word) }},
	} {
		if n := testing.AllocsPerRun(100, test.f); n > test.budget {
			t.Errorf("%s: %v allocs, budget %v", name, n, test.budget)
		}
	}
}
