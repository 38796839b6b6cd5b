package spec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"slices"

	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// bigNumbers maps the numbers of package math/big to their methods. The text methods of
// math/big are not safe on untrusted input: they read decimal text in quadratic time, and a
// short Rat with an exponent may need gigabytes. The keys are names and the functions use
// interfaces, so that this package does not link math/big.
var bigNumbers = map[string]Methods{
	"Int":   {FormBigInt, appendBigInt, readBigInt},
	"Float": {FormTextual, bounded(appendFloat), readFloat},
	"Rat":   {FormTextual, bounded(marshalText), readRat},
}

// appendBigInt appends a big.Int: a byte that is 0, or 1 if the number is negative, and the
// magnitude, most significant byte first and without leading zeros.
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

// gobVersion is the version number in the first byte of the result of big.Int.GobEncode, above
// the bit of the sign. The rest of the result is the same as wire's encoding.
const gobVersion = 1 << 1

// readBigInt reads the encoding of appendBigInt. GobDecode reads a magnitude in linear time.
func readBigInt(b []byte, v any) error {
	if err := scalar.CheckBigInt(b); err != nil {
		return err
	}
	return v.(interface{ GobDecode([]byte) error }).GobDecode(append([]byte{b[0] | gobVersion}, b[1:]...))
}

// maxText is the longest text of a big.Rat or a big.Float, in bytes. Reading a decimal number and
// reducing a fraction need quadratic time.
const maxText = 16 << 10

var (
	errText = fmt.Errorf("%w: a big.Rat or a big.Float of more than %d bytes of text", fault.ErrLimit, maxText)
	errRat  = errors.New("not a fraction of two decimal integers")
)

// bounded wraps write: the returned function refuses text of more than maxText bytes, which a
// reader would refuse too.
func bounded(write func(dst []byte, v any) ([]byte, error)) func(dst []byte, v any) ([]byte, error) {
	return func(dst []byte, v any) ([]byte, error) {
		b, err := write(dst, v)
		if err == nil && len(b) > maxText {
			return nil, errText
		}
		return b, err
	}
}

// appendFloat appends a big.Float in hexadecimal with a binary exponent, such as 0x.cp+1. The
// decimal text of 1e-5000000 would take minutes to make.
func appendFloat(dst []byte, v any) ([]byte, error) {
	return v.(interface {
		Append(buf []byte, format byte, digits int) []byte
	}).Append(dst, 'p', -1), nil
}

// bigFloat has methods of *big.Float. Its other methods have types of math/big.
type bigFloat interface {
	Prec() uint
	GobEncode() ([]byte, error)
	GobDecode([]byte) error
}

// readFloat reads the text of a big.Float, if it is not too long. It raises the precision of v so that no
// digit is rounded: UnmarshalText rounds to the precision of v, or to 64 bits if v has none.
func readFloat(b []byte, v any) error {
	if len(b) <= maxText {
		f := v.(bigFloat)
		has := f.Prec()
		if has == 0 {
			has = 64
		}
		if need := mantissaBits(b); need > has {
			if err := setPrecision(f, need); err != nil {
				return err
			}
		}
	}
	return readText(b, v)
}

// setPrecision makes f a zero with the given precision and its old rounding mode. It decodes the result of
// GobEncode for such a number: a version, a byte whose highest three bits are the mode, and the precision.
func setPrecision(f bigFloat, precision uint) error {
	old, err := f.GobEncode()
	if err != nil {
		return err
	}
	const exact = 1 << 3
	reflect.ValueOf(f).Elem().SetZero() // GobDecode rounds to the precision of its receiver
	zero := []byte{old[0], old[1]&0xe0 | exact, 0, 0, 0, 0}
	binary.BigEndian.PutUint32(zero[2:], uint32(precision))
	return f.GobDecode(zero)
}

// mantissaBits returns the bits that the digits in the text of a big.Float need: 4 for a hexadecimal digit,
// except for the zeros at the end of the last digit, and 10/3 for another digit, which is more than the
// logarithm of 10.
func mantissaBits(text []byte) uint {
	hex := bytes.ContainsAny(text[:min(len(text), 3)], "xX")
	digits, last := uint(0), byte(0)
mantissa:
	for _, c := range text {
		switch lower := c | 0x20; {
		case c == '0' && digits == 0: // a zero before the number
		case '0' <= c && c <= '9':
			digits, last = digits+1, c-'0'
		case hex && 'a' <= lower && lower <= 'f':
			digits, last = digits+1, lower-'a'+10
		case lower == 'p' || lower == 'e':
			break mantissa // the exponent follows
		}
	}
	if !hex {
		return (10*digits + 2) / 3
	}
	if last == 0 {
		return 4 * digits
	}
	return 4*digits - uint(bits.TrailingZeros8(last))
}

// readText reads the text of a big.Float or a big.Rat, if it is not too long.
func readText(b []byte, v any) error {
	if len(b) > maxText {
		return errText
	}
	return unmarshalText(b, v)
}

// readRat reads a fraction of decimal integers. It refuses an exponent, because a short text such
// as 1e999999999 would become a huge number.
func readRat(b []byte, v any) error {
	if len(bytes.Trim(b, "-/0123456789")) > 0 {
		return errRat
	}
	return readText(b, v)
}
