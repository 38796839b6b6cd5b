package union_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/union"
)

// Interface types for the invalid declarations in these tests.
type (
	wrong1  interface{ isWrong() }
	wrong2  interface{ isWrong() }
	wrong3  interface{ isWrong() }
	bare    interface{}
	encodes interface{ MarshalJSON() ([]byte, error) }
	used    interface{ isWrong() }

	good    struct{ ID int }
	other   struct{ ID int }
	number  int
	pointer struct{ Type string }
	tagged  struct {
		Kind string `json:"TYPE"`
	}
	inner  struct{ Type int }
	embeds struct{ inner }
	named  struct{ Inner inner }
	rest   struct {
		Rest map[string]any `json:",embed"`
	}
	stamp   struct{ time.Time }
	ignores struct {
		Type string `json:"-"`
		ID   int
	}
	foreign struct{}
	kept    struct{ union.Unknown }
)

func (good) isWrong()     {}
func (other) isWrong()    {}
func (number) isWrong()   {}
func (*pointer) isWrong() {}
func (tagged) isWrong()   {}
func (embeds) isWrong()   {}
func (named) isWrong()    {}
func (rest) isWrong()     {}
func (stamp) isWrong()    {}
func (ignores) isWrong()  {}
func (kept) isWrong()     {}

// TestWrongDeclarations makes every invalid declaration. Each must panic with the listed text.
func TestWrongDeclarations(t *testing.T) {
	if err := json.Unmarshal([]byte(`null`), new([]used)); err != nil {
		t.Fatal(err)
	}
	ok := union.Case[good]("good", 1)
	for _, test := range []struct {
		declare func()
		want    string
	}{
		{func() { union.Internal[good]("type", ok) }, "union_test.good is not an interface type"},
		{func() { union.Internal[interface{ isWrong() }]("type", ok) }, "is not a named type"},
		{func() { union.Internal[bare]("type", ok) }, "has no methods, so every type would implement it; add one, such as isbare()"},
		{func() { union.Internal[encodes]("type", ok) }, "has the method MarshalJSON, so its values encode themselves"},
		{func() { union.Internal[wrong1]("", ok) }, `"" cannot be the name of the member that names the case`},
		{func() { union.Internal[wrong1]("\xff", ok) }, "cannot be the name of the member that names the case"},
		{func() { union.Adjacent[wrong1]("type", "", ok) }, `"" cannot be the name of the member that holds the case's value`},
		{func() { union.Adjacent[wrong1]("type", "Type", ok) }, `"Type" cannot be the name of the member that holds the case's value`},
		{func() { union.Internal[wrong1]("type") }, "union_test.wrong1 has no cases"},
		{func() { union.Internal[wrong1]("type", ok, union.Case[good]("again", 2)) }, "union_test.good is declared twice"},
		{func() { union.Internal[wrong1]("type", ok, union.Case[other]("good", 2)) }, `union_test.good and union_test.other have the same name "good"`},
		{func() { union.Internal[wrong1]("type", ok, union.Case[other]("other", 1)) }, "union_test.good and union_test.other have the same number 1"},
		{func() { union.Internal[wrong1]("type", union.Case[good]("good", 0)) }, "union_test.good has the number 0, which represents nil; use 1 or more"},
		{func() { union.Internal[wrong1]("type", union.Case[good]("", 1)) }, `"" cannot be the name of union_test.good`},
		{func() { union.Internal[wrong1]("type", union.Case[wrong2]("x", 1)) }, "is an interface; a case must be the concrete type of a value"},
		{func() { union.Internal[wrong1]("type", union.Case[foreign]("x", 1)) }, "union_test.foreign does not implement union_test.wrong1"},
		{func() { union.Internal[wrong1]("type", union.Case[pointer]("x", 1)) }, "union_test.pointer does not implement union_test.wrong1; *union_test.pointer does"},
		{func() { union.Internal[wrong1]("type", union.Case[*pointer]("x", 1)) }, `the field *union_test.pointer.Type can use the JSON name "type"`},
		{func() { union.Internal[wrong1]("type", union.Case[tagged]("x", 1)) }, `the field union_test.tagged.Kind can use the JSON name "type"`},
		{func() { union.Internal[wrong1]("type", union.Case[embeds]("x", 1)) }, `the field union_test.embeds.inner.Type can use the JSON name "type"`},
		{func() { union.Internal[wrong1]("type", union.Case[rest]("x", 1)) }, `the field union_test.rest.Rest can use the JSON name "type"`},
		{func() { union.Internal[wrong1]("type", union.Case[number]("x", 1)) }, "union_test.number is not a struct"},
		{func() { union.Internal[wrong1]("type", union.Case[stamp]("x", 1)) }, "union_test.stamp has the method MarshalJSON"},
		{func() { union.Internal[wrong1]("type", union.Default[good]()) }, "union_test.good does not embed union.Unknown"},
		{func() { union.Internal[used]("type", ok) }, "union_test.used was used before its cases were declared"},
	} {
		if got := panics(test.declare); !strings.Contains(got, test.want) || !strings.HasPrefix(got, "union: declare_test.go:") {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	if got := panics(func() { union.External[wrong2](ok) }); got != "" {
		t.Error(got)
	}
	if got := panics(func() { union.External[wrong2](ok) }); !strings.Contains(got, "are already declared in declare_test.go:") {
		t.Error(got)
	}
	// A field may have the name of the tag if the JSON does not contain it, or if it is in a nested
	// struct.
	u := union.Internal[wrong3]("type", union.Case[ignores]("ignores", 1), union.Case[named]("named", 2), union.Default[kept]())
	if u.String() != "union_test.wrong3: ignores, named" || u.Type().Name() != "wrong3" {
		t.Error(u)
	}
	v := wrong3(ignores{Type: "x", ID: 1})
	b, err := json.Marshal(&v)
	if want := `{"type":"ignores","ID":1}`; err != nil || string(b) != want {
		t.Errorf("%s %v, want %s", b, err, want)
	}
}

// panics returns the text with which f panics, or "".
func panics(f func()) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = fmt.Sprint(v)
		}
	}()
	f()
	return ""
}
