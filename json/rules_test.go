package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/release"
	"github.com/hone-go/hone/internal/test/testkit"
)

var allRules = []Rules{DefaultRules, Go126, Go127}

// otherRules are the rules of the release that is not linked.
var otherRules = Go126 + Go127 - release.Linked

// TestRulesBySwitch runs tests in a process with each release in HONE_JSON. They must pass. If the
// newest patch of a release is linked and HONE_SLOW is set, all tests run. Otherwise only the recordings run, because
// the other tests compare with the linked encoding/json.
func TestRulesBySwitch(t *testing.T) {
	testkit.SkipInVariant(t)
	if release.Chosen != (release.Switch{}) {
		t.Skip("HONE_JSON is set")
	}
	if testing.Short() {
		t.Skip("runs all tests again")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for value, rules := range map[string]Rules{"go1.26": Go126, "go1.27": Go127} {
		run := "^TestRecordings$"
		if linked, _, _ := strings.Cut(runtime.Version(), " "); testkit.IsSlow() && (linked == recordings[rules].release || rules == Go126 && release.Linked == Go126) {
			run = "."
		}
		cmd := exec.Command(self, "-test.v=true", "-test.short", "-test.timeout=4m", "-test.run="+run)
		cmd.Env = append(os.Environ(), "HONE_JSON="+value)
		if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: TestRecordings")) {
			t.Errorf("HONE_JSON=%s: %v\n%s", value, err, out)
		}
	}
}

// TestRulesByDefault checks that calls without rules follow the linked release and its patches,
// unless HONE_JSON names a release.
func TestRulesByDefault(t *testing.T) {
	if release.Chosen.Rules != DefaultRules {
		t.Skip("HONE_JSON names a release")
	}
	if RulesByDefault() != release.Linked {
		t.Errorf("RulesByDefault is %v, but the linked release is %v", RulesByDefault(), release.Linked)
	}
	byHone(t)
	const broken = "a\xff"
	std, ours, byRules := mustEncode(t, Config{Engine: StdEngine}, broken), mustEncode(t, Config{}, broken), mustEncode(t, Config{Rules: release.Linked}, broken)
	if std != ours || std != byRules {
		t.Errorf("encoding/json %s, default rules %s, rules of the linked release %s", std, ours, byRules)
	}
	if other := mustEncode(t, Config{Rules: otherRules}, broken); other == std {
		t.Errorf("the rules of both releases produce %s", other)
	}
}

