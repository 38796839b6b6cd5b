package json_test

import (
	"cmp"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
)

type (
	memberItem struct {
		Name  string   `json:"name"`
		Price float64  `json:"price" default:"1.5"`
		Tags  []string `json:"tags,omitempty" default:"a,b"`
		On    bool     `json:"on" required:"false"`
	}
	memberBase struct {
		ID      int64     `json:"id" readOnly:"true"`
		Created time.Time `json:"created,omitzero"`
	}
	MemberPointer struct {
		Hidden string `json:"hidden"`
	}
	memberRoot struct {
		memberBase
		*MemberPointer
		Item  memberItem               `json:"item"`
		Items []memberItem             `json:"items"`
		Grid  [2][]int                 `json:"grid,omitempty"`
		Map   map[string]memberItem    `json:"map,omitempty"`
		Next  *memberRoot              `json:"next"`
		Note  mo.Nullable[string]      `json:"note"`
		Mail  mo.Option[string]        `json:"mail"`
		Any   any                      `json:"any"`
		Raw   json.RawMessage          `json:"raw,omitempty"`
		Need  *int                     `json:"need" required:"true"`
		Wait  time.Duration            `json:"wait" default:"10s"`
		At    time.Time                `json:"at" default:"2006-01-02T15:04:05Z"`
		Pair  mo.Option[memberItem]    `json:"pair" default:"{\"name\":\"x\"}"`
		Which mo.Either[string, int]   `json:"which,omitzero"`
		Quote int                      `json:"quote,string" default:"7"`
		Odd   string                   `json:"a-b"`
		Deep  map[string][]*memberItem `json:"deep,omitempty"`
	}
)

func membersOf(t *testing.T, text string, v any, config json.Config) []string {
	t.Helper()
	config.CheckMembers = true
	err := config.Unmarshal([]byte(text), v)
	var members *json.MembersError
	if err != nil && !errors.As(err, &members) {
		t.Fatalf("%s: %v", text, err)
	}
	var list []string
	if members != nil {
		for _, m := range members.Members {
			list = append(list, m.Path+" "+m.Detail)
		}
	}
	return list
}

const memberRest = `"items":[],"any":1,"need":1,"a-b":""`

func TestCheckMembers(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{`{"item":{"name":""},` + memberRest + `}`, nil},
		{`{}`, []string{".item is required", ".items is required", ".any is required", ".need is required", `["a-b"] is required`}},
		{`null`, []string{" must not be null"}},
		{`{"item":{},` + memberRest + `}`, []string{".item.name is required"}},
		{`{"item":null,` + memberRest + `}`, []string{".item must not be null"}},
		{`{"item":{"name":null},` + memberRest + `}`, []string{".item.name must not be null"}},
		{`{"ITEM":{"Name":"x"},` + memberRest + `}`, nil},
		{`{"item":{"name":"","on":null,"tags":null,"price":null},` + memberRest + `}`, []string{".item.on must not be null", ".item.price must not be null"}},
		{`{"item":{"name":"","tags":["a",null]},` + memberRest + `}`, []string{".item.tags[1] must not be null"}},
		{`{"id":null,"item":{"name":""},"grid":[null,[1,null]],"hidden":null,` + memberRest + `}`, []string{".grid[1][1] must not be null", ".hidden must not be null"}},
		{`{"item":{"name":""},"map":{"k":null,"l":{}},"next":null,"note":null,"mail":null,"raw":null,` + memberRest + `}`, []string{".map.k must not be null", ".map.l.name is required"}},
		{`{"item":{"name":""},"next":{"item":{"name":""},"items":[{}],"any":null,"need":null,"a-b":"x"},` + memberRest + `}`, []string{".next.items[0].name is required"}},
		{`{"item":{"name":""},"which":null,"deep":{"x y":[null,{}]},` + memberRest + `}`, []string{".which must not be null", `.deep["x y"][1].name is required`}},
	} {
		if got := membersOf(t, test.text, new(memberRoot), json.Config{}); !slices.Equal(got, test.want) {
			t.Errorf("%s\ngot  %q\nwant %q", test.text, got, test.want)
		}
		// Without CheckMembers the members are not checked.
		if err := json.Unmarshal([]byte(test.text), new(memberRoot)); err != nil && !strings.Contains(test.text, `"which"`) {
			t.Errorf("%s: %v", test.text, err)
		}
	}
}

