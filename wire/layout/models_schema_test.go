package layout

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

func ExampleModels_Schema() {
	type user struct{ Name string }
	type order struct{ ID int64 }
	models := wire.Must(NewModels(Uint8))
	if err := RegisterModel(models, 2, wire.Must(wire.For[order]())); err != nil {
		panic(err)
	}
	if err := RegisterModel(models, 1, wire.Must(wire.For[user]())); err != nil {
		panic(err)
	}
	older := wire.Must(models.Schema())
	for _, one := range older.Models {
		fmt.Println(one.ID, one.Schema.Canonical())
	}

	// A program with fewer models does not read the values of a program with more.
	fewer := wire.Must(NewModels(Uint8))
	if err := RegisterModel(fewer, 1, wire.Must(wire.For[user]())); err != nil {
		panic(err)
	}
	for _, p := range wire.Must(fewer.Schema()).Reads(older) {
		fmt.Println(p)
	}
	fmt.Println(len(older.Reads(wire.Must(fewer.Schema()))), "problems")
	// Output:
	// 1 @0=struct{"Name":string uvarint}
	// 2 @0=struct{"ID":int varint 64}
	// model 2 is written and is not read: no model has this id
	// 0 problems
}

func TestModelsSchema(t *testing.T) {
	small, wide := wire.Must(NewModels(Uint8)), wire.Must(NewModels(Uint16(LE)))
	names := wire.Must(NewModels(SmallVarchar))
	type v1 struct{ A int8 }
	type v2 struct{ A string }
	for _, err := range []error{
		RegisterModel(small, 1, wire.Must(wire.For[v1]())), RegisterModel(wide, 1, wire.Must(wire.For[v1]())), RegisterModel(names, "a\"b", wire.Must(wire.For[v2]())),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range []*schema.Models{wire.Must(small.Schema()), wire.Must(wide.Schema()), wire.Must(names.Schema())} {
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		back := new(schema.Models)
		if err := json.Unmarshal(text, back); err != nil {
			t.Fatal(err)
		}
		if err := back.Check(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if problems := m.Reads(back); len(problems) > 0 {
			t.Errorf("%s: %v", text, problems)
		}
	}
	if got := fmt.Sprint(wire.Must(small.Schema()).Reads(wire.Must(wide.Schema()))); got != "[the id is read as uint8 little and written as uint16 little]" {
		t.Error(got)
	}
	changed := wire.Must(NewModels(Uint8))
	if err := RegisterModel(changed, 1, wire.Must(wire.For[v2]())); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(wire.Must(changed.Schema()).Reads(wire.Must(small.Schema()))); !strings.HasPrefix(got, "[model 1.A is read as string uvarint and written as int8") {
		t.Error(got)
	}
	for _, bad := range []string{`{}`, `{"version":1}`, `{"version":1,"id":{"version":1}}`, `{"version":1,"id":{"version":1,"type":{"kind":"bool"}},"models":[{"id":"true"}]}`,
		`{"version":1,"id":{"version":1,"type":{"kind":"bool"}},"models":[{"id":"1","schema":{"version":1,"type":{"kind":"bool"}}}]}`,
		`{"version":1,"id":{"version":1,"type":{"kind":"bool"}},"models":[{"id":"true","schema":{"version":1,"type":{"kind":"bool"}}},{"id":"true","schema":{"version":1,"type":{"kind":"bool"}}}]}`} {
		m := new(schema.Models)
		if err := json.Unmarshal([]byte(bad), m); err != nil {
			t.Fatal(err)
		}
		if m.Check() == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
