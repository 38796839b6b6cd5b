package schema

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/syntax"
)

// A jsonWriter writes the JSON of values that a decoder has read.
type jsonWriter struct {
	walk
	out []byte
}

func (w *jsonWriter) raw(s string) { w.out = append(w.out, s...) }

func (w *jsonWriter) string(s string) { w.out = syntax.AppendString(w.out, s, false) }

// text writes a string. A string that is not UTF-8 is written as an object with its base64,
// since JSON has no string for it.
func (w *jsonWriter) text(s string) {
	if utf8.ValidString(s) {
		w.string(s)
		return
	}
	w.raw(`{"base64":`)
	w.base64([]byte(s))
	w.raw("}")
}

func (w *jsonWriter) base64(b []byte) {
	w.out = append(base64.StdEncoding.AppendEncode(append(w.out, '"'), b), '"')
}

// value writes v, a value of t, with the functions of t's kind.
func (w *jsonWriter) value(t *Type, v any) {
	t = w.schema.Resolve(t)
	kindOf(t.Kind).print(w, t, v)
}

func (w *jsonWriter) float(_ *Type, v any) {
	switch v := v.(type) {
	case float32:
		w.float32(v)
	case float64:
		w.float64(v)
	}
}

func (w *jsonWriter) complex(_ *Type, v any) {
	w.raw("[")
	switch v := v.(type) {
	case complex64:
		w.float32(real(v))
		w.raw(",")
		w.float32(imag(v))
	case complex128:
		w.float64(real(v))
		w.raw(",")
		w.float64(imag(v))
	}
	w.raw("]")
}

func (w *jsonWriter) optional(t *Type, v any) {
	switch {
	case v == nil:
		w.raw("null")
	case w.nullable(t.Elem):
		w.raw(`{"some":`)
		w.value(t.Elem, v.(Some).Value)
		w.raw("}")
	default:
		w.value(t.Elem, v.(Some).Value)
	}
}

func (w *jsonWriter) elements(t *Type, v any) {
	w.raw("[")
	for i, e := range v.([]any) {
		w.comma(i)
		w.value(t.Elem, e)
	}
	w.raw("]")
}

func (w *jsonWriter) union(t *Type, v any) {
	if v == nil {
		w.raw("null")
		return
	}
	u, names := v.(Union), w.namesOf(t)
	i := names.byID[u.ID]
	if t.Cases[i].Type == nil {
		w.string(names.of[i])
		return
	}
	w.raw("{")
	w.string(names.of[i])
	w.raw(":")
	w.value(t.Cases[i].Type, u.Value)
	w.raw("}")
}

