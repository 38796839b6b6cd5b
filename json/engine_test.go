package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/release"
	"github.com/hone-go/hone/internal/test/testkit"
)

// byHone skips a test of a property that only Hone's engine has: few allocations, time proportional
// to the input, aliases of the input, or native encoding of mo's types.
func byHone(t *testing.T) {
	t.Helper()
	if EngineByDefault() != HoneEngine {
		t.Skip("encoding/json is the engine")
	}
}

// TestByStd runs the tests of this package in a process whose engine is encoding/json. They must
// pass.
func TestByStd(t *testing.T) {
	byHone(t)
	testkit.SkipInVariant(t)
	testkit.SkipUnlessSlow(t)
	if testing.Short() {
		t.Skip("runs all tests again")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// With StdEngine, rules of another release are an error.
	cmd := exec.Command(self, "-test.v=true", "-test.timeout=4m", "-test.skip=^ExampleConfig_rules$")
	cmd.Env = append(os.Environ(), "HONE_JSON=std")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if n := bytes.Count(out, []byte("\n--- SKIP")); n > 30 {
		t.Errorf("%d tests were skipped", n)
	}
	if !bytes.Contains(out, []byte("--- PASS: TestEngines")) {
		t.Error("the tests were not run")
	}
}

func TestSwitch(t *testing.T) {
	for name, want := range map[string]release.Switch{
		"": {}, "hone": {}, "std": {Std: true}, "go1.26": {Rules: Go126}, "go1.27": {Rules: Go127},
	} {
		if got := release.Named(name); got != want {
			t.Errorf("HONE_JSON=%s: %+v", name, got)
		}
	}
	testkit.SkipInVariant(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, reports := range map[string]int{"std": 0, "": 0, "hone": 0, "go1.26": 0, "go1.27": 0, "STD": 1, "go1.25": 1, "1.26": 1} {
		cmd := exec.Command(self, "-test.run=^$")
		cmd.Env = append(os.Environ(), "HONE_JSON="+name)
		out, err := cmd.CombinedOutput()
		if n := strings.Count(string(out), "is ignored"); err != nil || n != reports {
			t.Errorf("HONE_JSON=%s is reported %d times: %v\n%s", name, n, err, out)
		}
	}
}

type engineCase struct {
	A string    `json:"a"`
	B any       `json:"b,omitempty"`
	L []int     `json:"l,omitempty" length:"..2"`
	R *RawTaken `json:"r,omitempty"`
}

// A RawTaken retains the argument of its method, which is not allowed.
type RawTaken struct{ text []byte }

func (r *RawTaken) UnmarshalJSON(text []byte) error { r.text = text; return nil }
func (r *RawTaken) MarshalJSON() ([]byte, error)    { return r.text, nil }

// TestEngines encodes and decodes with both engines and with different options. The results must be
// the same.
func TestEngines(t *testing.T) {
	configs := map[string]Config{
		"plain": {}, "no escapes": {NoEscapeHTML: true}, "numbers": {UseNumber: true}, "unknown": {DisallowUnknownFields: true},
		"alias": {AliasInput: true}, "copy": {CopyInput: true}, "lengths": {LimitLengths: true},
		"all": {NoEscapeHTML: true, UseNumber: true, DisallowUnknownFields: true, CopyInput: true, LimitLengths: true},
	}
	texts := []string{
		`{"a":"<x>","b":1e3,"l":[1,2]}`, `{"a":"x","c":1}`, `{"a":1,"b":{"c":[1,"2",null]}}`, `{"a":"x"} x`, `{"a":`, ``, ` null `,
		`{"r":{"k":[1]},"a":"y"}`, `{"l":[1,"x",3]}`, `{"l":[1,2]}` + "\n",
	}
	for name, config := range configs {
		hone, std := config, config
		hone.Engine, std.Engine = HoneEngine, StdEngine
		for _, text := range texts {
			var a, b engineCase
			errA, errB := hone.Unmarshal([]byte(text), &a), std.Unmarshal([]byte(text), &b)
			if !reflect.DeepEqual(errA, errB) || !reflect.DeepEqual(a, b) {
				t.Errorf("%s: Unmarshal(%s): %+v, %v, and by encoding/json %+v, %v", name, text, a, errA, b, errB)
			}
			if errA != nil {
				continue
			}
			outA, errA := hone.Append([]byte("x"), &a)
			outB, errB := std.Append([]byte("x"), &a)
			if !bytes.Equal(outA, outB) || errA != nil || errB != nil {
				t.Errorf("%s: Append(%s): %s, %v, and by encoding/json %s, %v", name, text, outA, errA, outB, errB)
			}
			codecA, codecB := For[engineCase](hone), For[engineCase](std)
			outA, errA = codecA.Marshal(&a)
			outB, errB = codecB.Marshal(&a)
			if !bytes.Equal(outA, outB) || errA != nil || errB != nil {
				t.Errorf("%s: Codec.Marshal(%s): %s, %v, and by encoding/json %s, %v", name, text, outA, errA, outB, errB)
			}
			var streamA, streamB bytes.Buffer
			encA, encB := hone.NewEncoder(&streamA), std.NewEncoder(&streamB)
			encA.SetIndent(">", "  ")
			encB.SetIndent(">", "  ")
			encA.SetEscapeHTML(true)
			encB.SetEscapeHTML(true)
			if errA, errB := encA.Encode(a), encB.Encode(a); errA != nil || errB != nil || streamA.String() != streamB.String() {
				t.Errorf("%s: Encode(%s): %s, %v, and by encoding/json %s, %v", name, text, &streamA, errA, &streamB, errB)
			}
		}
	}
	if out, err := (Config{Engine: StdEngine}).Append([]byte("kept"), make(chan int)); err == nil || string(out) != "kept" {
		t.Errorf("after an error Append returns %s, %v", out, err)
	}
	if err := (Config{Engine: StdEngine}).Unmarshal([]byte(`1`), nil); err == nil || !errors.As(err, new(*InvalidUnmarshalError)) {
		t.Errorf("a nil target gives %v", err)
	}
	if err := (Config{Engine: StdEngine, CheckMembers: true}).Unmarshal([]byte(`{}`), new(engineCase)); !errors.As(err, new(*MembersError)) {
		t.Errorf("members are not checked: %v", err)
	}
	var kept engineCase
	text := []byte(`{"r":"abc"}`)
	if err := (Config{Engine: StdEngine, CopyInput: true}).Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	clear(text)
	if string(kept.R.text) != `"abc"` {
		t.Errorf("a method's input changed to %q", kept.R.text)
	}
}

// TestElementsByStd reads and writes arrays with both engines. The elements and the kinds of errors
// must be the same. Some errors are in an element, others after the last element.
func TestElementsByStd(t *testing.T) {
	for _, text := range []string{
		`[1,2,3]`, ` [ ] `, `[1,"x",3]`, `[1,2`, `[1 2]`, `{"a":1}`, `[1,]`, ``, `[1,2]]`, `[1,{"a":[}]`, `null`, `[1.5,2]`,
	} {
		read := func(e Engine) (all []int, errs []string) {
			for v, err := range Elements[int](io.MultiReader(strings.NewReader(text)), Config{Engine: e}) {
				all = append(all, v)
				errs = append(errs, kindOfError(err))
			}
			return all, errs
		}
		a, errsA := read(HoneEngine)
		b, errsB := read(StdEngine)
		if !slices.Equal(a, b) || !slices.Equal(errsA, errsB) {
			t.Errorf("%s: %v %v, and by encoding/json %v %v", text, a, errsA, b, errsB)
		}
	}
	var out [2]bytes.Buffer
	for i, e := range []Engine{HoneEngine, StdEngine} {
		seq := func(yield func(string, error) bool) { _ = yield("<a>", nil) && yield("b", nil) }
		if err := WriteElements(&out[i], seq, Config{Engine: e}); err != nil {
			t.Fatal(err)
		}
	}
	if out[0].String() != out[1].String() {
		t.Errorf("WriteElements: %s, and by encoding/json %s", &out[0], &out[1])
	}
}

// kindOfError returns a word for the kind of err, because the messages and the offsets of the two
// engines may differ in a stream.
func kindOfError(err error) string {
	var syntax *SyntaxError
	var typeErr *UnmarshalTypeError
	switch {
	case err == nil:
		return "none"
	case errors.As(err, &syntax):
		return "syntax"
	case errors.As(err, &typeErr):
		return "typeErr"
	}
	return err.Error()
}

// TestTargetErrors decodes valid and invalid texts into targets that are nil or not pointers. The
// errors must be the same as with encoding/json. Some releases of encoding/json check the target
// first, others check the text first.
func TestTargetErrors(t *testing.T) {
	for _, text := range []string{"1", "", " ", "{", "[1", `"a`, "1 2", "nul"} {
		for _, target := range []any{nil, 5, (*int)(nil), struct{}{}, map[string]int{}, []int{1}, new(int)} {
			want, got := json.Unmarshal([]byte(text), target), Unmarshal([]byte(text), target)
			if fmt.Sprintf("%T %v", got, got) != fmt.Sprintf("%T %v", want, want) {
				t.Errorf("Unmarshal(%q, %T): %v, want %v", text, target, got, want)
			}
			want, got = json.NewDecoder(strings.NewReader(text)).Decode(target), NewDecoder(strings.NewReader(text)).Decode(target)
			if fmt.Sprintf("%T %v", got, got) != fmt.Sprintf("%T %v", want, want) {
				t.Errorf("Decode(%q, %T): %v, want %v", text, target, got, want)
			}
		}
	}
}
