package sql

import (
	"database/sql"
	stdjson "encoding/json"
	"testing"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

type patch struct {
	Name mo.Nullable[string] `json:"name,omitzero" query:"name"`
	Age  mo.Nullable[int]    `json:"age,omitzero" query:"age"`
}

// TestNullable encodes and decodes each state of a field of a PATCH body: absent, null, a zero value and
// another value. JSON, the wire format and queries distinguish the four states. In a SQL column absent
// and null are both NULL.
func TestNullable(t *testing.T) {
	for _, test := range []struct {
		name, json, query string
		want              patch
	}{
		{"absent", `{}`, ``, patch{}},
		{"null", `{"name":null,"age":null}`, `name=null&age=null`, patch{mo.Null[string](), mo.Null[int]()}},
		{"zero", `{"name":"","age":0}`, `name=&age=0`, patch{mo.Value(""), mo.Value(0)}},
		{"value", `{"name":"ada","age":36}`, `name=ada&age=36`, patch{mo.Value("ada"), mo.Value(36)}},
		{"one of them", `{"age":36}`, `age=36`, patch{Age: mo.Value(36)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for name, codec := range map[string]struct {
				marshal   func(any) ([]byte, error)
				unmarshal func([]byte, any) error
			}{"hone/json": {json.Marshal, json.Unmarshal}, "encoding/json": {stdjson.Marshal, stdjson.Unmarshal}} {
				data, err := codec.marshal(test.want)
				if err != nil || string(data) != test.json {
					t.Errorf("%s: %s, %v; want %s", name, data, err, test.json)
				}
				var got patch
				if err := codec.unmarshal([]byte(test.json), &got); err != nil || got != test.want {
					t.Errorf("%s from %s: %v, %v", name, test.json, got, err)
				}
			}

			data, err := wire.Marshal(&test.want)
			if err != nil {
				t.Fatal(err)
			}
			got := patch{mo.Value("old"), mo.Value(-1)}
			if err := wire.Unmarshal(data, &got); err != nil || got != test.want {
				t.Errorf("wire: %v, %v", got, err)
			}

			got = patch{}
			if err := bind.Query(test.query, &got); err != nil || got != test.want {
				t.Errorf("bind from %q: %v, %v", test.query, got, err)
			}
		})
	}
	onEach(t, func(t *testing.T, d database, c *sql.Conn) {
		d.table(t, c, "hone_patch", "v "+d.types["varchar"])
		for _, test := range []struct{ in, want mo.Nullable[string] }{
			{mo.Absent[string](), mo.Null[string]()},
			{mo.Null[string](), mo.Null[string]()},
			{mo.Value(""), mo.Value("")},
			{mo.Value("ada"), mo.Value("ada")},
		} {
			if _, err := c.ExecContext(t.Context(), "INSERT INTO hone_patch (v) VALUES ("+d.parameter+")", test.in); err != nil {
				t.Fatal(err)
			}
			var got mo.Nullable[string]
			if err := c.QueryRowContext(t.Context(), "SELECT v FROM hone_patch").Scan(&got); err != nil || got != test.want {
				t.Errorf("%v was read back as %v, %v; want %v", test.in, got, err, test.want)
			}
			if _, err := c.ExecContext(t.Context(), "DELETE FROM hone_patch"); err != nil {
				t.Fatal(err)
			}
		}
	})
}
