package docs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
)

type blank struct{}

func (blank) MarshalJSON() ([]byte, error) { return []byte(`""`), nil }

// TestOmitEmpty checks the table of docs/migrating/json-v2.md about omitempty, and that its options undo the
// difference.
func TestOmitEmpty(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "migrating", "json-v2.md"))
	if err != nil {
		t.Fatal(err)
	}
	zero, empty := 0, ""
	for _, test := range []struct {
		what   string
		v      any
		v1, v2 string
	}{
		{"`int` 0, and other numbers", struct {
			A int `json:"a,omitempty"`
		}{}, "omitted", "`0`"},
		{"`bool` false", struct {
			A bool `json:"a,omitempty"`
		}{}, "omitted", "`false`"},
		{"`*int` that points to 0", struct {
			A *int `json:"a,omitempty"`
		}{&zero}, "`0`", "`0`"},
		{"`*string` that points to an empty string", struct {
			A *string `json:"a,omitempty"`
		}{&empty}, "`\"\"`", "omitted"},
		{"a struct that is encoded as `{}`", struct {
			A struct {
				B string `json:"b,omitempty"`
			} `json:"a,omitempty"`
		}{}, "`{}`", "omitted"},
		{"an interface with an empty map, slice or string", struct {
			A any `json:"a,omitempty"`
		}{map[string]int{}}, "`{}`", "omitted"},
		{"a type whose method writes `\"\"` or `null`", struct {
			A blank `json:"a,omitempty"`
		}{}, "`\"\"`", "omitted"},
		{"`mo.Option` that is None", struct {
			A mo.Option[int] `json:"a,omitempty"`
		}{}, "`null`", "omitted"},
		{"`time.Time` that is zero", struct {
			A time.Time `json:"a,omitempty"`
		}{}, "`\"0001-01-01T00:00:00Z\"`", "`\"0001-01-01T00:00:00Z\"`"},
		{"an empty string, slice or map, a nil pointer", struct {
			A string         `json:"a,omitempty"`
			B []int          `json:"b,omitempty"`
			C map[string]int `json:"c,omitempty"`
			D *int           `json:"d,omitempty"`
		}{"", []int{}, map[string]int{}, nil}, "omitted", "omitted"},
	} {
		shown := func(out []byte, err error) string {
			text, err2 := strings.CutPrefix(string(out), `{"a":`)
			if err != nil {
				t.Errorf("%s: %v", test.what, err)
			}
			if !err2 {
				return "omitted"
			}
			return "`" + strings.TrimSuffix(text, "}") + "`"
		}
		old, now := shown(json.Marshal(test.v)), shown(jsonv2.Marshal(test.v))
		if old != test.v1 || now != test.v2 {
			t.Errorf("%s: %s and %s, want %s and %s", test.what, old, now, test.v1, test.v2)
		}
		if back := shown(jsonv2.Marshal(test.v, json.OmitEmptyWithLegacySemantics(true))); back != test.v1 {
			t.Errorf("%s: %s with the option", test.what, back)
		}
		if row := fmt.Sprintf("| %s | %s | %s |\n", test.what, test.v1, test.v2); !strings.Contains(string(page), row) {
			t.Errorf("the page lacks %s", row)
		}
	}
}

// TestRequiredMembers checks the code of docs/json.md about required members.
func TestRequiredMembers(t *testing.T) {
	type Order struct {
		ID   int64  `json:"id"`
		Note string `json:"note,omitempty"`
		Size int    `json:"size" default:"1"`
		Code string `json:"code" required:"false"`
		Next *int64 `json:"next"`
		Last *int64 `json:"last" required:"true"`
	}
	strict := json.Config{CheckMembers: true}
	var v Order
	var faults *json.MembersError
	if err := strict.Unmarshal([]byte(`{"id": null}`), &v); !errors.As(err, &faults) {
		t.Fatal(err)
	}
	var got []string
	for _, m := range faults.Members {
		got = append(got, m.Path+" "+m.Detail)
	}
	if want := []string{".last is required", ".id must not be null"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if err := strict.Unmarshal([]byte(`{"id": 7, "last": null}`), &v); err != nil || v.Size != 1 {
		t.Error(v, err)
	}
}
