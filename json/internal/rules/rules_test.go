package rules

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hone-go/hone/json/internal/option"
)

// TestDigits calls Digits with all pairs of bytes. The result must be the number that the two
// digits represent, or 1000 for any other pair.
func TestDigits(t *testing.T) {
	for i := range 1 << 16 {
		b := []byte{byte(i >> 8), byte(i)}
		want := 1000
		if b[0] >= '0' && b[0] <= '9' && b[1] >= '0' && b[1] <= '9' {
			want, _ = strconv.Atoi(string(b))
		}
		if got := Digits(b); got != want {
			t.Fatalf("%q: %d, want %d", b, got, want)
		}
	}
}

// TestFunctions looks up the functions that apply to a type. A function applies if its type is the
// type itself, a pointer to it, or an interface that the pointer implements.
func TestFunctions(t *testing.T) {
	f := NewFunctions(
		Function{Type: reflect.TypeFor[time.Time]()},
		Function{Type: reflect.TypeFor[*time.Time]()},
		Function{Type: reflect.TypeFor[fmt.Stringer]()},
		Function{Type: reflect.TypeFor[any]()},
	)
	for typ, want := range map[reflect.Type][]int{
		reflect.TypeFor[time.Time]():     {0, 1, 2, 3},
		reflect.TypeFor[time.Duration](): {2, 3},
		reflect.TypeFor[int]():           {3},
	} {
		if got := f.Signature().Of(typ); !slices.Equal(got, want) {
			t.Errorf("%v: functions %v, want %v", typ, got, want)
		}
	}
	if again := Join(nil, f); again.Signature() != f.Signature() {
		t.Error("two lists of the same types have different signatures, so programs would be compiled twice")
	}
	if other := NewFunctions(Function{Type: reflect.TypeFor[int]()}); other.Signature() == f.Signature() || other.Signature().Values {
		t.Error("functions for int share the signature of f, or Values is set for them")
	}
	if NewFunctions() != nil || Join(nil, nil) != nil || (*Functions)(nil).Signature().Of(reflect.TypeFor[int]()) != nil {
		t.Error("an empty list of functions is not nil, or applies to int")
	}
}

// TestModes checks that many goroutines get the same mode for equal keys.
func TestModes(t *testing.T) {
	type mode struct{ Key }
	var modes Modes[mode]
	found := make(chan [2]*mode)
	for range 8 {
		go func() {
			one := modes.Of(Key{Flags: option.StringifyNumbers}, func(k Key) *mode { return &mode{k} })
			two := modes.Of(Key{}, func(k Key) *mode { return &mode{k} })
			found <- [2]*mode{one, two}
		}()
	}
	first := <-found
	for range 7 {
		if next := <-found; next != first {
			t.Error("two goroutines got different modes for equal keys")
		}
	}
	if first[0] == first[1] || first[0].Flags != option.StringifyNumbers {
		t.Error("two different keys share a mode, or the mode has the wrong key")
	}
}

// TestNameSet adds names with and without escapes. Add must recognize names that are equal without
// their escapes.
func TestNameSet(t *testing.T) {
	var s NameSet
	for i, want := range []bool{true, false, true, false} {
		if got := s.Add([]byte([]string{`"a"`, `"\u0061"`, `"é"`, `"\u00e9"`}[i])); got != want {
			t.Errorf("name %d is new: %v", i, got)
		}
	}
	if s.AddName("a") || !s.AddName("b") {
		t.Error("AddName does not find a name that Add has added, or finds a new one")
	}
}
