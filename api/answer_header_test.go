package api_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

// A moody value has a text only if it is "good".
type moody string

func (m moody) MarshalText() ([]byte, error) {
	switch m {
	case "fails":
		return nil, errors.New("the text is lost")
	case "panics":
		panic("the text is lost")
	}
	return []byte(m), nil
}

type fieldsOut struct {
	Before string               `header:"X-Before"`
	First  http.Cookie          `cookie:"first"`
	Moody  moody                `header:"X-Moody"`
	List   []moody              `header:"X-List"`
	Maybe  mo.Option[moody]     `header:"X-Maybe"`
	Text   string               `header:"X-Text"`
	Ratio  float64              `header:"X-Ratio"`
	At     time.Time            `header:"X-At"`
	Local  mo.Option[time.Time] `header:"X-Local" format:"2006-01-02"`
	Cookie *http.Cookie         `cookie:"session"`
}

type (
	textOut struct {
		fieldsOut
		Body point `body:""`
	}
	point struct {
		N int `json:"n"`
	}
	emptyOut struct {
		fieldsOut
		Status int `status:"204,304"`
	}
	elementsOut struct {
		fieldsOut
		Body *api.Elements[point] `body:""`
	}
	contentOut struct {
		fieldsOut
		Body *api.Content `body:""`
	}
)

// TestHeaderWithoutText returns answers with a header field or a cookie that has no valid text. The answer is a problem
// of status 500, as for a body that cannot be encoded, and the error is logged.
func TestHeaderWithoutText(t *testing.T) {
	closed := 0
	for name, router := range map[string]func(log *slog.Logger) (*api.API, http.Handler){
		"web": func(log *slog.Logger) (*api.API, http.Handler) {
			e := web.NewWithConfig(web.Config{Logger: log})
			e.HTTPErrorHandler = web.WrapErrorHandler(api.WriteError)
			return api.New(e), e
		},
		"ServeMux": func(log *slog.Logger) (*api.API, http.Handler) {
			mux := http.NewServeMux()
			a := api.New(api.Mux(mux))
			a.Logger = log
			return a, mux
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			a, h := router(slog.New(slog.NewTextHandler(&log, nil)))
			var out fieldsOut
			api.Handle(a, "GET /text", func(context.Context, *struct{}) (*textOut, error) { return &textOut{out, point{1}}, nil })
			api.Handle(a, "GET /tagged", func(context.Context, *struct{}) (*textOut, error) { return &textOut{out, point{1}}, nil }, api.Operation{ETag: true})
			api.Handle(a, "GET /none", func(context.Context, *struct{}) (*emptyOut, error) { return &emptyOut{fieldsOut: out}, nil })
			api.Handle(a, "GET /unmodified", func(context.Context, *struct{}) (*emptyOut, error) { return &emptyOut{out, 304}, nil })
			api.Handle(a, "GET /elements", func(context.Context, *struct{}) (*elementsOut, error) {
				return &elementsOut{out, api.ValuesOf(func(yield func(point) bool) { yield(point{1}) })}, nil
			})
			api.Handle(a, "GET /content", func(context.Context, *struct{}) (*contentOut, error) {
				return &contentOut{out, &api.Content{Body: closer{strings.NewReader("x"), &closed}}}, nil
			})
			api.Handle(a, "GET /file", func(context.Context, *struct{}) (*contentOut, error) {
				return &contentOut{out, &api.Content{Body: strings.NewReader("x"), ETag: `"v"`}}, nil
			})
			good := fieldsOut{
				Before: "b", First: http.Cookie{Value: "f"}, Moody: "good", List: []moody{"good", "good"}, Maybe: mo.Some(moody("good")),
				Text: "tab\tand é", Ratio: 1.5, At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), Cookie: &http.Cookie{Value: "a b"},
			}
			for fault, spoil := range map[string]func(*fieldsOut){
				"":                             func(*fieldsOut) {},
				"the text is lost":             func(o *fieldsOut) { o.Moody = "fails" },
				"panic=":                       func(o *fieldsOut) { o.Moody = "panics" },
				"header X-List of the answer":  func(o *fieldsOut) { o.List = []moody{"good", "fails"} },
				"header X-Maybe of the answer": func(o *fieldsOut) { o.Maybe = mo.Some(moody("fails")) },
				"header X-Moody of the answer: the text has a control character": func(o *fieldsOut) { o.Moody = "a\r\nSet-Cookie: b=c" },
				"header X-Text of the answer: the text has a control character":  func(o *fieldsOut) { o.Text = "a\x00" },
				"header X-List of the answer: the text has a control character":  func(o *fieldsOut) { o.List = []moody{"\x7f"} },
				"a number is not finite":                                             func(o *fieldsOut) { o.Ratio = math.NaN() },
				"header X-Ratio of the answer":                                       func(o *fieldsOut) { o.Ratio = math.Inf(1) },
				"header X-At of the answer: the year of a time is not in 0..9999":    func(o *fieldsOut) { o.At = o.At.AddDate(1, 0, 0) },
				"header X-Local of the answer: the year of a time is not in 0..9999": func(o *fieldsOut) { o.Local = mo.Some(o.At.AddDate(1, 0, 0)) },
				"cookie session of the answer":                                       func(o *fieldsOut) { o.Cookie = &http.Cookie{Value: "a\"b;"} },
				"invalid Cookie.Name":                                                func(o *fieldsOut) { o.Cookie = &http.Cookie{Name: "a b", Value: "c"} },
				"Cookie.Path":                                                        func(o *fieldsOut) { o.Cookie = &http.Cookie{Value: "c", Path: "/\r\n"} },
				"Cookie.Domain":                                                      func(o *fieldsOut) { o.First.Domain = "a b" },
				"Cookie.Expires":                                                     func(o *fieldsOut) { o.First.Expires = time.Date(1500, 1, 1, 0, 0, 0, 0, time.UTC) },
			} {
				out = good
				spoil(&out)
				for _, target := range []string{"/text", "/tagged", "/none", "/unmodified", "/elements", "/content", "/file"} {
					for _, method := range []string{"GET", "HEAD"} {
						log.Reset()
						closed = 0
						w := send(h, sent{method, target, "", []string{"If-None-Match", "*"}})
						header := w.Header()
						if fault == "" {
							if w.Code >= 400 || header.Get("X-Moody") != "good" || len(header["X-List"]) != 2 || len(header["Set-Cookie"]) != 2 || log.Len() > 0 {
								t.Errorf("%s %s: %d %v %s", method, target, w.Code, header, &log)
							}
							continue
						}
						if w.Code != 500 || header["X-Before"] != nil || header["Set-Cookie"] != nil || header["Etag"] != nil {
							t.Errorf("%s: %s %s: %d %v", fault, method, target, w.Code, header)
						}
						if method == "GET" && (header.Get("Content-Type") != api.MediaTypeProblem || strings.TrimSpace(w.Body.String()) != `{"title":"Internal Server Error","status":500}`) {
							t.Errorf("%s: %s: %v %s", fault, target, header, w.Body)
						}
						if !strings.Contains(log.String(), fault) {
							t.Errorf("%s: %s %s: the log is %q", fault, method, target, log.String())
						}
						if target == "/content" && closed != 1 {
							t.Errorf("%s: %s: the Body was closed %d times", fault, method, closed)
						}
					}
				}
			}
		})
	}
}

