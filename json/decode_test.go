//lint:file-ignore SA5008,U1000 the tests need wrong tags and unused fields

package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/hone-go/hone/mo"
)

type (
	takesJSON struct{ Got string }
	takesText struct{ Got string }
	intText   int
	failsJSON struct{}
	failsText struct{}
	typeError struct{}
	jsonList  []int
	shouter   interface{ Shout() }
	shouts    struct{ V int }
)

func (t *takesJSON) UnmarshalJSON(b []byte) error { t.Got = string(b); return nil }
func (t *takesText) UnmarshalText(b []byte) error { t.Got = string(b); return nil }
func (k *intText) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "k%d", (*int)(k))
	return err
}
func (*failsJSON) UnmarshalJSON(b []byte) error { return errors.New("refused " + string(b)) }
func (*failsText) UnmarshalText(b []byte) error { return errors.New("refused " + string(b)) }
func (*typeError) UnmarshalJSON(b []byte) error {
	return json.Unmarshal([]byte(`{"A":"x"}`), &struct{ A int }{})
}
func (l *jsonList) UnmarshalJSON(b []byte) error { *l = append(*l, len(b)); return nil }
func (*shouts) Shout()                           {}

type target struct {
	A   int
	B   string `json:"b"`
	C   *target
	D   []target
	E   map[string]target
	F   any
	G   [2]int
	H   []byte
	I   **int
	J   takesJSON
	K   *takesJSON
	L   takesText
	M   *takesText
	N   map[intText]int
	O   map[int8]string
	P   map[uint]*int
	Q   Number
	R   float32
	S   uint8
	T   time.Time
	U   shouter
	V   io.Reader
	W   RawMessage
	X   struct{ Deep []struct{ Y int } }
	Y   bool
	Z   jsonList
	AA  namedString
	AB  map[namedString][]int
	AC  chan int
	AD  complex128
	AE  []*takesText
	AF  big.Int
	AG  *big.Int
	AH  [3]takesText
	AI  uintptr
	AJ  []any
	AK  map[string]any
	AL  struct{ time.Time }
	AM  *struct{ takesJSON }
	ab  int
	Été int
	*Other
	hidden
	*base
}

type quotedTarget struct {
	A int          `json:",string"`
	B string       `json:",string"`
	C bool         `json:",string"`
	D float64      `json:",string"`
	E *int         `json:",string"`
	F Number       `json:",string"`
	G *string      `json:",string"`
	H uint8        `json:",string"`
	I intText      `json:",string"`
	J *bool        `json:",string"`
	K jsonStringIn `json:",string"`
	L ***int       `json:",string"`
}

type jsonStringIn string

func (s *jsonStringIn) UnmarshalJSON(b []byte) error {
	*s = jsonStringIn("got " + string(b))
	return nil
}

// targets returns pairs of pointers to equal values, as targets of a decode.
func targets() [][2]any {
	pair := func(f func() any) [2]any { return [2]any{f(), f()} }
	return [][2]any{
		pair(func() any { return new(any) }),
		pair(func() any { return new(target) }),
		pair(func() any { return new(quotedTarget) }),
		pair(func() any {
			// These targets have memory that decoding reuses, or interfaces that contain pointers.
			one := 1
			var held any = &target{A: 5}
			return &target{A: 1, C: &target{B: "kept"}, D: make([]target, 2, 5), E: map[string]target{"k": {A: 3}}, F: &held,
				G: [2]int{8, 9}, H: []byte("bytes"), I: ptr(&one), O: map[int8]string{1: "x"}, U: &shouts{3}, V: strings.NewReader("x"),
				W: RawMessage("1"), Z: jsonList{1}, AJ: []any{&one, 2}, AK: map[string]any{"k": &one}, AE: []*takesText{{"t"}}, AG: big.NewInt(1),
				Other: &Other{Other: 3}, T: time.Unix(0, 0), AH: [3]takesText{{"a"}, {"b"}, {"c"}}}
		}),
		pair(func() any { return &[]target{{A: 1}, {A: 2}} }),
		pair(func() any { return &map[string]any{"a": 1} }),
		pair(func() any { return new(map[string]string) }),
		pair(func() any { return new(**string) }),
		pair(func() any { return new(Number) }),
		pair(func() any { return new(takesText) }),
		pair(func() any { return new(*takesText) }),
		pair(func() any { return new(struct{ takesText }) }),
		pair(func() any { return new(struct{ F failsJSON }) }),
		pair(func() any { return new(struct{ F []*failsText }) }),
		pair(func() any { return new(struct{ F map[string]typeError }) }),
		pair(func() any { return new(map[failsText]int) }),
		pair(func() any { return new([]float64) }),
		pair(func() any { return new([2]bool) }),
		pair(func() any { return new(shouter) }),
		pair(func() any { var s shouter = &shouts{1}; return &s }),
		pair(func() any {
			var p any
			if !secondEngine { // encoding/json recurses until the stack overflows
				p = &p
			}
			return &p
		}),
		pair(func() any { var p *int; var x any = &p; return &x }),
		pair(func() any { return new(struct{ *hidden }) }),
		pair(func() any { return new(promoted) }),
		pair(func() any { return new(recursive) }),
		pair(func() any { return new(int8) }),
		pair(func() any { return new(uint64) }),
		pair(func() any { return new(bool) }),
		pair(func() any { return new(string) }),
		pair(func() any { return new([]byte) }),
		pair(func() any { return new([]jsonByte) }),
		pair(func() any { return new(func()) }),
		pair(func() any { return new(time.Time) }),
	}
}

