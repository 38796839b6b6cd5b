// Package random creates types, and values of these types, from a seed.
package random

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strconv"
	"time"

	"github.com/hone-go/hone/mo"
)

// leaves are the types that random types are built from.
var leaves = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](),
	reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](),
	reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](),
	reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[Named](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[Tree](), reflect.TypeFor[struct{}](),
	reflect.TypeFor[mo.Option[int]](), reflect.TypeFor[mo.Option[string]](), reflect.TypeFor[mo.Option[[]float64]](),
}

// Named is a named string type.
type Named string

// A Tree is a recursive type.
type Tree struct {
	Label string
	Left  *Tree
	Kids  []Tree
	Named map[string]Tree
}

// Type returns a type with at most depth levels of nesting, whose struct fields have one of
// tags. It is built from the leaves of this package and from the types in extra.
func Type(r *rand.Rand, depth int, tags []string, extra ...reflect.Type) reflect.Type {
	leaf := func() reflect.Type {
		i := r.IntN(len(leaves) + len(extra))
		if i < len(leaves) {
			return leaves[i]
		}
		return extra[i-len(leaves)]
	}
	if depth == 0 {
		return leaf()
	}
	part := func() reflect.Type { return Type(r, depth-1, tags, extra...) }
	switch r.IntN(8) {
	case 0:
		return reflect.SliceOf(part())
	case 1:
		return reflect.ArrayOf(r.IntN(11), part())
	case 2:
		return reflect.PointerTo(part())
	case 3:
		keys := []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[uint8](), reflect.TypeFor[Named](), reflect.TypeFor[int64]()}
		return reflect.MapOf(keys[r.IntN(len(keys))], part())
	case 4:
		return leaf()
	}
	fields := make([]reflect.StructField, r.IntN(7))
	for i := range fields {
		fields[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: part(), Tag: reflect.StructTag(tags[r.IntN(len(tags))])}
	}
	return reflect.StructOf(fields)
}

// Fill sets v, which is addressable, to a random value. The parameter size bounds lengths and
// decreases with depth, so that values of recursive types are finite. An empty slice or map is nil,
// and floats are not NaN or infinite.
func Fill(r *rand.Rand, v reflect.Value, size int) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(r.Int64N(1<<36)-1<<34, r.Int64N(1e9)).UTC()))
		return
	}
	switch o := v.Addr().Interface().(type) {
	case *mo.Option[int]:
		*o = mo.TupleToOption(int(r.Uint64()>>r.IntN(64)), r.IntN(2) == 0)
		return
	case *mo.Option[float64]:
		*o = mo.TupleToOption(number(r), r.IntN(2) == 0)
		return
	case *mo.Option[uint64]:
		*o = mo.TupleToOption(r.Uint64()>>r.IntN(64), r.IntN(2) == 0)
		return
	case *mo.Option[bool]:
		*o = mo.TupleToOption(r.IntN(2) == 0, r.IntN(2) == 0)
		return
	case *mo.Option[time.Time]:
		*o = mo.TupleToOption(time.Unix(r.Int64N(1<<36), 0).UTC(), r.IntN(2) == 0)
		return
	case *mo.Option[string]:
		*o = mo.TupleToOption(text(r, size), r.IntN(2) == 0)
		return
	case *mo.Option[[400]int64]:
		*o = mo.TupleToOption([400]int64{1}, r.IntN(2) == 0)
		return
	case *big.Int:
		o.Rsh(o.SetUint64(r.Uint64()), uint(r.IntN(64)))
		o.Mul(o, big.NewInt(r.Int64()))
		if r.IntN(2) == 0 {
			o.Neg(o)
		}
		return
	case *mo.Option[[]float64]:
		*o = mo.TupleToOption([]float64{r.NormFloat64()}, r.IntN(2) == 0)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> r.IntN(64) >> (64 - v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64) >> (64 - v.Type().Bits()))
	case reflect.Float32:
		v.SetFloat(float64(float32(number(r))))
	case reflect.Float64:
		v.SetFloat(number(r))
	case reflect.String:
		v.SetString(text(r, size))
	case reflect.Slice:
		if n := r.IntN(size + 1); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		fillElements(r, v, size)
	case reflect.Array:
		fillElements(r, v, size)
	case reflect.Pointer:
		if size > 0 && r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			Fill(r, v.Elem(), size-1)
		}
	case reflect.Map:
		for range r.IntN(size + 1) {
			if v.IsNil() {
				v.Set(reflect.MakeMap(v.Type()))
			}
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			Fill(r, key, size-1)
			Fill(r, elem, size-1)
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				Fill(r, v.Field(i), size)
			}
		}
	}
}

func fillElements(r *rand.Rand, v reflect.Value, size int) {
	for i := range v.Len() {
		Fill(r, v.Index(i), max(size-1, 0))
	}
}

func number(r *rand.Rand) float64 {
	switch r.IntN(4) {
	case 0:
		return float64(r.IntN(1000))
	case 1:
		return r.NormFloat64()
	case 2:
		return math.Copysign(0, -1)
	}
	if f := float64(math.Float32frombits(r.Uint32())); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return f
	}
	return 0.1
}

func text(r *rand.Rand, size int) string {
	alphabet := []string{"a", "B", "0", " ", "<", "&", "\"", "\\", "\n", "\x01", "é", "世", "😀", "\u2028", "longer run of text"}
	s := ""
	for range r.IntN(max(size, 0)*2 + 1) {
		s += alphabet[r.IntN(len(alphabet))]
	}
	return s
}

// Edited returns a copy of text with changes. Each pair of bytes in edits makes one change: the
// first byte selects the position, and the second byte selects the kind of change.
func Edited(text, edits []byte) []byte {
	text = bytes.Clone(text)
	for ; len(edits) >= 2 && len(text) > 0; edits = edits[2:] {
		at, how := int(edits[0])*7%len(text), edits[1]
		switch how % 8 {
		case 0:
			text[at] = "{}[],:\"\\0159.-eEnulltrfas \n\x00\x1f\x7f\x80\xc3\xff"[int(how/8)%36]
		case 1:
			text = append(text[:at:at], append([]byte(" \n\t "), text[at:]...)...)
		case 2:
			text = append(text[:at:at], text[at+1:]...)
		case 3:
			text[at] ^= 0x20 // changes the case of a letter
		case 4: // repeats a part of the text
			end := min(len(text), at+int(how))
			text = append(text[:end:end], append(bytes.Clone(text[at:end]), text[end:]...)...)
		case 5:
			text = append(text[:at:at], append([]byte([]string{`null`, `"\u00e9"`, `1e400`, `-0.5e-3`, `{"F0":1}`, `[[1],[]]`, `é`, `12345678901234567890`}[how/8%8]), text[at:]...)...)
		case 6:
			text = text[:at]
		case 7:
			if end := bytes.IndexByte(text[at:], ','); end >= 0 {
				text = append(text[:at:at], text[at+end:]...)
			}
		}
	}
	return text
}
