//lint:file-ignore U1000,SA5008 the tests need fields that no engine touches, and unusual tags
package shape_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/shape"
)

type (
	Base struct {
		ID   int
		Name string
		note string
	}
	Other struct {
		Name  string
		Extra int `json:"extra"`
	}
	closed struct{ Open int }
	Up     struct{ *Up2 }
	Up2    struct {
		*Up
		Far int
	}
	Self struct {
		*Self
		X int `query:"x" json:"x"`
	}
	tagged struct {
		ID int `json:"id"`
	}
)

// TestMembers lists the members that each struct must have. An item of a list has the name, the
// options, the pointers in the path (x for a pointer that cannot be set) and the index of one
// member.
func TestMembers(t *testing.T) {
	for _, test := range []struct {
		name string
		of   any
		want []string
	}{
		{name: "plain", of: Base{}, want: []string{"ID [0]", "Name [1]"}},
		{name: "the least nested wins", of: struct {
			Base
			Name string
		}{}, want: []string{"ID [0 0]", "Name [1]"}},
		{name: "two at one depth, neither tagged", of: struct {
			Base
			Other
		}{}, want: []string{"ID [0 0]", "extra [1 1]"}},
		{name: "behind a pointer, and tagged", of: struct {
			*Base
			B Base `json:"base"`
		}{}, want: []string{"ID *[0 0]", "Name *[0 1]", "base [1]"}},
		{name: "not exported, or not a struct", of: struct {
			*closed
			time.Duration
			error
		}{}, want: []string{"Open x[0 0]", "Duration [1]"}},
		{name: "recursive through embedding", of: Up{}, want: []string{"Far *[0 1]"}},
		{name: "embeds itself", of: Self{}, want: []string{"x [1]"}},
		{name: "two of one name drop each other", of: reflect.Zero(reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:"-"`},
			{Name: "B", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
			{Name: "C", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
		})).Interface()},
		{name: "a tag beats a name", of: struct {
			Other
			Extra int
			More  int `json:"Extra"`
		}{}, want: []string{"Name [0 0]", "extra [0 1]", "Extra [2]"}},
		{name: "a promoted member that is hidden", of: struct {
			tagged
			ID string `json:"id"`
		}{}, want: []string{"id [1]"}},
		{name: "a dash as a name", of: struct {
			A int `json:"-,"`
		}{}, want: []string{"- [0]"}},
		{name: "odd characters in a name", of: struct {
			B int `json:"ok!#$%&()*+-./:;<=>?@[]^_{|}~ é"`
		}{}, want: []string{"ok!#$%&()*+-./:;<=>?@[]^_{|}~ é [0]"}},
		{name: "options", of: struct {
			A int   `json:",omitempty,string,nonsense"`
			B []int `json:"b,string,omitzero"`
			C *bool `json:",string"`
		}{}, want: []string{"A omitempty string [0]", "b omitzero [1]", "C string [2]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			typ := reflect.TypeOf(test.of)
			var got []string
			for _, m := range shape.Of(typ).Members() {
				line := m.Name + " "
				for _, option := range []struct {
					set  bool
					name string
				}{{m.OmitEmpty, "omitempty "}, {m.OmitZero, "omitzero "}, {m.Quoted, "string "}} {
					if option.set {
						line += option.name
					}
				}
				line += strings.Repeat("*", len(m.Through))
				if m.Closed() {
					line = strings.ReplaceAll(line, "*", "x")
				}
				got = append(got, fmt.Sprintf("%s%v", line, m.Index))
				comparePlace(t, typ, &m.Place)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("\ngot  %q\nwant %q", got, test.want)
			}
		})
	}
}

// comparePlace checks the offset, the type and the names of p against the field that package
// reflect finds.
func comparePlace(t *testing.T, typ reflect.Type, p *shape.Place) {
	t.Helper()
	at, names := uintptr(0), []string{}
	for _, i := range p.Index {
		if typ.Kind() == reflect.Pointer {
			typ, at = typ.Elem(), 0
		}
		f := typ.Field(i)
		at, typ, names = at+f.Offset, f.Type, append(names, f.Name)
	}
	if at != p.Offset || typ != p.Field.Shape.Type || !slices.Equal(names, p.Names()) {
		t.Errorf("field %s at %d of type %v, want %s at %d, %v", p.GoPath(), p.Offset, p.Field.Shape.Type, names, at, typ)
	}
}
