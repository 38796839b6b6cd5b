package rules

import (
	"maps"
	"sync"
	"sync/atomic"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// A Key identifies the rules by which types are compiled: the options that change programs or
// nodes, and the types of functions. Calls with equal Keys share the compiled programs.
//
// EncodeFlags and DecodeFlags must contain each flag that changes compiled code. Otherwise two
// calls would share a program that is correct for only one of them. A test compiles types with each
// flag and without it, and compares the programs.
type Key struct {
	Flags option.Flag
	Types *Signature
}

// EncodeFlags and DecodeFlags are the options that change programs and nodes. All other options are
// checked at run time.
const (
	EncodeFlags = option.StringifyNumbers | option.OmitZeroStructFields | option.CallMethodsWithLegacySemantics |
		option.FormatByteArrayAsArray | option.FormatBytesWithLegacySemantics | option.FormatDurationAsNano |
		option.OmitEmptyWithLegacySemantics | option.StringifyWithLegacySemantics | option.ReportErrorsWithLegacySemantics |
		option.OmitWriteOnly
	DecodeFlags = option.StringifyNumbers | option.CallMethodsWithLegacySemantics | option.FormatByteArrayAsArray |
		option.FormatBytesWithLegacySemantics | option.FormatDurationAsNano | option.StringifyWithLegacySemantics |
		option.ReportErrorsWithLegacySemantics | option.ByTags
)

// PlainNumbers means that StringifyNumbers was explicitly turned off. The tag option "string" then
// does not quote a Number.
const PlainNumbers option.Flag = 1 << 62

// CompiledFlags returns the flags for the [Key] of a call: those flags of compiled that are on in
// set, and [PlainNumbers].
func CompiledFlags(set *option.Set, compiled option.Flag) option.Flag {
	flags := set.On & compiled
	if set.Given&^set.On&option.StringifyNumbers != 0 {
		flags |= PlainNumbers
	}
	return flags
}

// Modes caches a mode, with all its compiled programs, for each [Key]. It never drops a mode,
// because a process uses few combinations of options. Reading takes no lock, because the map is
// never changed, only replaced.
type Modes[M any] struct {
	known atomic.Pointer[map[Key]*M]
	mu    sync.Mutex
}

// Of returns the mode for k. If there is none, it calls create.
func (m *Modes[M]) Of(k Key, create func(Key) *M) *M {
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
		next[k] = create(k)
	}
	m.known.Store(&next)
	return next[k]
}

// RefusesString reports whether the tag option "string", as in `json:",string"`, is an error on a
// field of shape s.
func (k *Key) RefusesString(s *shape.Shape) bool {
	if k.Flags&option.ReportErrorsWithLegacySemantics != 0 {
		return false
	}
	legacy := k.Flags&option.StringifyWithLegacySemantics != 0
	switch kind := s.Kind; {
	case s.Union != nil:
		return false // the type has methods, which the option does not concern
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

// StopsString reports whether the tag option "string" has no effect on a pointer type of shape s:
// in version 2 with legacy semantics, the option does not apply to a pointer to a pointer.
func (k *Key) StopsString(s *shape.Shape) bool {
	return k.Flags&option.StringifyWithLegacySemantics != 0 && s.Elem.Kind == shape.Pointer
}

// FaultOf returns the reason why version 2 refuses a struct type, or nil. With legacy errors it
// ignores invalid tags, except for invalid formats.
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
