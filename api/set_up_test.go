package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
)

type (
	closedBase struct {
		ID int `json:"id"`
	}
	closedDeep struct{ *closedBase }
	closedTag  struct {
		*closedBase `json:"base"`
	}
	closedHidden struct { // the member of the embedded struct is hidden
		*closedBase
		ID int `json:"id"`
	}
	closedSkipped struct {
		*closedBase `json:"-"`
		Name        string
	}
	closedValue struct{ closedBase }
	OpenBase    struct {
		ID int `json:"id"`
	}
	openPointer   struct{ *OpenBase }
	closedTree    struct{ Kids []closedTree }
	closedError   struct{ *closedProblem }
	closedProblem struct {
		Problem
		Left int `json:"left"`
	}
	closedOwn struct{ *closedBase }
)

func (closedOwn) MarshalJSON() ([]byte, error)  { return []byte("1"), nil }
func (*closedOwn) UnmarshalJSON(b []byte) error { return nil }
func (closedError) Error() string               { return "closed" }

// setUp registers handlers with T in each part of an operation, and returns the errors.
func setUp[T any]() map[string]error {
	faults := map[string]error{}
	try := func(name string, register func(r Router)) {
		defer func() {
			if v := recover(); v != nil {
				faults[name] = v.(error)
			}
		}()
		register(Mux(http.NewServeMux()))
	}
	none := func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }
	try("request", func(r Router) { Handle(r, "POST /x", func(context.Context, *T) (*struct{}, error) { return nil, nil }) })
	try("request by v2", func(r Router) {
		Handle(r, "POST /x", func(context.Context, *T) (*struct{}, error) { return nil, nil }, Operation{JSON: []jsonv2.Options{}})
	})
	try("body", func(r Router) {
		Handle(r, "POST /x", func(context.Context, *struct {
			Body []map[string]mo.Option[T] `body:""`
		}) (*struct{}, error) {
			return nil, nil
		})
	})
	try("elements of a request", func(r Router) {
		Handle(r, "POST /x", func(context.Context, *Elements[T]) (*struct{}, error) { return nil, nil })
	})
	try("answer", func(r Router) { Handle(r, "POST /x", func(context.Context, *struct{}) (*T, error) { return nil, nil }) })
	try("elements of an answer", func(r Router) {
		Handle(r, "POST /x", func(context.Context, *struct{}) (*Elements[T], error) { return nil, nil })
	})
	try("a case of an answer", func(r Router) {
		type created struct {
			_    struct{}           `status:"201"`
			Body mo.Either[int, *T] `body:""`
		}
		Handle(r, "POST /x", func(context.Context, *struct{}) (*created, error) { return nil, nil })
	})
	try("event", func(r Router) {
		HandleEvents(r, "GET /x", func(context.Context, *struct{}, *Events) error { return nil }, Operation{Events: map[string]any{"": *new(T)}})
	})
	if err, ok := any(*new(T)).(error); ok {
		try("error", func(r Router) { Handle(r, "POST /x", none, Operation{Errors: []error{err}}) })
	}
	return faults
}

