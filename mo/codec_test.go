package mo

import (
	"bytes"
	"database/sql"
	"encoding/gob"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
)

type point struct{ X, Y int }

type shout string

func (s *shout) MarshalJSON() ([]byte, error) { return json.Marshal(strings.ToUpper(string(*s)) + "!") }

// options returns Options of every type with a fast path, with the minimum and maximum of the type,
// and Options of some types without a fast path.
func options() []any {
	type named int
	return []any{
		Some(true), Some(false), Some(0), Some(-300), Some(math.MaxInt), Some(math.MinInt), Some(int8(-128)), Some(int16(300)),
		Some(int32(math.MinInt32)), Some(int64(math.MaxInt64)), Some(uint(7)), Some(uint8(255)), Some(uint16(128)), Some(uint32(1 << 31)),
		Some(uint64(math.MaxUint64)), Some(1.5), Some(math.Copysign(0, -1)), Some(math.SmallestNonzeroFloat64), Some(float32(0.1)),
		Some(""), Some("hé<\u2028\xff"), Some(strings.Repeat("long ", 50)), Some([]byte("abc")), Some([]byte(nil)), Some(make([]byte, 300)),
		Some(named(5)), Some(point{1, -2}), Some([]string{"a", ""}), Some(map[string]int{"k": 1}), Some(time.Unix(5, 6).UTC()), Some(&point{3, 4}),
		Some(Some(1)), None[int](), None[string](), None[point](),
	}
}

