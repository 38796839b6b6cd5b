package wire

import (
	"fmt"
	"maps"
	"reflect"
	"sync"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/spec"
)

// Types lists the types that interfaces may hold, each with its id in the encoding. The zero
// value is empty and ready to use. Types is safe for concurrent use.
type Types struct {
	mu   sync.RWMutex
	byID map[uint32]reflect.Type
}

// RegisterType adds T to types under id. The id 0 represents nil and cannot be registered, nor can
// an interface type. An error that wraps [ErrRegistered] reports that the id or the type is
// registered already. Registering T under the same id again has no effect.
func RegisterType[T any](types *Types, id uint32) error {
	t := reflect.TypeFor[T]()
	if types == nil {
		return fmt.Errorf("wire: register %v: the Types is nil; use new(wire.Types)", t)
	}
	if id == 0 {
		return fmt.Errorf("wire: register %v: the id 0 represents nil; use 1 or more", t)
	}
	if t.Kind() == reflect.Interface {
		return fmt.Errorf("wire: register %v: it is an interface type; register the concrete types of the values in it", t)
	}
	types.mu.Lock()
	defer types.mu.Unlock()
	registered := func(as reflect.Type, other uint32) error {
		return fmt.Errorf("wire: register %v under the id %d: %w: %v has the id %d; an id is for one type, and a type has one id", t, id, ErrRegistered, as, other)
	}
	if as, taken := types.byID[id]; taken {
		if as == t {
			return nil
		}
		return registered(as, id)
	}
	for other, as := range types.byID {
		if as == t {
			return registered(t, other)
		}
	}
	if types.byID == nil {
		types.byID = map[uint32]reflect.Type{}
	}
	types.byID[id] = t
	return nil
}

// list returns the registered types in the order of their ids: as cases without specs, and as Go
// types.
func (types *Types) list() (ones []spec.Case, of []reflect.Type) {
	types.mu.RLock()
	defer types.mu.RUnlock()
	for id, t := range types.byID {
		ones = append(ones, spec.Case{Name: shape.TypeName(t), ID: id})
	}
	spec.SortCases(ones)
	for _, one := range ones {
		of = append(of, types.byID[one.ID])
	}
	return ones, of
}

// clone returns a copy, which later registrations do not change. A codec of [ForAny] compiles
// its programs later, from such a copy.
func (types *Types) clone() *Types {
	types.mu.RLock()
	defer types.mu.RUnlock()
	return &Types{byID: maps.Clone(types.byID)}
}
