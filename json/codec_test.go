package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

func TestCodec(t *testing.T) {
	codec := For[recursive]()
	for _, in := range inputs {
		var want, got recursive
		wantErr, err := json.Unmarshal([]byte(in), &want), codec.Unmarshal([]byte(in), &got)
		compare(t, "Codec.Unmarshal", []byte(in), [2]any{&want, &got}, err, wantErr)
		wantText, wantErr := json.Marshal(&want)
		text, err := codec.Marshal(&got)
		if string(text) != string(wantText) || !sameError(err, wantErr) {
			t.Errorf("%s: %s, %v; want %s, %v", in, text, err, wantText, wantErr)
		}
	}
	if text, err := codec.Append([]byte("x"), nil); string(text) != "xnull" || err != nil {
		t.Errorf("nil: %s, %v", text, err)
	}
	if err := codec.Unmarshal([]byte("{}"), nil); !sameError(err, json.Unmarshal([]byte("{}"), (*recursive)(nil))) {
		t.Errorf("into nil: %v", err)
	}
	if b, err := For[chan int]().Append([]byte("x"), new(chan int)); err == nil || string(b) != "x" {
		t.Errorf("a channel: %s, %v", b, err)
	}
	if b, err := For[[]float64]().Append([]byte("x"), &[]float64{1, math.NaN()}); err == nil || string(b) != "x" {
		t.Errorf("NaN: %s, %v", b, err)
	}
	plain := For[string](Config{NoEscapeHTML: true})
	text := "<&>"
	if b, err := plain.Append(nil, &text); string(b) != `"<&>"` || err != nil {
		t.Errorf("%s, %v", b, err)
	}
	var failing struct{ F failsMarshal }
	_, wantErr := json.Marshal(&failing.F)
	if _, err := For[failsMarshal]().Marshal(&failing.F); !sameError(err, wantErr) {
		t.Errorf("a marshaler: %v, want %v", err, wantErr)
	}
}

type failsMarshal struct{}

func (failsMarshal) MarshalJSON() ([]byte, error) { return nil, errors.New("no") }

func TestCodecAllocs(t *testing.T) {
	byHone(t)
	testkit.SkipIfInstrumented(t)
	type record struct {
		Name string
		Tags []string
		N    int
	}
	codec := For[record]()
	v := record{"name", []string{"a", "b"}, 7}
	buf := make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() { buf, _ = codec.Append(buf[:0], &v) }); n != 0 {
		t.Errorf("Append: %v allocations", n)
	}
	var back record
	if n := testing.AllocsPerRun(100, func() {
		if err := codec.Unmarshal(buf, &back); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("Unmarshal into a value with enough capacity: %v allocations", n)
	}
}

func TestOptions(t *testing.T) {
	byHone(t)
	text := []byte(`{"a":"plain","b":"es\ncaped","c":12345678901234567890}`)
	var v struct {
		A, B string
		C    any
	}
	if err := (Config{AliasInput: true, UseNumber: true}).Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	if v.A != "plain" || v.B != "es\ncaped" || v.C != Number("12345678901234567890") {
		t.Errorf("%+v", v)
	}
	copy(text, `{"a":"PLAIN"`)
	if aliases := v.A == "PLAIN"; aliases != mem.CastMaps { // the build without unsafe copies

		t.Errorf("the string is %q after the input changed", v.A)
	}
	var copied struct{ A string }
	if err := Unmarshal(text, &copied); err != nil {
		t.Fatal(err)
	}
	copy(text, `{"a":"other"`)
	if copied.A != "PLAIN" {
		t.Errorf("without AliasInput the string is %q after the input changed", copied.A)
	}
	var out bytes.Buffer
	if err := MarshalWrite(&out, []string{"<"}); err != nil || out.String() != `["\u003c"]` {
		t.Errorf("%s, %v", &out, err)
	}
	out.Reset()
	if err := (Config{NoEscapeHTML: true}).MarshalWrite(&out, []string{"<"}); err != nil || out.String() != `["<"]` {
		t.Errorf("%s, %v", &out, err)
	}
	out.Reset()
	if err := MarshalWrite(&out, func() {}); err == nil || out.Len() > 0 {
		t.Errorf("%q, %v", &out, err)
	}
	if err := MarshalWrite(iotest.TruncateWriter(io.Discard, 0), 1); err != nil {
		t.Error(err)
	}
	var list []int
	if err := UnmarshalRead(iotest.OneByteReader(strings.NewReader(" [1,2,3] ")), &list); err != nil || len(list) != 3 {
		t.Errorf("%v, %v", list, err)
	}
	if err := UnmarshalRead(strings.NewReader("[1] 2"), &list); err == nil || len(list) != 3 {
		t.Errorf("two values: %v, %v", list, err)
	}
	if err := UnmarshalRead(io.MultiReader(strings.NewReader("[7]"), iotest.ErrReader(io.ErrClosedPipe)), &list); err != io.ErrClosedPipe || len(list) != 3 {
		t.Errorf("a reader that fails: %v, %v", list, err)
	}
}