// TestClosedEmbedding: package json cannot set an embedded pointer to an unexported struct. A type with a member in such
// a struct is an error at set-up, wherever the operation has it. All other types can be decoded.
func TestClosedEmbedding(t *testing.T) {
	for name, test := range map[string]struct {
		faults map[string]error
		v      any
		closed bool
	}{
		"embedded pointer":        {setUp[closedDeep](), new(closedDeep), true},
		"embedded twice":          {setUp[struct{ closedDeep }](), new(struct{ closedDeep }), true},
		"pointer with a name":     {setUp[closedTag](), nil, true},
		"inside":                  {setUp[struct{ In []closedDeep }](), nil, true},
		"hidden member":           {setUp[closedHidden](), new(closedHidden), false},
		"skipped":                 {setUp[closedSkipped](), new(closedSkipped), false},
		"embedded value":          {setUp[closedValue](), new(closedValue), false},
		"pointer to exported":     {setUp[openPointer](), new(openPointer), false},
		"recursive":               {setUp[closedTree](), new(closedTree), false},
		"a type with own methods": {setUp[closedOwn](), new(closedOwn), false},
		"error":                   {setUp[closedError](), nil, true},
	} {
		want := 8
		if name == "error" {
			want = 9
		}
		if !test.closed {
			want = 0
		}
		if len(test.faults) != want {
			t.Errorf("%s: %d errors, want %d: %v", name, len(test.faults), want, test.faults)
		}
		for part, err := range test.faults {
			if !strings.Contains(err.Error(), "in an embedded pointer to an unexported struct") || !errors.As(err, new(*RouteError)) {
				t.Errorf("%s, %s: %v", name, part, err)
			}
		}
		if test.v != nil { // package json agrees
			if err := json.Unmarshal([]byte(`{"id":1,"Name":"x"}`), test.v); (err != nil) != test.closed {
				t.Errorf("%s: package json: %v", name, err)
			}
		}
	}
}

type (
	nestedPaging struct {
		Limit int `query:"limit" min:"1"`
		Sort  struct {
			By []string `header:"X-Sort"`
		}
	}
	nestedUntagged struct {
		Limit int `query:"limit"`
		Other int
	}
	nestedIn struct {
		ID     int64 `path:"id"`
		Paging nestedPaging
	}
	nestedOut struct {
		Meta struct {
			Next string `header:"X-Next"`
		}
		Body []string `body:""`
	}
)

// TestNestedParams: the fields of a struct field without a tag are fields of the outer struct, in bind and in typed
// handlers, in requests and in answers.
func TestNestedParams(t *testing.T) {
	mux := http.NewServeMux()
	var in nestedIn
	Handle(Mux(mux), "GET /items/{id}", func(_ context.Context, v *nestedIn) (*nestedOut, error) {
		in = *v
		out := &nestedOut{Body: v.Paging.Sort.By}
		out.Meta.Next = "8"
		return out, nil
	})
	r := httptest.NewRequest("GET", "/items/7?limit=5", nil)
	r.Header.Set("X-Sort", "a, b")
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	want := nestedIn{ID: 7, Paging: nestedPaging{Limit: 5}}
	want.Paging.Sort.By = []string{"a", "b"}
	if !reflect.DeepEqual(in, want) || w.Code != 200 || w.Header().Get("X-Next") != "8" || strings.TrimSpace(w.Body.String()) != `["a","b"]` {
		t.Errorf("%+v, %d %v %s", in, w.Code, w.Header(), w.Body)
	}
	var bound nestedIn
	r.Header["X-Sort"] = []string{"a", "b"}
	r.SetPathValue("id", "7")
	if err := bind.Request(r, &bound); err != nil || !reflect.DeepEqual(bound, want) {
		t.Errorf("bind: %+v, %v", bound, err)
	}
	w = httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", "/items/7?limit=0", nil))
	if w.Code != 422 || !strings.Contains(w.Body.String(), `"in":"query","name":"limit"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, register := range []func(r Router){
		func(r Router) {
			Handle(r, "GET /x", func(context.Context, *struct {
				Paging nestedUntagged
			}) (*struct{}, error) {
				return nil, nil
			})
		},
		func(r Router) {
			Handle(r, "GET /x", func(context.Context, *struct {
				Limit  int `query:"limit"`
				Paging struct{ Other int }
			}) (*struct{}, error) {
				return nil, nil
			})
		},
		func(r Router) {
			Handle(r, "GET /x", func(context.Context, *struct {
				Limit  int `query:"limit"`
				Paging *nestedPaging
			}) (*struct{}, error) {
				return nil, nil
			})
		},
	} {
		func() {
			defer func() {
				if v := recover(); !strings.Contains(fmt.Sprint(v), "has no source") {
					t.Errorf("%v", v)
				}
			}()
			register(Mux(http.NewServeMux()))
		}()
	}
}
