package wire

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/hone-go/hone/wire/internal/spec"
)

// Types lists the types that interfaces may hold, each with its id in the encoding. The zero
// value is empty and ready to use. Types is safe for concurrent use.
type Types struct {
	mu   sync.RWMutex
	byID map[uint32]reflect.Type
}

// RegisterType adds T to types under id. The id 0 represents nil and cannot be registered. An
// error that wraps [ErrRegistered] reports that the id or the type is registered already.
func RegisterType[T any](types *Types, id uint32) error {
	t := reflect.TypeFor[T]()
	if id == 0 {
		return fmt.Errorf("wire: register %v: 0 stands for nil", t)
	}
	if t.Kind() == reflect.Interface {
		return fmt.Errorf("wire: register %v: the value in an interface never has an interface type", t)
	}
	types.mu.Lock()
	defer types.mu.Unlock()
	for other, as := range types.byID {
		if other == id || as == t {
			if other == id && as == t {
				return nil
			}
			return fmt.Errorf("wire: register %v as %d: %v as %d: %w", t, id, as, other, ErrRegistered)
		}
	}
	if types.byID == nil {
		types.byID = map[uint32]reflect.Type{}
	}
	types.byID[id] = t
	return nil
}

// list returns the registered types in the order of their ids.
func (types *Types) list() (ones []spec.Case, of []reflect.Type) {
	types.mu.RLock()
	defer types.mu.RUnlock()
	for id, t := range types.byID {
		ones = append(ones, spec.Case{Name: t.String(), ID: id})
	}
	slices.SortFunc(ones, func(a, b spec.Case) int { return cmp.Compare(a.ID, b.ID) })
	for _, one := range ones {
		of = append(of, types.byID[one.ID])
	}
	return ones, of
}

// clone returns a copy, for programs that are compiled later.
func (types *Types) clone() *Types {
	types.mu.RLock()
	defer types.mu.RUnlock()
	return &Types{byID: maps.Clone(types.byID)}
}
