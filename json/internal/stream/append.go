package stream

import (
	"io"
	"math"
	"strconv"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// AppendFormat appends the value src, formatted by the options in set. On error it appends src
// unchanged.
func AppendFormat(dst, src []byte, set option.Set) ([]byte, error) {
	set.On |= option.OneValue
	set.Lines()
	e := Encoder{Set: set}
	e.SetPart(dst, 0, 0, nil)
	if err := e.WriteValue(src); err != nil {
		return append(dst, src...), err
	}
	return e.buf, nil
}

// AppendFloat appends a float of the given size in bits, as RFC 8785 specifies.
func AppendFloat(dst []byte, f float64, bits int) []byte {
	if bits != 32 && bits != 64 {
		panic("illegal AppendFloat bit size")
	}
	if bits == 32 {
		f = float64(float32(f))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strconv.AppendFloat(dst, f, 'f', -1, bits)
	}
	return syntax.AppendFloat(dst, f, bits)
}

// AppendUnquote appends the unquoted content of the JSON string src. If characters are invalid, it
// still appends the whole content, and returns the error for the last invalid character.
func AppendUnquote(dst, src []byte) ([]byte, error) {
	if len(src) == 0 {
		return dst, io.ErrUnexpectedEOF
	}
	n, f, err := scanString(src, 0, 0, false)
	if err != nil || n < len(src) {
		return appendAsFar(dst, src, n, err)
	}
	dst, _ = syntax.AppendUnquoted(dst, src)
	if f&broken == 0 && f&escaped == 0 {
		return dst, nil
	}
	return dst, lastFault(src)
}

// appendAsFar appends the unquoted content of src[:n], and returns the error for src. If err is
// nil, the string ends at n, and text follows it. Otherwise err is the syntax error at n.
func appendAsFar(dst, src []byte, n int, err error) ([]byte, error) {
	if n == 0 {
		return dst, err
	}
	if err == nil { // the string is complete, and more text follows it
		dst, _ = syntax.AppendUnquoted(dst, src[:n])
		return dst, badCharacter(src[n:], "after string value")
	}
	whole := append(append(make([]byte, 0, n+1), src[:n]...), '"')
	dst, _ = syntax.AppendUnquoted(dst, whole)
	if err == errMore {
		err = io.ErrUnexpectedEOF
	}
	return dst, err
}

// lastFault returns the error for the last invalid character of a string.
func lastFault(src []byte) (last error) {
	for n := 1; ; {
		end, _, err := scanString(src, n, 0, true)
		if err == nil {
			return last
		}
		last = err
		if src[end] == '\\' {
			end += len(`\u0000`)
		} else {
			end++
		}
		n = end
	}
}
