package rules

import (
	"maps"
	"sync"
	"sync/atomic"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// CompiledFlags returns the flags of a Set that are in the key of a mode.
func CompiledFlags(set *option.Set, compiled option.Flag) option.Flag {
	flags := set.On & compiled
	if set.Given&^set.On&option.StringifyNumbers != 0 {
		flags |= PlainNumbers
	}
	return flags
}

// A Key is what rules depend on: some flags, and the types for which functions were
// given.
type Key struct {
	Flags option.Flag
	Types *Signature
}

// EncodeFlags and DecodeFlags are those that programs and nodes are made by. The others are
// looked at when they run.
const (
	EncodeFlags = option.StringifyNumbers | option.OmitZeroStructFields | option.CallMethodsWithLegacySemantics |
		option.FormatByteArrayAsArray | option.FormatBytesWithLegacySemantics | option.FormatDurationAsNano |
		option.OmitEmptyWithLegacySemantics | option.StringifyWithLegacySemantics | option.ReportErrorsWithLegacySemantics |
		option.OmitWriteOnly
	DecodeFlags = option.StringifyNumbers | option.CallMethodsWithLegacySemantics | option.FormatByteArrayAsArray |
		option.FormatBytesWithLegacySemantics | option.FormatDurationAsNano | option.StringifyWithLegacySemantics |
		option.ReportErrorsWithLegacySemantics | option.ByTags
)

// StandardErrors is in the flags of v1: errors are those of encoding/json.
const StandardErrors option.Flag = 1 << 63

// PlainNumbers is in the flags where StringifyNumbers is turned off: the tag option string
// then says nothing to a Number.
const PlainNumbers option.Flag = 1 << 62

// IsV1 reports whether the rules are those of v1.
func (k *Key) IsV1() bool { return k.Flags&StandardErrors != 0 }

// A Modes keeps the modes that were asked for. There are as many as there are sets of
// options in a program.
type Modes[M any] struct {
	known atomic.Pointer[map[Key]*M] // which is replaced as a whole
	mu    sync.Mutex
}

func (m *Modes[M]) Of(k Key, made func(Key) *M) *M {
	if known := m.known.Load(); known != nil && (*known)[k] != nil {
		return (*known)[k]
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	next := map[Key]*M{}
	if known := m.known.Load(); known != nil {
		maps.Copy(next, *known)
	}
	if next[k] == nil {
		next[k] = made(k)
	}
	m.known.Store(&next)
	return next[k]
}

// RefusesString reports whether the option string is a mistake on a field of this shape.
func (k *Key) RefusesString(s *shape.Shape) bool {
	if k.Flags&option.ReportErrorsWithLegacySemantics != 0 {
		return false
	}
	legacy := k.Flags&option.StringifyWithLegacySemantics != 0
	switch kind := s.Kind; {
	case kind == shape.Bool, kind == shape.String && s.Type != NumberType:
		return !legacy
	case kind == shape.Pointer:
		return legacy && s.Elem.Kind == shape.Pointer
	case kind >= shape.Int8 && kind <= shape.Float64:
		return false
	case kind == shape.Bytes, kind == shape.Slice, kind == shape.Array, kind == shape.Map, kind == shape.Struct, kind == shape.Interface:
		return true
	}
	return false
}

// StopsString reports whether the option string says nothing to what a pointer of the shape
// points to.
func (k *Key) StopsString(s *shape.Shape) bool {
	return !k.IsV1() && k.Flags&option.StringifyWithLegacySemantics != 0 && s.Elem.Kind == shape.Pointer
}

// FaultOf returns what is wrong with a struct type, or nil.
func (k *Key) FaultOf(s *shape.Shape) *shape.Fault {
	if k.Flags&option.ReportErrorsWithLegacySemantics != 0 {
		// A format is not passed over.
		for i := range s.Object().Faults {
			if f := &s.Object().Faults[i]; f.Format {
				return f
			}
		}
		return nil
	}
	for i := range s.Object().Faults {
		if f := &s.Object().Faults[i]; f.Embeds == nil || customizes(f.Embeds) {
			return f
		}
	}
	return nil
}
