package rules

import (
	"maps"
	"sync"
	"sync/atomic"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// A Key distinguishes the rules by which types are compiled: the options that change a program or a
// node, and the types of functions. Calls with equal Keys share the compiled programs.
//
// A flag that changes compiled code must be in EncodeFlags or DecodeFlags. Otherwise two calls
// would share a program that is correct for only one of them; the tests compile with each flag and
// compare.
type Key struct {
	Flags option.Flag
	Types *Signature
}

// EncodeFlags and DecodeFlags are the options that change programs and nodes. All other options are
// checked at run time. Version 1 also has a mode for each release, so that a patch may change
// programs too.
const (
	EncodeFlags = option.StringifyNumbers | option.OmitZeroStructFields | option.CallMethodsWithLegacySemantics |
		option.FormatByteArrayAsArray | option.FormatBytesWithLegacySemantics | option.FormatDurationAsNano |
		option.OmitEmptyWithLegacySemantics | option.StringifyWithLegacySemantics | option.ReportErrorsWithLegacySemantics |
		option.OmitWriteOnly | option.FirstEngine
	DecodeFlags = option.StringifyNumbers | option.CallMethodsWithLegacySemantics | option.FormatByteArrayAsArray |
		option.FormatBytesWithLegacySemantics | option.FormatDurationAsNano | option.StringifyWithLegacySemantics |
		option.ReportErrorsWithLegacySemantics | option.ByTags | option.FirstEngine
)

// StandardErrors selects the rules of v1: errors are the errors of encoding/json, and no code of
// version 2 runs.
const StandardErrors option.Flag = 1 << 63

// PlainNumbers means that StringifyNumbers was turned off explicitly. The tag option string then
// does not quote a Number.
const PlainNumbers option.Flag = 1 << 62

// CompiledFlags returns the flags of a Set that belong in the [Key] of its mode: the flags
// among compiled that are on, and [PlainNumbers].
func CompiledFlags(set *option.Set, compiled option.Flag) option.Flag {
	flags := set.On & compiled
	if set.Given&^set.On&option.StringifyNumbers != 0 {
		flags |= PlainNumbers
	}
	return flags
}

// IsV1 reports whether k has the rules of v1.
func (k *Key) IsV1() bool { return k.Flags&StandardErrors != 0 }

// First reports whether k has the rules of v1 before Go 1.27.
func (k *Key) First() bool { return k.Flags&option.FirstEngine != 0 }

// MembersOf returns the members of a struct, and the field for members without a field of their
// own. Before Go 1.27 v1 has no such field.
func (k *Key) MembersOf(s *shape.Shape) ([]shape.Member, *shape.Member) {
	if k.First() {
		return s.Promoted(), nil
	}
	return s.Object().Members, s.Object().Rest
}

// A Modes keeps a mode, with everything that was compiled for it, for each [Key] that the program
// has used. A program uses few sets of options, so modes are never dropped. Reading takes no lock,
// since the map is replaced as a whole.
type Modes[M any] struct {
	known atomic.Pointer[map[Key]*M] // the map is never changed, only replaced
	mu    sync.Mutex
}

// Of returns the mode for k. If there is none yet, it is created by made.
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

// RefusesString reports whether the tag option string is an error on a field of this shape.
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

// StopsString reports whether the tag option string is ignored for a pointer of this shape, and so
// does not apply to the value that it points to.
func (k *Key) StopsString(s *shape.Shape) bool {
	return !k.IsV1() && k.Flags&option.StringifyWithLegacySemantics != 0 && s.Elem.Kind == shape.Pointer
}

// FaultOf returns the reason for which v2 refuses a struct type, or nil. With legacy errors an
// invalid tag is ignored, but an invalid format is not.
func (k *Key) FaultOf(s *shape.Shape) *shape.Fault {
	if k.Flags&option.ReportErrorsWithLegacySemantics != 0 {
		// An invalid format is an error even with legacy errors.
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
