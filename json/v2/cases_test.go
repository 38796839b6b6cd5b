//lint:file-ignore SA5008,U1000 the tests need unusual tags

package json

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	v1 "github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
)

// flags are the boolean options.
var flags = []func(bool) Options{
	jsontext.AllowDuplicateNames, jsontext.AllowInvalidUTF8, jsontext.EscapeForHTML, jsontext.EscapeForJS, jsontext.PreserveRawStrings,
	jsontext.CanonicalizeRawInts, jsontext.CanonicalizeRawFloats, jsontext.SpaceAfterColon, jsontext.SpaceAfterComma, jsontext.Multiline,
	StringifyNumbers, FormatNilMapAsNull, FormatNilSliceAsNull, OmitZeroStructFields, MatchCaseInsensitiveNames, RejectUnknownMembers,
	v1.CallMethodsWithLegacySemantics, v1.FormatByteArrayAsArray, v1.FormatBytesWithLegacySemantics, v1.FormatDurationAsNano,
	v1.MatchCaseSensitiveDelimiter, v1.MergeWithLegacySemantics, v1.OmitEmptyWithLegacySemantics, v1.ParseBytesWithLooseRFC4648,
	v1.ParseTimeWithLooseRFC3339, v1.ReportErrorsWithLegacySemantics, v1.StringifyWithLegacySemantics, v1.UnmarshalArrayFromAnyLength,
}

// optionsOf returns the options whose bits are set. The output is always deterministic.
func optionsOf(bits uint32) []Options {
	list := []Options{Deterministic(true)}
	if bits>>31&1 != 0 {
		list = append(list, v1.DefaultOptionsV1())
	}
	for i, f := range flags {
		if bits>>i&1 != 0 {
			list = append(list, f(bits>>31&1 == 0))
		}
	}
	return list
}

func optionNames(bits uint32) string {
	var b strings.Builder
	if bits>>31&1 != 0 {
		b.WriteString(" not v1's")
	}
	for i := range flags {
		if bits>>i&1 != 0 {
			fmt.Fprintf(&b, " %d", i)
		}
	}
	return b.String()
}

// say describes an error. Two errors of the same kind have the same description.
func say(err error) string {
	switch e := err.(type) {
	case nil:
		return "nil"
	case *SemanticError:
		return fmt.Sprintf("%s | %d %q %v %s %v %T %s", err, e.ByteOffset, e.JSONPointer, e.JSONKind, e.JSONValue, e.GoType, e.Err, say(e.Err))
	case *jsontext.SyntacticError:
		return fmt.Sprintf("%s | %d %q %s", err, e.ByteOffset, e.JSONPointer, say(e.Err))
	case *json.UnmarshalTypeError:
		return fmt.Sprintf("%s | %q %v %d %q %q %s", err, e.Value, e.Type, e.Offset, e.Struct, e.Field, say(errors.Unwrap(e)))
	case *json.MarshalerError:
		return fmt.Sprintf("%s | %v %s", err, e.Type, say(e.Err))
	case *json.SyntaxError:
		return fmt.Sprintf("%s | %d", err, e.Offset)
	case *json.UnsupportedValueError:
		if e.Value.IsValid() {
			return fmt.Sprintf("%s | %v %v", err, e.Value.Type(), e.Value)
		}
		return fmt.Sprintf("%s | no value", err)
	}
	return err.Error()
}

