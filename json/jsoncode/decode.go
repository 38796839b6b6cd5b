package jsoncode

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
)

// A Decoder is the state of one call.
type Decoder = decode.Decoder

// An Object describes the members of a struct type.
type Object = decode.Object

// Seen is the set of the fields that an object has, as bits.
type Seen = decode.Seen

// A Decoding is the generated decoder of one type.
type Decoding = decode.Code

// DecodingOf returns the decoder of T that consists of the function read. fingerprint is the
// fingerprint of T when the code was generated. inner are the decoders of types that T refers to.
func DecodingOf[T any](fingerprint uint64, read func(*Decoder, *Object, int, *T) int, inner ...Decoding) Decoding {
	return Decoding{Type: reflect.TypeFor[T](), Fingerprint: fingerprint, Run: mem.Erased(read), Inner: inner}
}

// The functions below read a value. They take the position i of the colon before the value, and return the
// position of the next name, or of the closing brace. A negative position means that the code
// gives up: the functions and all methods of the Decoder then return a negative number, and the engine decodes
// the whole text again.
//
// The functions pass null, and values that they cannot read, to the engine. k is the index of the field in o.

// ReadInt reads an integer into *to.
func ReadInt[T ~int | ~int8 | ~int16 | ~int32 | ~int64](d *Decoder, o *Object, k, i int, to *T) int {
	if i = d.AfterColon(i); i < 0 {
		return i
	}
	v, end := syntax.ReadInt(d.Data, i)
	if end < 0 || int64(T(v)) != v {
		return d.NextName(d.ReadValue(o, k, i, mem.Of(to)))
	}
	*to = T(v)
	return d.NextName(end)
}

// ReadUint reads an unsigned integer into *to.
func ReadUint[T ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](d *Decoder, o *Object, k, i int, to *T) int {
	if i = d.AfterColon(i); i < 0 {
		return i
	}
	v, end := syntax.ReadUint(d.Data, i)
	if end < 0 || uint64(T(v)) != v {
		return d.NextName(d.ReadValue(o, k, i, mem.Of(to)))
	}
	*to = T(v)
	return d.NextName(end)
}

// ReadFloat64 reads a number into *to.
func ReadFloat64[T ~float64](d *Decoder, o *Object, k, i int, to *T) int {
	if i = d.AfterColon(i); i < 0 {
		return i
	}
	v, end := syntax.ReadFloat(d.Data, i)
	if end < 0 {
		return d.NextName(d.ReadValue(o, k, i, mem.Of(to)))
	}
	*to = T(v)
	return d.NextName(end)
}

// ReadBool reads true or false into *to.
func ReadBool[T ~bool](d *Decoder, o *Object, k, i int, to *T) int {
	if i = d.AfterColon(i); i < 0 {
		return i
	}
	switch d.Data[i] {
	case 't', 'f':
		*to = d.Data[i] == 't'
		return d.NextName(syntax.ReadLiteral(d.Data, i))
	}
	return d.NextName(d.ReadValue(o, k, i, mem.Of(to)))
}

// ReadString reads a string into *to.
func ReadString[T ~string](d *Decoder, o *Object, k, i int, to *T) int {
	if i = d.AfterColon(i); i < 0 {
		return i
	}
	if d.Data[i] != '"' {
		return d.NextName(d.ReadValue(o, k, i, mem.Of(to)))
	}
	s, end := d.ReadString(i)
	*to = T(s)
	return d.NextName(end)
}

// ReadField lets the engine read the field k of *v.
func ReadField[T any](d *Decoder, o *Object, k, i int, v *T) int {
	if i = d.AfterColon(i); i < 0 {
		return i
	}
	return d.NextName(d.ReadStructField(o, k, i, mem.Of(v)))
}

// CloseObject reads the members from position i on that are not in the order of the fields, and the
// closing brace. It returns the position after the object. seen contains the fields of *v that the
// generated code has already read.
func CloseObject[T any](d *Decoder, o *Object, i int, seen *Seen, v *T) int {
	return d.CloseObject(o, i, seen, mem.Of(v))
}
