package api

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

type faultLeaf struct {
	A int  `json:"a" min:"1"`
	B bool `json:"b"`
}

// A faultKey is a map key with a text that differs from its Go value.
type faultKey struct{ N int }

func (k faultKey) MarshalText() ([]byte, error) {
	return []byte("key " + strings.Repeat("i", k.N)), nil
}

func (k *faultKey) UnmarshalText(text []byte) error { k.N = len(text) - len("key "); return nil }

// A faultPlace is a place of a faultLeaf in a type.
type faultPlace struct {
	text   string // the JSON of the root, with a % for the leaf
	path   string // of the leaf in JSON
	goPath string // of the leaf in Go; "" if the place is not in the wire format
	root   reflect.Type
	handle func(r Router, op Operation)
	check  func(v any) error
}

func place[T any](text, path, goPath string) faultPlace {
	check, err := NewChecker[T]()
	if err != nil {
		panic(err)
	}
	return faultPlace{text, path, goPath, reflect.TypeFor[T](), func(r Router, op Operation) {
		Handle(r, "POST /whole", func(context.Context, *T) (*struct{}, error) { return nil, nil }, op)
		Handle(r, "POST /elements", func(_ context.Context, in *Elements[T]) (*struct{}, error) {
			for _, err := range *in {
				if err != nil {
					return nil, err
				}
			}
			return nil, nil
		}, op)
	}, func(v any) error { return check.Check(context.Background(), v.(*T)) }}
}

type (
	inMember struct {
		M struct{ In faultLeaf } `json:"m"`
	}
	inOdd struct {
		M faultLeaf `json:"a b"`
	}
	inDots struct {
		M faultLeaf `json:"a.b"`
	}
	inSlice struct {
		M []faultLeaf `json:"m"`
	}
	inArray struct {
		M [1][]faultLeaf `json:"m"`
	}
	inMap struct {
		M map[string]faultLeaf `json:"m"`
	}
	inIntMap struct {
		M map[int8]faultLeaf `json:"m"`
	}
	inTextMap struct {
		M map[faultKey]*faultLeaf `json:"m"`
	}
	inDeep struct {
		M map[string][]map[string]mo.Option[faultLeaf] `json:"m"`
	}
	inOption struct {
		M mo.Option[map[string]faultLeaf] `json:"m"`
	}
	inEither struct {
		M mo.Either[int, map[string]faultLeaf] `json:"m"`
	}
	FaultBase struct {
		M map[string]faultLeaf `json:"m"`
	}
	inEmbedded struct{ FaultBase }
)

var longKey = strings.Repeat("k", 100)

var faultPlaces = []faultPlace{
	place[inMember](`{"m":{"In":%}}`, ".m.In", ".M.In"),
	place[inOdd](`{"a b":%}`, `["a b"]`, ".M"),
	place[inDots](`{"a.b":%}`, `["a.b"]`, ".M"),
	place[inSlice](`{"m":[{"a":1,"b":true},%]}`, ".m[1]", ".M[1]"),
	place[inArray](`{"m":[[%]]}`, ".m[0][0]", ".M[0][0]"),
	place[inMap](`{"m":{"k":%}}`, ".m.k", ".M.k"),
	place[inMap](`{"m":{"é_1":%}}`, ".m.é_1", ".M.é_1"),
	place[inMap](`{"m":{"":%}}`, `.m[""]`, `.M[""]`),
	place[inMap](`{"m":{"x y":%}}`, `.m["x y"]`, `.M["x y"]`),
	place[inMap](`{"m":{"a.b":%}}`, `.m["a.b"]`, `.M["a.b"]`),
	place[inMap](`{"m":{"3":%}}`, `.m["3"]`, `.M["3"]`),
	place[inMap](`{"m":{"\"]\n":%}}`, `.m["\"]\n"]`, `.M["\"]\n"]`),
	place[inMap](`{"m":{"`+longKey+`":%}}`, `.m["`+longKey[:32]+"…"+longKey[:32]+`"]`, `.M["`+longKey[:32]+"…"+longKey[:32]+`"]`),
	place[inIntMap](`{"m":{"-3":%}}`, `.m["-3"]`, `.M[-3]`),
	place[inTextMap](`{"m":{"key ii":%}}`, `.m["key ii"]`, ""),
	place[inDeep](`{"m":{"k":[{},{"x y":%}]}}`, `.m.k[1]["x y"]`, `.M.k[1]["x y"]`),
	place[inOption](`{"m":{"k":%}}`, ".m.k", ".M.k"),
	place[inEither](`{"m":{"right":{"k":%}}}`, ".m.right.k", ""),
	place[inEmbedded](`{"m":{"k":%}}`, ".m.k", ".FaultBase.M.k"),
}

