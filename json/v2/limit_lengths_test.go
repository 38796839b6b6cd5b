package json

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/json/jsontext"
	"github.com/hone-go/hone/mo"
)

// TestLimitLengths decodes values that are longer than their tags allow. Exactly one element more
// than the limit must be decoded.
func TestLimitLengths(t *testing.T) {
	type limited struct {
		List  []int               `json:"list" length:"..2"`
		Names map[string]int      `json:"names" length:"..2"`
		Keys  map[int][]string    `json:"keys" length:"..2"`
		Maybe mo.Option[[]string] `json:"maybe" length:"..2"`
		To    *[]int              `json:"to" length:"..2"`
		Free  []int               `json:"free"`
	}
	const numbers = "1,2,3,4,5"
	members := func(name string) string {
		return strings.NewReplacer("a", name+"1", "b", name+"2", "c", name+"3", "d", name+"4").Replace(`{"a":V,"b":V,"c":V,"d":V}`)
	}
	text := `{"list":[` + numbers + `],"names":` + strings.ReplaceAll(members("n"), "V", "1") + `,"keys":` + strings.ReplaceAll(members(""), "V", "[]") +
		`,"maybe":["a","b","c","d"],"to":[` + numbers + `],"free":[` + numbers + `]}`
	for _, on := range []bool{true, false} {
		var v limited
		if err := Unmarshal([]byte(text), &v, LimitLengths(on)); err != nil {
			t.Fatal(err)
		}
		want := []int{3, 3, 3, 3, 3, 5}
		if !on {
			want = []int{5, 4, 4, 4, 5, 5}
		}
		got := []int{len(v.List), len(v.Names), len(v.Keys), len(v.Maybe.OrElse(nil)), len(*v.To), len(v.Free)}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", on, got, want)
		}
		// A syntax error in the elements after the limit is reported too.
		for _, broken := range []string{
			`{"list":[1,2,3,4,{"a":1,"a":2}]}`, `{"list":[1,2,3,4,"` + "\xff" + `"]}`, `{"list":[1,2,3,4,tru]}`, `{"list":[1,2,3,4`,
			`{"names":{"a":1,"b":2,"c":3,"d":4,"b":5}}`, `{"names":{"a":1,"b":2,"c":3,"d":4,"` + "\xff" + `":5}}`, `{"names":{"a":1,"b":2,"c":3,"d":}}`,
			`{"keys":{"1":[],"2":[],"3":[],"4":[],"2":[]}}`, `{"maybe":["a","b","c","d","` + "\xff" + `"]}`,
		} {
			err := Unmarshal([]byte(broken), new(limited), LimitLengths(on))
			if s := (*jsontext.SyntacticError)(nil); on && !errors.As(err, &s) || err == nil {
				t.Errorf("%s: %v", broken, err)
			}
		}
	}
	joined := JoinOptions(RejectUnknownMembers(true), LimitLengths(true))
	if v, ok := GetOption(joined, LimitLengths); !v || !ok {
		t.Error("JoinOptions lost LimitLengths")
	}
	if v, ok := GetOption(joined, RejectUnknownMembers); !v || !ok {
		t.Error("JoinOptions lost RejectUnknownMembers, which was joined with LimitLengths")
	}
	if _, ok := GetOption(RejectUnknownMembers(true), LimitLengths); ok {
		t.Error("GetOption finds LimitLengths in options without it")
	}
	var v limited
	if err := UnmarshalDecode(jsontext.NewDecoder(strings.NewReader(text), joined), &v); err != nil || len(v.List) != 3 {
		t.Error(err, len(v.List))
	}
}

type strictItem struct {
	Name  string   `json:"name"`
	Price float64  `json:"price" default:"1.5"`
	Tags  []string `json:"tags,omitempty"`
	Own   bySelf   `json:"own,omitzero"`
}

// A bySelf has a method that decodes it as a strictItem, without checking for missing members.
type bySelf struct{ item *strictItem }

func (b *bySelf) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	b.item = new(strictItem)
	return UnmarshalDecode(d, b.item)
}

func TestCheckMembers(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`[{"name":"a"}]`, "<nil>"},
		{`[{"name":"a"},{"price":2},{"name":null,"x":1,"tags":[null]}]`, "json: [1].name is required, and 3 more"},
		{`[{"name":"a","own":{}}]`, "<nil>"},
		{`[null]`, "json: [0] must not be null"},
	} {
		var v []strictItem
		if err := Unmarshal([]byte(test.text), &v, CheckMembers(true), RejectUnknownMembers(true)); fmt.Sprint(err) != test.want {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
		if len(v) > 0 && v[0].Name != "" && v[0].Price != 1.5 {
			t.Errorf("%s: %+v", test.text, v)
		}
	}
	d := jsontext.NewDecoder(strings.NewReader(`[{"name":"a"} , {"tags":[]} ]`))
	if _, err := d.ReadToken(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for d.PeekKind() == '{' {
		got = append(got, fmt.Sprint(UnmarshalDecode(d, new(strictItem), CheckMembers(true))))
	}
	if want := []string{"<nil>", "json: .name is required"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