func (w *jsonWriter) comma(i int) {
	if i > 0 {
		w.raw(",")
	}
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// integer writes an integer, in quotes if it is too large for a float64.
func (w *jsonWriter) integer(negative bool, v uint64) {
	quote := ""
	if v > maxSafe {
		quote = `"`
	}
	w.raw(quote)
	if negative {
		w.raw("-")
	}
	w.out = strconv.AppendUint(w.out, v, 10)
	w.raw(quote)
}

// bigint writes an integer. It writes more than 64 bits in hexadecimal, since converting to
// decimal takes quadratic time.
func (w *jsonWriter) bigint(v BigInt) {
	if len(v.Magnitude) <= 8 {
		var u uint64
		for _, c := range v.Magnitude {
			u = u<<8 | uint64(c)
		}
		w.integer(v.Negative, u)
		return
	}
	sign := ""
	if v.Negative {
		sign = "-"
	}
	w.out = append(hex.AppendEncode(append(w.out, `"`+sign+"0x"...), v.Magnitude), '"')
}

func (w *jsonWriter) float64(f float64) {
	switch {
	case f != f && math.Float64bits(f) != nan64:
		w.out = fmt.Appendf(w.out, `"NaN:%016x"`, math.Float64bits(f))
	case f-f != 0: // NaN or an infinity
		w.special(f)
	case f == 0 && math.Signbit(f):
		w.raw("-0.0") // -0 is an integer in some languages
	default:
		w.out = syntax.AppendFloat(w.out, f, 64)
	}
}

// float32 writes the shortest number that becomes f if a reader parses it as a float64 and rounds
// that to a float32. For nearly every f this is also the shortest number that becomes f if it is
// parsed directly as a float32.
func (w *jsonWriter) float32(f float32) {
	switch {
	case f != f && math.Float32bits(f) != nan32:
		w.out = fmt.Appendf(w.out, `"NaN:%08x"`, math.Float32bits(f))
	case f-f != 0:
		w.special(float64(f))
	case f == 0 && math.Signbit(float64(f)):
		w.raw("-0.0")
	default:
		n := len(w.out)
		w.out = syntax.AppendFloat(w.out, float64(f), 32)
		if wide, ok := syntax.ParseFloat(w.out, n, len(w.out)); !ok || float32(wide) != f {
			w.out = syntax.AppendFloat(w.out[:n], float64(f), 64)
		}
	}
}

// special writes NaN or an infinity as a string, since JSON has no such numbers.
func (w *jsonWriter) special(f float64) {
	switch {
	case f != f:
		w.raw(`"NaN"`)
	case f > 0:
		w.raw(`"Infinity"`)
	default:
		w.raw(`"-Infinity"`)
	}
}

// time writes a time as text, or as an object if no text represents it.
func (w *jsonWriter) time(t *Type, value any) {
	v := value.(Time)
	if t.Kind == "time location" && v.Zone == ZoneNamed {
		if utf8.ValidString(v.Name) {
			s, _ := timeOf(v.Time()).text()
			w.string(s + "[" + v.Name + "]")
			return
		}
		v.Offset = 0
	} else if s, ok := v.text(); ok {
		w.string(s)
		return
	}
	w.raw(`{"seconds":`)
	w.integer(v.Seconds < 0, magnitude(v.Seconds))
	w.raw(`,"nanoseconds":`)
	w.integer(false, uint64(v.Nanoseconds))
	if v.Zone != ZoneUTC && t.Kind == "time" {
		w.raw(`,"offset":`)
		w.integer(v.Offset < 0, magnitude(int64(v.Offset)))
	}
	if v.Zone == ZoneNamed {
		w.raw(`,"name":`)
		w.text(v.Name)
	}
	w.raw("}")
}

// named reports whether a map with keys of type t is an object in JSON. Otherwise the map is a
// list of pairs. A map with a key that is not UTF-8 is always a list of pairs.
func (w *walk) named(t *Type) bool {
	row := kindOf(w.schema.Resolve(t).Kind)
	return row != nil && row.name != nil
}

// entries writes a map as an object, or as a list of pairs: see named.
func (w *jsonWriter) entries(t *Type, v any) {
	m := v.(Map)
	object := w.named(t.Key)
	for i := 0; object && i < len(m); i++ {
		if s, ok := m[i].Key.(string); ok {
			object = utf8.ValidString(s)
		}
	}
	if !object {
		w.raw("[")
		for i := range m {
			w.comma(i)
			w.raw("[")
			w.value(t.Key, m[i].Key)
			w.raw(",")
			w.value(t.Elem, m[i].Value)
			w.raw("]")
		}
		w.raw("]")
		return
	}
	w.raw("{")
	for i := range m {
		w.comma(i)
		if s, ok := m[i].Key.(string); ok {
			w.string(s)
		} else {
			w.out = fmt.Appendf(w.out, `"%v"`, m[i].Key)
		}
		w.raw(":")
		w.value(t.Elem, m[i].Value)
	}
	w.raw("}")
}

// fields writes the members of a struct. A struct that keeps unknown fields has one more member,
// which holds their bytes.
func (w *jsonWriter) fields(t *Type, v any) {
	s := v.(Struct)
	names := w.namesOf(t)
	w.raw("{")
	for i := range s {
		w.comma(i)
		w.string(s[i].Name)
		w.raw(":")
		if f, ok := names.index[s[i].Name]; ok {
			w.value(t.Fields[f].Type, s[i].Value)
		} else {
			w.base64(s[i].Value.([]byte)) // Unknown
		}
	}
	w.raw("}")
}