// TestGobForm compares the fast paths with package gob. The output must be a tag and the output of
// a gob encoder for the value.
func TestGobForm(t *testing.T) {
	for _, o := range options() {
		got, err := o.(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary()
		if err != nil {
			t.Errorf("%T: %v", o, err)
			continue
		}
		v := reflect.ValueOf(o)
		want := []byte{0}
		if v.MethodByName("IsPresent").Call(nil)[0].Bool() {
			b := bytes.NewBuffer([]byte{1})
			if err := gob.NewEncoder(b).EncodeValue(v.MethodByName("MustGet").Call(nil)[0]); err != nil {
				t.Fatal(err)
			}
			want = b.Bytes()
		}
		// The type numbers of package gob depend on the types that the process has used before. The
		// fast paths only use predefined type numbers.
		if len(got) != len(want) || len(want) < 16 && !bytes.Equal(got, want) {
			t.Errorf("%v: %x, want %x", o, got, want)
		}
		back := reflect.New(v.Type())
		if err := back.Interface().(interface{ UnmarshalBinary([]byte) error }).UnmarshalBinary(got); err != nil {
			t.Errorf("%v from %x: %v", o, got, err)
		} else if !reflect.DeepEqual(back.Elem().Interface(), o) {
			t.Errorf("%v reads back as %v", o, back.Elem())
		}
		for n := range got {
			if err := back.Interface().(interface{ UnmarshalBinary([]byte) error }).UnmarshalBinary(got[:n]); err == nil {
				t.Errorf("%v from %d of %d bytes: no error", o, n, len(got))
			}
		}
		if err := back.Interface().(interface{ UnmarshalBinary([]byte) error }).UnmarshalBinary(append(got, 0)); err == nil {
			t.Errorf("%v: no error for a trailing byte", o)
		}
		if !reflect.DeepEqual(back.Elem().Interface(), o) {
			t.Errorf("a failed decode changed %v to %v", o, back.Elem())
		}
	}
}

// FuzzBinary decodes data with the fast paths and with package gob. Both must return the same
// value, or both an error.
func FuzzBinary(f *testing.F) {
	for _, o := range options() {
		if data, err := o.(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary(); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		sameAsGob[bool](t, data)
		sameAsGob[int8](t, data)
		sameAsGob[int64](t, data)
		sameAsGob[uint16](t, data)
		sameAsGob[uint64](t, data)
		sameAsGob[float32](t, data)
		sameAsGob[float64](t, data)
		sameAsGob[string](t, data)
		sameAsGob[[]byte](t, data)
		for _, target := range []interface{ UnmarshalBinary([]byte) error }{
			&Either[int, string]{}, &Either3[int, string, bool]{}, &Either5[int, string, bool, []byte, float64]{}, &Result[string]{}, &Nullable[int]{},
		} {
			if target.UnmarshalBinary(data) == nil {
				again, err := target.(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary()
				if err != nil || len(again) > len(data)+8 {
					t.Fatalf("%T from %x: %x, %v", target, data, again, err)
				}
			}
		}
	})
}

func sameAsGob[T any](t *testing.T, data []byte) {
	var o Option[T]
	err := o.UnmarshalBinary(data)
	if be := (*BinaryError)(nil); err != nil && !errors.As(err, &be) {
		t.Fatalf("%T", err)
	}
	var want T
	wantErr := errEmpty
	present := false
	if len(data) > 0 && data[0] == 1 {
		present = true
		r := bytes.NewReader(data[1:])
		if wantErr = gob.NewDecoder(r).Decode(&want); wantErr == nil && r.Len() > 0 {
			wantErr = errTrailing
		}
	} else if len(data) == 1 && data[0] == 0 {
		wantErr = nil
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%T from %x: %v; gob: %v", want, data, err, wantErr)
	}
	if err == nil && !reflect.DeepEqual(o, Option[T]{present, want}) && !isNaN(want) {
		t.Fatalf("%T from %x: %v, want %v", want, data, o, want)
	}
}

// isNaN reports whether v is NaN, which is not equal to itself.
func isNaN(v any) bool {
	f, ok := v.(float64)
	g, ok32 := v.(float32)
	return ok && f != f || ok32 && g != g
}

func TestBinaryFaults(t *testing.T) {
	o := Some(5)
	for _, data := range [][]byte{nil, {2, 3, 4, 0, 10}, {1}, {0, 0}, {1, 3, 12, 0, 0}} {
		if err := o.UnmarshalBinary(data); err == nil || o != Some(5) {
			t.Errorf("from %x: %v, %v", data, err, o)
		}
	}
	if _, err := Some((*int)(nil)).MarshalBinary(); err == nil {
		t.Error("MarshalBinary returned no error for Some of a nil pointer")
	}
	if _, err := Some([]*int{nil}).MarshalBinary(); err == nil {
		t.Error("MarshalBinary returned no error for a nil pointer in a slice")
	}
	if !Some((*int)(nil)).IsPresent() || !Some(any(nil)).IsPresent() {
		t.Error("Some of nil is not present")
	}
	// gob omits zero fields, so decoding must clear the old value first.
	p := Some(point{1, 2})
	data, err := Some(point{X: 9}).MarshalBinary()
	if err != nil || p.UnmarshalBinary(data) != nil || p != Some(point{X: 9}) {
		t.Errorf("decoding into an Option that has a value: %v, %v", p, err)
	}
	e := NewEither3Arg3[int, string](true)
	for _, data := range [][]byte{nil, {3, 3, 4, 0, 10}, {0xff, 3, 4, 0, 10}} {
		if err := e.UnmarshalBinary(data); err == nil || !e.IsArg3() {
			t.Errorf("Either3 from %x: %v", data, err)
		}
	}
}

func TestGobOfStruct(t *testing.T) {
	type all struct {
		O Option[int]
		R Result[string]
		E Either[int, string]
		F Result[string]
		N Nullable[int]
		T Either4[int, string, bool, point]
	}
	in := all{Some(1), Ok("x"), Right[int]("r"), Err[string](errors.New("boom")), Null[int](), NewEither4Arg4[int, string, bool](point{1, 2})}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(in); err != nil {
		t.Fatal(err)
	}
	var out all
	if err := gob.NewDecoder(&b).Decode(&out); err != nil {
		t.Fatal(err)
	}
	if out.F.Error() == nil || out.F.Error().Error() != "boom" {
		t.Errorf("error: %v", out.F)
	}
	in.F, out.F = Result[string]{}, Result[string]{}
	if !reflect.DeepEqual(in, out) {
		t.Errorf("got %+v, want %+v", out, in)
	}
}

func TestOptionJSON(t *testing.T) {
	for _, o := range options() {
		got, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		v := reflect.ValueOf(o)
		want := []byte("null")
		if v.MethodByName("IsPresent").Call(nil)[0].Bool() {
			want, err = json.Marshal(v.MethodByName("MustGet").Call(nil)[0].Interface())
			if err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%v: %s, want %s", o, got, want)
		}
		text, err := o.(interface{ MarshalText() ([]byte, error) }).MarshalText()
		if err != nil || string(text) != string(want) {
			t.Errorf("%v as text: %s, %v", o, text, err)
		}
		appended, err := o.(interface{ AppendJSON([]byte) ([]byte, error) }).AppendJSON([]byte("x"))
		if err != nil || string(appended) != "x"+string(want) {
			t.Errorf("AppendJSON(%v) = %s, %v", o, appended, err)
		}
		back := reflect.New(v.Type())
		if err := json.Unmarshal(got, back.Interface()); err != nil {
			t.Errorf("%v from %s: %v", o, got, err)
		}
		// Invalid UTF-8 is decoded as U+FFFD, which is then encoded unchanged.
		if again, err := json.Marshal(back.Interface()); err != nil || !bytes.Equal(again, got) && !bytes.Contains(got, []byte(`\ufffd`)) {
			t.Errorf("%s reads back as %s, %v", got, again, err)
		}
	}
	if got, err := json.Marshal(Some(*big.NewInt(5))); err != nil || string(got) != "5" {
		t.Errorf("a big.Int: %s, %v", got, err)
	}
	if got, err := json.Marshal(Some(shout("hey"))); err != nil || string(got) != `"HEY!"` {
		t.Errorf("a marshaler with a pointer receiver: %s, %v", got, err)
	}
	if _, err := Some(math.NaN()).MarshalJSON(); err == nil {
		t.Error("no error for the JSON of NaN")
	}
	if got, err := Some(math.NaN()).AppendJSON([]byte("kept")); err == nil || string(got) != "kept" {
		t.Errorf("AppendJSON of NaN = %s, %v", got, err)
	}
}

type sevenIsZero struct{ V int }

func (z sevenIsZero) IsZero() bool { return z.V == 7 }

func TestIsZero(t *testing.T) {
	for name, zero := range map[string]bool{
		"none": None[int]().IsZero(), "0": Some(0).IsZero(), "empty": Some("").IsZero(), "false": Some(false).IsZero(),
		"int8": Some(int8(0)).IsZero(), "time": Some(time.Time{}).IsZero(), "nil slice": Some([]int(nil)).IsZero(),
		"own": Some(sevenIsZero{7}).IsZero(), "nil pointer": Some((*int)(nil)).IsZero(), "nil any": Some(any(nil)).IsZero(),
		"nil error": Some(error(nil)).IsZero(), "nil of its own": Some((*sevenIsZero)(nil)).IsZero(),
		"nil inside": Some(any((*sevenIsZero)(nil))).IsZero(), "none inside": Some(None[int]()).IsZero(), "any 0": Some(any(0)).IsZero(),
	} {
		if !zero {
			t.Errorf("IsZero of %s is false", name)
		}
	}
	for name, zero := range map[string]bool{
		"1": Some(1).IsZero(), "x": Some("x").IsZero(), "own": Some(sevenIsZero{}).IsZero(), "no elements": Some([]int{}).IsZero(),
		"minus one": Some(int8(-1)).IsZero(), "pointer": Some(new(int)).IsZero(), "float": Some(0.5).IsZero(),
	} {
		if zero {
			t.Errorf("IsZero of %s is true", name)
		}
	}
}

// FuzzOptionJSON decodes JSON into Options of several types. Each must accept the same text as
// encoding/json does for the type itself, and hold the same value.
func FuzzOptionJSON(f *testing.F) {
	for _, s := range []string{"null", " null ", "1", "-0", "01", "+1", "1_0", "1e3", "300", `"a"`, `"\u00e9\ud800"`, "true", " false", "{}", `{"X":1}`, "", "nul", `"`, "9223372036854775808", `"a" x`, "0\u3000", "\u00a0null", "\vtrue", "null\f", " \t\r\n7 \t\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		decodeJSON[bool](t, s)
		decodeJSON[int](t, s)
		decodeJSON[int8](t, s)
		decodeJSON[int32](t, s)
		decodeJSON[int64](t, s)
		decodeJSON[uint64](t, s)
		decodeJSON[float64](t, s)
		decodeJSON[string](t, s)
		decodeJSON[point](t, s)
		decodeJSON[[]string](t, s)
	})
}

func decodeJSON[T any](t *testing.T, s string) {
	var want T
	wantErr := json.Unmarshal([]byte(s), &want)
	before := Some(want)
	got := before
	err := got.UnmarshalJSON([]byte(s))
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%T from %q: %v; encoding/json: %v", got, s, err, wantErr)
	}
	switch {
	case err != nil:
		if !reflect.DeepEqual(got, before) {
			t.Fatalf("%T from %q: after an error the value is %v", got, s, got)
		}
	case strings.Trim(s, " \t\r\n") == "null":
		if got.IsPresent() {
			t.Fatalf("%T from null: %v", got, got)
		}
	case !reflect.DeepEqual(got, Some(want)):
		t.Fatalf("%T from %q: %v, want %v", got, s, got, want)
	}
}

