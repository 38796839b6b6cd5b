// Package keys has types for keys of maps, of several kinds and with each of the methods that may
// determine the text of a key. The text of MarshalText begins with t:, the text of MarshalJSON with
// j:, and the text of AppendText with a:. MarshalText fails for "fail".
package keys

import (
	"fmt"
	"strconv"
	"strings"
)

// Keys of several kinds. The name of a type lists its methods.
type (
	Text        string // by MarshalText of the value
	TextPointer string // by MarshalText of the pointer
	Append      string
	JSON        string
	JSONPointer string
	TextInt     int
	JSONInt     int
	TextUint    uint8
	TextStruct  struct{ A, B int }
	TextBool    bool
	TextFloat   float64
	TextArray   [1]string
	Plain       string
	Both        string // by MarshalJSON and MarshalText
)

func text(v any) ([]byte, error) {
	s := fmt.Sprint("t:", v)
	if strings.Contains(s, "fail") {
		return nil, fmt.Errorf("failed with %q", s)
	}
	return []byte(s), nil
}

func fromText[T any](to *T, b []byte, make func(string) T) error {
	s, ok := strings.CutPrefix(string(b), "t:")
	if !ok {
		return fmt.Errorf("%q is not a key", b)
	}
	*to = make(s)
	return nil
}

func number[T ~int | ~uint8 | ~float64](s string) T {
	v, _ := strconv.Atoi(s)
	return T(v)
}

func (k Text) MarshalText() ([]byte, error) { return text(string(k)) }
func (k *Text) UnmarshalText(b []byte) error {
	return fromText(k, b, func(s string) Text { return Text(s) })
}
func (k *TextPointer) MarshalText() ([]byte, error) { return text(string(*k)) }
func (k *TextPointer) UnmarshalText(b []byte) error {
	return fromText(k, b, func(s string) TextPointer { return TextPointer(s) })
}
func (k Append) AppendText(b []byte) ([]byte, error) { return append(b, "a:"+string(k)...), nil }
func (k JSON) MarshalJSON() ([]byte, error)          { return strconv.AppendQuote(nil, "j:"+string(k)), nil }
func (k *JSON) UnmarshalJSON(b []byte) error         { *k = JSON(b); return nil }
func (k *JSONPointer) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, "j:"+string(*k)), nil
}
func (k *JSONPointer) UnmarshalJSON(b []byte) error { *k = JSONPointer(b); return nil }
func (k TextInt) MarshalText() ([]byte, error)      { return text(int(k)) }
func (k *TextInt) UnmarshalText(b []byte) error     { return fromText(k, b, number[TextInt]) }
func (k JSONInt) MarshalJSON() ([]byte, error)      { return strconv.AppendInt(nil, int64(k), 10), nil }
func (k *JSONInt) UnmarshalJSON(b []byte) error     { *k = JSONInt(len(b)); return nil }
func (k TextUint) MarshalText() ([]byte, error)     { return text(uint8(k)) }
func (k *TextUint) UnmarshalText(b []byte) error    { return fromText(k, b, number[TextUint]) }
func (k TextStruct) MarshalText() ([]byte, error)   { return text(k.A) }
func (k *TextStruct) UnmarshalText(b []byte) error {
	return fromText(k, b, func(s string) TextStruct { return TextStruct{A: number[int](s)} })
}
func (k TextBool) MarshalText() ([]byte, error) { return text(bool(k)) }
func (k *TextBool) UnmarshalText(b []byte) error {
	return fromText(k, b, func(s string) TextBool { return s == "true" })
}
func (k TextFloat) MarshalText() ([]byte, error)  { return text(float64(k)) }
func (k *TextFloat) UnmarshalText(b []byte) error { return fromText(k, b, number[TextFloat]) }
func (k TextArray) MarshalText() ([]byte, error)  { return text(k[0]) }
func (k *TextArray) UnmarshalText(b []byte) error {
	return fromText(k, b, func(s string) TextArray { return TextArray{s} })
}
func (k Both) MarshalJSON() ([]byte, error)  { return strconv.AppendQuote(nil, "j:"+string(k)), nil }
func (k Both) MarshalText() ([]byte, error)  { return text(string(k)) }
func (k *Both) UnmarshalJSON(b []byte) error { *k = Both(b); return nil }
func (k *Both) UnmarshalText(b []byte) error {
	return fromText(k, b, func(s string) Both { return Both(s) })
}
