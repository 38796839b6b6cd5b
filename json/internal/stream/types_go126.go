//go:build !(go1.27 && goexperiment.jsonv2)

package stream

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hone-go/hone/json/internal/option"
)

// A Kind is the kind of a token or a value. It is a byte with which the token may start. For all
// numbers it is '0'.
type Kind byte

func (k Kind) String() string {
	switch k {
	case 0:
		return "invalid"
	case 'n':
		return "null"
	case 'f':
		return "false"
	case 't':
		return "true"
	case '"':
		return "string"
	case '0':
		return "number"
	case '{', '}', '[', ']':
		return string(rune(k))
	}
	return "<invalid jsontext.Kind: " + QuoteRune([]byte{byte(k)}) + ">"
}

var (
	// ErrDuplicateName is the cause of a [SyntacticError] for a name that occurs twice in an
	// object.
	ErrDuplicateName = errors.New("duplicate object member name")
	// ErrNonStringName is the cause of a [SyntacticError] for a name that is not a string.
	ErrNonStringName = errors.New("object member name must be a string")
)

// A SyntacticError reports invalid JSON, or tokens that do not form valid JSON.
type SyntacticError struct {
	_ struct{}
	_ [0]func()

	ByteOffset  int64   // the error is at or after this offset
	JSONPointer Pointer // of the value that contains the error
	Err         error   // may be nil
}

func (e *SyntacticError) Error() string {
	pointer, offset := e.JSONPointer, e.ByteOffset
	text := "jsontext: syntactic error"
	if e.Err != nil {
		text = "jsontext: " + e.Err.Error()
	}
	if e.Err == ErrDuplicateName {
		text += " " + strconv.Quote(pointer.LastToken())
		pointer, offset = pointer.Parent(), 0
	}
	if pointer != "" {
		text += " within " + strconv.Quote(ShortPointer(string(pointer)))
	}
	if offset > 0 {
		text += " after offset " + strconv.FormatInt(offset, 10)
	}
	return text
}

func (e *SyntacticError) Unwrap() error { return e.Err }

// A Pointer is a JSON pointer (RFC 6901), the path from the root of a JSON text to a value in it.
type Pointer string

// IsValid reports whether p is valid by RFC 6901.
func (p Pointer) IsValid() bool {
	for i := 0; i < len(p); i++ {
		if p[i] == '~' && (i+1 == len(p) || p[i+1] != '0' && p[i+1] != '1') {
			return false
		}
	}
	return utf8.ValidString(string(p)) && (p == "" || p[0] == '/')
}

// Contains reports whether p points to the value that other points to, or to an array or object
// that contains this value.
func (p Pointer) Contains(other Pointer) bool {
	rest, ok := strings.CutPrefix(string(other), string(p))
	return ok && (rest == "" || rest[0] == '/')
}

// Parent returns p without its last token.
func (p Pointer) Parent() Pointer { return p[:max(strings.LastIndexByte(string(p), '/'), 0)] }

// LastToken returns the last name or index in p, or "" if p is empty.
func (p Pointer) LastToken() string {
	return unescapeToken(strings.TrimPrefix(string(p[len(p.Parent()):]), "/"))
}

// AppendToken returns the pointer to a member or an element of the value at p.
func (p Pointer) AppendToken(token string) Pointer {
	return Pointer(appendToken([]byte(p+"/"), []byte(token)))
}

// Tokens iterates over the names and indexes of p.
func (p Pointer) Tokens() iter.Seq[string] {
	return func(yield func(string) bool) {
		for p != "" {
			p = Pointer(strings.TrimPrefix(string(p), "/"))
			end := strings.IndexByte(string(p), '/')
			if end < 0 {
				end = len(p)
			}
			if !yield(unescapeToken(string(p[:end]))) {
				return
			}
			p = p[end:]
		}
	}
}

func unescapeToken(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// A Value is one JSON value as text. It may be invalid, and contain white space around the value.
type Value []byte

// Clone returns a copy of v.
func (v Value) Clone() Value { return bytes.Clone(v) }

func (v Value) String() string {
	if v == nil {
		return "null"
	}
	return string(v)
}

// IsValid reports whether v is exactly one JSON value and satisfies the options.
func (v Value) IsValid(options ...option.Options) bool {
	d := Decoder{}
	d.Join(options...)
	d.SetText(v)
	if _, err := d.ReadValue(); err != nil {
		return false
	}
	_, err := d.ReadToken()
	return err == io.EOF
}

// Format formats v as the options specify. On error v is unchanged.
func (v *Value) Format(options ...option.Options) error { return v.format(option.Set{}, options) }

func (v *Value) format(set option.Set, options []option.Options) error {
	set.Join(options...)
	set.On |= option.OneValue
	set.Lines()
	e := Encoder{Set: set}
	if err := e.WriteValue(*v); err != nil {
		return err
	}
	if !bytes.Equal(*v, e.buf) {
		*v = append((*v)[:0], e.buf...)
	}
	return nil
}

const asItIs = option.AllowDuplicateNames | option.AllowInvalidUTF8 | option.PreserveRawStrings

// Compact removes white space from v.
func (v *Value) Compact(options ...option.Options) error {
	return v.format(option.Set{Given: asItIs, On: asItIs}, options)
}

// Indent formats v with each element and member on a separate line.
func (v *Value) Indent(options ...option.Options) error {
	const flags = asItIs | option.Multiline
	return v.format(option.Set{Given: flags, On: flags}, options)
}

// Canonicalize formats v as RFC 8785 specifies.
func (v *Value) Canonicalize(options ...option.Options) error {
	const flags = option.CanonicalizeNumbers | option.ReorderRawObjects
	return v.format(option.Set{Given: flags, On: flags}, options)
}

// MarshalJSON returns v, or null if v is nil.
func (v Value) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	return v, nil
}

// UnmarshalJSON sets *v to a copy of b.
func (v *Value) UnmarshalJSON(b []byte) error {
	if v == nil {
		return errors.New("jsontext.Value: UnmarshalJSON on nil pointer")
	}
	*v = append((*v)[:0], b...)
	return nil
}

// Kind returns the kind of v, or 0 if no token starts with its first byte.
func (v Value) Kind() Kind {
	for _, c := range v {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return KindOf(c)
		}
	}
	return 0
}