func TestElements(t *testing.T) {
	type elem struct{ N int }
	for _, test := range []struct {
		text string
		want []int
		errs string
	}{
		{text: `[]`, want: nil, errs: ""}, {text: ` [ {"N":1} , {"N":2} ] x`, want: []int{1, 2}, errs: ""}, {text: `[{"N":1},null,{}]`, want: []int{1, 0, 0}, errs: ""},
		{text: ``, want: nil, errs: "unexpected EOF"}, {text: `[`, want: nil, errs: "unexpected EOF"}, {text: `[{"N":1}`, want: []int{1}, errs: "unexpected EOF"}, {text: `[{"N":1},`, want: []int{1}, errs: "unexpected EOF"},
		{text: `[{"N":1},{"N"`, want: []int{1}, errs: "unexpected EOF"}, {text: `[{"N":1}x`, want: []int{1}, errs: "after array element"},
		{text: `{"N":1}`, want: nil, errs: "cannot unmarshal object"}, {text: `null`, want: nil, errs: "cannot unmarshal null"}, {text: `1`, want: nil, errs: "cannot unmarshal number"}, {text: `"a"`, want: nil, errs: "cannot unmarshal string"}, {text: `true`, want: nil, errs: "cannot unmarshal bool"},
		{text: `[{"N":1},{"N":"x"},{"N":3}]`, want: []int{1, 3}, errs: "cannot unmarshal string"}, {text: `[{"N":1},]`, want: []int{1}, errs: "invalid character ']'"},
		{text: `[{"N":1}}`, want: []int{1}, errs: "invalid character '}'"},
	} {
		if RulesByDefault() == Go127 && strings.HasPrefix(test.errs, "invalid character") {
			test.errs = "invalid character" // from Go 1.27 on, the error is about the comma
		}
		var got []int
		var errs []string
		for v, err := range Elements[elem](iotest.OneByteReader(strings.NewReader(test.text))) {
			if err != nil {
				errs = append(errs, err.Error())
			} else {
				got = append(got, v.N)
			}
		}
		if !reflect.DeepEqual(got, test.want) || len(errs) > 1 || (test.errs == "") != (len(errs) == 0) || !strings.Contains(strings.Join(errs, ""), test.errs) {
			t.Errorf("%s: %v, %q", test.text, got, errs)
		}
	}
	for v, err := range Elements[any](strings.NewReader(`[1,2]`), Config{UseNumber: true}) {
		if v != Number("1") || err != nil {
			t.Errorf("%v, %v", v, err)
		}
		break
	}
}

