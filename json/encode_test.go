//lint:file-ignore SA5008,U1000 the tests need wrong tags and unused fields

package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

// sameEncoding compares Marshal and the Encoder with encoding/json. They must return the same
// bytes, or an error of the same type and text.
func sameEncoding(t *testing.T, v any) {
	t.Helper()
	want, wantErr := json.Marshal(v)
	got, err := Marshal(v)
	if !sameError(err, wantErr) {
		t.Errorf("Marshal(%T %+v): error %v (%T), want %v (%T)", v, v, err, err, wantErr, wantErr)
		return
	}
	if string(got) != string(want) {
		t.Errorf("Marshal(%T)\ngot  %s\nwant %s", v, got, want)
	}
	for _, html := range []bool{true, false} {
		if !html && v != nil && strings.Contains(reflect.TypeOf(v).String(), "mo.") {
			// encoding/json calls the methods of mo's types, which always escape HTML. This package
			// does not call them.
			continue
		}
		var wantBuf, gotBuf bytes.Buffer
		std, ours := json.NewEncoder(&wantBuf), NewEncoder(&gotBuf)
		std.SetEscapeHTML(html)
		ours.SetEscapeHTML(html)
		if !html {
			std.SetIndent(">", "  ")
			ours.SetIndent(">", "  ")
		}
		wantErr, err := std.Encode(v), ours.Encode(v)
		if !sameError(err, wantErr) {
			t.Errorf("Encode(%T): error %v, want %v", v, err, wantErr)
		}
		if gotBuf.String() != wantBuf.String() {
			t.Errorf("Encode(%T), html %v\ngot  %s\nwant %s", v, html, &gotBuf, &wantBuf)
		}
	}
}

// sameError reports whether two errors have the same type and text. For type errors it also
// compares the fields.
func sameError(a, b error) bool {
	if a == nil || b == nil {
		return (a == nil) == (b == nil)
	}
	if reflect.TypeOf(a) != reflect.TypeOf(b) || a.Error() != b.Error() {
		return false
	}
	var x, y *UnmarshalTypeError
	if errors.As(a, &x) && errors.As(b, &y) {
		return x.Value == y.Value && x.Type == y.Type && x.Offset == y.Offset && x.Struct == y.Struct && x.Field == y.Field
	}
	var s, u *SyntaxError
	if errors.As(a, &s) && errors.As(b, &u) {
		return s.Offset == u.Offset
	}
	return true
}

type (
	valueJSON   struct{ S string }
	pointerJSON struct{ S string }
	valueText   struct{ S string }
	pointerText struct{ S string }
	badJSON     struct{}
	failJSON    struct{}
	failText    struct{}
	textKey     int
	namedString string
	jsonByte    byte
	jsonMap     map[string]int
	jsonString  string
)

func (v valueJSON) MarshalJSON() ([]byte, error)    { return []byte(`{ "v" : "<` + v.S + `>" }`), nil }
func (v *pointerJSON) MarshalJSON() ([]byte, error) { return []byte(`["p", "` + v.S + `"]`), nil }
func (v valueText) MarshalText() ([]byte, error)    { return []byte("v<" + v.S), nil }
func (v *pointerText) MarshalText() ([]byte, error) { return []byte("p\"" + v.S), nil }
func (badJSON) MarshalJSON() ([]byte, error)        { return []byte(`{"a":1,}`), nil }
func (failJSON) MarshalJSON() ([]byte, error)       { return nil, errors.New("no JSON today") }
func (failText) MarshalText() ([]byte, error)       { return nil, errors.New("no text today") }
func (k textKey) MarshalText() ([]byte, error)      { return fmt.Appendf(nil, "k%d", int(k)), nil }
func (b jsonByte) MarshalJSON() ([]byte, error)     { return fmt.Appendf(nil, `"b%d"`, byte(b)), nil }
func (m jsonMap) MarshalJSON() ([]byte, error)      { return fmt.Appendf(nil, `%d`, len(m)), nil }
func (s jsonString) MarshalJSON() ([]byte, error)   { return []byte(`"s"`), nil }

type scalars struct {
	Bool bool
	I    int
	I8   int8
	I16  int16
	I32  int32
	I64  int64
	U    uint
	U8   uint8
	U16  uint16
	U32  uint32
	U64  uint64
	UP   uintptr
	F32  float32
	F64  float64
	S    string
	N    Number
	B    []byte
	NS   namedString
}

type quoted struct {
	Bool bool         `json:",string"`
	I    int          `json:"i,string"`
	F    float64      `json:",string"`
	S    string       `json:",string"`
	N    Number       `json:",string"`
	P    *int         `json:",string"`
	PS   *string      `json:",string"`
	Not  []int        `json:",string"`
	J    jsonString   `json:",string"`
	U    uint64       `json:"u,omitempty,string"`
	NP   *namedString `json:",omitempty,string"`
}