func TestResultJSON(t *testing.T) {
	for _, test := range []struct {
		r    Result[string]
		want string
	}{
		{Ok("a<"), `{"result":"a\u003c"}`},
		{Ok(""), `{"result":""}`},
		{Err[string](errors.New("bo<om\"")), `{"error":{"message":"bo\u003com\""}}`},
		{Err[string](nil), `{"error":{"message":"mo: failure without an error"}}`},
	} {
		got, err := json.Marshal(test.r)
		if err != nil || string(got) != test.want {
			t.Errorf("%v: %s, %v; want %s", test.r, got, err, test.want)
		}
		var back Result[string]
		if err := json.Unmarshal(got, &back); err != nil || back.String() != test.r.String() {
			t.Errorf("%s reads back as %v, %v", got, back, err)
		}
		if out, err := test.r.AppendJSON([]byte("x")); err != nil || string(out) != "x"+test.want {
			t.Errorf("AppendJSON = %s, %v", out, err)
		}
	}
	for in, want := range map[string]string{
		`{"result":5}`: "Ok(5)", ` { "result" : 5 , "other" : [1] } `: "Ok(5)", `{"RESULT":5}`: "Ok(5)", `{"result":1,"result":2}`: "Ok(2)",
		`{"result":null}`: "Ok(0)", `{"result":3,"error":null}`: "Ok(3)", `{"result":5,"error":{"message":"m"}}`: "Err(m)",
		`{"error":{"code":1,"message":"é\n"}}`: "Err(é\n)", `{"\u0072esult":5}`: "Ok(5)",
		// UnmarshalJSON returns an error for an object with neither member and for malformed JSON.
		// The target remains Ok(9).
		`{}`: "Ok(9)", `{"error":{"code":1}}`: "Ok(9)", `{"error":"x"}`: "Ok(9)", `{"error":null}`: "Ok(9)", `{"error":{"message":null}}`: "Ok(9)",
		`{"error":{"message":5}}`: "Ok(9)", `[]`: "Ok(9)", `null`: "Ok(9)", `{"result":"x"}`: "Ok(9)", `{"result":`: "Ok(9)", ``: "Ok(9)",
	} {
		r := Ok(9)
		err := r.UnmarshalJSON([]byte(in))
		if r.String() != want || (err != nil) != (want == "Ok(9)") {
			t.Errorf("%s: %v, %v; want %s", in, r, err, want)
		}
	}
}

