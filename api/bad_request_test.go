package api

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/wire"
)

// A telling value refuses every input. Its error contains information that clients must not get.
type telling struct{ _ int }

var errTelling = errors.New("secret: no row in table users")

func (*telling) UnmarshalText([]byte) error    { return errTelling }
func (*telling) UnmarshalBinary([]byte) error  { return errTelling }
func (telling) MarshalText() ([]byte, error)   { return []byte("x"), nil }
func (telling) MarshalBinary() ([]byte, error) { return []byte("x"), nil }

type tellingParam struct{ _ int }

func (*tellingParam) UnmarshalParam(string) error { return errTelling }

// In TestOwnErrorsAreNotSent methods of the program refuse each part of a request. The client
// receives the place of the fault, and only the log has the text of the error.
func TestOwnErrorsAreNotSent(t *testing.T) {
	type body struct {
		T telling `json:"t"`
	}
	type wired struct {
		Body body `body:""`
	}
	type form struct {
		F telling `form:"f"`
	}
	encoded, err := wire.Append(nil, &body{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, method, target, mediaType, body, header, field string }{
		{name: "path", method: "GET", target: "/x"}, {name: "query", method: "GET", target: "/?q=x", field: "q"},
		{name: "parameter", method: "GET", target: "/?r=x", field: "r"}, {name: "header", method: "GET", target: "/", header: "X-H", field: "X-H"},
		{name: "cookie", method: "GET", target: "/", header: "Cookie", field: "c"},
		{name: "JSON", method: "POST", target: "/json", mediaType: "application/json", body: `{"t":"x"}`},
		{name: "wire", method: "POST", target: "/json", mediaType: MediaTypeWire, body: string(encoded), field: ".t"},
		{name: "form", method: "POST", target: "/form", mediaType: "application/x-www-form-urlencoded", body: "f=x", field: "f"},
		{name: "elements", method: "POST", target: "/elements", mediaType: "application/json", body: `[{"t":"x"}]`, field: "[0]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := quiet()
			var seen error
			answered := e.HTTPErrorHandler
			e.HTTPErrorHandler = func(c *web.Context, err error) { seen = err; answered(c, err) }
			Handle(e, "GET /{$}", func(context.Context, *struct {
				Query  []telling    `query:"q"`
				Param  tellingParam `query:"r"`
				Header *telling     `header:"X-H"`
				Cookie telling      `cookie:"c"`
			}) (*struct{}, error) {
				return nil, nil
			})
			Handle(e, "GET /{p}", func(context.Context, *struct {
				P telling `path:"p"`
			}) (*struct{}, error) {
				return nil, nil
			})
			Handle(e, "POST /json", func(context.Context, *wired) (*struct{}, error) { return nil, nil })
			Handle(e, "POST /form", func(context.Context, *form) (*struct{}, error) { return nil, nil })
			Handle(e, "POST /elements", func(_ context.Context, in *struct {
				Body Elements[body] `body:""`
			}) (*struct{}, error) {
				for _, err := range in.Body {
					if err != nil {
						return nil, err
					}
				}
				return nil, nil
			})
			r := httptest.NewRequest(test.method, test.target, strings.NewReader(test.body))
			r.Header.Set("Content-Type", test.mediaType)
			if test.header != "" {
				r.Header.Set(test.header, "c=x")
			}
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			if s := w.Body.String(); w.Code != http.StatusBadRequest || strings.Contains(s, "secret") || test.field != "" && !strings.Contains(s, `"`+test.field+`"`) {
				t.Errorf("%d %s", w.Code, s)
			}
			if !errors.Is(seen, errTelling) {
				t.Errorf("the program's own error is lost: %v", seen)
			}
		})
	}
}

