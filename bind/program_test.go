package bind

import (
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

// TestFirstUseTogether binds a new type from several goroutines at once, each from another source.
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
