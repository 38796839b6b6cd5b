package mo

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
)

// folded has an Equal method with a value receiver, which ignores case.
type folded string

func (f folded) Equal(other folded) bool { return strings.EqualFold(string(f), string(other)) }

// modulo has an Equal method with a pointer receiver, which compares remainders.
type modulo struct {
	n    int
	seen *int
}

func (m *modulo) Equal(other modulo) bool { return m.n%10 == other.n%10 }

// misled has an Equal method with another signature, which is not called.
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
		{name: "none", got: None[int]().Equal(None[int]()), want: true},
		{name: "none and some", got: None[int]().Equal(Some(0)), want: false},
		{name: "some and none", got: Some(0).Equal(None[int]()), want: false},
		{name: "bool", got: Some(true).Equal(Some(true)), want: true},
		{name: "int", got: Some(1).Equal(Some(2)), want: false},
		{name: "int8", got: Some(int8(1)).Equal(Some(int8(1))), want: true},
		{name: "int32", got: Some(int32(1)).Equal(Some(int32(2))), want: false},
		{name: "int64", got: Some(int64(1)).Equal(Some(int64(1))), want: true},
		{name: "uint8", got: Some(uint8(1)).Equal(Some(uint8(2))), want: false},
		{name: "uint32", got: Some(uint32(1)).Equal(Some(uint32(1))), want: true},
		{name: "uint64", got: Some(uint64(1)).Equal(Some(uint64(2))), want: false},
		{name: "float64", got: Some(0.5).Equal(Some(0.5)), want: true},
		{name: "string", got: Some("a").Equal(Some("b")), want: false},
		{name: "NaN", got: Some(nan).Equal(Some(nan)), want: false},
		{name: "NaN as float32", got: Some(float32(nan)).Equal(Some(float32(nan))), want: false},
		{name: "NaN in a struct", got: Some(f{nan}).Equal(Some(f{nan})), want: false},
		{name: "zeros of both signs", got: Some(0.0).Equal(Some(math.Copysign(0, -1))), want: true},
		{name: "struct", got: Some(flat{A: 1}).Equal(Some(flat{A: 1})), want: true},
		{name: "struct that differs inside", got: Some(flat{C: struct{ D bool }{true}}).Equal(Some(flat{})), want: false},
		{name: "struct with a pointer to an equal", got: Some(deep{one}).Equal(Some(deep{another})), want: true},
		{name: "struct with a pointer to another", got: Some(deep{one}).Equal(Some(deep{two})), want: false},
		{name: "pointers to equals", got: Some(one).Equal(Some(another)), want: true},
		{name: "nil and a pointer", got: Some[*int](nil).Equal(Some(one)), want: false},
		{name: "slices", got: Some([]int{1, 2}).Equal(Some([]int{1, 2})), want: true},
		{name: "nil and empty slices", got: Some([]int(nil)).Equal(Some([]int{})), want: false},
		{name: "maps", got: Some(map[string]int{"a": 1}).Equal(Some(map[string]int{"a": 2})), want: false},
		{name: "interfaces", got: Some(any(1)).Equal(Some(any(1))), want: true},
		{name: "interfaces of different types", got: Some(any(1)).Equal(Some(any(int8(1)))), want: false},
		{name: "interfaces that hold slices", got: Some(any([]int{1})).Equal(Some(any([]int{1}))), want: true},
		{name: "nil interfaces", got: Some(any(nil)).Equal(Some(any(nil))), want: true},
		{name: "errors", got: Some(errBoom).Equal(Some(errBoom)), want: true},
		{name: "functions", got: Some(func() {}).Equal(Some(func() {})), want: false},
		{name: "its own Equal", got: Some(folded("A")).Equal(Some(folded("a"))), want: true},
		{name: "its own Equal says no", got: Some(folded("A")).Equal(Some(folded("b"))), want: false},
		{name: "its own Equal of the pointer", got: Some(modulo{12, one}).Equal(Some(modulo{22, two})), want: true},
		{name: "its own Equal of the pointer says no", got: Some(modulo{12, nil}).Equal(Some(modulo{13, nil})), want: false},
		{name: "an Equal of another signature", got: Some(misled{1}).Equal(Some(misled{2})), want: false},
		{name: "time in two zones", got: Some(utc).Equal(Some(east)), want: true},
		{name: "time", got: Some(utc).Equal(Some(utc.Add(1))), want: false},
		{name: "option in an option", got: Some(Some(folded("A"))).Equal(Some(Some(folded("a")))), want: true},
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
		// The operands are converted to interfaces to call the Equal method.
		"time":  {2, func() { now.Equal(now) }},
		"named": {3, func() { word.Equal(word) }},
	} {
		if n := testing.AllocsPerRun(100, test.f); n > test.budget {
			t.Errorf("%s: %v allocs, budget %v", name, n, test.budget)
		}
	}
}