func TestJSONPath(t *testing.T) {
	type price struct {
		Cents int `json:"cents"`
	}
	type Base struct {
		ID    int `json:"id"`
		Notes []string
	}
	type item struct {
		*Base
		Price  mo.Option[price]  `json:"price"`
		Prices map[string]*price `json:"prices"`
		Secret price             `json:"-"`
	}
	type order struct {
		Items []item `json:"items"`
	}
	for path, want := range map[string]string{
		"":                                 "",
		".Items":                           ".items",
		".Items[3].Price":                  ".items[3].price",
		".Items[3].Price.Cents":            ".items[3].price.cents",
		".Items[3].Base.ID":                ".items[3].id",
		".Items[3].Base.Notes[0]":          ".items[3].Notes[0]",
		`.Items[3].Prices["a].\"b"].Cents`: `.items[3].prices["a].\"b"].cents`,
		".Items[3].Prices[key]":            ".items[3].prices[key]",
		".Items[3].Base":                   ".items[3]",
		".Items[3].Secret.Cents":           ".items[3]",
		".Items[3].None[1]":                ".items[3]",
		".Items[3…":                        ".items[3…",
		`.Items[3].Prices.k.Cents`:         `.items[3].prices.k.cents`,
		`.Items["`:                         `.items["`,
		".Items.Price":                     ".items",
		"[1]":                              "",
	} {
		if got := jsonPath(shape.For[order](), path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestMismatches sends JSON that does not fit the type. The client gets the path of the fault in
// terms of the JSON. The answer has no names of Go types or fields, and no values of the request.
func TestMismatches(t *testing.T) {
	type Base struct {
		ID int `json:"id"`
	}
	type inner struct{ *Base }
	type body struct {
		Base
		List   []inner                 `json:"list"`
		Map    map[string]inner        `json:"map"`
		Option mo.Option[inner]        `json:"option"`
		Either mo.Either[int, []inner] `json:"either"`
		Dots   struct{ Base }          `json:"a.b"`
		Own    ownMismatch             `json:"own"`
		Null   mo.Nullable[inner]      `json:"nullable"`
	}
	for _, test := range []struct {
		body, path string
	}{
		{body: `{"id":"x"}`, path: ".id"},
		{body: `{"id":` + strings.Repeat("9", 5000) + `}`, path: ".id"},
		{body: `{"list":[{},{"id":[]}]}`, path: ".list[1].id"},
		{body: `{"map":{"id":{"id":{}}}}`, path: ".map.id.id"},
		{body: `{"option":{"id":true}}`, path: ".option.id"},
		{body: `{"a.b":{"id":true}}`, path: `[\"a.b\"].id`},
		{body: `{"list":{}}`, path: ".list"},
		{body: `{"own":1}`, path: "-"},
		{body: `{"either":{"right":[{"id":"x"}]}}`, path: ".either.right[0].id"},
		{body: `{"nullable":{"id":"x"}}`, path: ".nullable.id"},
	} {
		for _, target := range []string{"/body", "/elements"} {
			e := quiet()
			Handle(e, "POST /body", func(context.Context, *struct {
				Body body `body:""`
			}) (*struct{}, error) {
				return nil, nil
			})
			Handle(e, "POST /elements", func(_ context.Context, in *struct {
				Body Elements[body] `body:""`
			}) (*struct{}, error) {
				for _, err := range in.Body {
					if err != nil {
						return nil, err
					}
				}
				return nil, nil
			})
			sent, want := test.body, `"name":"`+test.path+`"`
			if test.path == "-" { // a method's error has no path
				want = notOfThisKind
			}
			if target == "/elements" {
				sent, want = "["+sent+"]", strings.Replace(want, `"name":"`, `"name":"[0]`, 1)
			}
			r := httptest.NewRequest("POST", target, strings.NewReader(sent))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			s := w.Body.String()
			if w.Code != http.StatusBadRequest || !strings.Contains(s, want) {
				t.Errorf("%s %.40s: %d %s, want %s", target, sent, w.Code, s, want)
			}
			if strings.Contains(s, "Base") || strings.Contains(s, "secret") || len(s) > 500 {
				t.Errorf("%s %.40s: %.600s", target, sent, s)
			}
		}
	}
}

// An ownMismatch refuses every input, with an error of package json.
type ownMismatch struct{ _ int }

func (*ownMismatch) UnmarshalJSON([]byte) error {
	return &json.UnmarshalTypeError{Value: "value of secret", Field: "secret"}
}

// TestMismatchDetails: the detail of a fault names the kind of value that the client has to send.
func TestMismatchDetails(t *testing.T) {
	type body struct {
		Number int                   `json:"number,omitempty"`
		Bool   bool                  `json:"bool,omitempty"`
		List   []int                 `json:"list,omitempty"`
		Object struct{}              `json:"object,omitzero"`
		Time   time.Time             `json:"time,omitzero"`
		Addr   netip.Addr            `json:"addr,omitzero"`
		Option mo.Option[netip.Addr] `json:"option,omitzero"`
		Own    ownRefusal            `json:"own,omitzero"`
	}
	e := quiet()
	Handle(e, "POST /v2", func(context.Context, *body) (*struct{}, error) { return nil, nil }, Operation{JSON: []jsonv2.Options{}})
	Handle(e, "POST /v1", func(context.Context, *body) (*struct{}, error) { return nil, nil })
	for _, test := range []struct{ body, v1, v2 string }{
		{`{"number":"x"}`, "a JSON string instead of a number that fits int", ""},
		{`{"bool":1}`, "a JSON number instead of a boolean", ""},
		{`{"list":"x"}`, "a JSON string instead of an array", ""},
		{`{"object":1}`, "a JSON number instead of an object", ""},
		{`{"time":1}`, "-", "a JSON number instead of a string"},
		{`{"time":"x"}`, "-", notOfThisKind},
		{`{"addr":1}`, "a JSON number instead of a string", ""},
		{`{"addr":"x"}`, "-", notOfThisKind},
		{`{"option":"x"}`, "-", notOfThisKind},
		{`{"own":1}`, "-", notOfThisKind},
	} {
		for path, want := range map[string]string{"/v1": test.v1, "/v2": cmp.Or(test.v2, test.v1)} {
			r := httptest.NewRequest("POST", path, strings.NewReader(test.body))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			// "-": with the rules of encoding/json, the error of a method has no place.
			if w.Code != 400 || want != "-" && !strings.Contains(w.Body.String(), `"detail":"`+want+`"`) || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("%s %s: %d %s, want %s", path, test.body, w.Code, w.Body, want)
			}
		}
	}
}

// An ownRefusal refuses every input, with an error of its own.
type ownRefusal struct{ _ int }

func (*ownRefusal) UnmarshalJSON([]byte) error { return errors.New("secret") }
