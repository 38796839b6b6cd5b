package shadow_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"expvar"
	"io"
	"log/slog"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	"github.com/hone-go/hone/json/shadow"
)

// TestAPI checks that this package exports everything that encoding/json exports.
func TestAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("loads packages from source")
	}
	api := testkit.API{Standard: "encoding/json", Ours: "github.com/hone-go/hone/json/shadow"}
	api.Text = func(s string) string { return strings.ReplaceAll(s, api.Standard, api.Ours) }
	api.Compare(t)
}

// compareAll makes the shadow compare every call, and returns the differences and the log.
func compareAll(t *testing.T, change ...func(*shadow.Settings)) (*[]shadow.Difference, *bytes.Buffer) {
	t.Helper()
	var differences []shadow.Difference
	var log bytes.Buffer
	s := shadow.Settings{
		Share: 1, Budget: time.Minute, Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Report: func(d shadow.Difference) { differences = append(differences, d) },
	}
	for _, c := range change {
		c(&s)
	}
	shadow.Set(s)
	t.Cleanup(func() {
		shadow.Set(shadow.Settings{Share: 0.01})
		shadow.Answer(json.DefaultEngine)
	})
	return &differences, &log
}

type row struct {
	Name  string         `json:"name"`
	Price float64        `json:"price"`
	Tags  map[string]any `json:"tags,omitempty"`
	Next  *row           `json:"next,omitempty"`
}

// TestSame makes typical calls. The caller must get the results of encoding/json, and no difference
// may be reported.
func TestSame(t *testing.T) {
	for _, engine := range []json.Engine{json.StdEngine, json.HoneEngine} {
		differences, log := compareAll(t)
		shadow.Answer(engine)
		before := shadow.Report{}.Counts()
		for _, text := range []string{
			`{"name":"<é>","price":1.5,"tags":{"a":[1,null,"x"]},"next":{"name":"b"}}`, `{"price":"x","name":"n"}`, `{"name":`, `[1]`, ` null `, `{"name":"x"} y`,
		} {
			var got, want, streamed row
			err, wantErr := shadow.Unmarshal([]byte(text), &got), stdjson.Unmarshal([]byte(text), &want)
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(err, wantErr) {
				t.Errorf("Unmarshal(%s): %+v, %v; want %+v, %v", text, got, err, want, wantErr)
			}
			out, _ := shadow.Marshal(got)
			wantOut, _ := stdjson.Marshal(got)
			if !bytes.Equal(out, wantOut) {
				t.Errorf("Marshal: %s, want %s", out, wantOut)
			}
			out, _ = shadow.MarshalIndent(got, ">", "\t")
			wantOut, _ = stdjson.MarshalIndent(got, ">", "\t")
			if !bytes.Equal(out, wantOut) {
				t.Errorf("MarshalIndent: %s, want %s", out, wantOut)
			}
			if shadow.Valid([]byte(text)) != stdjson.Valid([]byte(text)) {
				t.Errorf("Valid(%s) differs", text)
			}
			d := shadow.NewDecoder(iotest.OneByteReader(strings.NewReader(text + " " + text)))
			d.UseNumber()
			for range 2 {
				streamed = row{}
				_ = d.Decode(&streamed)
			}
			var buf, wantBuf bytes.Buffer
			e := shadow.NewEncoder(&buf)
			e.SetIndent("", " ")
			e.SetEscapeHTML(false)
			we := stdjson.NewEncoder(&wantBuf)
			we.SetIndent("", " ")
			we.SetEscapeHTML(false)
			if err := e.Encode(got); err != nil || we.Encode(got) != nil || buf.String() != wantBuf.String() {
				t.Errorf("Encode: %v, %s, want %s", err, &buf, &wantBuf)
			}
		}
		if _, err := shadow.Marshal(make(chan int)); err == nil {
			t.Error("no error for encoding a channel")
		}
		if len(*differences) > 0 || log.Len() > 0 {
			t.Errorf("differences: %v\n%s", *differences, log)
		}
		if n := (shadow.Report{}).Counts(); n.Compared-before.Compared < 30 || n.Different != before.Different {
			t.Errorf("counts: %+v, before %+v", n, before)
		}
	}
}

