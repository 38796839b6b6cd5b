package gen

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/hone-go/hone/wire/schema"
)

// A completer converts a value that [schema.Schema.Decode] returned, which has only the fields that
// were written, to the value that a generated reader returns: fields that were not written are
// zero, and values for which the generated types have no field are dropped. It is a simple
// equivalent of the generated readers.
type completer struct {
	schema *schema.Schema
	inRaw  bool // whether the content of a raw is converted too
}

func (c *completer) value(t *schema.Type, v any) any {
	t = c.schema.Resolve(t)
	switch v := v.(type) {
	case float32:
		if v != v {
			return math.Float32frombits(0x7fc00000)
		}
	case float64:
		if v != v {
			return math.Float64frombits(0x7ff8000000000000)
		}
	case complex64:
		parts := []float32{real(v), imag(v)}
		for i, f := range parts {
			parts[i] = c.value(t, f).(float32)
		}
		return complex(parts[0], parts[1])
	case []byte:
		if t.Kind == "skip" {
			return nil
		}
	case schema.Some:
		if t.Kind == "raw" && !c.inRaw {
			return v
		}
		return schema.Some{Value: c.value(t.Elem, v.Value)}
	case []any:
		out := []any{}
		for _, one := range v {
			out = append(out, c.value(t.Elem, one))
		}
		return out
	case schema.Map:
		out := schema.Map{}
		for _, one := range v {
			out = append(out, schema.Entry{Key: c.value(t.Key, one.Key), Value: c.value(t.Elem, one.Value)})
		}
		return out
	case schema.Union:
		for i := range t.Cases {
			if one := &t.Cases[i]; one.ID == v.ID && one.Type != nil {
				v.Value = c.value(one.Type, v.Value)
			}
		}
		return v
	case schema.Struct:
		there := map[string]any{}
		for _, m := range v {
			there[m.Name] = m.Value
		}
		return c.fields(t, there)
	}
	return v
}

func (c *completer) fields(t *schema.Type, there map[string]any) schema.Struct {
	out := schema.Struct{}
	times := map[string]int{}
	for _, f := range t.Fields {
		if f.Removed == "" {
			times[f.Name]++
		}
	}
	for i, f := range t.Fields {
		if f.Removed != "" || c.schema.Resolve(f.Type).Kind == "skip" {
			continue
		}
		name := f.Name
		if name == "" || name[0] == '#' || times[name] > 1 || !utf8.ValidString(name) {
			name = "#" + strconv.Itoa(i)
		}
		v, written := there[name]
		if written {
			v = c.value(f.Type, v)
		} else {
			v = c.zero(f.Type)
		}
		out = append(out, schema.Member{Name: name, Value: v})
	}
	if rest, ok := there[t.Unknown].([]byte); ok && t.Unknown != "" {
		out = append(out, schema.Member{Name: t.Unknown, Value: rest})
	}
	return out
}

func (c *completer) zero(t *schema.Type) any {
	t = c.schema.Resolve(t)
	switch t.Kind {
	case "bool":
		return false
	case "int":
		return int64(0)
	case "uint":
		return uint64(0)
	case "bigint":
		return schema.BigInt{Magnitude: []byte{}}
	case "float":
		if t.Bits == 32 {
			return float32(0)
		}
		return float64(0)
	case "complex":
		if t.Bits == 32 {
			return complex64(0)
		}
		return complex128(0)
	case "string", "text":
		return ""
	case "bytes", "binary":
		return []byte{}
	case "time", "time utc", "time location":
		return schema.Time{Seconds: -62135596800}
	case "slice":
		return []any{}
	case "array":
		out := []any{}
		for range t.Count {
			out = append(out, c.zero(t.Elem))
		}
		return out
	case "map":
		return schema.Map{}
	case "struct":
		return c.fields(t, nil)
	case "union":
		if t.Tag == "byte" {
			one := zeroCase(t)
			v := schema.Union{ID: one.ID}
			if one.Type != nil {
				v.Value = c.zero(one.Type)
			}
			return v
		}
	}
	return nil // an optional, a raw, an interface or a skip
}
