package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
)

// decoders return errors that Locate supports.
var decoders = map[string]func(data []byte, v any) error{
	"encoding/json": stdjson.Unmarshal,
	"json":          json.Unmarshal,
	"json/v2":       func(data []byte, v any) error { return jsonv2.Unmarshal(data, v) },
}

type located struct {
	A  int
	S  string
	L  []int
	M  map[string]int
	N  map[int8]int
	X  struct{ Y []struct{ Z int } }
	B  bool
	BB []byte
	U8 uint8
	F  float32
	AR [2]int
	P  *int
	C  chan int
	E  error
	LE []error
	T  []int16
	D  []*located
	K  map[string]map[string][]bool
	XX any
}

// wrongTypes are texts that contain a value of the wrong type between « and », each with the JSON
// pointer and the path of this value. The tests replace the spaces in a text by other white space.
var wrongTypes = []struct{ text, pointer, path string }{
	{` { "A" : «"x"» }`, "/A", ".A"}, {`{"A": «1.5» }`, "/A", ".A"}, {`{"A": «[»1] }`, "/A", ".A"}, {`{"A": «{»"x":1} }`, "/A", ".A"},
	{`{"A": «true» , "B":true}`, "/A", ".A"}, {`{"S": «12» }`, "/S", ".S"}, {`{"L": «"x"» }`, "/L", ".L"}, {`{"L": «{»"a":1}}`, "/L", ".L"},
	{`{"L": [ 1, «"xx"» ,2]}`, "/L/1", ".L[1]"}, {`{"L":[«"xx"»,2]}`, "/L/0", ".L[0]"}, {`{"L":[2,«[»1]]}`, "/L/1", ".L[1]"}, {`{"L":[2,«[»[[["5"]]]]]}`, "/L/1", ".L[1]"},
	{`{"M": «[» 1]}`, "/M", ".M"}, {`{"M": {"a":1,"b" : «"q"»}}`, "/M/b", ".M.b"}, {`{"M": {"a/~b":1,"b c~/" : «"q"»}}`, "/M/b c~0~1", `.M["b c~/"]`},
	{`{"M": {"":«"q"»}}`, "/M/", `.M[""]`}, {`{"M": {"\u0061\n":«"q"»}}`, "/M/a\n", `.M["a\n"]`}, {`{"M": {"é1":«"q"»}}`, "/M/é1", `.M.é1`},
	{`{"N": {«"300"» : 1}}`, "/N/300", `.N["300"]`}, {`{"N": { "1":2, «"xx"»:1}}`, "/N/xx", ".N.xx"}, {`{"N": { "1":2,"2": «"xx"»}}`, "/N/2", `.N["2"]`},
	{`{"X":{"Y":[{"Z":1},{"Z" : «"no"»}]}}`, "/X/Y/1/Z", ".X.Y[1].Z"}, {`{"X":{"Y":[{"Z":1},«7»]}}`, "/X/Y/1", ".X.Y[1]"},
	{`{"BB": «1»}`, "/BB", ".BB"}, {`{"U8":[],"U8": «256»}`, "", ""}, {`{"U8": «256»}`, "/U8", ".U8"}, {`{"U8":«-1»}`, "/U8", ".U8"}, {`{"F": «1e400»}`, "/F", ".F"},
	{`{"AR": «{»"a":[]}}`, "/AR", ".AR"}, {`{"AR":[1,«"2"»]}`, "/AR/1", ".AR[1]"}, {`{"P": «"x"»}`, "/P", ".P"}, {`{"C": «5»}`, "/C", ".C"}, {`{"C": «[»5]}`, "/C", ".C"},
	{`{"E": «"x"» }`, "/E", ".E"}, {`{"E": «[»1]}`, "/E", ".E"}, {`{"LE":[ null, «"x"» , "y"]}`, "/LE/1", ".LE[1]"}, {`{"T":[1, «"1s"»]}`, "/T/1", ".T[1]"},
	{` «[»1,2]`, "", ""}, {` «5» `, "", ""}, {` «"x"» `, "", ""}, {` «true»`, "", ""}, {`{"unknown":[{"A":"x"}], "A":«"x"»}`, "/A", ".A"},
	{`{"D":[null,{"D":[{},{"A":«"bad"»}]}]}`, "/D/1/D/1/A", ".D[1].D[1].A"}, {`{"K":{"a":{"b":[true,«null»x]}}}`, "", ""},
	{`{"K":{"a":{"b":[true,«1»]}}}`, "/K/a/b/1", ".K.a.b[1]"}, {`{"XX":[{"a":"é😀\n"}], "A" :«"é"»}`, "/A", ".A"},
}

