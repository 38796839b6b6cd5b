package json

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

type (
	mapOfInts map[int]mapOfInts
	mapOfText map[string]mapOfText
	mapOfAny  map[string]any
)

// TestCycleValue checks the value in the error for a cycle. The error must contain a value of the
// cycle, even if the encoder has copied this value to reused memory.
func TestCycleValue(t *testing.T) {
	ints, text, anys := mapOfInts{}, mapOfText{}, mapOfAny{}
	ints[1], text["a"], anys["a"] = ints, text, anys
	for _, v := range []any{ints, text, anys, &ints, []any{text}} {
		_, err := Marshal(v)
		_, wantErr := json.Marshal(v)
		var e, want *UnsupportedValueError
		if !errors.As(err, &e) || !errors.As(wantErr, &want) {
			t.Fatalf("%T: error %v, want %v", v, err, wantErr)
		}
		if e.Str != want.Str || e.Value.IsValid() != want.Value.IsValid() || e.Value.IsValid() && (e.Value.Type() != want.Value.Type() || e.Value.Len() != want.Value.Len()) {
			t.Errorf("%T: got %v of length %d, want %v of length %d", v, e.Value.Type(), e.Value.Len(), want.Value.Type(), want.Value.Len())
		}
	}
}

// TestMarshalerErrorType encodes values whose methods fail, directly and through pointers and
// interfaces. The type in the MarshalerError must be the same as in the error of encoding/json.
func TestMarshalerErrorType(t *testing.T) {
	p := &mayFail{true}
	var i marshals = p
	pi := &i
	for name, v := range map[string]any{
		"T": *p, "*T": p, "**T": &p, "*Interface": pi, "**Interface": &pi, "value method": failJSON{}, "*value method": &failJSON{},
		"in a struct": struct{ A **mayFail }{&p}, "interface in a struct": struct{ A *marshals }{pi}, "text": &failText{},
	} {
		_, err := Marshal(v)
		_, wantErr := json.Marshal(v)
		var e, want *MarshalerError
		if errors.As(wantErr, &want) != errors.As(err, &e) || want != nil && e.Type != want.Type {
			t.Errorf("%s: got %v, want %v", name, err, wantErr)
		}
	}
}

// TestSliceWithinCapacity decodes arrays into parts of a Go array. The slice, the whole Go array
// and the error must be the same as with encoding/json.
func TestSliceWithinCapacity(t *testing.T) {
	for _, text := range []string{`[]`, `[1]`, `[1,2,3]`, `[1,2,3,4]`, `[1,2,3,4,5]`, `[1,null,3,"x",5,6]`, `[1e400,2,3,4,5]`} {
		for length := range 5 {
			std, ours := [4]int{6, 7, 8, 9}, [4]int{6, 7, 8, 9}
			stdSlice, ourSlice := std[:length], ours[:length]
			wantErr, err := json.Unmarshal([]byte(text), &stdSlice), Unmarshal([]byte(text), &ourSlice)
			if ours != std || !reflect.DeepEqual(ourSlice, stdSlice) || !sameError(err, wantErr) {
				t.Errorf("%s into a[:%d]: array %v, slice %v, %v; want %v, %v, %v", text, length, ours, ourSlice, err, std, stdSlice, wantErr)
			}
		}
	}
}

// TestKeptText decodes into types whose methods retain their argument. A later decode must not
// overwrite a retained argument.
func TestKeptText(t *testing.T) {
	text := `{"a\n":["x\n","y\n","plain"],"b\n":["z\n"]}`
	type kept = map[string][]keepsText
	var want kept
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	for name, decode := range map[string]func(v any) error{
		"Unmarshal": func(v any) error { return Unmarshal([]byte(text), v) },
		"CopyInput": func(v any) error {
			input := []byte(text)
			defer clear(input)
			return Config{CopyInput: true}.Unmarshal(input, v)
		},
		"UnmarshalRead": func(v any) error { return UnmarshalRead(strings.NewReader(text), v) },
		"Decode":        func(v any) error { return NewDecoder(strings.NewReader(text)).Decode(v) },
	} {
		var got, other kept
		if err := decode(&got); err != nil {
			t.Fatal(err)
		}
		for range 10 { // reuses the memory of the first call
			if err := UnmarshalRead(strings.NewReader(strings.NewReplacer("a", "X", "x", "Z", "plain", "other").Replace(text)), &other); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestNilKey encodes a map whose key is a nil interface. The output, the error or the panic must be
// the same as with encoding/json.
func TestNilKey(t *testing.T) {
	text := func(marshal func(any) ([]byte, error)) (text string) {
		defer func() { text += fmt.Sprint(recover()) }()
		b, err := marshal(map[encoding.TextMarshaler]int{nil: 1})
		if secondEngine { // known difference: the error has the position of the key
			return fmt.Sprintf("%s, %T", b, err)
		}
		return fmt.Sprint(string(b), err)
	}
	if got, want := text(Marshal), text(json.Marshal); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestSelfAndInterfaces decodes into interfaces that contain pointers, sometimes a pointer to the
// interface itself. The result and the error must be the same as with encoding/json.
func TestSelfAndInterfaces(t *testing.T) {
	for _, text := range []string{`1`, `"a\n"`, `1e400`, `[1e400]`, `null`, `{"a":1e400}`, `true`} {
		for name, held := range map[string]func() any{
			"itself":          func() any { var x any; x = &x; return &x },
			"text":            func() any { var x any = &keepsText{}; return &x },
			"text in a slice": func() any { return &[]any{&keepsText{}} },
			"text behind two": func() any { var x any = &keepsText{}; y := &x; return &struct{ A **any }{&y} },
		} {
			text := text
			switch name {
			case "text in a slice":
				text = "[" + text + "]"
			case "text behind two":
				text = `{"A":` + text + "}"
			}
			if name == "itself" && secondEngine {
				continue
			}
			std, ours := held(), held()
			wantErr, err := json.Unmarshal([]byte(text), std), Unmarshal([]byte(text), ours)
			if !sameError(err, wantErr) {
				t.Errorf("%s into %s: error %v, want %v", text, name, err, wantErr)
			}
			if name == "itself" {
				if got, want := reflect.TypeOf(*ours.(*any)), reflect.TypeOf(*std.(*any)); got != want {
					t.Errorf("%s into itself: got %v, want %v", text, got, want)
				}
			} else if !reflect.DeepEqual(ours, std) {
				t.Errorf("%s into %s: got %+v, want %+v", text, name, ours, std)
			}
		}
	}
}

// TestFailingReader decodes from a reader that fails after a text. The text is complete, incomplete
// or invalid. The values and the errors must be the same as with encoding/json.
func TestFailingReader(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{``, ` `, `true`, `true `, `null`, `fals`, `1`, `1 `, `"a"`, `"a`, `[1]`, `[1`, `{}`, `{"a"`, `[tru`, `x`, `[1 x`} {
		for _, oneByte := range []bool{false, true} {
			reader := func() io.Reader {
				r := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
				if oneByte {
					return iotest.OneByteReader(r)
				}
				return r
			}
			std, ours := json.NewDecoder(reader()), NewDecoder(reader())
			for range 2 {
				var want, got any
				wantErr, err := std.Decode(&want), ours.Decode(&got)
				if !sameError(err, wantErr) || !reflect.DeepEqual(got, want) {
					t.Errorf("%q: got %v, %v; want %v, %v", text, got, err, want, wantErr)
				}
			}
		}
	}
}

// TestDenseText decodes texts with so many values that an index would be too large. The values
// belong to a field of their type, to no field, or to a field of another type. The results must be
// the same as with encoding/json.
func TestDenseText(t *testing.T) {
	testkit.SkipInVariant(t) // encoding/json decodes most of these texts
	type target struct {
		Rows    [][]int
		Unknown int `json:"-"`
		After   string
	}
	dense := "[" + strings.Repeat("[],", 800_000) + "[1]]"
	for _, text := range []string{`{"Rows":` + dense + `,"After":"x"}`, `{"Unknown":` + dense + `,"After":"x"}`, `{"After":` + dense + `}`, `{"Unknown":` + dense + `,"After":"x"`} {
		var std, ours, read target
		wantErr, err := json.Unmarshal([]byte(text), &std), Unmarshal([]byte(text), &ours)
		readErr := NewDecoder(strings.NewReader(text)).Decode(&read)
		if !sameError(err, wantErr) || !reflect.DeepEqual(ours, std) || (readErr == nil) != (wantErr == nil) || readErr == nil && !reflect.DeepEqual(read, std) {
			t.Errorf("%.30s…: %v and %v, want %v", text, err, readErr, wantErr)
		}
		if err := (Config{DisallowUnknownFields: true}).Unmarshal([]byte(text), &ours); err == nil && strings.Contains(text, "Unknown") {
			t.Errorf("%.30s…: no error for an unknown field", text)
		}
	}
}

// TestBlanksByteByByte reads a megabyte of white space, one byte at a time. If the decoder examines
// each byte more than a constant number of times, the test takes minutes.
func TestBlanksByteByByte(t *testing.T) {
	byHone(t)
	for name, read := range map[string]func(d *Decoder) error{
		"Token":  func(d *Decoder) error { _, err := d.Token(); return err },
		"More":   func(d *Decoder) error { d.More(); return nil },
		"Decode": func(d *Decoder) error { var v any; return d.Decode(&v) },
	} {
		if err := read(NewDecoder(iotest.OneByteReader(strings.NewReader(strings.Repeat(" ", 1<<20) + "1 ")))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTypeErrorTime decodes texts in which all values have the wrong type. Finding the position of the
// first one is slow, so the decoder must do it only once.
func TestTypeErrorTime(t *testing.T) {
	for name, test := range map[string]struct {
		elem string
		into any
	}{
		"numbers in interfaces": {elem: `1e999`, into: new(any)},
		"options":               {elem: `[1]`, into: new([]mo.Option[[]string])},
		"unions":                {elem: `{"left":7}`, into: new([]mo.Either[[]string, []string])},
		"scalars":               {elem: `"x"`, into: new([]int)},
	} {
		testkit.Grows(t, 200_000, 9, func(n int) {
			if err := Unmarshal([]byte("["+strings.Repeat(test.elem+",", n)+test.elem+"]"), test.into); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
}

// TestBytesInPlace decodes into a byte slice that shares its memory with other slices, and checks
// this memory.
func TestBytesInPlace(t *testing.T) {
	for _, text := range []string{`"AQID"`, `"AQIDBA=="`, `"AQIDBAUGBwg="`, `""`, `"AQI"`, `"AQIDBA!"`, `"AQ\nID"`, `[9,8]`, `[9,"x"]`, `null`, `5`} {
		for _, room := range []int{0, 1, 3, 4, 5, 20} {
			var held, targets [2][]byte
			for i := range held {
				held[i] = bytes.Repeat([]byte{7}, 20)
				targets[i] = held[i][: room/2 : room]
			}
			wantErr, err := json.Unmarshal([]byte(text), &targets[0]), Unmarshal([]byte(text), &targets[1])
			if !sameError(err, wantErr) || !reflect.DeepEqual(targets[0], targets[1]) || !bytes.Equal(held[0], held[1]) {
				t.Errorf("%s into %d bytes: %v, %v, %v\nwant %v, %v, %v", text, room, targets[1], held[1], err, targets[0], held[0], wantErr)
			}
		}
	}
}
