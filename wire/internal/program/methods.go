package program

import (
	"bytes"
	"encoding"
	"fmt"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
)

// Methods are how a type encodes itself.
type Methods struct {
	Form   Form // FormNone if it does not
	Append func(dst []byte, v any) ([]byte, error)
	Read   func(b []byte, v any) error
}

func appendBinary(dst []byte, v any) ([]byte, error) {
	return v.(encoding.BinaryAppender).AppendBinary(dst)
}

func appendText(dst []byte, v any) ([]byte, error) {
	return v.(encoding.TextAppender).AppendText(dst)
}

func marshalBinary(_ []byte, v any) ([]byte, error) {
	return v.(encoding.BinaryMarshaler).MarshalBinary()
}

func marshalText(_ []byte, v any) ([]byte, error) { return v.(encoding.TextMarshaler).MarshalText() }

func unmarshalBinary(b []byte, v any) error { return v.(encoding.BinaryUnmarshaler).UnmarshalBinary(b) }

func unmarshalText(b []byte, v any) error { return v.(encoding.TextUnmarshaler).UnmarshalText(b) }

var (
	binaryAppender    = reflect.TypeFor[encoding.BinaryAppender]()
	binaryMarshaler   = reflect.TypeFor[encoding.BinaryMarshaler]()
	binaryUnmarshaler = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	textAppender      = reflect.TypeFor[encoding.TextAppender]()
	textMarshaler     = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler   = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// MethodsOf returns the methods of a type that encodes itself: it, or a pointer to
// it, has both halves of a pair of package encoding.
func MethodsOf(t reflect.Type) Methods {
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return Methods{}
	}
	if m, ok := bigNumbers[t.Name()]; ok && t.PkgPath() == "math/big" {
		return m
	}
	p := reflect.PointerTo(t)
	switch {
	case p.Implements(binaryAppender) && p.Implements(binaryUnmarshaler):
		return Methods{FormBinary, appendBinary, unmarshalBinary}
	case p.Implements(binaryMarshaler) && p.Implements(binaryUnmarshaler):
		return Methods{FormBinary, marshalBinary, unmarshalBinary}
	case p.Implements(textAppender) && p.Implements(textUnmarshaler):
		return Methods{FormTextual, appendText, unmarshalText}
	case p.Implements(textMarshaler) && p.Implements(textUnmarshaler):
		return Methods{FormTextual, marshalText, unmarshalText}
	}
	return Methods{}
}

// methodRoom is how much room a method that appends gets at first, behind the
// length.
const methodRoom = 64

// putMethod writes a block by a type's own method. One that appends is given
// what follows in the buffer itself, behind a length that is guessed to take one
// byte; what is longer, or elsewhere, is moved.
func (r *ref) putMethod(e *encoder, n int, at mem.Pointer) (int, *EncodeError) {
	dst := e.room(n, methodRoom)
	b, err := r.spec.Methods.Append(dst[n+1:n+1], at.Addr(0, r.spec.Type))
	if err != nil {
		return n, r.fail(err)
	}
	if size := len(b); size > 0 && size < 0x80 && &b[0] == &dst[n+1] {
		dst[n] = byte(size)
		return n + 1 + size, nil
	}
	dst = e.room(n, len(b)+10)
	var head [16]byte
	w := putUvarint(head[:], 0, uint64(len(b)))
	copy(dst[n+w:], b)
	copy(dst[n:], head[:w])
	return n + w + len(b), nil
}

func (r *ref) readMethod(d *decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	b, next, cause := block(d.in, pos, LenVarint)
	if cause != nil {
		return next, d.fail(next, r.spec.Type, cause)
	}
	// The method must not keep what it is given, and some do: it gets memory of its
	// own, since the input may be used again, or bytes that it cannot append to.
	given := b[:len(b):len(b)]
	if !d.alias {
		if !d.takeBlock(len(b)) {
			return pos, d.fail(pos, r.spec.Type, errBudget)
		}
		given = bytes.Clone(b)
	}
	v := at.Addr(0, r.spec.Type)
	cause = r.spec.Methods.Read(given, v)
	if cause == nil && r.canonical {
		var again []byte
		if again, cause = r.spec.Methods.Append(nil, v); cause == nil && !bytes.Equal(again, b) {
			cause = ErrCanonical
		}
	}
	if cause != nil {
		// The block is whole, whatever the method says: see layout.ModelDecoder.Decode.
		if cause == ErrTruncated {
			cause = fmt.Errorf("%w", cause)
		}
		return pos, d.fail(pos, r.spec.Type, cause)
	}
	return next, nil
}
