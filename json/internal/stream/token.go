package stream

import (
	"bytes"
	"errors"
	"math"
	"strconv"

	"github.com/hone-go/hone/internal/syntax"
)

// A Token is a literal, a string, a number, or the start or end of an array or object.
//
// A Token from a Decoder is valid until the Decoder's next read. After that its methods panic. The
// zero Token is invalid.
type Token struct {
	_ [0]func()

	// A Token has only three fields, so that it is passed in registers.

	from *Decoder // the Decoder that has read the token, or numbers, or nil
	str  string   // constant text, the content of a string, or a text whose length is the type of a number
	num  uint64   // if from is a Decoder, the token's offset; if from is numbers, the number; if from is nil, the form
}

// numbers marks a token that was created from a Go number.
var numbers = new(Decoder)

type tokenForm uint8

const (
	noToken tokenForm = iota
	textForm
	stringForm
	readForm // the token's text is in a Decoder
	intForm
	uintForm
	floatForm
	float32Form
)

// Values of Token.str for a token that was created from a Go number. The form of the token is
// intForm plus the length of the text, so that form does not compare texts.
const (
	intMark     = ""
	uintMark    = "u"
	floatMark   = "64"
	float32Mark = "f32"
)

func (t Token) form() tokenForm {
	switch t.from {
	case nil:
		return tokenForm(t.num)
	case numbers:
		return intForm + tokenForm(len(t.str))
	}
	return readForm
}

// Tokens without a value.
var (
	Null        = Token{num: uint64(textForm), str: "null"}
	False       = Token{num: uint64(textForm), str: "false"}
	True        = Token{num: uint64(textForm), str: "true"}
	BeginObject = Token{num: uint64(textForm), str: "{"}
	EndObject   = Token{num: uint64(textForm), str: "}"}
	BeginArray  = Token{num: uint64(textForm), str: "["}
	EndArray    = Token{num: uint64(textForm), str: "]"}
)

// String returns the token for the string s.
func String(s string) Token { return Token{num: uint64(stringForm), str: s} }

// Bool returns the token for v.
func Bool(v bool) Token {
	if v {
		return True
	}
	return False
}

// Int returns the token for v.
func Int(v int64) Token { return Token{from: numbers, str: intMark, num: uint64(v)} }

// Uint returns the token for v.
func Uint(v uint64) Token { return Token{from: numbers, str: uintMark, num: v} }

// Float returns the token for v. NaN and infinities become strings.
func Float(v float64) Token {
	switch {
	case math.IsNaN(v):
		return String("NaN")
	case math.IsInf(v, 1):
		return String("Infinity")
	case math.IsInf(v, -1):
		return String("-Infinity")
	}
	return Token{from: numbers, str: floatMark, num: math.Float64bits(v)}
}

// Float32 is like Float, but its text has the fewest digits that decode to the same float32.
func Float32(v float32) Token {
	if f := float64(v); f == 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return Float(f)
	}
	return Token{from: numbers, str: float32Mark, num: uint64(math.Float32bits(v))}
}

const voided = "invalid jsontext.Token; it has been voided by a subsequent json.Decoder call"

// raw returns the JSON text of a token that a Decoder has read.
func (t Token) raw() []byte {
	if uint64(t.from.offset(t.from.start)) != t.num {
		panic(voided)
	}
	return t.from.buf[t.from.start:t.from.end]
}

// Kind returns the kind of the token, or 0 for the zero Token.
func (t Token) Kind() Kind {
	switch t.form() {
	case readForm:
		return KindOf(t.raw()[0])
	case noToken:
		return 0
	case textForm:
		return KindOf(t.str[0])
	case stringForm:
		return '"'
	}
	return '0'
}

// Clone returns a copy that remains valid after the Decoder's next read.
func (t Token) Clone() Token {
	if t.form() != readForm {
		return t
	}
	text := string(t.raw())
	return Token{num: uint64(textForm), str: text}
}

// text returns the JSON text of a token from a Decoder, or of a token with constant text. For
// other tokens it returns false.
func (t Token) text() (text []byte, ok bool) {
	switch t.form() {
	case readForm:
		return t.raw(), true
	case textForm:
		return []byte(t.str), true
	}
	return nil, false
}

// String returns the content of a string, or the JSON text of any other token.
func (t Token) String() string {
	if text, ok := t.text(); ok {
		if text[0] != '"' {
			return string(text)
		}
		s, _ := unquoted(text)
		return string(s)
	}
	switch t.form() {
	case stringForm:
		return t.str
	case noToken:
		return "<invalid jsontext.Token>"
	}
	return string(t.appendNumber(nil))
}

// unquoted returns the content of a valid JSON string, and whether it aliases the string.
func unquoted(text []byte) (s []byte, aliases bool) {
	if end := syntax.PlainRun(text, 1); end == len(text)-1 {
		return text[1:end], true
	}
	s, _ = syntax.AppendUnquoted(nil, text)
	return s, false
}

// appendNumber appends the JSON text of a token that was created from a Go number.
func (t Token) appendNumber(dst []byte) []byte {
	switch t.form() {
	case intForm:
		return syntax.AppendInt(dst, int64(t.num))
	case uintForm:
		return syntax.AppendUint(dst, t.num)
	case float32Form:
		return syntax.AppendFloat(dst, t.float(), 32)
	}
	return syntax.AppendFloat(dst, t.float(), 64)
}