// sameDecoding compares Unmarshal and the Decoder with encoding/json.
func sameDecoding(t *testing.T, data []byte) {
	t.Helper()
	for _, pair := range targets() {
		wantErr, err := oracle(func() error { return json.Unmarshal(data, pair[0]) }), Unmarshal(data, pair[1])
		compare(t, "Unmarshal", data, pair, err, wantErr)
	}
	for i, pair := range targets() {
		std, ours := json.NewDecoder(bytes.NewReader(data)), NewDecoder(iotest.OneByteReader(bytes.NewReader(data)))
		if secondEngine { // the errors of encoding/json quote the bytes that were read so far
			ours = NewDecoder(bytes.NewReader(data))
		}
		if i%2 == 0 {
			std.UseNumber()
			ours.UseNumber()
		}
		if i%3 != 0 {
			std.DisallowUnknownFields()
			ours.DisallowUnknownFields()
		}
		for range 5 {
			wantErr, err := oracle(func() error { return std.Decode(pair[0]) }), ours.Decode(pair[1])
			compare(t, "Decode", data, pair, err, wantErr)
			if std.InputOffset() != ours.InputOffset() && wantErr == nil {
				t.Fatalf("Decode(%.200q): offset %d, want %d", data, ours.InputOffset(), std.InputOffset())
			}
			if wantErr != nil {
				break
			}
		}
	}
}

var errPanicked = errors.New("panic")

// oracle returns the error of call. If call panics, it returns errPanicked.
func oracle(call func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errPanicked
		}
	}()
	return call()
}

func compare(t *testing.T, call string, data []byte, pair [2]any, err, wantErr error) {
	t.Helper()
	if !sameError(err, wantErr) {
		t.Fatalf("%s(%.200q, %T)\nerror %v (%T)\nwant  %v (%T)\n%+v\n%+v", call, data, pair[1], err, err, wantErr, wantErr, err, wantErr)
	}
	if !reflect.DeepEqual(pair[0], pair[1]) {
		t.Fatalf("%s(%.200q, %T)\ngot  %+v\nwant %+v", call, data, pair[1], reflect.ValueOf(pair[1]).Elem(), reflect.ValueOf(pair[0]).Elem())
	}
}

