package print_test

import (
	"fmt"
	"image"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/json/jsoncode/print"
)

type (
	// Order refers to types of this package and of others.
	Order struct {
		ID    int
		Items []Item
		At    image.Point
		Rects map[string]image.Rectangle
		Sums  []big.Int
		Own   *self
	}
	Item struct {
		Name string
		Next *Item `json:",omitempty"`
	}
	self      struct{ N int }
	Page      [2]int
	Of[T any] struct{ V T }
)

func (self) MarshalJSON() ([]byte, error) { return []byte("1"), nil }

// TestFile checks which functions a file has, and which other encoders the generated method lists.
func TestFile(t *testing.T) {
	source, err := print.File(print.Options{Package: "p"}, print.Of[Order]())
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"func (*Order) HoneEncodeJSON() jsoncode.Encoding {",
		", appendItem),",
		", appendImage_Rectangle),",
		"func appendImage_Rectangle(e *jsoncode.Encoder, p *jsoncode.Program, dst []byte, v *image.Rectangle) []byte {",
		"	dst = jsoncode.Int(dst, int64(v.At.X))",
		"	// \"Rects\" map[string]image.Rectangle\n",
	} {
		if !strings.Contains(string(source), line) {
			t.Errorf("the file lacks %q:\n%s", line, source)
		}
	}
	// The file has no functions for big.Int and self, because their own methods encode them. The
	// function of Order encodes the fields of its image.Point itself.
	for _, line := range []string{"appendBig_Int", "appendSelf", "appendImage_Point", "func (*Item)"} {
		if strings.Contains(string(source), line) {
			t.Errorf("the file has %q:\n%s", line, source)
		}
	}
	// The engine does not decode a big.Int in one pass.
	if strings.Contains(string(source), "func decode") || strings.Contains(string(source), "HoneDecodeJSON") {
		t.Errorf("the file has a decoder of Order:\n%s", source)
	}
	// A listed type has a method of its own, so the methods of other types do not list its encoder.
	both, err := print.File(print.Options{Package: "p"}, print.Of[Order](), print.Of[Item]())
	if err != nil || strings.Contains(string(both), ", appendItem),") || !strings.Contains(string(both), "func (*Item) HoneEncodeJSON()") || !strings.Contains(string(both), "func (*Item) HoneDecodeJSON()") {
		t.Errorf("%v\n%s", err, both)
	}
}

// TestNames prints a file for a package that already declares the names that the printer would
// choose. The printer must choose other names. It refuses a type if it cannot avoid a name.
func TestNames(t *testing.T) {
	o := print.Options{Package: "p", Taken: []string{"jsoncode", "appendItem", "image"}}
	source, err := print.File(o, print.Of[Order]())
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"\tjsoncode2 \"github.com/hone-go/hone/json/jsoncode\"\n",
		"\timage2 \"image\"\n",
		"func appendItem_2(e *jsoncode2.Encoder,",
		"v *image2.Rectangle) []byte {",
	} {
		if !strings.Contains(string(source), line) {
			t.Errorf("the file lacks %q:\n%s", line, source)
		}
	}
	if _, err := print.File(print.Options{Package: "p", Taken: []string{"append"}}, print.Of[Item]()); err == nil || !strings.Contains(err.Error(), "declares append") {
		t.Errorf("a package that declares append: %v", err)
	}
	type v struct{ N int }
	if _, err := print.File(o, print.Of[v]()); err == nil || !strings.Contains(err.Error(), "cannot name the type") {
		t.Errorf("a type called v: %v", err)
	}
}

// TestRefused requests code for types for which no code can be generated. File returns an error for such
// types; with the option Lenient it leaves them out.
func TestRefused(t *testing.T) {
	for want, typ := range map[string]print.Type{
		"no code can be generated for []int: it is not a named struct type":           print.Of[[]int](),
		"no code can be generated for print_test.Page: it is not a named struct type": print.Of[Page](),
		"no code can be generated for print_test.Of[int]: it has type parameters":     print.Of[Of[int]](),
		"no code can be generated for print_test.self: its methods encode it":         print.Of[self](),
		"no code can be generated for time.Time: its methods encode it":               print.Of[time.Time](),
	} {
		if _, err := print.File(print.Options{Package: "p"}, typ); err == nil || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
		source, err := print.File(print.Options{Package: "p", Lenient: true}, typ, print.Of[Item]())
		if err != nil || strings.Count(string(source), "HoneEncodeJSON() ") != 1 {
			t.Errorf("with Lenient: %v\n%s", err, source)
		}
	}
}

type Point struct {
	X, Y int
	Name string `json:"name,omitempty"`
}

// The command "hone gen -go -json Point" prints this file.
func Example() {
	source, err := print.File(print.Options{Package: "shapes", Command: "hone gen -go -json Point"}, print.Of[Point]())
	if err != nil {
		fmt.Println(err)
	}
	_, body, _ := strings.Cut(string(source), "// appendPoint")
	fmt.Println(strings.TrimSpace("// appendPoint" + body))
	// Output:
	// // appendPoint appends the JSON of *v.
	// func appendPoint(e *jsoncode.Encoder, p *jsoncode.Program, dst []byte, v *Point) []byte {
	// 	var ok bool
	// 	// X int
	// 	dst = append(dst, `{"X":`...)
	// 	dst = jsoncode.Int(dst, int64(v.X))
	// 	// Y int
	// 	dst = append(dst, `,"Y":`...)
	// 	dst = jsoncode.Int(dst, int64(v.Y))
	// 	if v.Name != "" {
	// 		// Name string
	// 		dst = append(dst, `,"name":`...)
	// 		if dst, ok = jsoncode.String(e, dst, v.Name); !ok {
	// 			return jsoncode.Fail(e, p, 3, dst, v)
	// 		}
	// 	}
	// 	dst = append(dst, `}`...)
	// 	return dst
	// }
	//
	// // decodePoint reads the object at position i into *v.
	// func decodePoint(d *jsoncode.Decoder, o *jsoncode.Object, i int, v *Point) int {
	// 	var seen jsoncode.Seen
	// 	i = d.OpenObject(i)
	// 	// X int
	// 	if d.Name(i, 3) == `"X"` {
	// 		seen[0] |= 1 << 0
	// 		i = jsoncode.ReadInt(d, o, 0, i+3, &v.X)
	// 	}
	// 	// Y int
	// 	if d.Name(i, 3) == `"Y"` {
	// 		seen[0] |= 1 << 1
	// 		i = jsoncode.ReadInt(d, o, 1, i+3, &v.Y)
	// 	}
	// 	// Name string
	// 	if d.Name(i, 6) == `"name"` {
	// 		seen[0] |= 1 << 2
	// 		i = jsoncode.ReadString(d, o, 2, i+6, &v.Name)
	// 	}
	// 	return jsoncode.CloseObject(d, o, i, &seen, v)
	// }
}
