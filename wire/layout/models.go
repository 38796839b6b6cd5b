package layout

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/program"
)

// Models is a registry of types for values of several types in one stream. An id before each value
// identifies its type. The id is encoded as the header type of [NewModels]. The methods of Models,
// and the functions that take a Models, are safe for concurrent use. A reader never waits for a
// registration.
type Models[ID comparable] struct {
	header *program.Program
	table  atomic.Pointer[modelTable[ID]]
}

// A modelTable has the registered models. It is never changed: a registration replaces it, so
// readers need no lock.
type modelTable[ID comparable] struct {
	byID   map[ID]*model[ID]
	byType map[reflect.Type][]*model[ID]
}

// A model is one registered type.
type model[ID comparable] struct {
	program.Runner
	id  ID
	typ reflect.Type
}

// NewModels returns an empty registry whose ids are laid out as header.
func NewModels[ID comparable](header Type[ID]) (*Models[ID], error) {
	if fault := header.fault(); fault != "" {
		t := reflect.TypeFor[ID]()
		return nil, &wire.TypeError{Root: t, Type: t, Reason: fault}
	}
	m := &Models[ID]{header: program.Compile(header.spec, program.Mode{})}
	m.table.Store(&modelTable[ID]{map[ID]*model[ID]{}, map[reflect.Type][]*model[ID]{}})
	return m, nil
}

// A ModelError reports an id or a type that is not registered, or that is registered already.
// When it is returned, nothing was written or consumed.
type ModelError struct {
	ID   any          // nil if a type was looked up
	Type reflect.Type // nil if an id was looked up
	Err  error        // wire.ErrUnregistered, wire.ErrRegistered, ErrAmbiguous or ErrModel
}

func (e *ModelError) Error() string {
	advice := ""
	switch e.Err {
	case wire.ErrUnregistered:
		advice = "; call RegisterModel with this registry, type and id first"
	case wire.ErrRegistered:
		advice = "; choose another id"
	case ErrAmbiguous:
		advice = "; choose one with AppendAs"
	case ErrModel:
		advice = "; Models.Decode returns the value of any model"
	}
	switch {
	case e.ID == nil:
		return fmt.Sprintf("wire: model %v: %v%s", e.Type, e.Err, advice)
	case e.Type == nil:
		return fmt.Sprintf("wire: model with id %v: %v%s", e.ID, e.Err, advice)
	}
	return fmt.Sprintf("wire: model %v with id %v: %v%s", e.Type, e.ID, e.Err, advice)
}

// Unwrap returns the cause.
func (e *ModelError) Unwrap() error { return e.Err }

// The causes of a [ModelError], besides wire.ErrUnregistered and wire.ErrRegistered.
var (
	ErrAmbiguous = errors.New("registered under several ids")
	ErrModel     = errors.New("the id is registered for another type")
)

var errNilCodec = errors.New("the codec is nil; make it with New or wire.For")

// RegisterModel adds T under id, encoded by c. One type may have several ids. The error is a
// [*ModelError] if the id is registered already or c is nil, and an [*EncodeError] if this id
// cannot be encoded.
func RegisterModel[ID comparable, T any](m *Models[ID], id ID, c *wire.Codec[T]) error {
	if c == nil {
		return &ModelError{ID: id, Type: reflect.TypeFor[T](), Err: errNilCodec}
	}
	if _, err := m.header.Append(nil, false, mem.Of(&id), wire.Limits{}); err != nil {
		return err
	}
	one := &model[ID]{*runnerOf(c), id, reflect.TypeFor[T]()}
	for {
		old := m.table.Load()
		if old.byID[id] != nil {
			return &ModelError{ID: id, Type: one.typ, Err: wire.ErrRegistered}
		}
		next := &modelTable[ID]{maps.Clone(old.byID), maps.Clone(old.byType)}
		next.byID[id] = one
		next.byType[one.typ] = append(slices.Clip(old.byType[one.typ]), one)
		if m.table.CompareAndSwap(old, next) {
			return nil
		}
	}
}

// byType returns the model of t. The error is ErrAmbiguous if t is registered under several ids.
func (m *Models[ID]) byType(t reflect.Type) (*model[ID], error) {
	switch ones := m.table.Load().byType[t]; len(ones) {
	case 0:
		return nil, &ModelError{Type: t, Err: wire.ErrUnregistered}
	case 1:
		return ones[0], nil
	}
	return nil, &ModelError{Type: t, Err: ErrAmbiguous}
}

// AppendModel appends the id of *v's type and v's encoding to dst. On error it returns dst
// unchanged. The error is a [*ModelError] if the type is not registered or has several ids; all
// other errors are the same as for [Codec.Append].
func AppendModel[ID comparable, T any](m *Models[ID], dst []byte, v *T) ([]byte, error) {
	one, err := m.byType(reflect.TypeFor[T]())
	if err != nil {
		return dst, err
	}
	return m.append(one, dst, v == nil, mem.Of(v))
}

