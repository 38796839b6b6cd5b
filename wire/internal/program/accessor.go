package program

import (
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
)

// An accessor is a value that has no address: a getter makes it and a setter
// takes it. Between them and the program lies memory that is used again.
type accessor interface {
	put(p *Program, e *encoder, n int, at mem.Pointer) (int, *EncodeError)
	read(p *Program, d *decoder, pos int, at mem.Pointer) (int, *DecodeError)
}

// PropertyOf returns the spec of a property of a T, whose value is written as elem
// says.
func PropertyOf[T, V any](get func(*T) V, set func(*T, V), elem *Spec) *Spec {
	t := reflect.TypeFor[T]()
	return &Spec{Form: FormAccessor, Type: t, Size: t.Size(), Elem: elem, Accessor: &property[T, V]{get: get, set: set, keeps: callsMethods(elem)}}
}

type property[T, V any] struct {
	get func(*T) V
	set func(*T, V)

	// Only what encoding needs is used again: what was decoded belongs to the
	// setter, and methods that see a value may keep it.
	values sync.Pool
	keeps  bool
}

func (a *property[T, V]) put(p *Program, e *encoder, n int, at mem.Pointer) (int, *EncodeError) {
	v, ok := a.values.Get().(*V)
	if !ok || a.keeps {
		v = new(V)
	}
	*v = a.get(mem.At[T](at, 0))
	n, err := p.put(e, n, mem.Of(v))
	if !a.keeps {
		var zero V
		*v = zero
		a.values.Put(v)
	}
	return n, err
}

func (a *property[T, V]) read(p *Program, d *decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	v := new(V)
	pos, err := p.read(d, pos, mem.Of(v))
	if err == nil {
		a.set(mem.At[T](at, 0), *v)
	}
	return pos, err
}