// float returns the number of a float token.
func (t Token) float() float64 {
	if t.form() == float32Form {
		return float64(math.Float32frombits(uint32(t.num)))
	}
	return math.Float64frombits(t.num)
}

func (t Token) wrongKind() string { return "invalid JSON token kind: " + t.Kind().String() }

// Bool returns the value of true or false. For other tokens it panics.
func (t Token) Bool() bool {
	if t.form() == textForm {
		switch t.str {
		case "true":
			return true
		case "false":
			return false
		}
	}
	panic(t.wrongKind())
}

// Float returns the value of a number, or of one of the strings NaN, Infinity and -Infinity. If a
// number is too large, it returns infinity and an error that wraps [strconv.ErrRange]. For other
// tokens it panics.
func (t Token) Float() (float64, error) { return t.asFloat(64) }

// Float32 is like Float, for a float32.
func (t Token) Float32() (float32, error) {
	v, err := t.asFloat(32)
	return float32(v), err
}

func (t Token) asFloat(bits int) (float64, error) {
	if text, ok := t.text(); ok && KindOf(text[0]) == '0' {
		if bits == 64 {
			if v, ok := syntax.ParseFloat(text, 0, len(text)); ok {
				return v, nil
			}
		}
		v, err := strconv.ParseFloat(string(text), bits)
		return v, t.numberError("Float", errors.Unwrap(err))
	}
	switch t.form() {
	case float32Form:
		return t.float(), nil
	case floatForm:
		v := t.float()
		if bits == 32 && math.IsInf(float64(float32(v)), 0) {
			return v, t.numberError("Float", strconv.ErrRange)
		}
		return v, nil
	case intForm:
		return float64(int64(t.num)), nil
	case uintForm:
		return float64(t.num), nil
	}
	if t.Kind() == '"' {
		switch t.String() {
		case "NaN":
			return math.NaN(), nil
		case "Infinity":
			return math.Inf(1), nil
		case "-Infinity":
			return math.Inf(-1), nil
		}
	}
	panic(t.wrongKind())
}

func (t Token) numberError(method string, err error) error {
	if err == nil {
		return nil
	}
	return &numberError{method, t.String(), err}
}

// Int returns the value of a number. If the number is out of range, it returns the nearest int64
// and an error that wraps [strconv.ErrRange]. If the number has a fraction or an exponent, it drops
// the fraction and returns an error that wraps [strconv.ErrSyntax]. For other tokens it panics.
func (t Token) Int() (int64, error) {
	if text, ok := t.text(); ok && KindOf(text[0]) == '0' {
		if v, ok := syntax.ParseInt(text, 0, len(text)); ok {
			return v, nil
		}
		v, err := strconv.ParseInt(string(text), 10, 64)
		if err == nil || errors.Is(err, strconv.ErrRange) && !isDecimal(text) {
			return v, t.numberError("Int", errors.Unwrap(err))
		}
		f, _ := strconv.ParseFloat(string(text), 64)
		return toInt(f), t.numberError("Int", strconv.ErrSyntax)
	}
	switch t.form() {
	case intForm:
		return int64(t.num), nil
	case uintForm:
		if t.num > math.MaxInt64 {
			return math.MaxInt64, t.numberError("Int", strconv.ErrRange)
		}
		return int64(t.num), nil
	case floatForm, float32Form:
		f := t.float()
		v := toInt(f)
		switch {
		case math.Trunc(f) != f:
			return v, t.numberError("Int", strconv.ErrSyntax)
		case v == math.MinInt64 && f < math.MinInt64, v == math.MaxInt64 && f > math.MaxInt64:
			return v, t.numberError("Int", strconv.ErrRange)
		}
		return v, nil
	}
	panic(t.wrongKind())
}

// isDecimal reports whether a number has a fraction or an exponent.
func isDecimal(number []byte) bool { return bytes.ContainsAny(number, ".eE") }

func toInt(f float64) int64 {
	switch {
	case f >= 1<<63:
		return math.MaxInt64
	case f < -1<<63:
		return math.MinInt64
	}
	return int64(f)
}

// Uint is like [Token.Int], for a uint64. A negative number is out of range.
func (t Token) Uint() (uint64, error) {
	if text, ok := t.text(); ok && KindOf(text[0]) == '0' {
		if text[0] != '-' {
			if v, ok := syntax.ParseUint(text, 0, len(text)); ok {
				return v, nil
			}
		}
		v, err := strconv.ParseUint(string(text), 10, 64)
		if err == nil || errors.Is(err, strconv.ErrRange) && !isDecimal(text) {
			return v, t.numberError("Uint", errors.Unwrap(err))
		}
		f, _ := strconv.ParseFloat(string(text), 64)
		return toUint(f), t.numberError("Uint", strconv.ErrSyntax)
	}
	switch t.form() {
	case uintForm:
		return t.num, nil
	case intForm:
		if int64(t.num) < 0 {
			return 0, t.numberError("Uint", strconv.ErrSyntax)
		}
		return t.num, nil
	case floatForm, float32Form:
		f := t.float()
		v := toUint(f)
		switch {
		case math.Trunc(f) != f, math.Signbit(f):
			return v, t.numberError("Uint", strconv.ErrSyntax)
		case v == math.MaxUint64 && f > math.MaxUint64:
			return v, t.numberError("Uint", strconv.ErrRange)
		}
		return v, nil
	}
	panic(t.wrongKind())
}

func toUint(f float64) uint64 {
	switch {
	case f >= 1<<64:
		return math.MaxUint64
	case f < 0:
		return 0
	}
	return uint64(f)
}
