package mo

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"reflect"
)

// The binary encoding of a value is its encoding by package gob. For basic types, the functions below
// write and read the same bytes without package gob: a message with its length, a type number, a
// zero, and the value (https://pkg.go.dev/encoding/gob#hdr-Encoding_Details). Package gob encodes all
// other types.

// Type numbers of gob's basic types, as encoded: a type number n is encoded as 2n.
const (
	gobBool   = 1 << 1
	gobInt    = 2 << 1
	gobUint   = 3 << 1
	gobFloat  = 4 << 1
	gobBytes  = 5 << 1
	gobString = 6 << 1
)

var (
	errTrailing = errors.New("bytes after the end of the value")
	errNil      = errors.New("cannot encode a nil pointer")
)

// appendBinary returns tag and the gob encoding of *p.
func appendBinary[T any](tag byte, p *T) ([]byte, error) {
	if data := appendBasic(tag, p); data != nil {
		return data, nil
	}
	return gobStream(tag, *p)
}

// appendBasic returns tag and the gob encoding of the value at the pointer p, or nil if the type of
// the value is not one of the basic types below.
func appendBasic(tag byte, p any) []byte {
	var scratch [4 + binary.MaxVarintLen64]byte
	switch v := p.(type) {
	case *bool:
		if *v {
			return appendNumber(scratch[:0], tag, gobBool, 1)
		}
		return appendNumber(scratch[:0], tag, gobBool, 0)
	case *int:
		return appendNumber(scratch[:0], tag, gobInt, gobSigned(int64(*v)))
	case *int8:
		return appendNumber(scratch[:0], tag, gobInt, gobSigned(int64(*v)))
	case *int16:
		return appendNumber(scratch[:0], tag, gobInt, gobSigned(int64(*v)))
	case *int32:
		return appendNumber(scratch[:0], tag, gobInt, gobSigned(int64(*v)))
	case *int64:
		return appendNumber(scratch[:0], tag, gobInt, gobSigned(*v))
	case *uint:
		return appendNumber(scratch[:0], tag, gobUint, uint64(*v))
	case *uint8:
		return appendNumber(scratch[:0], tag, gobUint, uint64(*v))
	case *uint16:
		return appendNumber(scratch[:0], tag, gobUint, uint64(*v))
	case *uint32:
		return appendNumber(scratch[:0], tag, gobUint, uint64(*v))
	case *uint64:
		return appendNumber(scratch[:0], tag, gobUint, *v)
	case *float32:
		return appendNumber(scratch[:0], tag, gobFloat, bits.ReverseBytes64(math.Float64bits(float64(*v))))
	case *float64:
		return appendNumber(scratch[:0], tag, gobFloat, bits.ReverseBytes64(math.Float64bits(*v)))
	case *string:
		return appendText(tag, gobString, *v)
	case *[]byte:
		return appendText(tag, gobBytes, *v)
	}
	return nil
}

// appendNumber returns a message that contains a number. It builds the message in scratch, and copies
// it to a slice of exactly its length.
func appendNumber(scratch []byte, tag, kind byte, v uint64) []byte {
	value := appendGobUint(append(scratch, tag, 0, kind, 0), v)
	value[1] = byte(len(value) - 2)
	return append(make([]byte, 0, len(value)), value...)
}

func appendText[S string | []byte](tag, kind byte, s S) []byte {
	var head [2 * binary.MaxVarintLen64]byte
	length := appendGobUint(head[:0], uint64(len(s)))
	out := make([]byte, 0, len(s)+len(length)+16)
	out = appendGobUint(append(out, tag), uint64(2+len(length)+len(s)))
	return append(append(append(out, kind, 0), length...), s...)
}

// appendGobUint appends v in gob's encoding. If v is less than 128, this is one byte. Otherwise it
// is the negated number of bytes, and then the bytes, most significant first.
func appendGobUint(dst []byte, v uint64) []byte {
	if v < 128 {
		return append(dst, byte(v))
	}
	n := (bits.Len64(v) + 7) / 8
	dst = append(dst, byte(-n))
	for i := n - 1; i >= 0; i-- {
		dst = append(dst, byte(v>>(8*i)))
	}
	return dst
}

func gobSigned(v int64) uint64 {
	if v < 0 {
		return uint64(^v)<<1 | 1
	}
	return uint64(v) << 1
}