type (
	named  string
	bite   byte
	inside struct {
		X int `json:"x,omitempty"`
		Y string
	}
	deep struct {
		inside
		*Base
		Z []inside `json:"z,omitzero"`
	}
	Base struct {
		ID   int64 `json:"id"`
		Kids []Base
	}
	rest struct {
		A    int                       `json:"a"`
		Rest map[string]any            `json:",embed"`
		B    map[string]map[string]int `json:"b,omitempty"`
	}
	raw struct {
		A    int            `json:"a,omitzero"`
		Rest jsontext.Value `json:",embed"`
	}
	rawPointer struct {
		A    *int            `json:"a,omitempty"`
		Rest *jsontext.Value `json:",embed"`
	}
	cases struct {
		One   int `json:"one_two,case:ignore"`
		Two   int `json:"TWO,case:strict"`
		Three int
		Four  int `json:"three,case:ignore"`
	}
	stringed struct {
		I int         `json:",string"`
		U *uint8      `json:",string"`
		F **float64   `json:",string"`
		N json.Number `json:",string"`
	}
	empties struct {
		A *int           `json:",omitempty"`
		B []int          `json:",omitempty"`
		C map[string]int `json:",omitempty"`
		D string         `json:",omitempty"`
		E struct {
			X *int `json:",omitempty"`
		} `json:",omitempty"`
		F any       `json:",omitempty"`
		G [0]int    `json:",omitempty"`
		H bool      `json:",omitempty"`
		I textual   `json:",omitempty"`
		J time.Time `json:",omitzero"`
		K inside    `json:",omitempty"`
	}
	bad1 struct {
		A int `json:"a,omitEmpty"`
	}
	bad2 struct {
		A int `json:"'a'"`
	}
	bad3 struct {
		S string `json:",string"`
	}
	bad4 struct{ textual }
	bad5 struct{ unseen int }
	bad7 struct {
		T time.Time `json:",format:RFC3339"`
	}
	textual struct{ S string }
	pointed struct{ S string }
	jsonic  struct{ S string }
	failing struct{}
	hidden  struct{ Open int }
	closed  struct{ *hidden }
	loop    struct {
		Next *loop
		Map  map[string]loop `json:",omitempty"`
		Any  any             `json:",omitempty"`
	}
	odd struct {
		Bytes  []byte
		Array  [3]byte
		Bites  []bite
		BArray [2]bite
		Ptr    *[]byte
		D      time.Duration
		T      time.Time
		F32    float32
		F64    float64
		C      chan int `json:",omitempty"`
	}
	keyed struct {
		I map[int8]string
		U map[uint]int
		F map[float64]int
		N map[named]int
		T map[textual]int
		P map[*textual]int
		J map[jsonic]int
		A map[any]int
		B map[bool]int
		S map[[2]byte]int
	}
)

func (t textual) MarshalText() ([]byte, error) {
	if t.S == "fail" {
		return nil, errors.New("no text")
	}
	return []byte(t.S), nil
}
func (t *textual) UnmarshalText(b []byte) error {
	if string(b) == "fail" {
		return errors.New("no text")
	}
	t.S = string(b)
	return nil
}
func (p *pointed) MarshalJSON() ([]byte, error) { return []byte(`{"s": "` + p.S + `" , "n":-0}`), nil }
func (p *pointed) UnmarshalJSON(b []byte) error { p.S = string(b); return nil }
func (j jsonic) MarshalJSON() ([]byte, error) {
	switch j.S {
	case "bad":
		return []byte(`{"a":1,"a":2}`), nil
	case "fail":
		return nil, &SemanticError{JSONPointer: "/x", ByteOffset: 3, Err: errors.New("inside")}
	case "unsupported":
		return nil, errors.ErrUnsupported
	}
	return jsontext.AppendQuote(nil, j.S)
}
func (j *jsonic) UnmarshalJSON(b []byte) error {
	if string(b) == "1" {
		return &SemanticError{JSONPointer: "/y", ByteOffset: 5, Err: errors.New("inside")}
	}
	j.S = string(b)
	return nil
}
func (failing) MarshalJSON() ([]byte, error) { return nil, errors.New("fails") }
func (*failing) UnmarshalJSON([]byte) error  { return errors.New("fails") }