// TestCheckMembersUnknown checks that unknown members are listed with the other faults.
func TestCheckMembersUnknown(t *testing.T) {
	got := membersOf(t, `{"x":1,"item":{"nam":"","NAME":"n"},"y z":[{"name":1}],`+memberRest+`}`, new(memberRoot), json.Config{DisallowUnknownFields: true})
	if want := []string{".x is not known", ".item.nam is not known", `["y z"] is not known`}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestCheckMembersDefaults checks that defaults are set for missing members, but not for members
// that are present or read-only.
func TestCheckMembersDefaults(t *testing.T) {
	var v memberRoot
	v.ID = 5
	text := `{"id":9,"item":{"name":"","price":0},"items":[{"name":"a"},{"name":"b","tags":[]}],"map":{"k":{"name":"c"}},"any":1,"need":1,"a-b":""}`
	if got := membersOf(t, text, &v, json.Config{}); got != nil {
		t.Fatal(got)
	}
	want := memberRoot{Wait: 10 * time.Second, At: time.Date(2006, 1, 2, 15, 4, 5, 0, time.UTC), Quote: 7, Pair: mo.Some(memberItem{Name: "x"}), Any: 1.0, Need: new(int)}
	*want.Need = 1
	want.ID = 5
	want.Item = memberItem{Tags: []string{"a", "b"}}
	want.Items = []memberItem{{Name: "a", Price: 1.5, Tags: []string{"a", "b"}}, {Name: "b", Price: 1.5, Tags: []string{}}}
	want.Map = map[string]memberItem{"k": {Name: "c", Price: 1.5, Tags: []string{"a", "b"}}}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("got  %+v\nwant %+v", v, want)
	}
	v.Items[0].Tags[0] = "changed"
	if v.Item.Tags[0] != "a" || v.Map["k"].Tags[0] != "a" {
		t.Error("defaults share memory")
	}
}

// TestCheckMembersMany decodes structs of 130 fields from texts that lack one member, and a list
// with more faults than an error can contain.
func TestCheckMembersMany(t *testing.T) {
	fields := make([]reflect.StructField, 130)
	for i := range fields {
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int]()}
	}
	typ := reflect.StructOf(fields)
	for _, without := range []int{0, 63, 64, 127, 128, 129} {
		var parts []string
		for i := range fields {
			if i != without {
				parts = append(parts, fmt.Sprintf(`"F%d":%d`, i, i))
			}
		}
		got := membersOf(t, "{"+strings.Join(parts, ",")+"}", reflect.New(typ).Interface(), json.Config{})
		if want := []string{fmt.Sprintf(".F%d is required", without)}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	got := membersOf(t, "["+strings.Repeat("{},", 1000)+"{}]", new([]memberItem), json.Config{})
	if len(got) != 100 || got[99] != "[99].name is required" {
		t.Errorf("%d faults, the last %q", len(got), got[len(got)-1])
	}
	// Without CheckMembers no index is built for a text with so many short values.
	dense := "[" + strings.Repeat("{},", 3<<20) + "{}]"
	if got := membersOf(t, dense, new([]memberItem), json.Config{}); len(got) != 100 || got[0] != "[0].name is required" {
		t.Errorf("dense: %d faults", len(got))
	}
}