type omitted struct {
	A bool              `json:"a,omitempty"`
	B int               `json:",omitempty"`
	C string            `json:"c<d>,omitempty"`
	D []int             `json:",omitempty"`
	E map[string]int    `json:",omitempty"`
	F *int              `json:",omitempty"`
	G any               `json:",omitempty"`
	H [0]int            `json:",omitempty"`
	I [1]int            `json:",omitempty"`
	J struct{}          `json:",omitempty"`
	K float64           `json:",omitempty"`
	L time.Time         `json:",omitzero"`
	M valueJSON         `json:",omitzero"`
	N mo.Option[int]    `json:",omitzero"`
	O mo.Option[string] `json:",omitempty"`
	P *big.Int          `json:",omitzero"`
	Q netip.Addr        `json:",omitzero"`
	R []byte            `json:"r,omitempty,omitzero"`
	S float32           `json:",omitzero"`
	T map[int]bool      `json:",omitzero"`
	U error             `json:",omitempty"`
	X uint8             `json:"<x>"`
}

type base struct {
	ID   int
	Name string
	Same string
}

type Other struct {
	Same  string
	Deep  *base
	Other int `json:"other"`
}

type hidden struct{ Shown int }

type promoted struct {
	base
	*Other
	*hidden
	Name   string
	Tagged base `json:"tagged"`
	*Loop
}

type Loop struct {
	*Loop
	L int
}

type recursive struct {
	V    int
	Next *recursive            `json:",omitempty"`
	Kids []recursive           `json:",omitempty"`
	Map  map[string]*recursive `json:",omitempty"`
	Any  any                   `json:",omitempty"`
}

func ptr[T any](v T) *T { return &v }