// spaces lists the white space that replaces each space of a text in wrongTypes.
var spaces = []string{" ", "  ", "\n", "\r\n", "\r", "\t\n ", "\n\n\n", ""}

// TestLocate inserts white space of all kinds around values of the wrong type. With every decoder,
// the position must be the start of the value.
func TestLocate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, test := range wrongTypes {
		if test.pointer == "" && strings.ContainsAny(test.text, ":") {
			continue // two errors at once; see TestLocateSyntax
		}
		for range 40 {
			var b strings.Builder
			for _, c := range test.text {
				if c == ' ' && !strings.Contains(test.text, `b c`) {
					b.WriteString(spaces[r.IntN(len(spaces))])
				} else {
					b.WriteRune(c)
				}
			}
			before, rest, _ := strings.Cut(b.String(), "«")
			data := []byte(before + strings.Replace(rest, "»", "", 1))
			for name, decode := range decoders {
				var v located
				err := decode(data, &v)
				if err == nil {
					t.Fatalf("%s: %q was decoded without an error", name, data)
				}
				at, ok := json.Locate(data, fmt.Errorf("reading: %w", err))
				if !ok || at.Offset != len(before) || at.Pointer != test.pointer || at.Path != test.path {
					t.Errorf("%s: %q: %#v\n%+v, %v, want offset %d, %q", name, data, err, at, ok, len(before), test.pointer)
				}
				checkPlace(t, data, at)
			}
		}
	}
}

// checkPlace compares line, column and text with the results of a simple loop over data.
func checkPlace(t *testing.T, data []byte, at json.Position) {
	t.Helper()
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data[:at.Offset]))
	lines := strings.Split(text, "\n")
	last := lines[len(lines)-1]
	if strings.HasSuffix(string(data[:at.Offset]), "\r") && strings.HasPrefix(string(data[at.Offset:]), "\n") {
		t.Skip("between the two characters of a line end") // not a position
	}
	if at.Line != len(lines) || at.Column != utf8.RuneCountInString(last)+1 {
		t.Errorf("%q at %d: line %d, column %d; want %d, %d", data, at.Offset, at.Line, at.Column, len(lines), utf8.RuneCountInString(last)+1)
	}
	if n := utf8.RuneCountInString(at.Text); n > 80 || at.Caret > n || strings.ContainsAny(at.Text, "\n\r\t\x1b\u202e") || !utf8.ValidString(at.Text) {
		t.Errorf("%q: the text is %q, the caret at %d", data, at.Text, at.Caret)
	}
	if n := utf8.RuneCountInString(at.String()); n > 400 {
		t.Errorf("%d characters: %s", n, at)
	}
	if !utf8.ValidString(at.Pointer) {
		t.Errorf("pointer %q", at.Pointer)
	}
}

// broken are invalid texts. Each has a « before the first invalid byte. If a text also has a ‹,
// version 2 reports that position instead: the start of an escape, or a comma without a value after
// it.
var broken = []struct{ text, pointer string }{
	{`{"a":«}`, "/a"}, {`{"a" «1}`, "/a"}, {`[1 «2]`, ""}, {`{"XX":[1,{"b":«x}]}`, "/XX/1/b"}, {`{"XX":[1,{"b":1 «"c"}]}`, "/XX/1"},
	{`{"XX":tru«`, "/XX"}, {`tru«x`, ""}, {`{"XX":1«  `, ""}, {`«`, ""}, {`«  `, ""}, {"\"a«\nb\"", ""}, {`{«1:2}`, ""}, {`{"XX":[1«}`, "/XX"}, {`-«`, ""},
	{`{"XX":[1.«`, "/XX/0"}, {`{"XX":"a«`, "/XX"}, {`{"XX":[1]} «x`, ""}, {`{"XX":[1]} «1`, ""}, {"\"\"«\"\x13", ""}, {`{} «{`, ""}, {`{"XX":[[[]],{},tru«]}`, "/XX/2"}, {"{\"XX\":\"a\",\n«x\n}", ""},
	{`0«\`, ""}, {`{«t`, ""}, {`{"A":1,«tru`, ""}, {`[«,1]`, "/0"}, {`[1,«,2]`, "/1"}, {`{"A":«:1}`, "/A"}, {`{"A"«,1}`, "/A"}, {`«:`, ""},
	{`{"XX":"‹\u12«x4"}`, "/XX"}, {`{"XX":"‹\«q"}`, "/XX"}, {`{"XX":"‹\u12«"}`, "/XX"}, {`{"XX":[0«1]}`, "/XX"}, {`{"XX":[1‹,«]}`, "/XX/1"}, {`{"XX":1‹,«}`, ""},
}

func TestLocateSyntax(t *testing.T) {
	for _, test := range broken {
		before, rest, _ := strings.Cut(test.text, "«")
		front, back, early := strings.Cut(before, "‹")
		before = front + back
		data := []byte(before + rest)
		for name, decode := range decoders {
			err := decode(data, new(any))
			if err == nil {
				t.Fatalf("%s: %q was decoded without an error", name, data)
			}
			at, ok := json.Locate(data, err)
			want := len(before)
			if early && strings.HasSuffix(name, "v2") {
				want = len(front)
			}
			if !ok || at.Offset != want || at.Pointer != test.pointer {
				t.Errorf("%s: %q: %#v\n%+v, %v; want offset %d, %q", name, data, err, at, ok, want, test.pointer)
			}
			checkPlace(t, data, at)
		}
	}
}

// FuzzLocate locates the errors of decoders for arbitrary text. An error about invalid text must
// have a position, and a JSON pointer must lead to a value.
func FuzzLocate(f *testing.F) {
	for _, test := range wrongTypes {
		f.Add([]byte(strings.NewReplacer("«", "", "»", "").Replace(test.text)))
	}
	for _, test := range broken {
		f.Add([]byte(strings.NewReplacer("«", "", "‹", "").Replace(test.text)))
	}
	for _, text := range []string{`[,1]`, `[1,,2]`, `{"A"::1}`, `{"A",1}`, `{,}`, `:`, `"\ud800\x"`, `[1}`, `0\`, `{t`, `{"A":1,t`, `{"A":[1,2,{"B":tru }]}`, `01`} {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"M":{"a":1},"M":{"a":"x"}} {"M":1}`))
	f.Add([]byte("{\"\":[{\"\":\"\x80\"}],\"\":\"\"}")) // if two members have the same name, the first one
	f.Add([]byte("{\"M\":{\"\xff\x1b\u202e\":\"\xff\"}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for name, decode := range decoders {
			for _, v := range []any{new(any), new(located)} {
				err := decode(data, v)
				if err == nil {
					continue
				}
				at, ok := json.Locate(data, err)
				if !ok {
					if !stdjson.Valid(data) {
						t.Fatalf("%s: %q: Locate finds no position for %v", name, data, err)
					}
					continue
				}
				if at.Offset < 0 || at.Offset > len(data) {
					t.Fatalf("%s: %q: offset %d", name, data, at.Offset)
				}
				checkPlace(t, data, at)
				if stdjson.Valid(data) && !leads(data, at.Pointer) {
					t.Errorf("%s: %q: %v: pointer %q leads nowhere", name, data, err, at.Pointer)
				}
			}
		}
		if at, ok := json.Locate(data, &stdjson.UnmarshalTypeError{Value: "string", Offset: int64(len(data) / 2)}); ok {
			checkPlace(t, data, at)
		}
	})
}

// leads reports whether a JSON pointer leads to a value in data. data must be valid, but names may
// repeat.
func leads(data []byte, pointer string) bool {
	var steps []string
	if pointer != "" {
		steps = strings.Split(pointer[1:], "/")
	}
	found := false
	var walk func(d *stdjson.Decoder, depth int, on bool)
	walk = func(d *stdjson.Decoder, depth int, on bool) {
		found = found || on && depth == len(steps)
		open, _ := d.Token()
		delim, ok := open.(stdjson.Delim)
		for i := 0; ok && d.More(); i++ {
			name := strconv.Itoa(i)
			if delim == '{' {
				token, _ := d.Token()
				name, _ = token.(string)
			}
			step := strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
			walk(d, depth+1, on && depth < len(steps) && steps[depth] == step)
		}
		if ok {
			_, _ = d.Token()
		}
	}
	walk(stdjson.NewDecoder(bytes.NewReader(data)), 0, true)
	return found
}

// TestLocateNothing calls Locate with errors that have no position in the text. Locate must return
// false.
func TestLocateNothing(t *testing.T) {
	_, method := json.Marshal(struct{ M stdjson.RawMessage }{stdjson.RawMessage("{")})
	other := json.Unmarshal([]byte(`{"A":1,}`), new(located))
	typeErr := json.Unmarshal([]byte(`{"A":"x"}`), new(located))
	for _, err := range []error{
		nil, errors.New("no"), method, json.Unmarshal([]byte("1"), nil),
		json.Config{DisallowUnknownFields: true}.Unmarshal([]byte(`{"zz":1}`), new(located)),
		&json.SyntaxError{Offset: -1}, &json.SyntaxError{Offset: 100}, &json.UnmarshalTypeError{Offset: -1}, &json.UnmarshalTypeError{Offset: 1 << 40},
		&jsonv2.SemanticError{ByteOffset: -1}, &jsonv2.SemanticError{ByteOffset: 100},
	} {
		if at, ok := json.Locate([]byte(`{"A":1, "S":"x"}`), err); ok {
			t.Errorf("%v is found at %s", err, at)
		}
	}
	for _, data := range []string{`{"A":1, "S":"x"}`, `[1, 2]`} {
		for _, err := range []error{other, typeErr} {
			if at, ok := json.Locate([]byte(data), err); ok {
				t.Errorf("Locate finds %v at %s", err, at)
			}
		}
	}
}

// TestLocateLong checks Position.Text for long lines and long paths, and locates errors in deeply
// nested text.
func TestLocateLong(t *testing.T) {
	long := strings.Repeat("é", 1000)
	data := []byte(`{"secret": "hidden",` + "\n" + `"M":{"` + long + `":1,"k` + long + `"   :   "x", "after":"` + long + `"}}`)
	for name, decode := range decoders {
		at, ok := json.Locate(data, decode(data, new(located)))
		if text := at.String(); !ok || at.Line != 2 || at.Column != 2021 || utf8.RuneCountInString(text) > 400 || strings.Contains(text, "hidden") || !strings.Contains(text, `"x"`) {
			t.Errorf("%s: %s", name, text)
		}
		if shown := []rune(at.Text); shown[at.Caret] != '"' || shown[at.Caret+1] != 'x' || shown[0] != '…' || shown[len(shown)-1] != '…' {
			t.Errorf("%s: %s", name, at)
		}
	}
	const n = 9_000
	deep := []byte(strings.Repeat(`{"D":[`, n/2) + `{"A":"x"}` + strings.Repeat(`]}`, n/2))
	for name, decode := range decoders {
		at, ok := json.Locate(deep, decode(deep, new(located)))
		if !ok || at.Offset != 3*n+5 || strings.Count(at.Path, "[0]") != n/2 {
			t.Errorf("%s: %v, offset %d, %d bytes of path", name, ok, at.Offset, len(at.Path))
		}
	}
	past := []byte(strings.Repeat("[", 20_000))
	for name, decode := range decoders {
		if at, ok := json.Locate(past, decode(past, new(any))); !ok || at.Offset != 10_000 && at.Offset != 20_000 {
			t.Errorf("%s: %v, offset %d", name, ok, at.Offset)
		}
	}
	// Repeat one name many times, in a deeply nested object.
	again := []byte(strings.Repeat(`{"a":[`, 2000) + "{" + strings.Repeat(`"k":1,`, 100_000) + `"k":"x"}` + strings.Repeat(`]}`, 2000))
	err := &jsonv2.SemanticError{ByteOffset: int64(len(again) - 4004), JSONPointer: "/k"}
	err.JSONPointer = jsontext.Pointer(strings.Repeat("/a/0", 2000)) + "/k"
	if at, ok := json.Locate(again, err); !ok || string(again[at.Offset:at.Offset+3]) != `"x"` {
		t.Errorf("%v at %d", ok, at.Offset)
	}
}

func ExampleLocate() {
	type item struct {
		Name  string  `json:"name"`
		Price float64 `json:"price"`
	}
	data := []byte(`{
	"items": [
		{"name": "pen", "price": 1.5},
		{"name": "ink", "price": "a lot"}
	]
}`)
	var order struct {
		Items []item `json:"items"`
	}
	err := json.Unmarshal(data, &order)
	if at, ok := json.Locate(data, err); ok {
		fmt.Println(at)
	}
	// Output:
	// line 4, column 28, .items[1].price
	//	  {"name": "ink", "price": "a lot"}
	//	                           ^
}
