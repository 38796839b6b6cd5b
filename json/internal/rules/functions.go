package rules

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/jsontext"
)

// A Function encodes or decodes values of one type, and takes the address of the value. If Type is
// a pointer type, the Function applies to the pointer's element type. If Type is an interface
// type, the Function applies to all types whose pointers implement the interface. Exactly one of
// the four function fields is set.
type Function struct {
	Type  reflect.Type
	Bytes func(p any) ([]byte, error)
	To    func(to *jsontext.Encoder, p any) error
	Text  func(data []byte, p any) error
	From  func(from *jsontext.Decoder, p any) error
}

// Functions are the marshalers or unmarshalers in the options of a call. A value is encoded or decoded
// by the first function that applies to its type and does not decline.
type Functions struct {
	List  []Function
	types *Signature
}

// A Signature lists the types that a list of functions handles. Equal lists of types share one Signature,
// so that programs are compiled once for each list of types and not for each list of functions.
type Signature struct {
	types  []reflect.Type
	Values bool // a function applies to one of the plainTypes
}

// signatures maps the identities of the types in a list to its Signature.
var signatures sync.Map // string -> *Signature

// NewFunctions returns the functions of a list, or nil for an empty list.
func NewFunctions(list ...Function) *Functions {
	if len(list) == 0 {
		return nil
	}
	var key strings.Builder
	s := &Signature{}
	for _, f := range list {
		key.WriteString(strconv.FormatUint(uint64(mem.TypeID(f.Type)), 36))
		key.WriteByte(' ')
		s.types = append(s.types, f.Type)
		for _, t := range plainTypes {
			s.Values = s.Values || applies(t, f.Type)
		}
	}
	known, _ := signatures.LoadOrStore(key.String(), s)
	return &Functions{list, known.(*Signature)}
}

// Join returns the functions of all lists, in order.
func Join(all ...*Functions) *Functions {
	var list []Function
	for _, f := range all {
		if f != nil {
			list = append(list, f.List...)
		}
	}
	return NewFunctions(list...)
}

// Signature returns the types of the functions, or nil if there are none.
func (f *Functions) Signature() *Signature {
	if f == nil {
		return nil
	}
	return f.types
}

// plainTypes are the types that decoding into an empty interface produces.
var plainTypes = []reflect.Type{
	reflect.TypeFor[any](), reflect.TypeFor[bool](), reflect.TypeFor[string](), FloatType,
	reflect.TypeFor[map[string]any](), reflect.TypeFor[[]any](),
}

// applies reports whether a function whose Type is target applies to values of type t.
func applies(t, target reflect.Type) bool {
	switch target.Kind() {
	case reflect.Interface:
		return reflect.PointerTo(t).Implements(target)
	case reflect.Pointer:
		return reflect.PointerTo(t) == target
	}
	return t == target
}

// Has reports whether s contains a function for exactly the type t.
func (s *Signature) Has(t reflect.Type) bool { return s != nil && slices.Contains(s.types, t) }

// Of returns the indexes of the functions that apply to values of type t, in order.
func (s *Signature) Of(t reflect.Type) (list []int) {
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