func TestEitherJSON(t *testing.T) {
	type all struct {
		A Either[int, string]
		B Either[int, string]
		C Either3[int, string, []int]
		D Either5[int, string, bool, float64, point]
	}
	in := all{Left[int, string](1), Right[int]("x"), NewEither3Arg3[int, string]([]int{1}), NewEither5Arg5[int, string, bool, float64](point{1, 2})}
	data, err := json.Marshal(in)
	if want := `{"A":{"left":1},"B":{"right":"x"},"C":{"arg3":[1]},"D":{"arg5":{"X":1,"Y":2}}}`; err != nil || string(data) != want {
		t.Fatalf("%s, %v; want %s", data, err, want)
	}
	var out all
	if err := json.Unmarshal(data, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%+v, %v", out, err)
	}
	for _, bad := range []string{`{}`, `{"left":1,"right":"x"}`, `{"middle":1}`, `{"left":"x"}`, `5`, `{"left"`, `null`} {
		e := Left[int, string](7)
		if err := e.UnmarshalJSON([]byte(bad)); err == nil || e != Left[int, string](7) {
			t.Errorf("%s: %v, %v", bad, e, err)
		}
	}
}

func TestNullable(t *testing.T) {
	type patch struct {
		Name Nullable[string] `json:"name,omitzero"`
		Age  Nullable[int]    `json:"age,omitzero"`
	}
	for in, want := range map[string]patch{
		`{}`:                      {},
		`{"name":null}`:           {Name: Null[string]()},
		`{"name":"","age":0}`:     {Value(""), Value(0)},
		`{"name":"x","age":null}`: {Value("x"), Null[int]()},
	} {
		var got patch
		if err := json.Unmarshal([]byte(in), &got); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", in, got, err, want)
		}
		if out, err := json.Marshal(got); err != nil || string(out) != in {
			t.Errorf("%v: %s, %v; want %s", got, out, err, in)
		}
		for _, n := range []Nullable[string]{got.Name} {
			data, err := n.MarshalBinary()
			var back Nullable[string]
			if err != nil || back.UnmarshalBinary(data) != nil || back != n {
				t.Errorf("%v through binary: %v, %v", n, back, err)
			}
		}
	}
	field := "old"
	Absent[string]().Apply(&field)
	if field != "old" {
		t.Error("Apply of an absent Nullable changed the field")
	}
	Value("new").Apply(&field)
	if field != "new" {
		t.Error("Apply of a value did not change the field")
	}
	Null[string]().Apply(&field)
	if field != "" {
		t.Error("Apply of null did not clear the field")
	}
	optional := Some(1)
	Null[int]().ApplyOption(&optional)
	if optional.IsPresent() {
		t.Error("ApplyOption of null did not clear the field")
	}
	var n Nullable[string]
	for text, want := range map[string]Nullable[string]{"null": Null[string](), "x": Value("x"), `"x"`: Value(`"x"`), "": Value("")} {
		if err := n.UnmarshalText([]byte(text)); err != nil || n != want {
			t.Errorf("text %q: %v, %v", text, n, err)
		}
	}
}

func TestCodecAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	o, s, none := Some(-300), Some("a string"), None[int]()
	ok, failed := Ok(7), Err[int](errors.New("boom"))
	number, text, null, okText := []byte("1234"), []byte(`"some text"`), []byte("null"), []byte(`{"result":7}`)
	failedText := []byte(`{"error":{"message":"boom"}}`)
	binNumber, _ := o.MarshalBinary()
	binText, _ := s.MarshalBinary()
	buf := make([]byte, 0, 128)
	flat := Some(point{1, 2})
	var columnInt Option[int]
	for name, test := range map[string]struct {
		budget float64
		f      func()
	}{
		"Option MarshalBinary int":      {1, func() { _, _ = o.MarshalBinary() }},
		"Option MarshalBinary string":   {1, func() { _, _ = s.MarshalBinary() }},
		"Option UnmarshalBinary int":    {0, func() { _ = o.UnmarshalBinary(binNumber) }},
		"Option UnmarshalBinary string": {1, func() { _ = s.UnmarshalBinary(binText) }},
		"Option MarshalJSON":            {1, func() { _, _ = o.MarshalJSON() }},
		"Option MarshalJSON string":     {1, func() { _, _ = s.MarshalJSON() }},
		"Option MarshalJSON none":       {1, func() { _, _ = none.MarshalJSON() }},
		"Option UnmarshalJSON":          {0, func() { _ = o.UnmarshalJSON(number) }},
		"Option UnmarshalJSON string":   {1, func() { _ = s.UnmarshalJSON(text) }},
		"Option UnmarshalJSON null":     {0, func() { _ = none.UnmarshalJSON(null) }},
		"Option AppendJSON":             {0, func() { buf, _ = s.AppendJSON(buf[:0]) }},
		"Result AppendJSON":             {0, func() { buf, _ = failed.AppendJSON(buf[:0]) }},
		"Result MarshalJSON ok":         {1, func() { _, _ = ok.MarshalJSON() }},
		"Result MarshalJSON error":      {1, func() { _, _ = failed.MarshalJSON() }},
		"Result UnmarshalJSON ok":       {0, func() { _ = ok.UnmarshalJSON(okText) }},
		"Result UnmarshalJSON error":    {2, func() { var r Result[int]; _ = r.UnmarshalJSON(failedText) }},
		"Option Equal int":              {0, func() { _ = o.Equal(o) }},
		"Option Equal string":           {0, func() { _ = s.Equal(s) }},
		"Option Equal struct":           {0, func() { _ = flat.Equal(flat) }},
		"Option Scan int64 to int":      {0, func() { _ = columnInt.Scan(int64(1 << 40)) }},
	} {
		if name == "Option Scan int64 to int" {
			src := any(int64(1 << 20))
			test.f = func() { _ = columnInt.Scan(src) }
		}
		if got := testing.AllocsPerRun(100, test.f); got > test.budget {
			t.Errorf("%s: %v allocs, budget %v", name, got, test.budget)
		}
	}
}

// TestScanOwnType checks that Scan stores a value of type T that is not a type of drivers as it is.
func TestScanOwnType(t *testing.T) {
	type pair struct{ A, B int }
	var list Option[[]string]
	var structure Nullable[pair]
	var scanner Option[sql.NullInt64]
	if err := errors.Join(list.Scan([]string{"a"}), structure.Scan(pair{1, 2}), scanner.Scan(sql.NullInt64{Int64: 7, Valid: true})); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(list, Some([]string{"a"})) || structure != Value(pair{1, 2}) || scanner != Some(sql.NullInt64{Int64: 7, Valid: true}) {
		t.Errorf("%v, %v, %v", list, structure, scanner)
	}
	var failure *ScanError
	if err := list.Scan([]int{1}); !errors.As(err, &failure) || !reflect.DeepEqual(list, Some([]string{"a"})) {
		t.Errorf("%v, %v", list, err)
	}
	bytes := []byte("a")
	var kept Option[[]byte]
	if err := kept.Scan(bytes); err != nil {
		t.Fatal(err)
	}
	if bytes[0] = 'b'; string(kept.OrEmpty()) != "a" {
		t.Error("the bytes of the driver were not copied")
	}
}
