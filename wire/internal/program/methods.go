package program

import (
	"bytes"
	"encoding"
	"fmt"
	"reflect"

	"github.com/hone-go/hone/internal/mem"
)

// A Method appends what a type's own method makes of the value that v
// points to.
type Method func(dst []byte, v any) ([]byte, error)

func callAppendBinary(dst []byte, v any) ([]byte, error) {
	return v.(encoding.BinaryAppender).AppendBinary(dst)
}

func callAppendText(dst []byte, v any) ([]byte, error) {
	return v.(encoding.TextAppender).AppendText(dst)
}

func callMarshalBinary(_ []byte, v any) ([]byte, error) {
	return v.(encoding.BinaryMarshaler).MarshalBinary()
}

func callMarshalText(_ []byte, v any) ([]byte, error) {
	return v.(encoding.TextMarshaler).MarshalText()
}

var (
	binaryAppender    = reflect.TypeFor[encoding.BinaryAppender]()
	binaryMarshaler   = reflect.TypeFor[encoding.BinaryMarshaler]()
	binaryUnmarshaler = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	textAppender      = reflect.TypeFor[encoding.TextAppender]()
	textMarshaler     = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler   = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// MethodsOf returns the form of a type that encodes itself: it, or a pointer to
// it, has both halves of a pair of package encoding.
func MethodsOf(t reflect.Type) (Form, Method, bool) {
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return 0, nil, false
	}
	p := reflect.PointerTo(t)
	switch {
	case p.Implements(binaryAppender) && p.Implements(binaryUnmarshaler):
		return FormBinary, callAppendBinary, true
	case p.Implements(binaryMarshaler) && p.Implements(binaryUnmarshaler):
		return FormBinary, callMarshalBinary, true
	case p.Implements(textAppender) && p.Implements(textUnmarshaler):
		return FormTextual, callAppendText, true
	case p.Implements(textMarshaler) && p.Implements(textUnmarshaler):
		return FormTextual, callMarshalText, true
	}
	return 0, nil, false
}

// HasMethods reports whether a type encodes itself.
func HasMethods(t reflect.Type) bool {
	_, _, ok := MethodsOf(t)
	return ok
}

// methodRoom is what an appending method is given to begin with, behind the
// length.
const methodRoom = 64

// putMethod writes a block by a type's own method. One that appends is given
// what follows in the buffer itself, behind a length that is guessed to take one
// byte; what is longer, or elsewhere, is moved.
func (r *ref) putMethod(e *encoder, n int, at mem.Pointer) (int, *EncodeError) {
	dst := e.room(n, methodRoom)
	b, err := r.append(dst[n+1:n+1], at.Addr(0, r.spec.Type))
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
	if d.alias {
		b = b[:len(b):len(b)]
	} else {
		b = bytes.Clone(b)
	}
	v := at.Addr(0, r.spec.Type)
	if r.spec.Form == FormBinary {
		cause = v.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
	} else {
		cause = v.(encoding.TextUnmarshaler).UnmarshalText(b)
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
