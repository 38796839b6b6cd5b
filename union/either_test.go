package union_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/union"
	"github.com/hone-go/hone/wire"
)

type (
	card struct {
		Last4 string `json:"last4"`
		Note  string `json:"note,omitempty"`
	}
	transfer struct {
		IBAN string `json:"iban"`
		Note string `json:"note,omitempty"`
	}
	nothing struct{}

	method   = mo.Either[card, transfer]
	beside   = mo.Either3[card, transfer, nothing]
	adjacent = mo.Either4[card, string, []int, *card]
	kinds    = mo.Either5[string, float64, bool, []string, card]
	shaped   = mo.Either3[card, transfer, int]
)

var (
	_ = union.External[method](union.Case[card]("card", 1), union.Case[transfer]("transfer", 2))
	_ = union.Internal[beside]("by", union.Case[card]("card", 1), union.Case[transfer]("transfer", 2), union.Case[nothing]("none", 3))
	_ = union.Adjacent[adjacent]("by", "with", union.Case[card]("card", 1), union.Case[string]("text", 2), union.Case[[]int]("list", 3), union.Case[*card]("maybe", 4))
	_ = union.Untagged[kinds]()
	_ = union.Untagged[shaped]()
)

// TestEithers encodes each case of each form, in both versions of JSON and in the binary format.
// The output must be the listed text, and must be decoded as the same value.
func TestEithers(t *testing.T) {
	visa, iban := card{Last4: "4242"}, transfer{IBAN: "DE02", Note: "n"}
	for _, test := range []struct {
		v    any
		want string
	}{
		{mo.Left[card, transfer](visa), `{"card":{"last4":"4242"}}`},
		{mo.Right[card, transfer](iban), `{"transfer":{"iban":"DE02","note":"n"}}`},
		{mo.NewEither3Arg1[card, transfer, nothing](visa), `{"by":"card","last4":"4242"}`},
		{mo.NewEither3Arg2[card, transfer, nothing](iban), `{"by":"transfer","iban":"DE02","note":"n"}`},
		{mo.NewEither3Arg3[card, transfer](nothing{}), `{"by":"none"}`},
		{mo.NewEither4Arg1[card, string, []int, *card](visa), `{"by":"card","with":{"last4":"4242"}}`},
		{mo.NewEither4Arg2[card, string, []int, *card]("x"), `{"by":"text","with":"x"}`},
		{mo.NewEither4Arg3[card, string, []int, *card]([]int{1}), `{"by":"list","with":[1]}`},
		{mo.NewEither4Arg4[card, string, []int](&visa), `{"by":"maybe","with":{"last4":"4242"}}`},
		{mo.NewEither4Arg4[card, string, []int, *card](nil), `{"by":"maybe","with":null}`},
		{mo.NewEither5Arg1[string, float64, bool, []string, card]("a<b"), `"a\u003cb"`},
		{mo.NewEither5Arg2[string, float64, bool, []string, card](-1.5), `-1.5`},
		{mo.NewEither5Arg3[string, float64, bool, []string, card](true), `true`},
		{mo.NewEither5Arg4[string, float64, bool, []string, card]([]string{"x"}), `["x"]`},
		{mo.NewEither5Arg5[string, float64, bool, []string](visa), `{"last4":"4242"}`},
		{mo.NewEither3Arg1[card, transfer, int](visa), `{"last4":"4242"}`},
		{mo.NewEither3Arg2[card, transfer, int](iban), `{"iban":"DE02","note":"n"}`},
		{mo.NewEither3Arg3[card, transfer](7), `7`},
	} {
		typ := reflect.TypeOf(test.v)
		for version, codec := range map[string]struct {
			marshal   func(any) ([]byte, error)
			unmarshal func([]byte, any) error
		}{
			"v1": {json.Marshal, json.Unmarshal},
			"v2": {func(v any) ([]byte, error) { return jsonv2.Marshal(v) }, func(b []byte, v any) error { return jsonv2.Unmarshal(b, v) }},
		} {
			// Use the value as a root, as an element, as a field, and as the value of a map, which
			// has no address.
			list := reflect.MakeSlice(reflect.SliceOf(typ), 0, 2)
			list = reflect.Append(list, reflect.ValueOf(test.v), reflect.ValueOf(test.v))
			table := reflect.MakeMap(reflect.MapOf(reflect.TypeFor[string](), typ))
			table.SetMapIndex(reflect.ValueOf("k"), reflect.ValueOf(test.v))
			want := test.want
			if version == "v2" {
				want = strings.ReplaceAll(want, `\u003c`, "<")
			}
			for _, place := range []struct {
				v    any
				want string
			}{{test.v, want}, {list.Interface(), "[" + want + "," + want + "]"}, {table.Interface(), `{"k":` + want + "}"}} {
				text, err := codec.marshal(place.v)
				if err != nil || string(text) != place.want {
					t.Errorf("%s, %T: %s %v, want %s", version, place.v, text, err, place.want)
				}
				back := reflect.New(reflect.TypeOf(place.v))
				if err := codec.unmarshal(text, back.Interface()); err != nil || !reflect.DeepEqual(back.Elem().Interface(), place.v) {
					t.Errorf("%s, %T: %+v %v, want %+v", version, place.v, back.Elem(), err, place.v)
				}
			}
		}
		place := reflect.New(typ)
		place.Elem().Set(reflect.ValueOf(test.v))
		data, err := wire.AppendAny(nil, place.Interface())
		back := reflect.New(typ)
		if err == nil {
			err = wire.UnmarshalAny(data, back.Interface())
		}
		if err != nil || !reflect.DeepEqual(back.Elem().Interface(), test.v) {
			t.Errorf("wire, %T: %v %v", test.v, back.Elem(), err)
		}
	}
}

