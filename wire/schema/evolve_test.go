package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

// TestCheckEvolving checks that contradictory properties of structs are refused.
func TestCheckEvolving(t *testing.T) {
	for _, test := range []struct{ fields, want string }{
		{`"unknown":"Rest"`, `"Rest" keeps unknown fields, and the struct is not evolving`},
		{`"evolving":true,"unknown":"A","fields":[{"name":"A","type":{"kind":"bool"}}]`, `"A" is both a field and the name of the unknown fields`},
		{`"fields":[{"name":"A","was":["B",""],"type":{"kind":"bool"}}]`, `field 0 has an empty former name`},
		{`"fields":[{"name":"A","removed":"0x","type":{"kind":"bool"}}]`, `the field 0: "0x" is not hexadecimal`},
		{`"fields":[{"name":"A","removed":"02","type":{"kind":"bool"}}]`, `the zero value of the removed field A, 02: byte 0: a byte that must be 0 or 1 is neither`},
		{`"fields":[{"removed":"0000","type":{"kind":"bool"}}]`, `the zero value of the removed field 0, 0000: byte 1: bytes after the end of the value`},
		{`"fields":[{"name":"A","removed":"","type":{"kind":"bool"}}]`, ``},
		{`"fields":[{"name":"A","type":{"kind":"raw","elem":{"kind":"bool"}}}]`, `no length`},
		{`"fields":[{"name":"A","type":{"kind":"raw","length":"uvarint"}}]`, `no type`},
		{`"evolving":true,"unknown":"Rest","fields":[{"was":["A"],"removed":"00","type":{"kind":"bool"}}]`, ``},
	} {
		_, err := parse([]byte(`{"version":1,"type":{"kind":"struct",` + test.fields + `}}`))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.fields, err, test.want)
		}
	}
}

// TestRemovedSchema removes a field of a struct. The schema must describe the removed field, skip
// its value, and report whether both versions read each other.
func TestRemovedSchema(t *testing.T) {
	type before struct {
		_    wire.Evolving
		Name string
		At   *struct{ X, Y int16 }
		Last bool
	}
	type after struct {
		_    wire.Evolving
		Name string                            `wire:",was=Title"`
		_    wire.Removed[*struct{ X, Y int }] `wire:",was=Point,was=At"`
		Last bool
	}
	older, newer := wire.Must(wire.SchemaOf[before]()), wire.Must(wire.SchemaOf[after]())
	fields, _ := json.Marshal(newer.Resolve(newer.Type).Fields[:2])
	if want := `[{"name":"Name","was":["Title"],"type":{"kind":"string","length":"uvarint"}},` +
		`{"name":"At","was":["Point"],"type":{"kind":"optional","elem":{"kind":"struct","fields":[` +
		`{"name":"X","type":{"kind":"int","bits":64,"coding":"varint"}},{"name":"Y","type":{"kind":"int","bits":64,"coding":"varint"}}]}},"removed":"00"}]`; string(fields) != want {
		t.Errorf("%s, want %s", fields, want)
	}
	if line, want := newer.Canonical(), `@0=struct evolving{"Name":string uvarint,"At":optional(struct{"X":int varint 64,"Y":int varint 64}) removed,"Last":bool}`; line != want {
		t.Errorf("%s, want %s", line, want)
	}
	if p := append(newer.Reads(older), older.Reads(newer)...); len(p) > 0 {
		t.Error(p)
	}
	v := before{Name: "n", Last: true}
	v.At = &struct{ X, Y int16 }{-300, 5}
	data := wire.Must(wire.Marshal(&v))
	if out, err := newer.AppendJSON(nil, data); err != nil || string(out) != `{"Name":"n","Last":true}` {
		t.Errorf("%s, %v", out, err)
	}
	// A canonical reader accepts only zero, so it does not read a version with the field.
	o := wire.Options{Canonical: true}
	older, newer = wire.Must(wire.For[before](o)).Schema(), wire.Must(wire.For[after](o)).Schema()
	if p := fmt.Sprint(newer.Reads(older)); p != "[.At was removed but is written; a canonical reader accepts only zero in its place]" {
		t.Error(p)
	}
	if p := older.Reads(newer); len(p) > 0 {
		t.Error(p)
	}
}

// TestRemovedLeaves compares versions of a struct: in some the nested struct At is removed or
// renamed, and in flat the fields of At are fields of the outer struct. Every version must read every
// other version, except flat and moved.
func TestRemovedLeaves(t *testing.T) {
	type point struct{ X, Y int32 }
	type wide struct{ X, Y int64 }
	type before struct {
		Name string
		At   wide
		Last bool
	}
	type removed struct {
		Name string
		_    wire.Removed[point] `wire:",was=At"`
		Last bool
	}
	type flat struct {
		Name string
		_    wire.Removed[int16]
		Y    int64
		Last bool
	}
	type moved struct {
		Name string
		To   wide `wire:",was=At"`
		At   bool `wire:",was=Last"`
	}
	type swapped struct {
		Name string
		To   struct{ Y, X int64 } `wire:",was=At"`
		Last bool
	}
	schemas := []*schema.Schema{
		wire.Must(wire.SchemaOf[before]()), wire.Must(wire.SchemaOf[removed]()), wire.Must(wire.SchemaOf[flat]()), wire.Must(wire.SchemaOf[moved]()),
	}
	for i, reader := range schemas {
		for j, writer := range schemas {
			if p := reader.Reads(writer); len(p) > 0 && !(i == 2 && j == 3 || i == 3 && j == 2) {
				t.Errorf("%d of %d: %v", i, j, p)
			}
		}
	}
	if p := fmt.Sprint(schemas[0].Reads(wire.Must(wire.SchemaOf[swapped]()))); !strings.Contains(p, "changed places") {
		t.Errorf("X and Y have changed places: %v", p)
	}
}