// bad6 has two members with the same name.
var bad6 = reflect.StructOf([]reflect.StructField{
	{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:"x"`}, {Name: "B", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
})

// targets are the types to decode into.
var targets = []reflect.Type{
	reflect.TypeFor[any](), reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](),
	reflect.TypeFor[named](), reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[string]int](), reflect.TypeFor[[]int](), reflect.TypeFor[[3]int](),
	reflect.TypeFor[inside](), reflect.TypeFor[deep](), reflect.TypeFor[rest](), reflect.TypeFor[raw](), reflect.TypeFor[rawPointer](), reflect.TypeFor[cases](), reflect.TypeFor[stringed](), reflect.TypeFor[empties](),
	reflect.TypeFor[bad1](), reflect.TypeFor[bad2](), reflect.TypeFor[bad3](), reflect.TypeFor[bad4](), reflect.TypeFor[bad5](), bad6, reflect.TypeFor[bad7](),
	reflect.TypeFor[textual](), reflect.TypeFor[pointed](), reflect.TypeFor[jsonic](), reflect.TypeFor[failing](), reflect.TypeFor[closed](), reflect.TypeFor[loop](), reflect.TypeFor[odd](), reflect.TypeFor[keyed](),
	reflect.TypeFor[[]jsonic](), reflect.TypeFor[map[string]*pointed](), reflect.TypeFor[[]map[string]inside](), reflect.TypeFor[**int](), reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[json.Number](),
	reflect.TypeFor[json.RawMessage](), reflect.TypeFor[jsontext.Value](), reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[[]byte](), reflect.TypeFor[[4]byte](), reflect.TypeFor[chan int](),
	reflect.TypeFor[complex64](), reflect.TypeFor[map[string]json.Number](), reflect.TypeFor[map[float32]string](), reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[[]*bool](), reflect.TypeFor[struct{}](),
}

var inputs = []string{
	`null`, `true`, `false`, `0`, `-0`, `1.5`, `1e3`, `300`, `-129`, `1e400`, `18446744073709551616`, `""`, `"x"`, `"null"`, `"true"`, `"12"`, `"01"`, `"-0"`, `"1.5"`, `"1e400"`,
	`[]`, `[1]`, `[1,2,3,4]`, `[null,1]`, `{}`, `{"a":1}`, `{"a":1,"a":2}`, `{"x":1,"Y":"y"}`, `{"X":1,"y":"y"}`, `{"b":{"c":{"d":1}},"zz":[1,{"q":null}]}`, `{"zz":1,"zz":2}`, `{"zz":{"q":1,"q":2}}`,
	`{"id":7,"Kids":[{"id":1},{"id":"x"}],"z":[{"x":1},{}]}`, `{"one-two":1,"ONE_TWO":2}`, `{"ONETWO":1,"two":2,"TWO":3,"THREE":4,"Three":5}`, `{"I":"1","U":"2","F":"3.5","N":"4"}`, `{"I":1,"U":null,"F":3.5,"N":4}`, `{"I":"null"}`,
	`"2006-01-02T15:04:05Z"`, `"2006-01-02T3:04:05Z"`, `"2006-01-02T15:04:05,5Z"`, `"2006-01-02T15:04:05+24:00"`, `"fail"`, `"AQID"`, `"AQID\n"`, `"AQI"`, `"AQIDBA=="`, `[1,2,256]`,
	`{"Bytes":"AQID","Array":"AQID","Bites":[1],"BArray":[1,2],"Ptr":null,"D":5,"T":null,"F32":1e39,"F64":2}`, `{"Array":"AQ=="}`, `{"Bytes":[1,2],"Array":[1,2]}`,
	`{"I":{"1":"a","-1":"b"},"U":{"0":1},"F":{"1.5":1,"1e1":2},"N":{"n":1},"T":{"t":1,"fail":2}}`, `{"I":{"300":"a"}}`, `{"I":{"01":"a"}}`, `{"F":{"1":1,"1.0":2}}`, `{"P":{"p":1}}`, `{"J":{"j":1}}`, `{"A":{"a":1}}`, `{"B":{"true":1}}`, `{"S":{"AQI=":1}}`,
	"\"\xff\"", `"\ud800"`, "{\"\xff\":1}", `{"a":"` + "\xff" + `"}`, `["é","\u00e9","\/"]`, `[1,2`, `[1,2!`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":!}`, `{"x":1 "Y":2}`, `{"zz":[1,2}`, `{"z":[{"x":1},{"x":!}]}`, `nul`, `tru`, `-`, `"abc`, ` 1 2`, `1x`, `]`, ``, ` `,
	`{"Open":1}`, `{"Next":{"Next":{"Map":{"a":{}}},"Any":[1,{"b":2}]}}`, `{"A":1,"B":[1],"C":{"a":1},"D":"d","E":{"X":1},"F":0,"I":"t","J":"2006-01-02T15:04:05Z","K":{"x":1}}`,
	`{"a":[1,2,{"x":"y","x":1}]}`, `[{"x":1},{"x":2,"zz":3}]`, `{"k":{"s":1}}`, `{"zz":"\u007a","\u007az":1}`, `{"S":"s"}`, `{"T":"2006-01-02T15:04:05Z"}`, `{"a":null,"b":null,"x":null}`, "[1,\n\t2 ,3 ] \n",
	`{{"":]`, `{"x":1,{"b":]`, `{"b":{{"c":}`, `{"A":{{"c":}`, `{"A":{[{]`, `{"I":{[1,{"":]`, `{"S":{{}:`, `{"P":{{}:`, `{"J":{[}`, `{"T":{{"":1,]`,
	`{"a":n`, `{"A":nul`, `{"a":t`, `[nu]`,
	`{"1":1,"01":2,"x":3}`, `{"1":1}`,
}

func describe(v any) string {
	var b strings.Builder
	var walk func(reflect.Value, int)
	walk = func(v reflect.Value, depth int) {
		if depth > 20 {
			return
		}
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() {
				b.WriteString("nil")
				return
			}
			b.WriteByte('&')
			walk(v.Elem(), depth+1)
		case reflect.Interface:
			if v.IsNil() {
				b.WriteString("nil")
				return
			}
			fmt.Fprintf(&b, "%v:", v.Elem().Type())
			walk(v.Elem(), depth+1)
		case reflect.Struct:
			if v.Type() == reflect.TypeFor[time.Time]() && v.CanInterface() {
				fmt.Fprintf(&b, "%v", v.Interface())
				return
			}
			b.WriteByte('{')
			for i := range v.NumField() {
				walk(v.Field(i), depth+1)
				b.WriteByte(' ')
			}
			b.WriteByte('}')
		case reflect.Slice, reflect.Array:
			if v.Kind() == reflect.Slice && v.IsNil() {
				b.WriteString("nil")
				return
			}
			b.WriteByte('[')
			for i := range v.Len() {
				walk(v.Index(i), depth+1)
				b.WriteByte(' ')
			}
			b.WriteByte(']')
		case reflect.Map:
			if v.IsNil() {
				b.WriteString("nil")
				return
			}
			var parts []string
			held := b.String()
			for _, k := range v.MapKeys() {
				b.Reset()
				walk(k, depth+1)
				b.WriteByte('=')
				walk(v.MapIndex(k), depth+1)
				parts = append(parts, b.String())
			}
			b.Reset()
			b.WriteString(held)
			slices.Sort(parts)
			fmt.Fprintf(&b, "map%q", parts)
		case reflect.Float32, reflect.Float64:
			fmt.Fprintf(&b, "%v/%v", v.Float(), math.Signbit(v.Float()))
		default:
			if v.CanInterface() {
				fmt.Fprintf(&b, "%v", v.Interface())
			} else {
				fmt.Fprintf(&b, "%v", v)
			}
		}
	}
	walk(reflect.ValueOf(v), 0)
	return b.String()
}

var tags = []string{"", "", `json:"name,omitempty"`, `json:",omitzero"`, `json:",string"`, `json:"-"`, `json:"f0"`, `json:"<é>"`, `json:"F1,omitempty,string"`, `json:"f_2,case:ignore"`, `json:",case:strict"`, `json:",embed"`}
