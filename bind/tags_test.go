package bind_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/mo"
)

type tagged struct {
	Limit int                    `query:"limit" default:"20"`
	Tags  []string               `query:"tag" default:"a,b"`
	Wait  mo.Option[string]      `query:"wait" default:"x"`
	Token string                 `header:"X-Token" required:"true"`
	Sess  string                 `cookie:"s" required:"true"`
	Name  string                 `query:"name" required:"true"`
	Both  string                 `query:"both" header:"X-Both" required:"true"`
	Note  mo.Nullable[string]    `query:"note"`
	Size  mo.Nullable[int]       `query:"size"`
	At    mo.Nullable[time.Time] `query:"at"`
	List  mo.Nullable[[]int]     `query:"list"`
	Rest  url.Values             `query:"*"`
	Since *time.Duration         `query:"since" default:"1m"`
}

func bindTagged(query string, header http.Header, known bool) (tagged, error) {
	b, err := bind.For[tagged]()
	if err != nil {
		panic(err)
	}
	var v tagged
	err = b.Bind(&bind.Input{Query: query, Header: header, Cookies: header["Cookie"], ByTags: true, Known: known}, &v)
	return v, err
}

func TestByTags(t *testing.T) {
	minute := time.Minute
	header := http.Header{"X-Token": {"t"}, "Cookie": {"s=1"}}
	got, err := bindTagged("name=n&note=null&size=&at=null&list=[1,2]&x=1&y=2&x=%33&LIMIT=3", header, true)
	want := tagged{
		Limit: 3, Tags: []string{"a", "b"}, Wait: mo.Some("x"), Token: "t", Sess: "1", Name: "n",
		Note: mo.Null[string](), Size: mo.Null[int](), At: mo.Null[time.Time](), List: mo.Value([]int{1, 2}),
		Rest: url.Values{"x": {"1", "3"}, "y": {"2"}}, Since: &minute,
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
	}
	if got, err = bindTagged("name=n&tag=c&limit=0&note=&size=5&at=2006-01-02T15:04:05Z&wait=y&since=2s", header, true); err != nil ||
		got.Limit != 0 || len(got.Tags) != 1 || got.Note != mo.Value("") || got.Size != mo.Value(5) || !got.At.IsPresent() || got.Wait != mo.Some("y") || *got.Since != 2*time.Second {
		t.Errorf("%v: %+v", err, got)
	}
	_, err = bindTagged("", nil, true)
	if want := `bind: query "name": is required; bind: header "X-Token": is required; bind: cookie "s": is required`; fmt.Sprint(err) != want || !errors.Is(err, bind.ErrRequired) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	// Without ByTags the tags have no effect.
	var plain tagged
	if err := bind.Query("name=n", &plain); err != nil || plain.Limit != 0 || plain.Tags != nil {
		t.Errorf("%v: %+v", err, plain)
	}
}

func TestKnown(t *testing.T) {
	type in struct {
		A string `query:"a"`
		F string `form:"f" required:"true"`
	}
	b, err := bind.For[in]()
	if err != nil {
		t.Fatal(err)
	}
	var v in
	err = b.Bind(&bind.Input{Query: "a=1&b=2&%63=3&&=4", Form: "f=1&g=2;", ByTags: true, Known: true}, &v)
	if want := `bind: query "b": is not known; bind: query "c": is not known; bind: query: is not known; bind: form "g": semicolon in a parameter`; fmt.Sprint(err) != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	err = b.Bind(&bind.Input{Values: map[string][]string{"F": {"x"}, "h": {"y"}}, ByTags: true, Known: true}, &v)
	if want := `bind: form "h": is not known`; fmt.Sprint(err) != want || v.F != "x" {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if _, err := bind.For[struct {
		N int `query:"n" default:"many"`
	}](); err == nil {
		t.Error("a default that does not fit")
	}
}