func values() []any {
	when := time.Date(2024, 2, 29, 23, 59, 59, 120, time.FixedZone("", 5*3600+1800))
	full := scalars{true, -1, -8, -16, -32, math.MinInt64, 1, 8, 16, 32, math.MaxUint64, 7, 0.1, 1e21, "s<>&\u2028\xff\"", "1e5", []byte{0, 255}, "n"}
	p := &recursive{V: 1, Kids: []recursive{{V: 2}}, Map: map[string]*recursive{"b": nil, "a": {V: 3}}, Any: []any{1, "x", nil, 2.5, map[string]any{"z": true, "a": int8(1)}}}
	values := []any{
		nil, true, 1, "a<b", 1.5, float32(0.1), math.Inf(1), float32(math.NaN()), Number(""), Number("1x"), []byte(nil), []byte{}, []byte("abc"),
		scalars{}, &scalars{}, full, &full,
		quoted{}, quoted{P: ptr(1), PS: ptr("x\"<"), S: `q"<`, F: -0.5, NP: ptr(namedString("n")), U: 3, N: "12"}, &quoted{N: "x"},
		omitted{}, &omitted{}, omitted{A: true, B: 1, C: "c", D: []int{1}, E: map[string]int{"": 1}, F: ptr(0), G: 0, K: math.Copysign(0, -1), L: when,
			M: valueJSON{"m"}, N: mo.Some(0), O: mo.Some("o"), P: big.NewInt(9), Q: netip.MustParseAddr("::1"), R: []byte("r"), S: 1, T: map[int]bool{1: true, 10: false, 2: true}},
		promoted{}, promoted{base: base{ID: 1, Name: "b", Same: "s"}, Other: &Other{Same: "o", Deep: &base{ID: 2}}, hidden: &hidden{3}, Loop: &Loop{L: 1, Loop: &Loop{L: 2}}},
		p, *p, []recursive(nil), []recursive{}, [2]recursive{}, []*int{nil, ptr(1)}, [][]string{nil, {}, {"a", "b"}},
		valueJSON{"x"}, &valueJSON{"x"}, (*valueJSON)(nil), pointerJSON{"x"}, &pointerJSON{"x"}, (*pointerJSON)(nil),
		valueText{"x"}, &valueText{"x"}, pointerText{"x"}, &pointerText{"x"}, (*pointerText)(nil),
		[]pointerJSON{{"in slice"}}, [1]pointerJSON{{"in array"}}, &[1]pointerJSON{{"in array"}}, map[string]pointerJSON{"k": {"in map"}},
		struct{ P pointerJSON }{}, &struct{ P pointerJSON }{}, struct{ P *pointerJSON }{&pointerJSON{"y"}}, &struct{ T pointerText }{},
		struct{ A any }{pointerJSON{"in any"}}, struct{ A any }{&pointerJSON{"in any"}}, struct{ M Marshaler }{}, struct{ M Marshaler }{valueJSON{"m"}},
		struct{ M fmt.Stringer }{when}, struct{ E error }{}, struct{ E error }{errors.New("x")},
		badJSON{}, failJSON{}, failText{}, &failText{}, []any{failText{}}, map[failTextKey]int{{}: 1},
		map[string]int(nil), map[string]int{}, map[namedString]float64{"b": 1, "a": 2}, map[int]string{10: "x", 9: "y", -1: "z"}, map[uint8]bool{200: true, 3: false},
		map[textKey]int{2: 1, 10: 2}, map[bool]int{}, map[[2]int]int{}, map[string]any{"b": []int{1}, "a<": nil, "c": map[string]any{}},
		map[string][]byte{"x": []byte("y")}, map[string]jsonString{"a": "b"}, map[string]Number{"n": "1"}, map[string]float64{"x": math.NaN()},
		[]jsonByte{1, 2}, jsonMap(nil), struct{ M jsonMap }{}, []jsonByte(nil), [3]byte{1, 2, 3}, [0]int{},
		make(chan int), func() {}, complex(1, 2), struct{ C chan int }{}, struct {
			C chan int `json:"-"`
			D int      `json:"-,"`
		}{}, struct {
			C chan int `json:",omitempty"`
		}{}, []any{make(chan int)},
		when, &when, ptr(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)), struct{ T *time.Time }{ptr(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))}, time.Time{}, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone("", 61)), time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC),
		RawMessage(nil), RawMessage(`{ "a" : "<" }`), struct{ R RawMessage }{RawMessage("bad")}, &struct{ R RawMessage }{RawMessage("[1, 2]")},
		mo.Some(1), mo.None[int](), []mo.Option[string]{mo.Some("x"), {}}, mo.Some([]byte("x")), mo.Some(mo.Some(1.5)), mo.Ok(1), mo.Err[int](errors.New("x")),
		ptr(ptr(ptr(1))), (**int)(nil), ptr((*int)(nil)), ptr(any(nil)), ptr(any(1)), big.NewInt(5), *big.NewInt(5), struct{ B big.Int }{}, &struct{ B big.Int }{},
		map[string]map[string]any{"x": {"y": 1}}, [1]*int{nil}, struct{ P *int }{}, [1]map[string]int{{"a": 1}}, struct{ M map[string]int }{map[string]int{"z": 26}},
		struct {
			C int `json:"bad,name\""`
			D int `json:"é"`
			e int
		}{},
	}
	// Cycles, and deeply nested values without cycles.
	cycle := &recursive{}
	cycle.Next = cycle
	cycleMap := map[string]any{}
	cycleMap["m"] = cycleMap
	cycleSlice := []any{nil}
	cycleSlice[0] = cycleSlice
	deep := &recursive{}
	for range 2000 {
		deep = &recursive{Next: deep}
	}
	return append(values, cycle, cycleMap, cycleSlice, deep)
}

type failTextKey struct{}

func (failTextKey) MarshalText() ([]byte, error) { return nil, errors.New("no key today") }

func TestEncode(t *testing.T) {
	for _, v := range values() {
		sameEncoding(t, v)
	}
}

func TestAppendKeepsDst(t *testing.T) {
	got, err := Append([]byte("x"), []any{1, failJSON{}})
	if err == nil || string(got) != "x" {
		t.Errorf("Append = %q, %v; want dst and an error", got, err)
	}
}

func TestAppendAllocs(t *testing.T) {
	byHone(t)
	testkit.SkipIfInstrumented(t)
	v := struct {
		scalars
		Time   time.Time
		Option mo.Option[float64]
		Map    map[string]float64
		Any    map[string]any
		List   []base
		Ptr    *base
		Nested struct{ O omitted }
	}{Time: time.Now(), Option: mo.Some(1.5), Map: map[string]float64{"b": 1, "a": 2},
		Any: map[string]any{"x": "y", "n": nil}, List: make([]base, 3), Ptr: &base{Name: strings.Repeat("é<", 20)}}
	buf := make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() { buf, _ = Append(buf[:0], &v) }); n > 0 {
		t.Errorf("Append: %v allocs, budget 0", n)
	}
}

type keeper struct{ V int }

var kept []*keeper

func (k *keeper) MarshalJSON() ([]byte, error) {
	kept = append(kept, k)
	return fmt.Appendf(nil, "%d", k.V), nil
}