// Append is like [AppendModel], for a value whose type is known only at run time. v is a value of a
// registered type or a pointer to one. A value that is not a pointer is copied.
func (m *Models[ID]) Append(dst []byte, v any) ([]byte, error) {
	a, t, err := addressable(v)
	if err != nil {
		return dst, err
	}
	one, err := m.byType(t)
	if err != nil {
		return dst, err
	}
	return m.append(one, dst, a.IsNil(), a)
}

// AppendAs is like [Models.Append], with an id that the caller selects. It is for a type that has
// several ids.
func (m *Models[ID]) AppendAs(dst []byte, id ID, v any) ([]byte, error) {
	one := m.table.Load().byID[id]
	if one == nil {
		return dst, &ModelError{ID: id, Err: wire.ErrUnregistered}
	}
	a, t, err := addressable(v)
	if err != nil {
		return dst, err
	}
	if t != one.typ {
		return dst, &ModelError{ID: id, Type: t, Err: ErrModel}
	}
	return m.append(one, dst, a.IsNil(), a)
}

// addressable returns the address and the type of the target of v, or of a copy of v.
func addressable(v any) (mem.Pointer, reflect.Type, error) {
	rv := reflect.ValueOf(v)
	switch {
	case !rv.IsValid():
		return mem.Pointer{}, nil, &wire.EncodeError{Err: fault.ErrNilValue}
	case rv.Kind() == reflect.Pointer:
		return mem.OfPointer(rv), rv.Type().Elem(), nil
	}
	p := reflect.New(rv.Type())
	p.Elem().Set(rv)
	return mem.OfPointer(p), rv.Type(), nil
}

func (m *Models[ID]) append(one *model[ID], dst []byte, isNil bool, a mem.Pointer) ([]byte, error) {
	out, err := m.header.Append(dst, false, mem.Of(&one.id), wire.Limits{})
	if err == nil {
		out, err = one.Append(out, isNil, a)
	}
	if err != nil {
		return dst, err
	}
	return out, nil
}

// Decode decodes the value at the start of data. It returns a pointer to a new value of the type
// with that id, and the bytes after the value. On error, rest is all of data. The error is a
// [*ModelError] if the id is not registered, else a [*DecodeError], whose offset counts from the
// start of data.
func (m *Models[ID]) Decode(data []byte) (id ID, v any, rest []byte, err error) {
	return m.decode(data, true)
}

// decode implements Decode. If alias is set, the value may point into data.
func (m *Models[ID]) decode(data []byte, alias bool) (id ID, v any, rest []byte, err error) {
	one, n, err := m.next(data)
	if err != nil {
		return id, nil, data, err
	}
	p := reflect.New(one.typ)
	used, err := one.Program.UnmarshalFirst(data[n:], false, mem.OfPointer(p), one.Limits, one.Alias && alias, false)
	if err != nil {
		return one.id, nil, data, program.Shift(err, int64(n))
	}
	return one.id, p.Interface(), data[n+used:], nil
}

// DecodeModel decodes the value at the start of data into *v and returns the bytes after it. On
// error, rest is all of data. The error is a [*ModelError] that wraps [ErrModel] if the value is of
// another type; the other errors are the same as for [Models.Decode].
func DecodeModel[ID comparable, T any](m *Models[ID], data []byte, v *T) (rest []byte, err error) {
	one, n, err := m.next(data)
	if err != nil {
		return data, err
	}
	if one.typ != reflect.TypeFor[T]() {
		return data, &ModelError{ID: one.id, Type: reflect.TypeFor[T](), Err: ErrModel}
	}
	used, err := one.UnmarshalFirst(data[n:], v == nil, mem.Of(v))
	if err != nil {
		return data, program.Shift(err, int64(n))
	}
	return data[n+used:], nil
}

// next reads the id at the start of data. It returns the model of the id, and the length of the id
// in bytes.
func (m *Models[ID]) next(data []byte) (one *model[ID], n int, err error) {
	var id ID
	if m.header.Methods { // a method may keep the memory of the id
		heap := new(ID)
		n, err = m.header.UnmarshalFirst(data, false, mem.Of(heap), wire.Limits{}, false, false)
		id = *heap
	} else {
		n, err = m.header.UnmarshalFirst(data, false, mem.Of(mem.NoEscape(&id)), wire.Limits{}, false, false)
	}
	if err != nil {
		return nil, 0, err
	}
	if one = m.table.Load().byID[id]; one == nil {
		return nil, 0, &ModelError{ID: id, Err: wire.ErrUnregistered}
	}
	return one, n, nil
}
