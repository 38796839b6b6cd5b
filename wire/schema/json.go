package schema

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/wire/internal/program"
)

// AppendJSON appends the value that data is the encoding of to dst, as JSON, which
// docs/wire-schema.md describes for each kind. The schema has passed
// [Schema.Check]. [Schema.EncodeJSON] makes the same bytes of it again.
//
// The errors and the limits are those of [Schema.Decode]; dst is then returned as it was.
func (s *Schema) AppendJSON(dst, data []byte) ([]byte, error) {
	v, err := s.Decode(data)
	if err != nil {
		return dst, err
	}
	w := jsonWriter{newWalk(s), dst}
	w.value(s.Type, v)
	return w.out, nil
}

// AppendJSONLines is [Schema.AppendJSON] for the records that a wire.Encoder has
// written, each behind its length: a line of JSON for each.
func (s *Schema) AppendJSONLines(dst, data []byte) ([]byte, error) {
	d := newDecoder(s, data)
	w := jsonWriter{newWalk(s), dst}
	err := d.run(func() {
		for i := 0; d.pos < len(data); i++ {
			d.push("record "+strconv.Itoa(i), 0)
			n := d.length(program.LenVarint, 1)
			d.in = data[:d.pos+n]
			// A record must not live on what others have left over.
			d.memory = baseMemory + memoryPerByte*int64(n)
			v := d.whole()
			d.in = data
			d.pop()
			w.value(s.Type, v)
			w.raw("\n")
		}
	})
	if err != nil {
		return dst, err
	}
	return w.out, nil
}

// EncodeJSON appends the encoding of the value that text is the JSON of to dst: what
// [Schema.AppendJSON] makes, or the same in another order of members and with other white
// space. In canonical mode the canonical form is made.
//
// Members that the schema does not know, that are there twice or that are missing are
// refused, map keys that come twice too; an evolving struct may lack members at its
// end. The error is a [*DecodeError] that says where in text, or the [*EncodeError] of
// [Schema.Encode]; dst is then returned as it was. The memory that EncodeJSON takes for
// a while is bounded by a multiple of the length of text.
func (s *Schema) EncodeJSON(dst, text []byte) ([]byte, error) {
	p := jsonParser{walk: newWalk(s), in: text}
	v, err := p.whole()
	if err != nil {
		return dst, err
	}
	return s.Encode(dst, v)
}

// EncodeJSONLines is [Schema.EncodeJSON] for values with white space between them,
// commonly a line for each: they become records behind their length, as a wire.Encoder
// writes them.
func (s *Schema) EncodeJSONLines(dst, text []byte) ([]byte, error) {
	out, pos := dst, syntax.SkipSpace(text, 0)
	var one []byte
	for i := 0; pos < len(text); i++ {
		p := jsonParser{walk: newWalk(s), in: text, pos: pos}
		p.push("record "+strconv.Itoa(i), 0)
		v, err := p.first()
		if err != nil {
			return dst, err
		}
		if one, err = s.Encode(one[:0], v); err != nil {
			if e, ok := err.(*EncodeError); ok {
				e.Path = "record " + strconv.Itoa(i) + e.Path
			}
			return dst, err
		}
		out = append(binary.AppendUvarint(out, uint64(len(one))), one...)
		pos = syntax.SkipSpace(text, p.pos)
	}
	return out, nil
}

// A jsonWriter writes values that a decoder has read.
type jsonWriter struct {
	walk
	out []byte
}

func (w *jsonWriter) raw(s string) { w.out = append(w.out, s...) }

func (w *jsonWriter) string(s string) { w.out = syntax.AppendString(w.out, s, false) }

// text writes a string. One that is not UTF-8 cannot be one of JSON.
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

func (w *jsonWriter) value(t *Type, v any) {
	t = w.schema.Resolve(t)
	switch v := v.(type) {
	case nil:
		w.raw("null")
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	case int64:
		w.integer(v < 0, magnitude(v))
	case uint64:
		w.integer(false, v)
	case BigInt:
		w.bigint(v)
	case float32:
		w.float32(v)
	case float64:
		w.float64(v)
	case complex64:
		w.raw("[")
		w.float32(real(v))
		w.raw(",")
		w.float32(imag(v))
		w.raw("]")
	case complex128:
		w.raw("[")
		w.float64(real(v))
		w.raw(",")
		w.float64(imag(v))
		w.raw("]")
	case string:
		w.text(v)
	case []byte:
		w.base64(v)
	case Time:
		w.time(t, v)
	case Some:
		if !w.nullable(t.Elem) {
			w.value(t.Elem, v.Value)
			return
		}
		w.raw(`{"some":`)
		w.value(t.Elem, v.Value)
		w.raw("}")
	case []any:
		w.raw("[")
		for i := range v {
			w.comma(i)
			w.value(t.Elem, v[i])
		}
		w.raw("]")
	case Map:
		w.entries(t, v)
	case Struct:
		w.fields(t, v)
	case Union:
		names := w.namesOf(t)
		i := names.byID[v.ID]
		if t.Cases[i].Type == nil {
			w.string(names.of[i])
			return
		}
		w.raw("{")
		w.string(names.of[i])
		w.raw(":")
		w.value(t.Cases[i].Type, v.Value)
		w.raw("}")
	}
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

// maxSafe is the largest integer up to which every one is a float64, and so a number in
// every language that reads JSON.
const maxSafe = 1<<53 - 1

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

// bigint writes what has more than 64 bits in hexadecimal, as decimal text takes quadratic
// time.
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
	case f-f != 0: // a NaN or an infinity
		w.special(f)
	case f == 0 && math.Signbit(f):
		w.raw("-0.0") // -0 would be an integer in some languages
	default:
		w.out = syntax.AppendFloat(w.out, f, 64)
	}
}

// float32 writes the shortest number which is f if it is read as a float64 and that is
// rounded. For nearly every f that is the shortest which is f if it is read as a
// float32.
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

func (w *jsonWriter) time(t *Type, v Time) {
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

// named reports whether a map with keys of type t is an object in JSON, and not a list
// of pairs. A key that is not UTF-8 is none of an object.
func (w *walk) named(t *Type) bool {
	switch t = w.schema.Resolve(t); t.Kind {
	case "string", "text", "int", "uint", "bool":
		return true
	}
	return false
}

func (w *jsonWriter) entries(t *Type, m Map) {
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

func (w *jsonWriter) fields(t *Type, s Struct) {
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
