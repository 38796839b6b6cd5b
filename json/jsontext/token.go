package jsontext

import "github.com/hone-go/hone/json/internal/stream"

// A Token is a literal, a string, a number, or the start or the end of an array or object.
//
// A Token of a [Decoder] is valid until the next use of the Decoder. Its methods panic after that.
// [Token.Clone] returns a Token that stays valid. The zero Token is invalid.
type Token struct{ t stream.Token }

// The tokens without a value.
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

// String returns the token of a JSON string with the content s, which should be UTF-8.
func String(s string) Token { return Token{stream.String(s)} }

// Float returns the token for n. NaN and the infinities are the strings "NaN", "Infinity"
// and "-Infinity".
func Float(n float64) Token { return Token{stream.Float(n)} }

// Float32 is like [Float], with the fewest digits that read back as the same float32.
func Float32(n float32) Token { return Token{stream.Float32(n)} }

// Int returns the token for n.
func Int(n int64) Token { return Token{stream.Int(n)} }

// Uint returns the token for n.
func Uint(n uint64) Token { return Token{stream.Uint(n)} }

// Clone returns a copy that stays valid when the Decoder reads on.
func (t Token) Clone() Token { return Token{t.t.Clone()} }

// Kind returns the kind of the token.
func (t Token) Kind() Kind { return t.t.Kind() }

// String returns the content of a JSON string, or the text of another token.
func (t Token) String() string { return t.t.String() }

// Bool returns the value of true or false. It panics for another token.
func (t Token) Bool() bool { return t.t.Bool() }

// Float returns the value of a number, or of one of the strings of [Float]. For a number that is
// too large it returns an infinity, and the error wraps strconv.ErrRange. It panics for another
// token.
func (t Token) Float() (float64, error) { return t.t.Float() }

// Float32 is like [Token.Float], for a float32.
func (t Token) Float32() (float32, error) { return t.t.Float32() }

// Int returns the value of a number. For a number beyond int64 it returns the nearest int64, and
// the error wraps strconv.ErrRange. For a number with a fraction or an exponent it drops the
// fraction, and the error wraps strconv.ErrSyntax. It panics for another token.
func (t Token) Int() (int64, error) { return t.t.Int() }

// Uint is like [Token.Int], for a uint64. For a negative number the error wraps strconv.ErrSyntax.
func (t Token) Uint() (uint64, error) { return t.t.Uint() }
