package program

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// The numbers of package math/big are not left to their text methods alone: to read
// decimal text takes quadratic time, and that of a Rat may be an exponent that stands
// for gigabytes. They are known by name and used through interfaces, so that no
// program links math/big for this.
var bigNumbers = map[string]Methods{
	"Int":   {FormBigInt, appendBigInt, readBigInt},
	"Float": {FormTextual, bounded(appendFloat), readFloat},
	"Rat":   {FormTextual, bounded(marshalText), readRat},
}

// A big.Int is a byte, 0 or 1 if it is negative, and its magnitude, most significant
// byte first and without zeros in front.
func appendBigInt(dst []byte, v any) ([]byte, error) {
	i := v.(interface {
		Sign() int
		BitLen() int
		FillBytes([]byte) []byte
	})
	sign := byte(0)
	if i.Sign() < 0 {
		sign = 1
	}
	n := len(dst)
	dst = slices.Grow(append(dst, sign), (i.BitLen()+7)/8)
	dst = dst[:n+1+(i.BitLen()+7)/8]
	i.FillBytes(dst[n+1:])
	return dst, nil
}

// gobVersion is what package math/big's own form of a big.Int has beside the sign in
// its first byte.
const gobVersion = 1 << 1

var errBigInt = errors.New("not a sign and a magnitude")

// CheckBigInt reports what keeps b from being the form of a big.Int.
func CheckBigInt(b []byte) error {
	switch {
	case len(b) == 0 || b[0] > 1:
		return errBigInt
	case len(b) > 1 && b[1] == 0, len(b) == 1 && b[0] == 1:
		return fmt.Errorf("%w: zeros in front, or a negative zero", errBigInt)
	}
	return nil
}

func readBigInt(b []byte, v any) error {
	if err := CheckBigInt(b); err != nil {
		return err
	}
	return v.(interface{ GobDecode([]byte) error }).GobDecode(append([]byte{b[0] | gobVersion}, b[1:]...))
}

// maxText is the longest text of a big.Rat or a big.Float: to read a decimal number,
// and to cancel a fraction, takes quadratic time.
const maxText = 16 << 10

var (
	errText = fmt.Errorf("%w: a big.Rat or a big.Float of more than %d bytes of text", ErrLimit, maxText)
	errRat  = errors.New("not a fraction of two decimal integers")
)

// bounded returns a method that refuses what would not be read.
func bounded(write func(dst []byte, v any) ([]byte, error)) func(dst []byte, v any) ([]byte, error) {
	return func(dst []byte, v any) ([]byte, error) {
		b, err := write(dst, v)
		if err == nil && len(b) > maxText {
			return nil, errText
		}
		return b, err
	}
}

// appendFloat writes a big.Float in hexadecimal with a binary exponent, 0x.cp+1. To
// make decimal text of 1e-5000000 takes minutes.
func appendFloat(dst []byte, v any) ([]byte, error) {
	return v.(interface {
		Append(buf []byte, format byte, digits int) []byte
	}).Append(dst, 'p', -1), nil
}

func readFloat(b []byte, v any) error {
	if len(b) > maxText {
		return errText
	}
	return unmarshalText(b, v)
}

func readRat(b []byte, v any) error {
	if len(bytes.Trim(b, "-/0123456789")) > 0 {
		return errRat
	}
	return readFloat(b, v)
}