func mustEncode(t *testing.T, o Config, v any) string {
	t.Helper()
	b, err := o.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestRulesOfOtherRelease checks that with StdEngine every call returns an error if its rules are
// not the rules of the linked release, and changes nothing.
func TestRulesOfOtherRelease(t *testing.T) {
	o := Config{Engine: StdEngine, Rules: otherRules}
	v, out := recInner{A: 7}, bytes.NewBufferString("x")
	codec := For[recInner](o)
	d, e := o.NewDecoder(strings.NewReader("1 2")), o.NewEncoder(out)
	for name, err := range map[string]error{
		"Marshal":        second(o.Marshal(v)),
		"MarshalWrite":   o.MarshalWrite(out, v),
		"Unmarshal":      o.Unmarshal([]byte(`{"a":1}`), &v),
		"UnmarshalRead":  o.UnmarshalRead(strings.NewReader(`{"a":1}`), &v),
		"Codec.Marshal":  second(codec.Marshal(&v)),
		"Codec.Decode":   codec.Unmarshal([]byte(`{"a":1}`), &v),
		"Encode":         e.Encode(v),
		"Decode":         d.Decode(&v),
		"Token":          second(d.Token()),
		"Decode again":   d.Decode(&v),
		"Std of Decoder": second(d.Std().Token()),
		"WriteElements":  WriteElements(out, func(yield func(recInner, error) bool) { yield(v, nil) }, o),
	} {
		if err == nil || !strings.Contains(err.Error(), "json: Config.Rules is "+otherRules.String()+", but ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, err := range Elements[recInner](strings.NewReader("[1]"), o) {
		if err == nil {
			t.Error("Elements yields an element in spite of rules that StdEngine cannot follow")
		}
	}
	if dst, err := o.Append([]byte("x"), v); string(dst) != "x" || err == nil {
		t.Errorf("Append: %s, %v", dst, err)
	}
	if v.A != 7 || out.String() != "x" {
		t.Errorf("%+v, %q", v, out)
	}
	// The engine in the Config takes precedence over the environment.
	if _, err := (Config{Engine: StdEngine}).Marshal(v); err != nil {
		t.Error(err)
	}
	if _, err := (Config{Engine: StdEngine, Rules: release.Linked}).Marshal(v); err != nil {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestRulesOfCodec checks that a Codec and a stream keep their rules, even if other rules are used
// for the same type.
func TestRulesOfCodec(t *testing.T) {
	byHone(t)
	type point struct {
		M map[any]int `json:",omitempty"`
		S string
	}
	for range 2 { // the second time, the types are already compiled
		for _, rules := range []Rules{Go126, Go127} {
			o := Config{Rules: rules}
			v := point{S: "\xff"}
			byCall, byCodec, byStream := mustEncode(t, o, v), string(first(For[point](o).Marshal(&v))), new(bytes.Buffer)
			if err := o.NewEncoder(byStream).Encode(v); err != nil || byCall != byCodec || byCall+"\n" != byStream.String() {
				t.Errorf("%v: %s, %s, %s, %v", rules, byCall, byCodec, byStream, err)
			}
			want := map[Rules]string{Go126: `{"S":"\ufffd"}`, Go127: "{\"S\":\"\ufffd\"}"}[rules]
			if byCall != want {
				t.Errorf("%v: %s, want %s", rules, byCall, want)
			}
			text := []byte(`{"M":{"a":1},"S":"s"}`)
			var one, two, three point
			fails := []error{o.Unmarshal(text, &one), For[point](o).Unmarshal(text, &two), o.NewDecoder(bytes.NewReader(text)).Decode(&three)}
			for i, err := range fails {
				if (err == nil) != (rules == Go127) || !reflect.DeepEqual(one, two) || !reflect.DeepEqual(one, three) {
					t.Errorf("%v, %d: %v, %+v, %+v, %+v", rules, i, err, one, two, three)
				}
			}
		}
	}
}

func first[T any](v T, _ error) T { return v }

// TestCodecLimits checks that a codec with LimitLengths applies the tags of its type.
func TestCodecLimits(t *testing.T) {
	type limited struct {
		L []int `length:"..2"`
	}
	var v limited
	if err := For[limited](Config{LimitLengths: true}).Unmarshal([]byte(`{"L":[1,2,3,4,5]}`), &v); err != nil || len(v.L) != 3 {
		t.Error(v, err)
	}
}

// TestDenseRules decodes texts with very many short values by rules that the linked encoding/json does
// not implement. The index for these texts must grow in few steps.
func TestDenseRules(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	byHone(t)
	const size = 4 << 20
	for _, part := range []string{"[],", "[[[[[[[[]]]]]]]],", `{"":{}},`, "1,", `"",`} {
		text := []byte("[" + strings.Repeat(part, size/len(part)) + "0]")
		for _, rules := range []Rules{Go126, Go127} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var n counted
			start := time.Now()
			if err := (Config{Rules: rules}).Unmarshal(text, &n); err != nil || n.n != len(text) {
				t.Errorf("%s: %d, %v", part, n.n, err)
			}
			runtime.ReadMemStats(&after)
			took := after.TotalAlloc - before.TotalAlloc
			t.Logf("%s, %v: %v, %d bytes", part, rules, time.Since(start), took)
			if took > 40*size {
				t.Errorf("%s, %v: %d bytes for a text of %d", part, rules, took, size)
			}
		}
	}
}

// A counted has an unmarshal method that records the length of its argument.
type counted struct{ n int }

func (c *counted) UnmarshalJSON(b []byte) error { c.n = len(b); return nil }

// TestRulesAfterError checks that Std returns a decoder that continues after an error, with any
// rules.
func TestRulesAfterError(t *testing.T) {
	byHone(t)
	for _, rules := range allRules {
		d := Config{Rules: rules}.NewDecoder(strings.NewReader(`{"a":[1,{"b":[2],,"c":3}]} 4`))
		var tokens []Token
		for {
			token, err := d.Token()
			if err != nil {
				break
			}
			tokens = append(tokens, token)
		}
		if len(tokens) != 9 {
			t.Errorf("%v: %v", rules, tokens)
		}
		std := d.Std()
		if _, err := std.Token(); err == nil {
			t.Errorf("%v: after an error at a second comma, Std returns a decoder that accepts the comma", rules)
		}
		d = Config{Rules: rules}.NewDecoder(strings.NewReader(`[1 2,3]`))
		_, _ = d.Token()
		_, _ = d.Token()
		if _, err := d.Token(); err == nil {
			t.Errorf("%v: no error for a missing comma", rules)
		}
		rest, err := io.ReadAll(d.Std().Buffered())
		if err != nil || !strings.HasSuffix(string(rest), "2,3]") && len(rest) > 0 {
			t.Errorf("%v: %q, %v", rules, rest, err)
		}
	}
}

// TestLocateRules checks that Locate returns the same positions for errors by the rules of both
// releases.
func TestLocateRules(t *testing.T) {
	for _, text := range recordedTexts {
		var places []Position
		for _, rules := range []Rules{Go126, Go127} {
			err := Config{Rules: rules, Engine: HoneEngine}.Unmarshal([]byte(text), new(any))
			if s := (*SyntaxError)(nil); errors.As(err, &s) {
				at, ok := Locate([]byte(text), err)
				if !ok {
					t.Errorf("%q, %v: Locate finds no position for %v at %d", text, rules, err, s.Offset)
				}
				places = append(places, at)
			}
		}
		if len(places) == 2 && places[0] != places[1] {
			t.Errorf("%q: %+v", text, places)
		}
	}
}

// TestCompactRules calls Compact and Indent for invalid texts. The errors must be the same as with
// encoding/json.
func TestCompactRules(t *testing.T) {
	for _, text := range recordedTexts {
		for name, run := range map[string][2]func() error{
			"Compact": {func() error { return Compact(new(bytes.Buffer), []byte(text)) }, func() error { return json.Compact(new(bytes.Buffer), []byte(text)) }},
			"Indent":  {func() error { return Indent(new(bytes.Buffer), []byte(text), "", " ") }, func() error { return json.Indent(new(bytes.Buffer), []byte(text), "", " ") }},
		} {
			got, want := run[0](), run[1]()
			if release.Chosen.Rules == otherRules {
				want = got // TestRecordings compares these errors
			}
			if recordedError(got) != recordedError(want) {
				t.Errorf("%s(%q): %s, want %s", name, text, recordedError(got), recordedError(want))
			}
		}
	}
}

// TestEncoderSize checks that an Encoder fits into a size class of the Go allocator.
func TestEncoderSize(t *testing.T) {
	if size := reflect.TypeFor[Encoder]().Size(); size > 80 {
		t.Errorf("an Encoder has %d bytes", size)
	}
}

// TestRulesNames checks the names of known and unknown rules.
func TestRulesNames(t *testing.T) {
	names := []string{DefaultRules.String(), Go126.String(), Go127.String(), Rules(9).String()}
	if want := []string{"the default", "Go 1.26", "Go 1.27", "Rules(9)"}; !slices.Equal(names, want) {
		t.Error(names)
	}
}