// TestFaultPaths: a fault at a place has the same path, whatever the fault is, and whatever package finds it. It is
// reported once.
func TestFaultPaths(t *testing.T) {
	for _, p := range faultPlaces {
		for version, op := range map[string]Operation{"v1": {Unknown: UnknownRefused}, "v2": {Unknown: UnknownRefused, JSON: []jsonv2.Options{}}} {
			mux := http.NewServeMux()
			p.handle(Mux(mux), op)
			for leaf, status := range map[string]int{
				`{"b":true}`: 422, `{"a":null,"b":true}`: 422, `{"a":0,"b":true}`: 422, `{"a":"x","b":true}`: 400, `{"a":1,"b":true,"a":[]}`: 400,
				`{"x y":1,"a":1,"b":true}`: 422,
			} {
				want := p.path + ".a"
				if strings.Contains(leaf, "x y") {
					want = p.path + `["x y"]`
				}
				text := strings.Replace(p.text, "%", leaf, 1)
				for target, prefix := range map[string]string{"/whole": "", "/elements": "[1]"} {
					body := text
					if prefix != "" {
						body = "[" + strings.Replace(p.text, "%", `{"a":1,"b":false}`, 1) + " ,\n" + text + "]"
					}
					if version == "v2" && strings.Count(leaf, `"a"`) > 1 {
						continue // version 2 refuses the second name
					}
					names, got := namesOfFaults(mux, target, "application/json", body)
					if got != status || len(names) != 1 || names[0] != prefix+want {
						t.Errorf("%s %s %s: %d %q, want %d %q", version, target, body, got, names, status, prefix+want)
					}
				}
				v := reflect.New(p.root)
				var members *json.MembersError
				switch err := (json.Config{CheckMembers: true, DisallowUnknownFields: true}).Unmarshal([]byte(text), v.Interface()); {
				case errors.As(err, &members):
					if len(members.Members) != 1 || members.Members[0].Path != want {
						t.Errorf("json: %s: %v, want %q", text, err, want)
					}
				case err != nil:
					if at, ok := json.Locate([]byte(text), err); !ok || at.Path != shortenedLike(want, at.Path) {
						t.Errorf("json.Locate: %s: %q, %v", text, at.Path, err)
					}
				default: // the limit
					if problem := ProblemOf(p.check(v.Interface())); len(problem.Errors) != 1 || problem.Errors[0].Name != want {
						t.Errorf("Checker: %s: %+v, want %q", text, problem, want)
					}
				}
			}
		}
	}
}

// shortenedLike returns got, which has long names as they are.
func shortenedLike(want, got string) string {
	if strings.Contains(want, "…") {
		return got
	}
	return want
}

// TestFaultPathsWire: the same places in the binary format, by the names in Go and in JSON.
func TestFaultPathsWire(t *testing.T) {
	for _, p := range faultPlaces {
		if p.goPath == "" {
			continue
		}
		mux := http.NewServeMux()
		p.handle(Mux(mux), Operation{})
		codec, err := wire.ForType(p.root)
		if err != nil {
			t.Fatal(err)
		}
		encoded := func(leaf string) []byte {
			v := reflect.New(p.root)
			if err := json.Unmarshal([]byte(strings.Replace(p.text, "%", leaf, 1)), v.Interface()); err != nil {
				t.Fatal(err)
			}
			data, err := codec.Append(nil, v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		names, status := namesOfFaults(mux, "/whole", MediaTypeWire, string(encoded(`{"a":0,"b":true}`)))
		if status != 422 || len(names) != 1 || names[0] != p.path+".a" {
			t.Errorf("%s: a limit: %d %q, want %q", p.text, status, names, p.path+".a")
		}
		data := encoded(`{"a":1,"b":true}`)
		data[len(data)-1] = 3 // the bool at the end
		names, status = namesOfFaults(mux, "/whole", MediaTypeWire, string(data))
		if status != 400 || len(names) != 1 || names[0] != p.path+".b" {
			t.Errorf("%s: an invalid bool: %d %q, want %q", p.text, status, names, p.path+".b")
		}
		var decode *wire.DecodeError
		if err := codec.Unmarshal(data, reflect.New(p.root).Interface()); !errors.As(err, &decode) || decode.Path != p.goPath+".B" {
			t.Errorf("%s: %v, want %q", p.text, err, p.goPath+".B")
		}
	}
}

// TestFaultPathsBind: an element of a parameter has its index.
func TestFaultPathsBind(t *testing.T) {
	type in struct {
		List []int8 `query:"a b" min:"1"`
	}
	var errs bind.Errors
	if err := bind.Query("a+b=1&a+b=x", new(in)); !errors.As(err, &errs) || errs[0].Field != ".List[1]" || errs[0].Name != "a b" {
		t.Errorf("%v", err)
	}
	mux := http.NewServeMux()
	Handle(Mux(mux), "GET /x", func(context.Context, *in) (*struct{}, error) { return nil, nil })
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", "/x?a+b=1&a+b=0", nil))
	if !strings.Contains(w.Body.String(), `"name":"a b[1]"`) {
		t.Errorf("%s", w.Body)
	}
}

// namesOfFaults posts a body and returns the names in the answer's problem document, and the status.
func namesOfFaults(h http.Handler, target, mediaType, body string) (names []string, status int) {
	r := httptest.NewRequest("POST", target, strings.NewReader(body))
	r.Header.Set("Content-Type", mediaType)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var problem Problem
	_ = json.Unmarshal(w.Body.Bytes(), &problem)
	for _, f := range problem.Errors {
		names = append(names, f.Name)
	}
	return names, w.Code
}
