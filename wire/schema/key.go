package schema

import (
	"encoding/binary"
	"math"

	"github.com/hone-go/hone/wire/internal/program"
)

// keys finds keys of one map that are equal. Keys are equal if their values are, as
// docs/wire-format.md says: 0.0 and -0.0 are, a NaN equals nothing, and an optional that
// is there equals nothing either, since it may be a pointer.
type keys struct {
	*walk
	seen   map[string]struct{}
	id     []byte
	unique bool // the key in hand is equal to no other
	cause  error
}

func newKeys(w *walk) *keys { return &keys{walk: w, seen: map[string]struct{}{}} }

// add reports what keeps v, a value of t, from being one more key.
func (k *keys) add(t *Type, v any) error {
	k.id, k.unique, k.cause = k.id[:0], false, nil
	k.part(t, v)
	if k.cause != nil || k.unique {
		return k.cause
	}
	if _, twice := k.seen[string(k.id)]; twice {
		return program.ErrDuplicate
	}
	k.seen[string(k.id)] = struct{}{}
	return nil
}

// part appends what tells v from other values of t.
func (k *keys) part(t *Type, v any) {
	if t = k.schema.Resolve(t); t == nil || k.unique || k.cause != nil {
		return
	}
	word := func(u uint64) { k.id = binary.BigEndian.AppendUint64(k.id, u) }
	text := func(s string) { word(uint64(len(s))); k.id = append(k.id, s...) }
	float := func(f float64) {
		k.unique = k.unique || f != f
		word(math.Float64bits(canonical64(f)))
	}
	switch v := v.(type) {
	case bool:
		if v {
			k.id = append(k.id, 1)
		} else {
			k.id = append(k.id, 0)
		}
	case int64:
		word(uint64(v))
	case uint64:
		word(v)
	case float32:
		float(float64(v))
	case float64:
		float(v)
	case complex64:
		float(float64(real(v)))
		float(float64(imag(v)))
	case complex128:
		float(real(v))
		float(imag(v))
	case string:
		text(v)
	case Time:
		if t.Kind == "time location" && (v.Name == "" || v.Name == "UTC") {
			v.Zone, v.Name = ZoneUTC, ""
		}
		word(uint64(v.Seconds))
		word(uint64(v.Nanoseconds)<<32 | uint64(uint32(v.Offset)))
		k.id = append(k.id, byte(v.Zone))
		text(v.Name)
	case Some:
		k.unique = true
		if t.Kind == "raw" {
			k.cause = program.ErrKey
		}
	case []any:
		if t.Kind == "slice" {
			k.cause = program.ErrKey
			return
		}
		for _, e := range v {
			k.part(t.Elem, e)
		}
	case Struct:
		n := k.namesOf(t)
		for _, m := range v {
			if i, ok := n.index[m.Name]; ok && k.schema.Resolve(t.Fields[i].Type).Kind != "skip" {
				k.part(t.Fields[i].Type, m.Value)
			}
		}
	case Union:
		i, ok := k.namesOf(t).byID[v.ID]
		if !ok {
			return
		}
		word(uint64(v.ID) + 1)
		// Two errors with one text are not equal, as those of package errors are not.
		k.unique = k.unique || t.Tag == "byte" && t.Cases[i].Name == "error"
		if t.Cases[i].Type != nil {
			k.part(t.Cases[i].Type, v.Value)
		}
	case nil: // an optional, or a union, that is not there
		word(0)
	case []byte:
		if t.Kind != "binary" && t.Kind != "skip" {
			k.cause = program.ErrKey
		}
		text(string(v))
	default:
		k.cause = program.ErrKey
	}
}