// TestDecoderInArray reads the brackets of an array as tokens and decodes its elements. Each
// element must be compared, even after an element with an error.
func TestDecoderInArray(t *testing.T) {
	differences, _ := compareAll(t)
	before := shadow.Report{}.Counts()
	d := shadow.NewDecoder(strings.NewReader(`{"rows": [ {"name":"a"} , {"name":"b","price":"no"},{"name":"c"}]}`))
	for range 3 {
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for d.More() {
		var r row
		if err := d.Decode(&r); err != nil && !errors.As(err, new(*shadow.UnmarshalTypeError)) {
			t.Fatal(err)
		}
		names = append(names, r.Name)
	}
	if got := strings.Join(names, ""); got != "abc" {
		t.Errorf("names %s", got)
	}
	if n := (shadow.Report{}).Counts(); n.Compared-before.Compared != 3 || len(*differences) > 0 {
		t.Errorf("compared %d, differences %v", n.Compared-before.Compared, *differences)
	}
}

// A changing value is encoded differently each time.
type changing struct{ n *int }

func (c changing) MarshalJSON() ([]byte, error) {
	*c.n++
	return stdjson.Marshal(map[string]any{"card": "4111-1111-1111-1111", "times": strings.Repeat("s", *c.n)})
}

// panicking has a method that panics on the second call.
type panicking struct{ n *int }

func (p panicking) MarshalJSON() ([]byte, error) {
	if *p.n++; *p.n > 1 {
		panic("a secret")
	}
	return []byte("1"), nil
}

type failing struct{ n *int }

func (f failing) MarshalJSON() ([]byte, error) {
	if *f.n++; *f.n > 1 {
		return nil, errors.New("password hunter2")
	}
	return []byte("1"), nil
}

var decoded int

type keeping struct{ Deep []struct{ Nth counted } }

type counted struct{ N int }

func (c *counted) UnmarshalJSON([]byte) error { decoded++; c.N = decoded; return nil }

// TestDifferences causes each kind of difference, with methods that return another result on the
// second call. The caller must get the first result. The differences must be reported without the
// secrets in the values.
func TestDifferences(t *testing.T) {
	differences, log := compareAll(t)
	out, err := shadow.Marshal([]any{changing{new(int)}})
	if err != nil || !bytes.Contains(out, []byte(`"times":"s"`)) {
		t.Errorf("the caller got %s, %v", out, err)
	}
	if out, err := shadow.Marshal(panicking{new(int)}); err != nil || string(out) != "1" {
		t.Errorf("the caller got %s, %v", out, err)
	}
	if out, err := shadow.Marshal(failing{new(int)}); err != nil || string(out) != "1" {
		t.Errorf("the caller got %s, %v", out, err)
	}
	var k keeping
	if err := shadow.Unmarshal([]byte(`{"Deep":[{"Nth":1}]}`), &k); err != nil || k.Deep[0].Nth.N != 1 {
		t.Errorf("the caller got %+v, %v", k, err)
	}
	var what, paths []string
	for _, d := range *differences {
		what, paths = append(what, d.What), append(paths, d.Path)
		if !strings.Contains(d.Caller, "TestDifferences (shadow_test.go:") {
			t.Errorf("the caller is %s", d.Caller)
		}
	}
	if got := strings.Join(what, " "); got != "bytes panic error value" {
		t.Errorf("differences in %s", got)
	}
	if len(paths) == 4 && paths[3] != ".Deep[0].Nth.N" {
		t.Errorf("the path of the difference is %s", paths[3])
	}
	for _, secret := range []string{"4111", "hunter2", "a secret", "card"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has %q:\n%s", secret, log)
		}
	}
	if lines := strings.Count(log.String(), "\n"); lines != 4 {
		t.Errorf("%d lines for 4 differences:\n%s", lines, log)
	}
}

// TestLogIsShort repeats one difference, and checks that only the first, second, fourth, eighth …
// occurrence is logged.
func TestLogIsShort(t *testing.T) {
	_, log := compareAll(t, func(s *shadow.Settings) { s.Report = func(shadow.Difference) { panic("in Report") } })
	for range 100 {
		_, _ = shadow.Marshal(changing{new(int)})
	}
	if lines := strings.Count(log.String(), "\n"); lines != 7 {
		t.Errorf("%d lines for 100 differences", lines)
	}
}

type slow struct{ n *int }

func (s slow) MarshalJSON() ([]byte, error) {
	*s.n++
	time.Sleep(20 * time.Millisecond)
	return []byte("1"), nil
}

