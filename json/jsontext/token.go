package jsontext

import "github.com/hone-go/hone/json/internal/stream"

// A Token is a literal, a string, a number, or the start or the end of an array or an
// object.
//
// A Token that a [Decoder] returned is good until the Decoder is used again; what it is
// asked then makes it panic. [Token.Clone] makes one that stays good. The zero Token is
// invalid.
type Token struct{ t stream.Token }

// The tokens of which there is one each.
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

// String returns the token of a JSON string that stands for s, which should be UTF-8.
func String(s string) Token { return Token{stream.String(s)} }

// Float returns the token for n. NaN and the infinities are the strings "NaN", "Infinity"
// and "-Infinity".
func Float(n float64) Token { return Token{stream.Float(n)} }

// Float32 is [Float] with as few digits as read back as the same float32.
func Float32(n float32) Token { return Token{stream.Float32(n)} }

// Int returns the token for n.
func Int(n int64) Token { return Token{stream.Int(n)} }

// Uint returns the token for n.
func Uint(n uint64) Token { return Token{stream.Uint(n)} }

// Clone returns a copy that stays good when the Decoder reads on.
func (t Token) Clone() Token { return Token{t.t.Clone()} }

// Kind returns what the token is.
func (t Token) Kind() Kind { return t.t.Kind() }

// String returns what a JSON string stands for, and the text of other tokens.
func (t Token) String() string { return t.t.String() }

// Bool returns the value of true or false. It panics if the token is another.
func (t Token) Bool() bool { return t.t.Bool() }

// Float returns the value of a number, or of one of the strings of [Float]. If the number
// is too large, it is an infinity and the error wraps strconv.ErrRange. Float panics if the
// token is another.
func (t Token) Float() (float64, error) { return t.t.Float() }

// Float32 is [Token.Float] for a float32.
func (t Token) Float32() (float32, error) { return t.t.Float32() }

// Int returns the value of a number. One beyond an int64 is the nearest int64, and the error
// wraps strconv.ErrRange; one with a fraction or an exponent loses its fraction, and the
// error wraps strconv.ErrSyntax. Int panics if the token is no number.
func (t Token) Int() (int64, error) { return t.t.Int() }

// Uint is [Token.Int] for a uint64. For a negative number the error wraps strconv.ErrSyntax.
func (t Token) Uint() (uint64, error) { return t.t.Uint() }