// TestCheckMembersStream decodes a stream of three values, of which the second lacks a member. Only
// the second call of Decode must return an error.
func TestCheckMembersStream(t *testing.T) {
	d := json.Config{CheckMembers: true}.NewDecoder(strings.NewReader(` {"name":"a"} {"price":2} {"name":"c"}`))
	var got []string
	for range 3 {
		var v memberItem
		got = append(got, fmt.Sprint(d.Decode(&v), v.Name))
	}
	if want := []string{"<nil>a", "json: .name is required", "<nil>c"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// expectedMembers is a simple implementation of the check. It examines the value that encoding/json
// decodes from the text.
func expectedMembers(s *shape.Shape, v any, path string, unknown bool) (list []string) {
	if v == nil {
		if !s.TakesNull() {
			list = append(list, path+" must not be null")
		}
		return list
	}
	for s.Held() != nil {
		s = s.Held()
	}
	switch v := v.(type) {
	case []any:
		if s.Kind == shape.Array && len(v) != s.Len {
			list = append(list, fmt.Sprintf("%s must have %d elements", path, s.Len))
		}
		if s.Kind == shape.Slice || s.Kind == shape.Array {
			for i, e := range v {
				if s.Kind == shape.Slice || i < s.Len {
					list = append(list, expectedMembers(s.Elem, e, fmt.Sprintf("%s[%d]", path, i), unknown)...)
				}
			}
		}
	case map[string]any:
		step := func(name string) string {
			if len(name) > 64 {
				name = strings.ToValidUTF8(name[:32], "") + "…" + strings.ToValidUTF8(name[len(name)-32:], "")
			}
			for i, r := range name {
				if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
					return fmt.Sprintf("[%q]", name)
				}
			}
			if name == "" {
				return `[""]`
			}
			return "." + name
		}
		if s.Kind == shape.Map {
			for k, e := range v {
				list = append(list, expectedMembers(s.Elem, e, path+step(k), unknown)...)
			}
			return list
		}
		if s.Kind != shape.Struct || s.Union != nil {
			return nil
		}
		members := s.Object().Members
		for i := range members {
			m := &members[i]
			found := false
			for k, e := range v {
				if k == m.Name || strings.EqualFold(k, m.Name) && !slices.ContainsFunc(members, func(m shape.Member) bool { return m.Name == k }) {
					found = true
					if !m.Field.ReadOnly() {
						list = append(list, expectedMembers(m.Field.Shape, e, path+step(k), unknown)...)
					}
				}
			}
			if !found && !m.Field.ReadOnly() && m.Required() {
				list = append(list, path+step(m.Name)+" is required")
			}
		}
		for k := range v {
			if unknown && !slices.ContainsFunc(members, func(m shape.Member) bool { return strings.EqualFold(m.Name, k) }) {
				list = append(list, path+step(k)+" is not known")
			}
		}
	}
	return list
}

func FuzzMembers(f *testing.F) {
	for _, seed := range []string{
		`{"item":{"name":""},` + memberRest + `}`, `{}`, `null`, `[null]`, `{"next":{"next":{"items":[{},null]}}}`,
		`{"map":{"a":{"price":null}},"deep":{"":[{"on":null}]},"grid":[[null],null,[1]],"x":{"y":null},"hidden":1}`,
	} {
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, unknown bool) {
		var v any
		// The simple implementation does not support repeated names, names in another case and
		// invalid UTF-8. Errors omit a part of paths of more than a kilobyte.
		if len(text) > 1000 || stdjson.Unmarshal(text, &v) != nil || !jsontext.Value(strings.ToLower(string(text))).IsValid() {
			return
		}
		err := json.Config{CheckMembers: true, DisallowUnknownFields: unknown}.Unmarshal(text, new(memberRoot))
		var members *json.MembersError
		if err != nil && !errors.As(err, &members) {
			return
		}
		var got []string
		if members != nil {
			for _, m := range members.Members {
				got = append(got, m.Path+" "+m.Detail)
			}
		}
		want := expectedMembers(shape.For[memberRoot](), v, "", unknown)
		slices.SortFunc(got, cmp.Compare[string])
		slices.SortFunc(want, cmp.Compare[string])
		if len(want) > 100 && len(got) == 100 {
			return
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s\ngot  %q\nwant %q", text, got, want)
		}
	})
}
