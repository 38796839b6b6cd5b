package schema

import (
	"encoding/binary"

	"github.com/hone-go/hone/wire/internal/fault"
)

// A keys is a set that finds equal keys of one map. docs/wire-format.md specifies the equality of
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
	row := kinds[t.Kind]
	switch {
	case v == nil: // an optional or a union without a value, or a skip of zeros
		k.word(0)
	case row == nil || row.key == nil:
		k.cause = fault.ErrKey
	default:
		row.key(k, t, v)
	}
}
