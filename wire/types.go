package wire

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/hone-go/hone/wire/internal/program"
)

// Types lists the types that interfaces may hold, each with the number that
// stands for it on the wire. The zero value is empty and ready to use; it is
// safe for concurrent use.
type Types struct {
	mu   sync.RWMutex
	byID map[uint32]reflect.Type
}

// RegisterType adds T to types under id, which is not 0: that is nil on the
// wire. An error that wraps [ErrRegistered] says that the id or the type is
// taken.
func RegisterType[T any](types *Types, id uint32) error {
	t := reflect.TypeFor[T]()
	if id == 0 {
		return fmt.Errorf("wire: register %v: 0 stands for nil", t)
	}
	if t.Kind() == reflect.Interface {
		return fmt.Errorf("wire: register %v: an interface is not what an interface holds", t)
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

// list returns what is registered, by id.
func (types *Types) list() (ones []program.Case, of []reflect.Type) {
	types.mu.RLock()
	defer types.mu.RUnlock()
	for id, t := range types.byID {
		ones = append(ones, program.Case{Name: t.String(), ID: id})
	}
	slices.SortFunc(ones, func(a, b program.Case) int { return cmp.Compare(a.ID, b.ID) })
	for _, one := range ones {
		of = append(of, types.byID[one.ID])
	}
	return ones, of
}

// clone returns what is registered now, for what is compiled later.
func (types *Types) clone() *Types {
	types.mu.RLock()
	defer types.mu.RUnlock()
	return &Types{byID: maps.Clone(types.byID)}
}