type closer struct {
	io.Reader
	n *int
}

func (c closer) Close() error { *c.n++; return nil }

// TestContentHeaderWithoutText returns Contents whose type or entity tag is not the value of a header field.
func TestContentHeaderWithoutText(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		var out api.Content
		api.Handle(a, "GET /content", func(context.Context, *struct{}) (*api.Content, error) { return &out, nil })
		for name, content := range map[string]api.Content{
			"a type":           {Type: "text/plain\r\nX-Evil: 1", Body: io.MultiReader(strings.NewReader("x"))},
			"a type of a file": {Type: "text/plain\n", Body: strings.NewReader("x")},
			"a tag":            {Type: "text/plain", ETag: "\"a\x00\"", Write: func(io.Writer) error { return nil }},
			"a tag of a file":  {Type: "text/plain", ETag: "\"a\r\n\"", Body: strings.NewReader("x")},
		} {
			out = content
			expect(t, name, send(h, sent{"GET", "/content", "", nil}), 500, `{"title":"Internal Server Error","status":500}`)
		}
		out = api.Content{Type: "text/plain", Name: "a\r\nb", Body: strings.NewReader("x")}
		if w := send(h, sent{"GET", "/content", "", nil}); w.Code != 200 || strings.ContainsAny(w.Header().Get("Content-Disposition"), "\r\n") {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	})
}

// TestFieldsWithoutText registers answers with header fields that never have a text.
func TestFieldsWithoutText(t *testing.T) {
	type anything struct {
		Field interface{ MarshalText() ([]byte, error) } `header:"X-Field"`
	}
	type pointers struct {
		Field []*moody `header:"X-Field"`
	}
	for want, add := range map[string]func(r api.Router){
		"MarshalText() ([]uint8, error) } cannot be converted to text": func(r api.Router) {
			api.Handle(r, "GET /x", func(context.Context, *struct{}) (*anything, error) { return nil, nil })
		},
		"[]*api_test.moody cannot be converted to text": func(r api.Router) {
			api.Handle(r, "GET /x", func(context.Context, *struct{}) (*pointers, error) { return nil, nil })
		},
		"is not a token": func(r api.Router) {
			api.Handle(r, "GET /x", func(context.Context, *struct{}) (*struct {
				Field string `header:"X Field"`
			}, error) {
				return nil, nil
			})
		},
		`the name "a b" is not a token`: func(r api.Router) {
			api.Handle(r, "GET /x", func(context.Context, *struct{}) (*struct {
				Field http.Cookie `cookie:"a b"`
			}, error) {
				return nil, nil
			})
		},
	} {
		func() {
			defer func() {
				var route *api.RouteError
				if err, ok := recover().(error); !ok || !errors.As(err, &route) || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %s", err, want)
				}
			}()
			add(api.Mux(http.NewServeMux()))
		}()
	}
}

// A lostProblem is an error whose document cannot be encoded.
type lostProblem struct {
	api.Problem
	Moody moody `json:"moody"`
}

// TestProblemWithoutText returns errors whose documents cannot be encoded: the answer is the plain problem.
func TestProblemWithoutText(t *testing.T) {
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		a.Logger = slog.New(slog.DiscardHandler)
		api.Handle(a, "GET /{moody}", func(_ context.Context, in *struct {
			Moody string `path:"moody"`
		}) (*point, error) {
			return nil, &lostProblem{*api.NewProblem(409, "too late"), moody(in.Moody)}
		})
		for _, mood := range []string{"fails", "panics"} {
			w := send(h, sent{"GET", "/" + mood, "", nil})
			expect(t, mood, w, 409, `{"title":"Conflict","status":409,"detail":"too late"}`)
			if got := w.Header().Get("Content-Type"); got != api.MediaTypeProblem {
				t.Error(got)
			}
		}
	})
}