// TestKept encodes Options whose values have a method with a pointer receiver. The method retains
// its receiver, so the encoder must not reuse the receiver's memory.
func TestKept(t *testing.T) {
	kept = nil
	got, err := Marshal(map[string]mo.Option[keeper]{"a": mo.Some(keeper{1}), "b": {}, "c": mo.Some(keeper{2})})
	if err != nil || string(got) != `{"a":1,"b":null,"c":2}` {
		t.Fatalf("%s, %v", got, err)
	}
	if got, err := Marshal(mo.Some(keeper{3})); err != nil || string(got) != "3" {
		t.Fatalf("%s, %v", got, err)
	}
	for i, k := range kept {
		if k.V != i+1 {
			t.Errorf("value %d, which its method has retained, changed to %d", i+1, k.V)
		}
	}
}

type keepsZero struct{ P *int }

var keptZero []*keepsZero

func (k *keepsZero) IsZero() bool {
	keptZero = append(keptZero, k)
	return k.P == nil
}

// TestKeptZero is like TestKept, for an IsZero method. The struct consists of one pointer, so an
// interface stores the struct in its data word.
func TestKeptZero(t *testing.T) {
	keptZero = nil
	type direct struct {
		K keepsZero `json:",omitzero"`
	}
	for i := range 3 {
		want := fmt.Sprintf(`{"K":{"P":%d}}`, i)
		if got, err := Marshal(direct{keepsZero{&i}}); err != nil || string(got) != want {
			t.Fatalf("%s, %v; want %s", got, err, want)
		}
	}
	for i, k := range keptZero {
		if k.P == nil || *k.P != i {
			t.Errorf("value %d, which its method has retained, has changed", i)
		}
	}
}

// TestCompact calls Compact, Indent and Valid for valid and invalid texts. The output and the
// errors must be the same as with encoding/json, also if the buffer contains other text before the
// call.
func TestCompact(t *testing.T) {
	deep := strings.Repeat("[", 1000) + strings.Repeat("]", 1000)
	for _, src := range []string{
		"", " ", "1", " 1 ", "{}", " { \"a\" : [ 1 , 2.50 , { } , [ ] ] } \n", `"a \" b\\"`, `["\u2028< >&"]`, "\"\u2028\"", "\"\xff\"",
		"[1,]", "[1 2]", `{"a" 1}`, "\"a\nb\"", "tru", "true false", "[\t\r\n\v]", deep, "[" + deep + "]", "1\x00",
	} {
		got, want := bytes.NewBufferString("before"), bytes.NewBufferString("before")
		err, wanted := Compact(got, []byte(src)), json.Compact(want, []byte(src))
		if got.String() != want.String() || fmt.Sprint(err) != fmt.Sprint(wanted) {
			t.Errorf("Compact(%.40q) = %.60q, %v; want %.60q, %v", src, got, err, want, wanted)
		}
		got, want = bytes.NewBufferString("before"), bytes.NewBufferString("before")
		err, wanted = Indent(got, []byte(src), "*", "--"), json.Indent(want, []byte(src), "*", "--")
		if got.String() != want.String() || fmt.Sprint(err) != fmt.Sprint(wanted) {
			t.Errorf("Indent(%.40q) = %.60q, %v; want %.60q, %v", src, got, err, want, wanted)
		}
		if got, want := Valid([]byte(src)), wanted == nil; got != want {
			t.Errorf("Valid(%.40q) = %v", src, got)
		}
	}
}

// TestTextAllocs checks and rewrites a text into a buffer that is large enough.
func TestTextAllocs(t *testing.T) {
	if byStd(DefaultEngine) {
		t.Skip("tests the memory of Hone's engine")
	}
	testkit.SkipIfInstrumented(t)
	text := []byte(" { \"a\" : [ 1 , 2.50 , { } , [ true ] ] } \n")
	var buf bytes.Buffer
	buf.Grow(1 << 10)
	for name, run := range map[string]func() error{
		"Valid":   func() error { _ = Valid(text); return nil },
		"Compact": func() error { buf.Reset(); return Compact(&buf, text) },
		"Indent":  func() error { buf.Reset(); return Indent(&buf, text, "", "\t") },
	} {
		var err error
		if n := testing.AllocsPerRun(200, func() { err = run() }); n > 0 || err != nil {
			t.Errorf("%s: %v allocations, %v", name, n, err)
		}
	}
}

// TestEncoderAllocs encodes with an Encoder that does not leave its function, as handlers do. encoding/json
// allocates nothing for this Encoder either.
func TestEncoderAllocs(t *testing.T) {
	if byStd(DefaultEngine) {
		t.Skip("tests the memory of Hone's engine")
	}
	testkit.SkipIfInstrumented(t)
	v := &struct{ A int }{1}
	if n := testing.AllocsPerRun(200, func() {
		if err := NewEncoder(io.Discard).Encode(v); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