// TestEncoderKeepsLittle encodes more than the maximum that is compared. The encoder must not keep
// a copy.
func TestEncoderKeepsLittle(t *testing.T) {
	text := json.RawMessage(`"` + strings.Repeat("x", 32<<20) + `"`)
	allocated := func(share float64) uint64 {
		compareAll(t, func(s *shadow.Settings) { s.MaxBytes, s.Share = 100, share })
		e := shadow.NewEncoder(io.Discard)
		runtime.GC()
		runtime.GC() // empties the pools
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := e.Encode(text); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(0)
	if plain, compared := allocated(0), allocated(1); compared > plain+16<<20 {
		t.Errorf("%d bytes, and %d without a comparison", compared, plain)
	}
}

// TestBounds checks that slow calls and long texts are not compared.
func TestBounds(t *testing.T) {
	compareAll(t, func(s *shadow.Settings) { s.Budget = 5 * time.Millisecond; s.MaxBytes = 100 })
	var n int
	for range 5 {
		_, _ = shadow.Marshal(slow{&n})
	}
	if n != 6 {
		t.Errorf("the method was called %d times for 5 calls", n)
	}
	compareAll(t, func(s *shadow.Settings) { s.MaxBytes = 100 })
	before := shadow.Report{}.Counts()
	long := `"` + strings.Repeat("x", 200) + `"`
	var s string
	_ = shadow.Unmarshal([]byte(long), &s)
	_, _ = shadow.Marshal(s)
	_ = shadow.Valid([]byte(long))
	_ = shadow.NewEncoder(io.Discard).Encode(s)
	d := shadow.NewDecoder(strings.NewReader(strings.Repeat(long, 10)))
	for range 10 {
		var s string
		if err := d.Decode(&s); err != nil {
			t.Fatal(err)
		}
	}
	full := map[string]int{"a": 1}
	_ = shadow.Unmarshal([]byte(`{"b":2}`), &full)
	if after := (shadow.Report{}).Counts(); after.Compared != before.Compared || after.Passed-before.Passed != 15 {
		t.Errorf("counts %+v, before %+v", after, before)
	}
	if len(full) != 2 {
		t.Errorf("a target that was not zero became %v", full)
	}
}

// TestFailingStreams checks that errors of readers and writers are returned once.
func TestFailingStreams(t *testing.T) {
	differences, _ := compareAll(t)
	broken := errors.New("broken")
	var r row
	if err := shadow.NewDecoder(io.MultiReader(strings.NewReader(`{"name":"x"`), iotest.ErrReader(broken))).Decode(&r); !errors.Is(err, broken) {
		t.Errorf("Decode: %v", err)
	}
	if err := shadow.NewDecoder(strings.NewReader("")).Decode(&r); err != io.EOF {
		t.Errorf("Decode: %v", err)
	}
	e := shadow.NewEncoder(iotest.TruncateWriter(brokenWriter{broken}, 0))
	if err := e.Encode(1); err != nil {
		t.Errorf("Encode: %v", err)
	}
	if err := shadow.NewEncoder(brokenWriter{broken}).Encode(1); !errors.Is(err, broken) {
		t.Errorf("Encode: %v", err)
	}
	if len(*differences) > 0 {
		t.Errorf("differences: %v", *differences)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// TestConcurrent decodes in several goroutines while the settings change. Every call must return
// the right value.
func TestConcurrent(t *testing.T) {
	compareAll(t, func(s *shadow.Settings) { s.Report = nil })
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for i := range 200 {
				if i%50 == 0 {
					shadow.Set(shadow.Settings{Share: 0.5})
					shadow.Answer(json.Engine(i / 50 % 3))
				}
				var r row
				if err := shadow.Unmarshal([]byte(`{"name":"x"}`), &r); err != nil || r.Name != "x" {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

func TestReport(t *testing.T) {
	var v expvar.Var = shadow.Report{}
	var counts shadow.Counts
	if err := stdjson.Unmarshal([]byte(v.String()), &counts); err != nil || counts.Calls == 0 {
		t.Errorf("%s: %v", v, err)
	}
}

// A streamed has a marshal method that takes Hone's stream, which encoding/json cannot call.
type streamed struct{ S string }

func (v streamed) MarshalJSONTo(to *jsontext.Encoder) error {
	return to.WriteToken(jsontext.String("m:" + v.S))
}

func (v *streamed) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	t, err := from.ReadToken()
	v.S = strings.TrimPrefix(t.String(), "m:")
	return err
}

// TestStreamsAreNotCompared checks that calls with such types are counted as not compared. Hone's
// engine handles them, whichever engine is selected.
func TestStreamsAreNotCompared(t *testing.T) {
	defer shadow.Set(shadow.Settings{Share: 0.01})
	defer shadow.Answer(json.StdEngine)
	shadow.Set(shadow.Settings{Share: 1, Report: func(d shadow.Difference) { t.Errorf("%+v", d) }})
	for _, e := range []json.Engine{json.StdEngine, json.HoneEngine} {
		shadow.Answer(e)
		before := shadow.Report{}.Counts()
		v := []streamed{{"x"}}
		out, err := shadow.Marshal(v)
		lines, err2 := shadow.MarshalIndent(v, "", "")
		var b strings.Builder
		err3 := shadow.NewEncoder(&b).Encode(v)
		if err := errors.Join(err, err2, err3); err != nil || string(out) != `["m:x"]` || string(lines) != "[\n\"m:x\"\n]" || b.String() != "[\"m:x\"]\n" {
			t.Errorf("%v: %s, %s, %s, %v", e, out, lines, &b, err)
		}
		var back, again []streamed
		if err := shadow.Unmarshal(out, &back); err != nil || len(back) != 1 || back[0].S != "x" {
			t.Errorf("%v: %v, %v", e, back, err)
		}
		if err := shadow.NewDecoder(strings.NewReader(b.String())).Decode(&again); err != nil || len(again) != 1 || again[0].S != "x" {
			t.Errorf("%v: %v, %v", e, again, err)
		}
		after := shadow.Report{}.Counts()
		if n := after.Passed - before.Passed; n != 5 {
			t.Errorf("%v: %d of 5 calls are counted as not compared", e, n)
		}
	}
}
