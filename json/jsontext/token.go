package jsontext

import "github.com/hone-go/hone/json/internal/stream"

// A Token is a literal, a string, a number, or the start or the end of an array or object.
//
// A Token from a [Decoder] is valid until the next use of the Decoder. After that its methods
// panic. [Token.Clone] returns a Token that remains valid. The zero Token is invalid.
type Token struct{ t stream.Token }

// Tokens without a value.
var (
	Null  = Token{stream.Null}
	False = Token{stream.False}
	True  = Token{stream.True}

	BeginObject = Token{stream.BeginObject}
	EndObject   = Token{stream.EndObject}
	BeginArray  = Token{stream.BeginArray}
	EndArray    = Token{stream.EndArray}
)

// Bool returns the token for b.
func Bool(b bool) Token { return Token{stream.Bool(b)} }

// String returns the token for a JSON string with the content s, which should be valid UTF-8.
func String(s string) Token { return Token{stream.String(s)} }

// Float returns the token for n. NaN and infinities become the strings "NaN", "Infinity" and
// "-Infinity".
func Float(n float64) Token { return Token{stream.Float(n)} }

// Float32 is like [Float], with the fewest digits that decode to the same float32.
func Float32(n float32) Token { return Token{stream.Float32(n)} }

// Int returns the token for n.
func Int(n int64) Token { return Token{stream.Int(n)} }

// Uint returns the token for n.
func Uint(n uint64) Token { return Token{stream.Uint(n)} }

// Clone returns a copy that remains valid after the Decoder's next read.
func (t Token) Clone() Token { return Token{t.t.Clone()} }

// Kind returns the kind of the token.
func (t Token) Kind() Kind { return t.t.Kind() }

// String returns the content of a JSON string, or the JSON text of any other token.
func (t Token) String() string { return t.t.String() }

// Bool returns the value of true or false. For other tokens it panics.
func (t Token) Bool() bool { return t.t.Bool() }

// Float returns the value of a number, or of one of the strings "NaN", "Infinity" and "-Infinity".
// If a number is too large, it returns infinity and an error that wraps strconv.ErrRange. For other
// tokens it panics.
func (t Token) Float() (float64, error) { return t.t.Float() }

// Float32 is like [Token.Float], for a float32.
func (t Token) Float32() (float32, error) { return t.t.Float32() }

// Int returns the value of a number. If the number is out of range, it returns the nearest int64
// and an error that wraps strconv.ErrRange. If the number has a fraction or an exponent, it drops
// the fraction and returns an error that wraps strconv.ErrSyntax. For other tokens it panics.
func (t Token) Int() (int64, error) { return t.t.Int() }

// Uint is like [Token.Int], for a uint64. For a negative number the error wraps strconv.ErrSyntax.
func (t Token) Uint() (uint64, error) { return t.t.Uint() }