// TestEitherTexts decodes JSON with the members in other orders, and JSON that fits no case. An
// Either must not change on error.
func TestEitherTexts(t *testing.T) {
	before := mo.NewEither3Arg3[card, transfer](nothing{})
	var b beside = before
	if err := json.Unmarshal([]byte(`{"last4":"1","by":"card","x":2}`), &b); err != nil || b.MustArg1().Last4 != "1" {
		t.Errorf("%v %v", b, err)
	}
	var s shaped
	if err := json.Unmarshal([]byte(`{"note":"x","IBAN":"2"}`), &s); err != nil || s.MustArg2().IBAN != "2" {
		t.Errorf("%v %v", s, err)
	}
	if err := jsonv2.Unmarshal([]byte(`{"note":"x","iban":"2"}`), &s); err != nil || s.MustArg2().IBAN != "2" {
		t.Errorf("%v %v", s, err)
	}
	var list kinds
	if err := json.Unmarshal([]byte(`null`), &list); err != nil || !list.IsArg4() {
		t.Errorf("%v %v", list, err)
	}
	for _, test := range []struct {
		v    any
		text string
		want string
	}{
		{new(method), `{"left":{}}`, `"left" is not a case of`},
		{new(method), `{"card":{},"transfer":{}}`, "needs an object with one member, whose name is one of card, transfer"},
		{new(method), `3`, "cannot unmarshal number"},
		{&b, `{"by":"cheque"}`, `"cheque" is not a case of mo.Either3[`},
		{&b, `{"last4":"1"}`, `needs a member "by"`},
		{&b, `{"by":"card","last4":7}`, "cannot unmarshal number"},
		{new(shaped), `{"note":"x"}`, "needs an object with the members of exactly one of its cases"},
		{new(shaped), `{"iban":"1","last4":"2"}`, "needs an object with the members of exactly one of its cases"},
		{new(shaped), `"x"`, "cannot unmarshal string"},
		{new(shaped), `[]`, "cannot unmarshal array"},
		{new(shaped), `{"iban"`, "unexpected end"},
		{new(kinds), `{"by"`, "unexpected end"},
	} {
		b = before
		err := json.Unmarshal([]byte(test.text), test.v)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
		if test.v == any(&b) && !b.IsArg3() {
			t.Errorf("%s: the Either has changed to %v", test.text, b)
		}
		if err := jsonv2.Unmarshal([]byte(test.text), test.v); err == nil {
			t.Errorf("%s: version 2 has no error", test.text)
		}
		var unknown *union.CaseError
		if strings.Contains(test.want, "case") && !errors.As(err, &unknown) {
			t.Errorf("%s: %T", test.text, err)
		}
	}
	for text, ok := range map[string]bool{
		`{"by":"card","last4":"1","by":"card"}`: false, `{"by":"card","last4":"1","x":1}`: false, `{"by":"card","last4":"1"}`: true, `{"By":"card","last4":"1"}`: false,
	} {
		if err := jsonv2.Unmarshal([]byte(text), new(beside), jsonv2.RejectUnknownMembers(true)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

type (
	own1 struct{ A, B int }
	own2 struct {
		A int
		C int `json:",omitempty"`
	}
	own4 struct {
		A int
		D int `readOnly:"true"`
	}
	both struct{}
	own3 struct {
		A    int
		Rest map[string]int `json:",embed"`
	}
)

func (both) MarshalText() ([]byte, error)               { return nil, nil }
func (*both) UnmarshalJSONFrom(*jsontext.Decoder) error { return nil }

// TestWrongEithers checks the error of every kind of invalid Either declaration.
func TestWrongEithers(t *testing.T) {
	type pair = mo.Either[own1, own2]
	one, two := union.Case[own1]("one", 1), union.Case[own2]("two", 2)
	for _, test := range []struct {
		declare func()
		want    string
	}{
		{func() { union.Untagged[wrong1]() }, "union_test.wrong1 is not an mo.Either"},
		{func() { union.Untagged[mo.Option[int]]() }, "is not an mo.Either"},
		{func() { union.External[mo.Result[int]](one) }, "is not an interface type"},
		{func() { union.External[pair](one) }, "has 2 type arguments, but 1 declared cases"},
		{func() { union.External[pair](two, one) }, "is declared as union_test.own2, but must be union_test.own1"},
		{func() { union.External[pair](one, union.Case[own2]("two", 3)) }, "numbered by their position, so it must be 2"},
		{func() { union.External[pair](one, union.Case[own2]("one", 2)) }, `have the same name "one"`},
		{func() { union.External[pair](one, union.Case[own2]("", 2)) }, "the case union_test.own2 has no name"},
		{func() { union.External[pair](one, union.Case[own2]("é", 2)) }, "use ASCII characters"},
		{func() { union.External[pair](one, union.Default[own2]()) }, "cannot hold a value with an unknown name"},
		{func() { union.Internal[pair]("", one, two) }, "cannot be the name of the member that names the case"},
		{func() { union.Internal[pair]("a", one, two) }, `can use the JSON name "a"`},
		{func() {
			union.Internal[mo.Either[own1, *own2]]("type", one, union.Case[*own2]("two", 2))
		}, "a nil *union_test.own2 is null in JSON, which cannot have"},
		{func() {
			union.Internal[mo.Either[own1, int]]("type", one, union.Case[int]("two", 2))
		}, "is not a struct"},
		{func() { union.Untagged[mo.Either[int, float32]]() }, "int and float32 are both a number in JSON"},
		{func() { union.Untagged[mo.Either[string, time.Time]]() }, "are both a string in JSON"},
		{func() { union.Untagged[mo.Either[string, []byte]]() }, "are both a string in JSON"},
		{func() { union.Untagged[mo.Either[[]int, [2]int]]() }, "are both an array in JSON"},
		{func() { union.Untagged[mo.Either[[]int, map[string]int]]() }, "are both null in JSON"},
		{func() { union.Untagged[mo.Either[string, *int]]() }, "*int can be null"},
		{func() { union.Untagged[mo.Either[string, mo.Option[int]]]() }, "can be null"},
		{func() { union.Untagged[mo.Either[string, any]]() }, "can be of any kind"},
		{func() { union.Untagged[mo.Either[string, json.RawMessage]]() }, "can be of any kind"},
		{func() { union.Untagged[mo.Either[string, method]]() }, "can be of any kind"},
		{func() { union.Untagged[mo.Either[string, chan int]]() }, "chan int cannot be encoded as JSON"},
		{func() { union.Untagged[mo.Either[own1, own4]]() }, "union_test.own4 needs a member that is always written"},
		{func() { union.Untagged[mo.Either[int, both]]() }, "the JSON of union_test.both can be of any kind"},
		{func() { union.Untagged[mo.Either[own1, map[string]int]]() }, "map[string]int can have members of any name"},
		{func() { union.Untagged[mo.Either[own1, own3]]() }, "union_test.own3 can have members of any name"},
		{func() { union.Untagged[mo.Either[own1, own2]]() }, "union_test.own2 needs a member that is always written"},
	} {
		if got := panics(test.declare); !strings.Contains(got, test.want) || !strings.HasPrefix(got, "union: either_test.go:") {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}
