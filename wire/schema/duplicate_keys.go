package schema

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/hone-go/hone/wire/internal/fault"
)

// keys is a set that finds equal keys of one map. docs/wire-format.md specifies the equality of
// keys: 0.0 and -0.0 are equal, and a NaN equals no other key. An optional with a value equals no
// other key either, since it may be a pointer.
type keys struct {
	*walk
	seen   map[string]struct{}
	id     []byte
	unique bool // the current key is not equal to any other key
	cause  error
}

func newKeys(w *walk) *keys { return &keys{walk: w, seen: map[string]struct{}{}} }

// add adds v, a value of t, and returns the reason why it cannot be a key, or ErrDuplicate.
func (k *keys) add(t *Type, v any) error {
	k.id, k.unique, k.cause = k.id[:0], false, nil
	k.part(t, v)
	if k.cause != nil || k.unique {
		return k.cause
	}
	if _, twice := k.seen[string(k.id)]; twice {
		return fault.ErrDuplicate
	}
	k.seen[string(k.id)] = struct{}{}
	return nil
}

// word appends a number.
func (k *keys) word(u uint64) { k.id = binary.BigEndian.AppendUint64(k.id, u) }

// text appends a string with its length, so that different sequences of strings have different
// bytes.
func (k *keys) text(s string) {
	k.word(uint64(len(s)))
	k.id = append(k.id, s...)
}

// part appends the bytes that distinguish v from other values of t.
func (k *keys) part(t *Type, v any) {
	if t = k.schema.Resolve(t); t == nil || k.unique || k.cause != nil {
		return
	}
	row := kindOf(t.Kind)
	switch {
	case v == nil: // an optional or a union without a value, or a skip of zeros
		k.word(0)
	case row == nil || row.key == nil:
		k.cause = fault.ErrKey
	default:
		row.key(k, t, v)
	}
}

// The following methods of keys append the bytes of one value, which is never nil.

func (k *keys) bool(_ *Type, v any) {
	b := byte(0)
	if v.(bool) {
		b = 1
	}
	k.id = append(k.id, b)
}

// number appends a float. A NaN equals no value, and the two zeros are equal.
func (k *keys) number(f float64) {
	k.unique = k.unique || f != f
	k.word(math.Float64bits(canonical64(f)))
}

func (k *keys) float(_ *Type, v any) {
	switch v := v.(type) {
	case float32:
		k.number(float64(v))
	case float64:
		k.number(v)
	}
}

func (k *keys) complex(_ *Type, v any) {
	switch v := v.(type) {
	case complex64:
		k.number(float64(real(v)))
		k.number(float64(imag(v)))
	case complex128:
		k.number(real(v))
		k.number(imag(v))
	}
}

func (k *keys) time(t *Type, v any) {
	at := v.(Time)
	if t.Kind == "time location" && (at.Name == "" || at.Name == "UTC") {
		at.Zone, at.Name = ZoneUTC, ""
	}
	k.word(uint64(at.Seconds))
	k.word(uint64(at.Nanoseconds)<<32 | uint64(uint32(at.Offset)))
	k.id = append(k.id, byte(at.Zone))
	k.text(at.Name)
}

func (k *keys) array(t *Type, v any) {
	for _, e := range v.([]any) {
		k.part(t.Elem, e)
	}
}

func (k *keys) fields(t *Type, v any) {
	n := k.namesOf(t)
	index := func(m Member) int {
		i, ok := n.index[m.Name]
		if !ok {
			return -1
		}
		return i
	}
	members := v.(Struct)
	// The members are sorted, since two equal keys may list their members in different orders.
	byField := func(a, b Member) int { return cmp.Compare(index(a), index(b)) }
	if !slices.IsSortedFunc(members, byField) {
		members = slices.Clone(members)
		slices.SortFunc(members, byField)
	}
	for _, m := range members {
		if i := index(m); i >= 0 && k.schema.Resolve(t.Fields[i].Type).Kind != "skip" {
			k.part(t.Fields[i].Type, m.Value)
		}
	}
}

func (k *keys) union(t *Type, v any) {
	u := v.(Union)
	i, ok := k.namesOf(t).byID[u.ID]
	if !ok {
		return
	}
	k.word(uint64(u.ID) + 1)
	// Two errors with the same text are not equal, as in package errors.
	k.unique = k.unique || t.Tag == "byte" && t.Cases[i].Name == "error"
	if t.Cases[i].Type != nil {
		k.part(t.Cases[i].Type, u.Value)
	}
}
