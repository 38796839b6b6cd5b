package engine

import (
	"maps"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/jsontext"
)

// An EncodeCall is how values are encoded by the options of v2. Make one with [NewEncodeCall].
type EncodeCall struct {
	Set  option.Set
	mode *encodeMode
	to   *Functions
}

// NewEncodeCall returns the EncodeCall for a Set, with the functions that it holds.
func NewEncodeCall(set option.Set, to *Functions) EncodeCall {
	c := EncodeCall{Set: set, to: to, mode: &v2Encode}
	if flags := compiledFlags(&set, encodeFlags); flags != 0 || to != nil {
		c.mode = encodeModes.of(modeKey{flags, to.signature()}, newEncodeMode)
	}
	return c
}

// A DecodeCall is how values are decoded by the options of v2. Make one with [NewDecodeCall].
type DecodeCall struct {
	Set  option.Set
	mode *decodeMode
	from *Functions
}

// NewDecodeCall returns the DecodeCall for a Set, with the functions that it holds.
func NewDecodeCall(set option.Set, from *Functions) DecodeCall {
	c := DecodeCall{Set: set, from: from, mode: &v2Decode}
	if flags := compiledFlags(&set, decodeFlags); flags != 0 || from != nil {
		c.mode = decodeModes.of(modeKey{flags, from.signature()}, newDecodeMode)
	}
	return c
}

// compiledFlags returns the flags of a Set that are in the key of a mode.
func compiledFlags(set *option.Set, compiled option.Flag) option.Flag {
	flags := set.On & compiled
	if set.Given&^set.On&option.StringifyNumbers != 0 {
		flags |= plainNumbers
	}
	return flags
}

// An encodeMode holds the programs that are made by the same rules.
type encodeMode struct {
	modeKey
	rules    encodeRules // nil by the rules of v1
	roots    plan.Cache[root]
	pointers plan.Cache[Program] // by pointer types, of what they point to
	names    plan.Cache[Program] // as names of members
}

// A decodeMode holds the nodes that are made by the same rules.
type decodeMode struct {
	modeKey
	rules decodeRules // nil by the rules of v1
	nodes plan.Cache[Node]
	names atomic.Pointer[decodeMode] // for names of members
	name  bool
}

// forNames returns the same rules for the names of members.
func (m *decodeMode) forNames() *decodeMode {
	if names := m.names.Load(); names != nil {
		return names
	}
	m.names.CompareAndSwap(nil, &decodeMode{modeKey: m.modeKey, rules: m.rules, name: true})
	return m.names.Load()
}

// A modeKey is what rules depend on: some flags, and the types for which functions were
// given.
type modeKey struct {
	flags option.Flag
	types *signature
}

// encodeFlags and decodeFlags are those that programs and nodes are made by. The others are
// looked at when they run.
const (
	encodeFlags = option.StringifyNumbers | option.OmitZeroStructFields | option.CallMethodsWithLegacySemantics |
		option.FormatByteArrayAsArray | option.FormatBytesWithLegacySemantics | option.FormatDurationAsNano |
		option.OmitEmptyWithLegacySemantics | option.StringifyWithLegacySemantics | option.ReportErrorsWithLegacySemantics
	decodeFlags = option.StringifyNumbers | option.CallMethodsWithLegacySemantics | option.FormatByteArrayAsArray |
		option.FormatBytesWithLegacySemantics | option.FormatDurationAsNano | option.StringifyWithLegacySemantics |
		option.ReportErrorsWithLegacySemantics | option.ByTags
)

// The rules of v1, by the release that it is built with.
var (
	v1Encode = encodeMode{modeKey: modeKey{flags: option.V1 | standardErrors}}
	v1Decode = decodeMode{modeKey: modeKey{flags: option.V1 | standardErrors}}
)

// standardErrors is in the flags of v1: errors are those of encoding/json.
const standardErrors option.Flag = 1 << 63

// plainNumbers is in the flags where StringifyNumbers is turned off: the tag option string
// then says nothing to a Number.
const plainNumbers option.Flag = 1 << 62

// isV1 reports whether the rules are those of v1.
func (k *modeKey) isV1() bool { return k.flags&standardErrors != 0 }

// A modes keeps the modes that were asked for. There are as many as there are sets of
// options in a program.
type modes[M any] struct {
	known atomic.Pointer[map[modeKey]*M] // which is replaced as a whole
	mu    sync.Mutex
}

var (
	encodeModes modes[encodeMode]
	decodeModes modes[decodeMode]
)

func (m *modes[M]) of(k modeKey, made func(modeKey) *M) *M {
	if known := m.known.Load(); known != nil && (*known)[k] != nil {
		return (*known)[k]
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	next := map[modeKey]*M{}
	if known := m.known.Load(); known != nil {
		maps.Copy(next, *known)
	}
	if next[k] == nil {
		next[k] = made(k)
	}
	m.known.Store(&next)
	return next[k]
}

// A Function encodes or decodes the values of a type, or those that a pointer type points
// to, or those whose pointers implement an interface type. It is called with the address of
// the value.
type Function struct {
	Type  reflect.Type
	Bytes func(p any) ([]byte, error)
	To    func(to *jsontext.Encoder, p any) error
	Text  func(data []byte, p any) error
	From  func(from *jsontext.Decoder, p any) error
}

// Functions are those of a call, of which the first that applies and does not decline
// counts.
type Functions struct {
	list  []Function
	types *signature
}

// A signature is a list of types that functions are for. There is one for each list.
type signature struct {
	types  []reflect.Type
	values bool // one of them may be for what an interface without methods holds
}

var signatures sync.Map // string -> *signature

// NewFunctions returns the functions of a list, nil if it is empty.
func NewFunctions(list ...Function) *Functions {
	if len(list) == 0 {
		return nil
	}
	var key strings.Builder
	s := &signature{}
	for _, f := range list {
		key.WriteString(strconv.FormatUint(uint64(mem.TypeID(f.Type)), 36))
		key.WriteByte(' ')
		s.types = append(s.types, f.Type)
		for _, t := range plainTypes {
			s.values = s.values || applies(t, f.Type)
		}
	}
	known, _ := signatures.LoadOrStore(key.String(), s)
	return &Functions{list, known.(*signature)}
}

// Join returns the functions of all, in this order.
func Join(all ...*Functions) *Functions {
	var list []Function
	for _, f := range all {
		if f != nil {
			list = append(list, f.list...)
		}
	}
	return NewFunctions(list...)
}

func (f *Functions) signature() *signature {
	if f == nil {
		return nil
	}
	return f.types
}

// plainTypes are those of the values that stand for any JSON.
var plainTypes = []reflect.Type{
	reflect.TypeFor[any](), reflect.TypeFor[bool](), reflect.TypeFor[string](), floatType,
	reflect.TypeFor[map[string]any](), reflect.TypeFor[[]any](),
}

// applies reports whether a function for the type to is for values of type t.
func applies(t, to reflect.Type) bool {
	switch to.Kind() {
	case reflect.Interface:
		return reflect.PointerTo(t).Implements(to)
	case reflect.Pointer:
		return reflect.PointerTo(t) == to
	}
	return t == to
}

// of returns the indexes of the functions that are for values of type t.
func (s *signature) of(t reflect.Type) (list []int) {
	if s == nil {
		return nil
	}
	for i, to := range s.types {
		if applies(t, to) {
			list = append(list, i)
		}
	}
	return list
}