// gobStream encodes a value with package gob. It takes a copy of the value: only the copy escapes to
// the heap, so callers with a scalar do not allocate.
//
//go:noinline
func gobStream[T any](tag byte, value T) (data []byte, err error) {
	if v := reflect.ValueOf(&value).Elem(); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, errNil
	}
	defer func() {
		if r := recover(); r != nil {
			// Package gob panics on some values, such as nil pointers in slices.
			data, err = nil, fmt.Errorf("mo: %v", r)
		}
	}()
	var b bytes.Buffer
	b.WriteByte(tag)
	if err := gob.NewEncoder(&b).Encode(&value); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// readBinary decodes data into *p, which must be zero. data must be one gob value, without bytes
// after it.
func readBinary[T any](data []byte, p *T) error {
	if readBasic(data, p) {
		return nil
	}
	value, err := readStream[T](data)
	*p = value
	return err
}

// readBasic decodes data into the value at the pointer p, if p points to one of the basic types below.
// It returns false, and changes nothing, for other types and for data that package gob must decode or
// refuse.
func readBasic(data []byte, p any) bool {
	kind, v, text, ok := readGob(data)
	if !ok {
		return false
	}
	switch p := p.(type) {
	case *bool:
		if ok = kind == gobBool && v <= 1; ok {
			*p = v == 1
		}
	case *int:
		ok = setInt(p, kind, v)
	case *int8:
		ok = setInt(p, kind, v)
	case *int16:
		ok = setInt(p, kind, v)
	case *int32:
		ok = setInt(p, kind, v)
	case *int64:
		ok = setInt(p, kind, v)
	case *uint:
		ok = setUint(p, kind, v)
	case *uint8:
		ok = setUint(p, kind, v)
	case *uint16:
		ok = setUint(p, kind, v)
	case *uint32:
		ok = setUint(p, kind, v)
	case *uint64:
		ok = setUint(p, kind, v)
	case *float64:
		if ok = kind == gobFloat; ok {
			*p = math.Float64frombits(bits.ReverseBytes64(v))
		}
	case *float32:
		f := math.Float64frombits(bits.ReverseBytes64(v))
		if ok = kind == gobFloat && (float64(float32(f)) == f || f != f); ok {
			*p = float32(f)
		}
	case *string:
		if ok = kind == gobString; ok {
			*p = string(text)
		}
	case *[]byte:
		if ok = kind == gobBytes; ok {
			*p = append([]byte(nil), text...) // nil if empty, as package gob decodes it
		}
	default:
		ok = false
	}
	return ok
}

// setInt sets *p to the signed number v in gob's encoding. It returns false if kind is not gobInt, or
// if T cannot represent the number.
func setInt[T int | int8 | int16 | int32 | int64](p *T, kind byte, v uint64) bool {
	i := int64(v >> 1)
	if v&1 != 0 {
		i = ^i
	}
	if kind != gobInt || int64(T(i)) != i {
		return false
	}
	*p = T(i)
	return true
}

// setUint is like setInt, for unsigned numbers.
func setUint[T uint | uint8 | uint16 | uint32 | uint64](p *T, kind byte, v uint64) bool {
	if kind != gobUint || uint64(T(v)) != v {
		return false
	}
	*p = T(v)
	return true
}

// readGob parses a gob message with one value of a basic type, and returns its number or its text.
// ok is false for all other data, valid or not.
func readGob(data []byte) (kind byte, v uint64, text []byte, ok bool) {
	n, rest, ok := readGobUint(data)
	if !ok || n != uint64(len(rest)) || len(rest) < 3 || rest[1] != 0 {
		return 0, 0, nil, false
	}
	kind = rest[0]
	v, rest, ok = readGobUint(rest[2:])
	if kind == gobString || kind == gobBytes {
		return kind, 0, rest, ok && v == uint64(len(rest))
	}
	return kind, v, nil, ok && len(rest) == 0 && kind&1 == 0 && kind <= gobFloat
}

func readGobUint(data []byte) (v uint64, rest []byte, ok bool) {
	if len(data) == 0 {
		return 0, nil, false
	}
	if data[0] < 128 {
		return uint64(data[0]), data[1:], true
	}
	n := -int(int8(data[0]))
	if n > 8 || len(data) <= n {
		return 0, nil, false
	}
	for _, b := range data[1 : n+1] {
		v = v<<8 | uint64(b)
	}
	return v, data[n+1:], true
}

// readStream decodes data, one value without bytes after it, with package gob.
//
//go:noinline
func readStream[T any](data []byte) (value T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("mo: %v", r)
		}
	}()
	// Both variables escape to the heap. A struct of both is only one allocation.
	var s struct {
		r     bytes.Reader
		value T
	}
	s.r.Reset(data)
	err = gob.NewDecoder(&s.r).Decode(&s.value)
	switch {
	case errors.Is(err, io.EOF):
		err = io.ErrUnexpectedEOF
	case err == nil && s.r.Len() > 0:
		err = errTrailing
	}
	return s.value, err
}
