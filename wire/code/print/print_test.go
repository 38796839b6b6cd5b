package print_test

import (
	"strings"
	"testing"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/code/print"
)

// Each type contains the type before it twice, so that the last one has 1,024 numbers.
type (
	double1  struct{ A, B int }
	double2  struct{ A, B double1 }
	double3  struct{ A, B double2 }
	double4  struct{ A, B double3 }
	double5  struct{ A, B double4 }
	double6  struct{ A, B double5 }
	double7  struct{ A, B double6 }
	double8  struct{ A, B double7 }
	double9  struct{ A, B double8 }
	double10 struct{ A, B double9 }
)

// TestSize checks that nested structs do not double the code at each level.
func TestSize(t *testing.T) {
	source, err := print.File(print.Options{Package: "p"}, print.Of[double10](wire.For[double10]()))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), "\n"); n > 60 {
		t.Errorf("the code for two structs that are too large for their outer struct has %d lines:\n%s", n, source)
	}
	if source, err = print.File(print.Options{Package: "p"}, print.Of[double6](wire.For[double6]())); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), "code.PutUint("); n != 64 {
		t.Errorf("%d of 64 numbers are printed in place", n)
	}
}

// TestNames prints a file for a package that already declares the names that the printer would
// choose. The printer must choose other names. It refuses a type whose name it cannot avoid.
func TestNames(t *testing.T) {
	o := print.Options{Package: "p", Taken: []string{"code", "putDouble1", "getDouble1_2"}}
	source, err := print.File(o, print.Of[double1](wire.For[double1]()))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"\tcode2 \"github.com/hone-go/hone/wire/code\"\n",
		"func (*double1) HoneWire() code2.Codec {",
		"func putDouble1_3(e *code2.Encoder, t *code2.Table, n int, v *double1) int {",
	} {
		if !strings.Contains(string(source), line) {
			t.Errorf("the file lacks %q:\n%s", line, source)
		}
	}
	type v struct{ N int }
	if _, err := print.File(o, print.Of[v](wire.For[v]())); err == nil || !strings.Contains(err.Error(), "cannot name the type") {
		t.Errorf("a type called v: %v", err)
	}
}

// TestRefused requests code for types that cannot have any. File returns an error for them, but
// with the option Lenient it leaves them out.
func TestRefused(t *testing.T) {
	types := map[string]print.Type{
		"wire: cannot encode chan int":                                      print.Of[chan int](wire.For[chan int]()),
		"no code can be generated for []int: it is not a named struct type": print.Of[[]int](wire.For[[]int]()),
	}
	for want, typ := range types {
		if _, err := print.File(print.Options{Package: "p"}, typ); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
		source, err := print.File(print.Options{Package: "p", Lenient: true}, typ, print.Of[double1](wire.For[double1]()))
		if err != nil || strings.Count(string(source), "HoneWire() ") != 1 {
			t.Errorf("with Lenient: %v\n%s", err, source)
		}
	}
}