// TestElementsMemory writes an array of 200,000 elements through a pipe and reads it. Neither side
// may hold the whole array in memory.
func TestElementsMemory(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	const n = 200_000
	r, w := io.Pipe()
	largest := 0
	go func() {
		w.CloseWithError(WriteElements(writerFunc(func(b []byte) (int, error) {
			largest = max(largest, len(b))
			return w.Write(b)
		}), numbers(n, nil)))
	}()
	next := 0
	for v, err := range Elements[map[string]int](r) {
		if err != nil || v["n"] != next {
			t.Fatalf("element %d: %v, %v", next, v, err)
		}
		next++
	}
	if next != n {
		t.Errorf("%d elements", next)
	}
	if largest > buffer.Large {
		t.Errorf("one call of Write has %d bytes, more than %d", largest, buffer.Large)
	}
	boom := errors.New("boom")
	var out bytes.Buffer
	if err := WriteElements(&out, numbers(3, boom)); err != boom || Valid(out.Bytes()) {
		t.Errorf("%s, %v", &out, err)
	}
	out.Reset()
	if err := WriteElements(&out, numbers(0, nil)); err != nil || out.String() != "[]" {
		t.Errorf("%s, %v", &out, err)
	}
	if err := WriteElements(writerFunc(func([]byte) (int, error) { return 0, boom }), numbers(n, nil)); err != boom {
		t.Errorf("a writer that fails: %v", err)
	}
	if err := WriteElements(&out, func(yield func(chan int, error) bool) { yield(nil, nil) }); err == nil {
		t.Error("WriteElements returned no error for a channel")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func numbers(n int, err error) iter.Seq2[map[string]int, error] {
	return func(yield func(map[string]int, error) bool) {
		for i := range n {
			if !yield(map[string]int{"n": i}, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func ExampleFor() {
	type user struct {
		Name string `json:"name"`
	}
	users := For[user]()
	buf := make([]byte, 0, 64)
	buf, err := users.Append(buf, &user{"Ada"})
	fmt.Println(string(buf), err)
	// Output: {"name":"Ada"} <nil>
}

func ExampleElements() {
	type reading struct{ Value float64 }
	r := strings.NewReader(`[{"Value":1.5},{"Value":2}]`)
	sum := 0.0
	for v, err := range Elements[reading](r) {
		if err != nil {
			fmt.Println(err)
			return
		}
		sum += v.Value
	}
	fmt.Println(sum)
	// Output: 3.5
}

// TestCodecMarshalWrite checks that MarshalWrite copies a value to pooled memory only if the
// value's type has no methods, because a method could retain the copy.
func TestCodecMarshalWrite(t *testing.T) {
	byHone(t)
	type message struct {
		Text string
		List []int
	}
	plain := For[message]()
	var out bytes.Buffer
	for _, v := range []message{{"a<", []int{1}}, {}, {"b", nil}} {
		out.Reset()
		want, _ := json.Marshal(v)
		if err := plain.MarshalWrite(&out, v); err != nil || out.String() != string(want) {
			t.Errorf("%s, %v; want %s", &out, err, want)
		}
	}
	if err := plain.MarshalWrite(failingWriter{}, message{}); err != errWriter {
		t.Errorf("the writer's error became %v", err)
	}
	kept = nil
	keepers := For[struct{ K keeper }]()
	for i := range 3 {
		out.Reset()
		if err := keepers.MarshalWrite(&out, struct{ K keeper }{keeper{i}}); err != nil || out.String() != fmt.Sprintf(`{"K":%d}`, i) {
			t.Errorf("%s, %v", &out, err)
		}
	}
	for i, k := range kept {
		if k.V != i {
			t.Errorf("value %d, which its method has retained, changed to %d", i, k.V)
		}
	}
	if For[struct {
		Z zeroAsked `json:",omitzero"`
	}]().copies != nil || For[[]map[string]*keeper]().copies != nil || For[mo.Result[keeper]]().copies != nil {
		t.Error("a value with methods is copied to pooled memory, which the methods could retain")
	}
	if For[*recursive]().copies == nil {
		t.Error("a value without methods is not copied to pooled memory")
	}
	testkit.SkipIfInstrumented(t)
	text := strings.Repeat("x", 10)
	if n := testing.AllocsPerRun(100, func() { _ = plain.MarshalWrite(io.Discard, message{Text: text}) }); n > 0 {
		t.Errorf("%v allocs, budget 0", n)
	}
}

type zeroAsked struct{ N int }

func (z *zeroAsked) IsZero() bool { return z.N == 0 }

var errWriter = errors.New("no space left")

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errWriter }
