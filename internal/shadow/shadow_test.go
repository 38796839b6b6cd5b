package shadow

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"
)

// A handler counts records, or panics.
type handler struct {
	n      *int
	panics bool
}

func (h handler) Enabled(context.Context, slog.Level) bool { return true }
func (h handler) WithAttrs([]slog.Attr) slog.Handler       { return h }
func (h handler) WithGroup(string) slog.Handler            { return h }
func (h handler) Handle(context.Context, slog.Record) error {
	*h.n++
	if h.panics {
		panic("a handler")
	}
	return nil
}

// TestLoggerPanics uses a logger that panics, and checks that the caller does not get the panic.
func TestLoggerPanics(t *testing.T) {
	var n int
	w := New(Settings{Share: 1, Logger: slog.New(handler{&n, true})})
	w.Compare("Marshal", reflect.TypeFor[int](), func() *Difference { return &Difference{What: "bytes"} })
	if c := w.Counts(); n != 1 || c.Panics != 1 {
		t.Errorf("%d records, %+v", n, c)
	}
}

// TestManyKinds reports more than maxKinds kinds of differences, and checks that the log stays
// short.
func TestManyKinds(t *testing.T) {
	var n int
	w := New(Settings{Share: 1, Logger: slog.New(handler{n: &n})})
	const more = 5000
	for i := range maxKinds + more {
		w.report(w.settings.Load(), Difference{Path: fmt.Sprint(i)})
	}
	if n < maxKinds || n > maxKinds+20 {
		t.Errorf("%d records of %d kinds", n, maxKinds+more)
	}
}

// TestMask checks masked texts, and that an excerpt contains no byte of a secret.
func TestMask(t *testing.T) {
	for text, want := range map[string]string{
		"ab12": "xx99", "key\xab\xcd": "xxx\xff\xff", `DOMAIN\user\42`: `xxxxxx\uxxx\99`, `"a\n\u00e9\"`: `"x\n\u99x9\"`,
		"क्षि": "xxxx", "Ⅷ½": "99", "�": "�",
	} {
		if got := string(mask([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	// An excerpt may begin and end within a character.
	d := Bytes([]byte(strings.Repeat("密", 20)+"1"), []byte(strings.Repeat("密", 20)+"2"))
	for _, b := range []byte("密") {
		if strings.Contains(d.Answered, fmt.Sprintf("\\x%02x", b)) {
			t.Error(d.Answered)
		}
	}
}

// TestWithout compares values of several types. Excluded types, and types that contain an excluded
// type, must be counted as passed and not be compared.
func TestWithout(t *testing.T) {
	type secret struct{ Key string }
	type list struct {
		Next *list
		Of   map[string][2][]*secret
	}
	type endless struct{ Next *endless }
	w := New(Settings{Share: 1, Without: []reflect.Type{reflect.TypeFor[*secret]()}})
	for typ, excluded := range map[reflect.Type]bool{
		reflect.TypeFor[secret]():             true,
		reflect.TypeFor[*secret]():            true,
		reflect.TypeFor[[]secret]():           true,
		reflect.TypeFor[map[secret]int]():     true,
		reflect.TypeFor[*list]():              true,
		reflect.TypeFor[struct{ S secret }](): true,
		reflect.TypeFor[endless]():            false,
		reflect.TypeFor[any]():                false,
		reflect.TypeFor[string]():             false,
		nil:                                   false,
	} {
		for range 2 {
			before := w.Counts()
			w.Compare("Marshal", typ, func() *Difference { return nil })
			after := w.Counts()
			if after.Passed-before.Passed != map[bool]uint64{true: 1}[excluded] || after.Compared-before.Compared != map[bool]uint64{false: 1}[excluded] {
				t.Errorf("%v: %+v, then %+v", typ, before, after)
			}
		}
	}
}

// TestLongest makes one comparison that takes too long. Its type must not be compared again before
// a call of Set.
func TestLongest(t *testing.T) {
	s := Settings{Share: 1, Budget: time.Hour, Longest: time.Millisecond}
	w := New(s)
	slow := reflect.TypeFor[int]()
	compare := func(typ reflect.Type, took time.Duration) bool {
		before := w.Counts().Compared
		w.Compare("Marshal", typ, func() *Difference { time.Sleep(took); return nil })
		return w.Counts().Compared > before
	}
	if !compare(slow, 5*time.Millisecond) || compare(slow, 0) {
		t.Error("the slow type was compared again")
	}
	if !compare(reflect.TypeFor[string](), 0) {
		t.Error("another type is not compared")
	}
	if w.Set(s); !compare(slow, 0) {
		t.Error("the slow type is not compared after Set")
	}
}
