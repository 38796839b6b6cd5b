package shadow

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
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

// TestLoggerPanics has a logger that panics: the caller does not see that.
func TestLoggerPanics(t *testing.T) {
	var n int
	w := New(Settings{Share: 1, Logger: slog.New(handler{&n, true})})
	w.Compare("Marshal", reflect.TypeFor[int](), func() *Difference { return &Difference{What: "bytes"} })
	if c := w.Counts(); n != 1 || c.Panics != 1 {
		t.Errorf("%d records, %+v", n, c)
	}
}

// TestManyKinds makes more kinds of differences than are remembered: the log is not flooded.
func TestManyKinds(t *testing.T) {
	var n int
	w := New(Settings{Share: 1, Logger: slog.New(handler{n: &n})})
	const more = 5000
	for i := range maxKinds + more {
		w.tell(w.settings.Load(), Difference{Path: fmt.Sprint(i)})
	}
	if n < maxKinds || n > maxKinds+20 {
		t.Errorf("%d records of %d kinds", n, maxKinds+more)
	}
}

// TestMask looks for bytes of a secret in the masked text.
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