var inputs = []string{
	``, ` `, `{`, `nul`, `null`, ` null `, `true`, `false`, `0`, `-0`, `1`, `-1`, `300`, `1.5`, `1e400`, `-1e-400`, `12345678901234567890`, `1e2`,
	`""`, `"a"`, `"YWJj"`, `"YW\nJj"`, `"\u0041\ud83d\ude00\ud800x"`, "\"\xff\"", `"2024-01-02T03:04:05Z"`, `"1"`, `"k5"`,
	`[]`, `[1,2,3]`, `["a",1,null,true,{},[]]`, `[null]`, `{}`, `{"a":1}`, `{"a":null,"a":"x"}`, `[1,"x",2]`, `[true,false,true]`, `[{"A":1},{"B":"x"},{"A":"no"}]`,
	`{"A":1,"b":"x","B":"y","a":2,"C":{"A":"bad","C":{"b":5}},"D":[{"A":1},{"A":1.5}],"E":{"k":{"b":"new"},"l":null}}`,
	`{"A":"x","S":256,"R":1e39,"Y":1,"b":[1],"G":[1,2,3],"H":"!!","I":5,"Q":"12","O":{"1":"a","300":"b"},"P":{"-1":1,"2":null}}`,
	`{"G":[1],"H":[1,2],"I":null,"J":[1, 2],"K":null,"L":"text","M":"text","N":{"k7":1},"Q":1.50}`,
	`{"L":1}`, `{"M":[1]}`, `{"L":{}}`, `{"L":true}`, `{"L":null,"M":null,"J":null}`, `{"N":{"x":1},"A":7}`, `{"Q":"x"}`, `{"Q":true}`, `{"Q":{},"A":1}`, `{"Q":[[1],2],"A":1}`,
	`{"F":{"A":9},"U":{"V":4},"V":1,"W": {"x" : 1} ,"X":{"Deep":[{"Y":1},{"Y":"no"}]},"Z":[1],"AA":"n","AB":{"k":[1,2]}}`,
	`{"U":null,"V":null,"F":null,"W":null,"Z":null,"AC":null,"AD":null}`, `{"AC":1,"AD":"x","V":"s"}`, `{"V":[]}`, `{"V":{}}`, `{"V":true}`, `{"V":1e999}`,
	`{"other":5,"Same":"s","ID":1,"Name":"x","Shown":2,"Deep":{"ID":"x"}}`, `{"AE":["a",null,"b"],"AH":["x"],"AF":12,"AG":null,"AI":7}`,
	`{"AJ":[5,6,7],"AK":{"k":8,"l":[1]}}`, `{"AJ":null}`, `{"AL":"2024-01-02T03:04:05Z","AM":{"x":1}}`, `{"ÉTÉ":1,"été":2}`, `{"unknown":{"deep":[1,2,{"x":"]}"}]},"A":3}`,
	`{"T":"2024-01-02T03:04:05+01:00"}`, `{"T":5}`, `{"T":null}`, `{"T":"2024"}`, `{"F":[1e400]}`, `{"F":1e400,"A":1}`, `[1e400,1]`,
	`{"A":"1","B":"\"x\"","C":"true","D":"1.5","E":"5","F":"12","G":"\"g\"","H":"255","I":"\"k3\"","J":"false","K":"x","L":"7"}`,
	`{"A":1,"B":"x","C":true}`, `{"A":""}`, `{"A":"x"}`, `{"A":"null"}`, `{"A":"nil"}`, `{"B":"null"}`, `{"E":"null"}`, `{"E":null,"G":null}`, `{"H":"256"}`, `{"H":"-1"}`,
	`{"A":"1.5"}`, `{"D":"1e400"}`, `{"C":"tru"}`, `{"C":"1"}`, `{"A":"true"}`, `{"A":"\"1\""}`, `{"B":"\"\\x\""}`, `{"F":"\"12\""}`, `{"F":"\"x\""}`, `{"F":"x"}`, `{"I":"3"}`, `{"I":"null"}`,
	`{"A":[1]}`, `{"E":{}}`, `{"L":"null"}`, `{"L":null}`, `{"B":"\u0022\u005c\u0022\u0022"}`,
	`{"F":1}`, `{"F":["x"]}`, `{"F":{"k":1}}`, `{"V":1,"Next":{"V":2,"Next":null},"Kids":[{"V":"x"},{}],"Map":{"a":null,"b":{"V":3}},"Any":{"b":[]}}`,
	`{"a":1}{"a":2} [3] 4 5`, `1 2`, `{"a":1}x`, `{"a" : [ 1 , 2 ] , "b" : { } }`, "\t[\n1 ]\r\n", `[1,]`, `{"a":}`, `{"A":1,"b":tru}`, `{"A":1`, `"abc`, `-`, `[1}`, `{"N":{"k":0}}`, `{"H":"00000"}`,
}

