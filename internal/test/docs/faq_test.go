package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/format"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

// TestQuestions counts the questions on the page, and looks for a thread with each.
func TestQuestions(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "faq.md"))
	if err != nil {
		t.Fatal(err)
	}
	thread := regexp.MustCompile(`\(https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+\)`)
	questions := strings.Split(string(page), "\n### ")[1:]
	if len(questions) < 31 {
		t.Errorf("the page has %d questions", len(questions))
	}
	for _, q := range questions[:max(0, len(questions)-1)] { // the last one is about the project
		q, _, _ = strings.Cut(q, "\n## ")
		if !thread.MatchString(q) {
			t.Errorf("no thread: %s", q)
		}
	}
}

// TestTagsInOnePlace fails if a package other than shape reads the tags of struct fields, as the answer about typed
// tags says.
func TestTagsInOnePlace(t *testing.T) {
	reads := regexp.MustCompile(`\.Tag\.(Get|Lookup)\(|reflect\.StructTag`)
	found := 0
	for _, dir := range []string{"api", "bind", "json", "mo", "shape", "union", "web", "wire", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(file string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") || strings.Contains(filepath.ToSlash(file), "/internal/test/") {
				return err
			}
			text, err := os.ReadFile(file)
			if reads.Match(text) {
				found++
				if dir != "shape" {
					t.Errorf("%s reads tags", file)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found == 0 {
		t.Error("package shape reads no tags")
	}
}

// TestAnswers checks the answers about JSON and values.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		what, want string
		got        func() (string, error)
	}{
		{"a nil slice in json", `{"A":null}`, func() (string, error) { return text(json.Marshal(struct{ A []int }{})) }},
		{"a nil slice in v2", `{"A":[]}`, func() (string, error) { return text(jsonv2.Marshal(struct{ A []int }{})) }},
		{"a name in another case in json and in v2", "1 0", func() (string, error) {
			var a, b struct{ Name int }
			err := json.Unmarshal([]byte(`{"NAME":1}`), &a)
			return fmt.Sprint(a.Name, b.Name), errors.Join(err, jsonv2.Unmarshal([]byte(`{"NAME":1}`), &b))
		}},
		{"a duration as text", `{"D":"1m30s"}`, func() (string, error) {
			return text(json.Marshal(struct{ D format.Duration }{format.Duration(90 * time.Second)}))
		}},
		{"a duration as a number", `{"D":90000000000}`, func() (string, error) {
			return text(json.Marshal(struct{ D time.Duration }{90 * time.Second}))
		}},
		{"a duration in v2", "error", func() (string, error) { return text(jsonv2.Marshal(struct{ D time.Duration }{1})) }},
		{"unknown members in v2", `{"a":1,"z":[2]}`, func() (string, error) {
			var v struct {
				A    int            `json:"a"`
				Rest map[string]any `json:",embed"`
			}
			if err := jsonv2.Unmarshal([]byte(`{"z":[2],"a":1}`), &v); err != nil {
				return "", err
			}
			return text(jsonv2.Marshal(v))
		}},
		{"options of Unmarshal", "json.Number error", func() (string, error) {
			strict := json.Config{UseNumber: true, DisallowUnknownFields: true}
			var v any
			if err := strict.Unmarshal([]byte(`1`), &v); err != nil {
				return "", err
			}
			err := strict.Unmarshal([]byte(`{"z":1}`), new(struct{ A int }))
			return fmt.Sprintf("%T ", v) + outcome(err), nil
		}},
		{"text after a value", "error error nil", func() (string, error) {
			const text = `{} 1`
			return outcome(json.Unmarshal([]byte(text), new(any))) + " " + outcome(json.Config{}.UnmarshalRead(strings.NewReader(text), new(any))) + " " +
				outcome(json.NewDecoder(strings.NewReader(text)).Decode(new(any))), nil
		}},
		{"an iterator", "[1,2] error", func() (string, error) {
			var b bytes.Buffer
			err := json.WriteElements(&b, func(yield func(int, error) bool) { _ = yield(1, nil) && yield(2, nil) })
			_, refused := json.Marshal(iter.Seq[int](func(func(int) bool) {}))
			return strings.TrimSpace(b.String()) + " " + outcome(refused), err
		}},
		{"the place of an error", "2 7 .a", func() (string, error) {
			data := []byte("{\n\t\"a\": \"x\"}")
			at, ok := json.Locate(data, json.Unmarshal(data, new(struct {
				A int `json:"a"`
			})))
			if !ok {
				return "", fmt.Errorf("no place")
			}
			return fmt.Sprint(at.Line, at.Column, " ", at.Path), nil
		}},
		{"an Option that is left out", `{}`, func() (string, error) {
			return text(json.Marshal(struct {
				A mo.Option[int] `json:"a,omitzero"`
			}{}))
		}},
		{"a Nullable", "true false true", func() (string, error) {
			var v struct{ A, B, C mo.Nullable[int] }
			err := json.Unmarshal([]byte(`{"B":3,"C":null}`), &v)
			return fmt.Sprint(v.A.IsAbsent(), v.B.IsNull(), v.C.IsNull()), err
		}},
	} {
		got, err := test.got()
		if err != nil {
			got = "error"
		}
		if got != test.want {
			t.Errorf("%s: %s (%v), want %s", test.what, got, err, test.want)
		}
	}
}

func text(data []byte, err error) (string, error) { return string(data), err }

func outcome(err error) string {
	if err != nil {
		return "error"
	}
	return "nil"
}

func TestCodecAllocates(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	type point struct{ X, Y int }
	points, p, buf := json.For[point](), &point{1, 2}, make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() { buf, _ = points.Append(buf[:0], p) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestWebAnswers checks the answers about web services.
func TestWebAnswers(t *testing.T) {
	type in struct {
		ID    int            `path:"id"`
		Page  mo.Option[int] `query:"page"`
		Size  *int           `query:"size"`
		Inner struct {
			ID int `json:"id"`
		} `body:""`
	}
	type bound struct {
		ID   int `param:"id" query:"id" json:"-"`
		Page int `query:"page" json:"page"`
	}
	type body struct {
		ID int `param:"id" json:"id"`
	}
	e := web.New()
	api.Handle(e, "POST /typed/{id}", func(_ context.Context, v *in) (*[]int, error) {
		size := -1
		if v.Size != nil {
			size = *v.Size
		}
		return &[]int{v.ID, v.Page.OrElse(-1), size, v.Inner.ID}, nil
	})
	bindTo := func(v any) web.HandlerFunc {
		return func(c *web.Context) error {
			v := reflect.New(reflect.TypeOf(v))
			if err := c.Bind(v.Interface()); err != nil {
				return err
			}
			return c.String(200, fmt.Sprint(v.Elem()))
		}
	}
	e.GET("/bound/:id", bindTo(bound{}))
	e.POST("/bound/:id", bindTo(bound{}))
	e.POST("/body/:id", bindTo(body{}))
	e.POST("/query", func(c *web.Context) error {
		var v bound
		if err := web.BindQueryParams(c, &v); err != nil {
			return err
		}
		return c.String(200, fmt.Sprint(v))
	})
	for _, test := range []struct{ request, body, want string }{
		{"POST /typed/1?id=2&page=3", `{"id":4}`, "200 [1,3,-1,4]"}, // also: a query is bound in a POST
		{"POST /typed/1", `{"id":4} 5`, "400"},
		{"POST /typed/1?size=0", `{"id":4}`, "200 [1,-1,0,4]"},
		{"GET /bound/1?id=2&page=3", "", "200 {1 3}"},
		{"POST /bound/1?id=2&page=3", "{}", "200 {1 0}"},
		{"POST /query?page=3", "{}", "200 {0 3}"},
		{"POST /body/1", `{"id":4}`, "200 {4}"},
	} {
		method, path, _ := strings.Cut(test.request, " ")
		r := httptest.NewRequest(method, path, strings.NewReader(test.body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if got := fmt.Sprint(w.Code, " ", strings.TrimSpace(w.Body.String())); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s %s: %s, want %s", test.request, test.body, got, test.want)
		}
	}
	var v in
	if err := bind.Request(httptest.NewRequest(http.MethodPost, "/?page=3", nil), &v); err != nil || v.Page.OrElse(0) != 3 {
		t.Errorf("bind: %+v, %v", v, err)
	}
}

// TestOneModule checks that the core module requires no other module.
func TestOneModule(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(mod), "require") {
		t.Errorf("go.mod: %s", mod)
	}
}
