package bind

import (
	"fmt"
	"net/http"
	"reflect"
	"sync"
	"testing"

	"github.com/hone-go/hone/internal/memory/mem"
)

// TestOneSource binds a type from its query, and expects that no other source is compiled. The
// complete program has all sources that tags name, and reports that a field of the path cannot be bound.
func TestOneSource(t *testing.T) {
	type filter struct {
		Name   string   `query:"name" form:"name" header:"X-Name"`
		Nested []func() `path:"nested"`
	}
	var v filter
	p := newProgram(reflect.TypeFor[filter](), false)
	if err := p.run(mem.Of(&v), &Input{Query: "name=a"}); err != nil || v.Name != "a" {
		t.Fatalf("got %+v, %v", v, err)
	}
	for _, s := range p.sources() {
		if compiled := s.compiled.Load() != nil; compiled != (s.name == FromQuery) {
			t.Errorf("%s: compiled %t", s.name, compiled)
		}
	}
	if p.complete().fault == nil {
		t.Error("no error about the field Nested")
	}
	for _, s := range p.sources() {
		if compiled := s.compiled.Load() != nil; compiled != (s.name != FromCookie) {
			t.Errorf("%s: compiled %t in the complete program", s.name, compiled)
		}
	}
}

// TestFirstUseTogether binds a new type for the first time from several goroutines at once: from the query, a
// form and a header, and from all sources through All and a Binder.
func TestFirstUseTogether(t *testing.T) {
	type filter struct {
		Name string `query:"name" form:"name" header:"X-Name" default:"d" required:"true"`
	}
	uses := []func(v *filter) error{
		func(v *filter) error { return Query("name=a", v) },
		func(v *filter) error { return Form("name=a", v) },
		func(v *filter) error { return Header(http.Header{"X-Name": {"a"}}, v) },
		func(v *filter) error { return All(Input{Query: "name=a", ByTags: true}, v) },
		func(v *filter) error {
			b, err := For[filter]()
			if err != nil {
				return err
			}
			return b.Bind(&Input{Query: "name=a", ByTags: true}, v)
		},
	}
	var wait sync.WaitGroup
	for range 4 {
		for _, use := range uses {
			wait.Go(func() {
				var v filter
				if err := use(&v); err != nil || v.Name != "a" {
					t.Errorf("got %+v, %v", v, err)
				}
			})
		}
	}
	wait.Wait()
}

// TestFirstFault compiles types with several faults in several sources. The error must be about the first
// field in the order of declaration.
func TestFirstFault(t *testing.T) {
	for _, test := range []struct {
		v    any
		want string // the field of the error, or "" for none
	}{
		{struct {
			A func() `query:"a"`
			B func() `path:"b"`
		}{}, ".A"},
		{struct {
			A int    `query:"a" default:"x"`
			B func() `path:"b"`
		}{}, ".A"},
		{struct {
			a int    `query:"a"` //nolint:unused // an unexported field is a fault
			B int    `query:"b" default:"x"`
			C func() `path:"c"`
		}{}, ".a"},
		{struct {
			Rest map[string][]string `query:"*"`
			A    int                 `path:"a" query:"a" default:"1"`
			B    int                 `query:"b" form:"b" default:"x"`
		}{}, ".B"},
		{struct {
			Rest map[string][]string `query:"*"`
			A    int                 `path:"a" query:"a" default:"1"`
		}{}, ""},
	} {
		fault, got := newProgram(reflect.TypeOf(test.v), false).complete().fault, ""
		if fault != nil {
			got = fault.Field
		}
		if got != test.want {
			t.Errorf("%T: the error is about %q, want %q: %v", test.v, got, test.want, fault)
		}
	}
}

// TestTagsAfterRest checks that a field which receives all other names, and has no entry in the list of
// fields, does not shift the defaults and required fields after it.
func TestTagsAfterRest(t *testing.T) {
	var v struct {
		Rest map[string][]string `query:"*"`
		A    int                 `query:"a" default:"7"`
		B    int                 `query:"b" required:"true"`
	}
	err := All(Input{Query: "b=2&c=3", ByTags: true}, &v)
	if err != nil || v.A != 7 || v.B != 2 || len(v.Rest["c"]) != 1 {
		t.Errorf("got %+v, %v", v, err)
	}
	if err := All(Input{Query: "a=2", ByTags: true}, &v); err == nil {
		t.Error("no error about the missing parameter b")
	}
}

// BenchmarkFirst binds a new type in each iteration. Its five fields have tags for all sources, and the query
// is bound.
func BenchmarkFirst(b *testing.B) {
	tag := func(name string) reflect.StructTag {
		return reflect.StructTag(fmt.Sprintf(`param:"%[1]s" query:"%[1]s" form:"%[1]s" header:"X-%[1]s" json:"%[1]s"`, name))
	}
	values := make([]any, b.N)
	for i := range values {
		values[i] = reflect.New(reflect.StructOf([]reflect.StructField{
			{Name: "Host", Type: reflect.TypeFor[string](), Tag: tag("host")},
			{Name: "Limit", Type: reflect.TypeFor[int](), Tag: tag("limit")},
			{Name: "Offset", Type: reflect.TypeFor[uint64](), Tag: tag("offset")},
			{Name: "Active", Type: reflect.TypeFor[bool](), Tag: tag("active")},
			{Name: "Score", Type: reflect.TypeFor[float64](), Tag: tag("score")},
			{Name: "Other", Type: reflect.ArrayOf(i, reflect.TypeFor[byte]())}, // makes the types different
		})).Interface()
	}
	b.ReportAllocs()
	b.ResetTimer()
	for _, v := range values {
		if err := Query("host=a&limit=2&offset=10&active=true&score=1.5", v); err != nil {
			b.Fatal(err)
		}
	}
}