func TestDecode(t *testing.T) {
	for _, in := range inputs {
		sameDecoding(t, []byte(in))
	}
	deep := strings.Repeat("[", 10000) + strings.Repeat("]", 10000)
	var x any
	if err := Unmarshal([]byte(deep), &x); err != nil {
		t.Errorf("10,000 levels: %v", err)
	}
	if err := Unmarshal([]byte("["+deep+"]"), &x); !sameError(err, json.Unmarshal([]byte("["+deep+"]"), &x)) {
		t.Errorf("10,001 levels: %v", err)
	}
	for _, v := range []any{nil, 1, target{}, (*target)(nil)} {
		if err := Unmarshal([]byte(`{}`), v); !sameError(err, json.Unmarshal([]byte(`{}`), v)) {
			t.Errorf("Unmarshal into %T: %v", v, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, in := range inputs {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, data []byte) { sameDecoding(t, data) })
}

func TestDecodeOption(t *testing.T) {
	type options struct {
		I mo.Option[int]
		S mo.Option[[]string]
		T mo.Option[target]
		P mo.Option[*int]
	}
	some := options{mo.Some(1), mo.Some([]string{"a"}), mo.Some(target{A: 1}), mo.Some(ptr(1))}
	for _, test := range []struct {
		in     string
		before options
		want   options
		fails  bool
	}{
		{in: `{"I":5,"S":["x"],"T":{"A":2},"P":3}`, before: options{}, want: options{mo.Some(5), mo.Some([]string{"x"}), mo.Some(target{A: 2}), mo.Some(ptr(3))}, fails: false},
		{in: `{"I":5,"S":["x"],"T":{"b":"c"},"P":3}`, before: some, want: options{mo.Some(5), mo.Some([]string{"x"}), mo.Some(target{B: "c"}), mo.Some(ptr(3))}, fails: false},
		{in: `{"I":null,"S":null,"T":null,"P":null}`, before: some, want: options{}, fails: false},
		{in: `{}`, before: some, want: some, fails: false},
		{in: `{"I":"x","S":["y",1],"T":{"A":2,"b":3},"P":"z"}`, before: options{}, want: options{}, fails: true},
		{in: `{"I":"x","S":["y",1],"T":{"A":2,"b":3},"P":"z"}`, before: some, want: some, fails: true},
	} {
		got := test.before
		err := Unmarshal([]byte(test.in), &got)
		if (err != nil) != test.fails {
			t.Errorf("Unmarshal(%s): %v", test.in, err)
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("Unmarshal(%s)\ngot  %+v\nwant %+v", test.in, got, test.want)
		}
	}
	if *some.P.MustGet() != 1 || some.S.MustGet()[0] != "a" {
		t.Error("decoding into a copy changed the targets of the original's pointer or slice")
	}
}

// TestFold decodes members whose names match a field only without regard to case. The field that is
// set must be the same as with encoding/json. Some of the names are not ASCII.
func TestFold(t *testing.T) {
	type folds struct {
		K, S, Kelvin int
		Straße       int
		Σίσυφος      int `json:"Σίσυφος"`
		ABC          int `json:"abc"`
		AbC          int
	}
	for _, key := range []string{"k", "K", "\u212a", "s", "\u017f", "KELVIN", "\u212aelvin", "straße", "STRASSE", "σίσυφος", "ΣΊΣΥΦΟς", "ABC", "AbC", "aBc", "\xff", "é"} {
		in, err := json.Marshal(map[string]int{key: 1})
		if err != nil {
			t.Fatal(err)
		}
		var want, got folds
		wantErr := json.Unmarshal(in, &want)
		if err := Unmarshal(in, &got); !sameError(err, wantErr) || got != want {
			t.Errorf("%s: %+v, %v; want %+v, %v", in, got, err, want, wantErr)
		}
	}
}

// TestOptionsInside checks that the options of an encoder and a decoder also apply to the value of
// an mo.Option.
func TestOptionsInside(t *testing.T) {
	byHone(t)
	var b bytes.Buffer
	e := NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(mo.Some([]string{"<&>"})); err != nil || b.String() != "[\"<&>\"]\n" {
		t.Errorf("encoded %q, %v", &b, err)
	}
	d := NewDecoder(strings.NewReader(`{"A":1,"X":2}`))
	d.DisallowUnknownFields()
	var strict mo.Option[struct{ A int }]
	if err := d.Decode(&strict); err == nil || strict.IsPresent() {
		t.Errorf("an unknown field inside an Option: %v, %v", strict, err)
	}
	d = NewDecoder(strings.NewReader(`1`))
	d.UseNumber()
	var number mo.Option[any]
	if err := d.Decode(&number); err != nil || number.OrEmpty() != Number("1") {
		t.Errorf("a Number inside an Option: %v, %v", number, err)
	}
}
