package stream

import (
	"bytes"
	"math"
	"strconv"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// AppendNumber appends the JSON number s, and changes its form as the options require.
func AppendNumber(dst []byte, s string, set *option.Set) []byte {
	return appendNumber(dst, []byte(s), set)
}

// exactDigits is the smallest number of digits that an integer without an exact float64 can have.
const exactDigits = 16

// appendNumber appends raw, a valid JSON number, and changes its form as the options require.
func appendNumber(dst, raw []byte, set *option.Set) []byte {
	if !set.Has(option.CanonicalizeNumbers) {
		return append(dst, raw...)
	}
	fraction := bytes.IndexByte(raw, '.') >= 0 || bytes.IndexByte(raw, 'e') >= 0 || bytes.IndexByte(raw, 'E') >= 0
	switch {
	case string(raw) == "-0":
	case fraction && !set.Has(option.CanonicalizeRawFloats),
		!fraction && (!set.Has(option.CanonicalizeRawInts) || len(raw) < exactDigits):
		return append(dst, raw...)
	}
	f, _ := strconv.ParseFloat(string(raw), 64)
	if f == 0 {
		f = 0 // write -0 as 0
	}
	f = min(max(f, -math.MaxFloat64), math.MaxFloat64)
	if f == 0 {
		return append(dst, '0')
	}
	return syntax.AppendFloat(dst, f, 64)
}
