package shadow_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	json "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/json/v2/shadow"
)

type row struct {
	Name  string         `json:"name"`
	Price float64        `json:"price"`
	Tags  map[string]any `json:"tags,omitempty"`
	Next  *row           `json:"next,omitempty"`
}

// compareAll makes the shadow compare every call, and returns the differences and the log.
func compareAll(t *testing.T, engine json.Engine) (*[]shadow.Difference, *bytes.Buffer) {
	t.Helper()
	var differences []shadow.Difference
	var log bytes.Buffer
	shadow.Set(shadow.Settings{
		Share: 1, Budget: time.Minute, Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Report: func(d shadow.Difference) { differences = append(differences, d) },
	})
	shadow.Answer(engine)
	t.Cleanup(func() {
		shadow.Set(shadow.Settings{Share: 0.01})
		shadow.Answer(json.DefaultEngine)
	})
	return &differences, &log
}

// TestSame makes typical calls. The caller must get the results of package json/v2, and no
// difference may be reported. Before Go 1.27 nothing is compared.
func TestSame(t *testing.T) {
	for _, engine := range []json.Engine{json.StdEngine, json.HoneEngine} {
		differences, log := compareAll(t, engine)
		before := shadow.Report{}.Counts()
		for _, text := range []string{
			`{"name":"<é>","price":1.5,"tags":{"a":[1,null,"x"],"b":1,"c":2,"d":3},"next":{"name":"b"}}`, `{"price":"x","name":"n"}`, `{"name":`, `[1]`, ` null `, `{"name":"x"} y`, `{"name":1,"name":2}`,
		} {
			var got, want, read row
			err, wantErr := shadow.Unmarshal([]byte(text), &got), json.Unmarshal([]byte(text), &want)
			if !reflect.DeepEqual(got, want) || (err == nil) != (wantErr == nil) {
				t.Errorf("Unmarshal(%s): %+v, %v; want %+v, %v", text, got, err, want, wantErr)
			}
			readErr := shadow.UnmarshalRead(iotest.OneByteReader(strings.NewReader(text)), &read)
			if !reflect.DeepEqual(read, want) || (readErr == nil) != (wantErr == nil) {
				t.Errorf("UnmarshalRead(%s): %+v, %v; want %+v, %v", text, read, readErr, want, wantErr)
			}
			wantOut, _ := json.Marshal(got, json.Deterministic(true))
			out, err := shadow.Marshal(got, shadow.Deterministic(true))
			if err != nil || !bytes.Equal(out, wantOut) {
				t.Errorf("Marshal: %s, %v, want %s", out, err, wantOut)
			}
			var to bytes.Buffer
			if err := shadow.MarshalWrite(&to, got); err != nil || to.Len() != len(wantOut) {
				t.Errorf("MarshalWrite: %s, %v, want %s", &to, err, wantOut)
			}
		}
		if _, err := shadow.Marshal(make(chan int)); err == nil {
			t.Error("no error for encoding a channel")
		}
		if len(*differences) > 0 || log.Len() > 0 {
			t.Errorf("differences: %v\n%s", *differences, log)
		}
		n := shadow.Report{}.Counts()
		if got := n.Compared - before.Compared; got != 29 && got != 0 || (got == 0) == standard {
			t.Errorf("%d calls were compared", got)
		}
	}
}

type changing struct{ n *int }

func (c changing) MarshalJSON() ([]byte, error) {
	*c.n++
	return []byte(`"` + strings.Repeat("s", *c.n) + `"`), nil
}

// TestDifferent checks the report for a method that returns another result on the second call. The
// caller gets the result of the first call.
func TestDifferent(t *testing.T) {
	if !standard {
		t.Skip("this release has no encoding/json/v2 to compare with")
	}
	differences, log := compareAll(t, json.StdEngine)
	if out, err := shadow.Marshal([]any{changing{new(int)}}); err != nil || string(out) != `["s"]` {
		t.Errorf("the caller got %s, %v", out, err)
	}
	if len(*differences) != 1 || (*differences)[0].What != "bytes" || !strings.Contains((*differences)[0].Caller, "TestDifferent (shadow_test.go:") || log.Len() == 0 {
		t.Errorf("differences: %v\n%s", *differences, log)
	}
}

// TestFailingStreams checks that errors of readers and writers are returned.
func TestFailingStreams(t *testing.T) {
	differences, _ := compareAll(t, json.StdEngine)
	broken := errors.New("broken")
	var r row
	if err := shadow.UnmarshalRead(io.MultiReader(strings.NewReader(`{"name":"x"`), iotest.ErrReader(broken)), &r); !errors.Is(err, broken) {
		t.Errorf("UnmarshalRead: %v", err)
	}
	if err := shadow.MarshalWrite(brokenWriter{broken}, 1); !errors.Is(err, broken) {
		t.Errorf("MarshalWrite: %v", err)
	}
	if len(*differences) > 0 {
		t.Errorf("differences: %v", *differences)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }
