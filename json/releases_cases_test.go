//lint:file-ignore SA5008,U1000 some cases need wrong tags or unused fields

package json

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing/iotest"
	"time"
)

// A library contains the functions of one package json.
type library struct {
	unmarshal func([]byte, any) error
	marshal   func(any) ([]byte, error)
	decoder   func(io.Reader) streamDecoder
}

type streamDecoder interface {
	Decode(any) error
	Token() (json.Token, error)
	More() bool
	InputOffset() int64
}

// A releaseCase is one difference between Go releases.
type releaseCase struct {
	what string               // the description in docs/migrating/encoding-json.md
	code string               // the JSON or the Go value, for the same table
	show func(library) string // the result
}

// reading returns a case that decodes text into a new value from target.
func reading(what, text string, target func() any, show func(v any, err error) string) releaseCase {
	return releaseCase{what, text, func(l library) string {
		v := target()
		err := l.unmarshal([]byte(text), v)
		return show(v, err)
	}}
}

// writing returns a case that encodes v.
func writing(what, code string, v any) releaseCase {
	return releaseCase{what, code, func(l library) string {
		b, err := l.marshal(v)
		if err != nil {
			return errorOf(nil, err)
		}
		return string(b)
	}}
}

type (
	releaseName    string
	releaseAppends string
	releaseEOF     struct{}
)

func (k releaseName) MarshalText() ([]byte, error) { return []byte("text:" + k), nil }
func (k *releaseName) UnmarshalText(b []byte) error {
	*k = releaseName("text:" + string(b))
	return nil
}
func (k *releaseName) UnmarshalJSON(b []byte) error {
	*k = releaseName("json:" + string(b))
	return nil
}

func (a releaseAppends) AppendText(b []byte) ([]byte, error) { return append(b, "text:"+a...), nil }

func (*releaseEOF) UnmarshalJSON([]byte) error { return io.EOF }

// Functions that describe the result of a case.
var (
	fieldOf  = ofTypeError(func(e *json.UnmarshalTypeError) string { return e.Field })
	structOf = ofTypeError(func(e *json.UnmarshalTypeError) string { return e.Struct })
	offsetOf = ofTypeError(func(e *json.UnmarshalTypeError) string { return fmt.Sprint(e.Offset) })
)

func ofTypeError(part func(*json.UnmarshalTypeError) string) func(any, error) string {
	return func(_ any, err error) string {
		if e, ok := err.(*json.UnmarshalTypeError); ok {
			return part(e)
		}
		return errorOf(nil, err)
	}
}

// errorOf describes an error: its message, and its type if package json defines it.
func errorOf(_ any, err error) string {
	switch e := err.(type) {
	case nil:
		return "no error"
	case *json.SyntaxError:
		return fmt.Sprintf("SyntaxError at %d: %s", e.Offset, e)
	case *json.UnmarshalTypeError:
		return fmt.Sprintf("UnmarshalTypeError at %d: %s", e.Offset, e)
	}
	return strings.TrimPrefix(fmt.Sprintf("%T: %v", err, err), "*errors.errorString: ")
}

// valueOfResult describes the decoded value, which may be incomplete, and says whether there was an
// error.
func valueOfResult(v any, err error) string {
	s := fmt.Sprintf("%+v", reflect.ValueOf(v).Elem())
	if err != nil {
		s += ", and an error"
	}
	return s
}

// causeOf describes the cause of an UnmarshalTypeError.
func causeOf(_ any, err error) string {
	if e, ok := err.(*json.UnmarshalTypeError); ok {
		return fmt.Sprint("UnmarshalTypeError with ", errors.Unwrap(e))
	}
	return errorOf(nil, err)
}

func into[T any]() any { return new(T) }

// held returns a function that returns pointers to copies of v.
func held[T any](v T) func() any { return func() any { c := v; return &c } }

type (
	releaseItem  struct{ Price int }
	releaseOrder struct {
		Items []releaseItem
		ByDay map[string]int
		Keys  map[int8]int
	}
	releaseBytes  struct{ Data []byte }
	releaseQuoted struct {
		N int    `json:",string"`
		B bool   `json:",string"`
		S string `json:",string"`
	}
	releaseFails   struct{}
	releaseFailing struct {
		A releaseFails
		B int
	}
	releaseHidden struct{ A int }
	releaseEmbeds struct{ *releaseHidden }
	releaseFace   struct{ E error }
	releaseNumber struct{ N json.Number }
	releaseTime   struct{ T time.Time }
	releaseKey    int
	releaseCase2  struct {
		A int `json:"name,case:strict"`
	}
	releaseQuotes struct {
		A int `json:"a\"b"`
	}
	releaseSpare struct {
		A     int
		Other map[string]any `json:",embed"`
	}
	releaseFormat struct {
		D []byte `json:",format:hex"`
	}
	releaseMarshals struct{}
	releaseSeen     struct{}
	releaseTag      struct {
		A int `json:"\xff"`
	}
	releaseTag2 struct {
		A int `json:"a\\b"`
	}
	releaseTag3 struct {
		A int `json:",string=x"`
	}
)

// seen counts the calls of releaseSeen's method.
var seen int

func (*releaseFails) UnmarshalJSON([]byte) error     { return errors.New("no") }
func (k *releaseKey) UnmarshalText([]byte) error     { return nil }
func (releaseMarshals) MarshalJSON() ([]byte, error) { return nil, errors.New("no") }
func (*releaseSeen) UnmarshalJSON([]byte) error      { seen++; return nil }

// streamed returns a case that reads with a Decoder.
func streamed(what, text string, show func(d streamDecoder, r *oncePerCall) string) releaseCase {
	return releaseCase{what, text, func(l library) string {
		r := &oncePerCall{text: text}
		return show(l.decoder(r), r)
	}}
}

// oncePerCall is a reader that returns its whole text in one call, and counts the calls.
type oncePerCall struct {
	text  string
	calls int
}

func (r *oncePerCall) Read(b []byte) (int, error) {
	r.calls++
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(b, r.text)
	r.text = r.text[n:]
	return n, nil
}

// releaseCases are the rows of the table, in order.
var releaseCases = []releaseCase{
	reading("`UnmarshalTypeError.Field` has the indexes of arrays", `{"Items":[{"Price":"x"}]}`, into[releaseOrder], fieldOf),
	reading("`UnmarshalTypeError.Field` has the keys of maps", `{"ByDay":{"mon":"x"}}`, into[releaseOrder], fieldOf),
	reading("`UnmarshalTypeError.Struct` is the root, not the innermost struct", `{"Items":[{"Price":"x"}]}`, into[releaseOrder], structOf),
	reading("invalid base64 is an `UnmarshalTypeError`", `{"Data":"!!!!"}`, into[releaseBytes], causeOf),
	reading("a time that is not a string is an `UnmarshalTypeError`", `{"T":5}`, into[releaseTime], errorOf),
	reading("the offset for a map key that does not fit its type", `{"Keys":{"300":1}}`, into[releaseOrder], offsetOf),
	reading("the value of a map key that does not fit its type is not decoded", `{"x":1}`, into[map[int8]releaseSeen], func(any, error) string {
		defer func() { seen = 0 }()
		return fmt.Sprint(seen, " calls of UnmarshalJSON")
	}),
	reading("a type with `UnmarshalText`, decoded from JSON that is not a string", `5`, into[releaseKey], errorOf),
	reading("the offset for an interface with methods is before the value", `{"E":"x"}`, into[releaseFace], offsetOf),
	reading("an embedded pointer to a struct of an unexported type", `{"A":1}`, into[releaseEmbeds], errorOf),
	reading("a `Number` decoded from a bool: offset and field are missing", `{"N":true}`, into[releaseNumber], errorOf),
	reading("a `Number` decoded from a string that is not a number", `{"N":"x"}`, into[releaseNumber], errorOf),
	reading("the tag option `string`: the string is not a number", `{"N":"x"}`, into[releaseQuoted], errorOf),
	reading("the tag option `string`: the number has no quotes", `{"N":5}`, into[releaseQuoted], errorOf),
	reading("the tag option `string`: the string is not a bool", `{"B":"x"}`, into[releaseQuoted], errorOf),
	reading("the tag option `string`: the string does not contain a JSON string", `{"S":"x"}`, into[releaseQuoted], errorOf),
	reading("the tag option `string`: the string contains null", `{"S":"null"}`, into[releaseQuoted], errorOf),
	reading("decoding continues after an error of a type's own method", `{"A":1,"B":2}`, into[releaseFailing], valueOfResult),
	reading("a number too large for a float", `1e400`, held(1.5), valueOfResult),
	reading("a number in an interface that is too large for a float", `[1e400,1]`, into[any], valueOfResult),
	reading("the methods of a field whose type has no name, such as `struct{ time.Time }`", `{"T":"2026-11-22T00:00:00Z"}`, into[struct{ T struct{ time.Time } }], errorOf),

	reading("a literal that ends too early", `tru`, into[any], errorOf),
	reading("a number that ends too early", `-`, into[any], errorOf),
	reading("an invalid escape", `"\q"`, into[any], errorOf),
	reading("a `\\u` without four hexadecimal digits", `"\u12"`, into[any], errorOf),
	reading("a line end in a string", "\"a\nb\"", into[any], errorOf),

	reading("the tag option `case:strict`", `{"NAME":1}`, into[releaseCase2], valueOfResult),
	reading("the tag option `embed` keeps unknown members", `{"A":1,"z":2}`, into[releaseSpare], valueOfResult),
	writing("the tag option `embed` writes unknown members back", "`Other map[string]any \"json:\\\",embed\\\"\"`", releaseSpare{1, map[string]any{"z": 2}}),
	writing("a name with a backslash", "`json:\"a\\\\b\"`", releaseTag2{1}),
	writing("the tag option `format`, which is reserved", "`json:\",format:hex\"`", releaseFormat{[]byte{255}}),

	writing("a name with a quotation mark", "`json:\"a\\\"b\"`", releaseQuotes{1}),
	writing("a name that is not UTF-8", "`json:\"\\xff\"`", releaseTag{1}),
	writing("a tag option with a value that it does not have", "`json:\",string=x\"`", releaseTag3{1}),
	{"`MarshalerError.Type` is a pointer to the type with the method", "[]T{{}}", func(l library) string {
		_, err := l.marshal([]releaseMarshals{{}})
		var e *json.MarshalerError
		return fmt.Sprint(errors.As(err, &e) && e.Type.Kind() == reflect.Pointer)
	}},
	writing("the error for a `RawMessage` that is not JSON", `json.RawMessage("{")`, json.RawMessage("{")),
	writing("a `Number` that is not a number", `json.Number("x")`, json.Number("x")),
	{"`UnsupportedValueError.Value`", "math.NaN()", func(l library) string {
		_, err := l.marshal(math.NaN())
		var e *json.UnsupportedValueError
		return fmt.Sprint(errors.As(err, &e) && e.Value.IsValid())
	}},
	writing("an empty map whose keys cannot be encoded", "map[bool]int{}", map[bool]int{}),
	writing("a map with such a key", "map[bool]int{true: 1}", map[bool]int{true: 1}),
	writing("map keys that are floats", "map[float64]int{1.5: 1}", map[float64]int{1.5: 1}),
	writing("map keys of an interface type", "map[any]int{\"a\": 1}", map[any]int{"a": 1}),
	reading("null is a key of a map with integer keys", `{"null":1}`, into[map[int]int], valueOfResult),
	reading("names become map keys of an interface type", `{"a":1}`, into[map[any]int], valueOfResult),
	writing("keys of a string type that has `MarshalText`", "map[T]int{\"a\": 1}", map[releaseName]int{"a": 1}),
	writing("`AppendText` is called", "T(\"a\")", releaseAppends("a")),
	reading("`UnmarshalJSON` of a key that has `UnmarshalText` too is not called", `{"a":1}`, into[map[releaseName]int], valueOfResult),
	reading("an io.EOF from a method is reported as the end of the text", `{"a":1}`, into[releaseEOF], func(_ any, err error) string { return errorOf(nil, err) }),
	writing("bytes that are not UTF-8", `"a\xff"`, "a\xff"),
	writing("`MarshalJSONTo` is called", "a type that has it", releaseTokens{}),
	{"`UnmarshalJSONFrom` is called", "[1]", func(l library) string {
		var v releaseTokens
		return valueOfResult(&v, l.unmarshal([]byte("[1]"), &v))
	}},

	streamed("a value at the top of a stream is complete without the byte after it", `"a"`, func(d streamDecoder, r *oncePerCall) string {
		var v any
		err := d.Decode(&v)
		return fmt.Sprintf("%v, %v after %d reads", v, err, r.calls)
	}),
	streamed("`UnmarshalTypeError.Offset` of a second value", `1   "x"`, func(d streamDecoder, _ *oncePerCall) string {
		var n int
		return fmt.Sprint(d.Decode(&n), ", ", offsetOf(nil, d.Decode(&n)))
	}),
	streamed("`More` after an error, where no value can follow", `{"a":1,]`, func(d streamDecoder, _ *oncePerCall) string {
		for range 4 {
			_, _ = d.Token()
		}
		return fmt.Sprint(d.More())
	}),
	{"an io.ErrUnexpectedEOF of the reader after a complete value", `{}`, func(l library) string {
		d := l.decoder(io.MultiReader(strings.NewReader(`{}`), iotest.ErrReader(io.ErrUnexpectedEOF)))
		for range 2 {
			_, _ = d.Token()
		}
		_, err := d.Token()
		return fmt.Sprint(err)
	}},
	streamed("`InputOffset` after an error", `[1,,2]`, func(d streamDecoder, _ *oncePerCall) string {
		for range 3 {
			_, _ = d.Token()
		}
		return fmt.Sprint(d.InputOffset())
	}),
}
