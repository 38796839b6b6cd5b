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
	n, f, problem := syntax.ScanString(src, 0, 0, false)
	if problem.Kind != syntax.NoProblem || n < len(src) {
		return appendAsFar(dst, src, n, problem)
	}
	dst, _ = syntax.AppendUnquoted(dst, src)
	if f&(syntax.Broken|syntax.Escaped) == 0 {
		return dst, nil
	}
	return dst, lastFault(src)
}

// appendAsFar appends the unquoted content of src[:n], and returns the error for src. Without a
// problem the string ends at n, and text follows it.
func appendAsFar(dst, src []byte, n int, problem syntax.Problem) ([]byte, error) {
	if n == 0 {
		return dst, stringError(src, n, problem)
	}
	if problem.Kind == syntax.NoProblem {
		dst, _ = syntax.AppendUnquoted(dst, src[:n])
		return dst, badCharacter(src[n:], "after string value")
	}
	whole := append(append(make([]byte, 0, n+1), src[:n]...), '"')
	dst, _ = syntax.AppendUnquoted(dst, whole)
	if problem.Kind == syntax.NeedsMore {
		return dst, io.ErrUnexpectedEOF
	}
	return dst, stringError(src, n, problem)
}

// lastFault returns the error for the last invalid character of a string.
func lastFault(src []byte) (last error) {
	for n := 1; ; {
		end, _, problem := syntax.ScanString(src, n, 0, true)
		if problem.Kind == syntax.NoProblem {
			return last
		}
		last = stringError(src, end, problem)
		if src[end] == '\\' {
			end += len(`\u0000`)
		} else {
			end++
		}
		n = end
	}
}
