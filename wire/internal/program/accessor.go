package program

import (
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/spec"
)

// An accessor moves a value that has no address: a getter returns it and a setter accepts it. The
// program of the value runs over memory of the accessor.
type accessor interface {
	put(p *Program, e *encoder, n int, at mem.Pointer) (int, *EncodeError)
	read(p *Program, d *decoder, pos int, at mem.Pointer) (int, *DecodeError)
}

// PropertyOf returns the spec of a property of T, whose value has the spec elem.
func PropertyOf[T, V any](get func(*T) V, set func(*T, V), elem *spec.Spec) *spec.Spec {
	t := reflect.TypeFor[T]()
	return &spec.Spec{Form: spec.FormAccessor, Type: t, Size: t.Size(), Elem: elem, Accessor: &property[T, V]{get: get, set: set, keeps: callsMethods(elem)}}
}

// A property is the accessor of a value V of a T.
type property[T, V any] struct {
	get func(*T) V
	set func(*T, V)

	// Values for encoding are reused. A decoded value belongs to the setter, and a method that
	// has seen a value may keep it, so these are not reused.
	values sync.Pool
	keeps  bool // methods see the value
}

// put encodes the result of the getter. The getter may be called by several goroutines at once,
// each with memory from the pool.
func (a *property[T, V]) put(p *Program, e *encoder, n int, at mem.Pointer) (int, *EncodeError) {
	v, ok := a.values.Get().(*V)
	if !ok || a.keeps {
		v = new(V)
	}
	*v = a.get(mem.At[T](at, 0))
	n, err := p.put(e, n, mem.Of(v))
	if !a.keeps {
		// The pool must not keep alive the memory that the value refers to.
		var zero V
		*v = zero
		a.values.Put(v)
	}
	return n, err
}

// read decodes a new value and passes it to the setter.
func (a *property[T, V]) read(p *Program, d *decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	// The value is allocated: the setter may keep it, or parts of it.
	v := new(V)
	pos, err := p.read(d, pos, mem.Of(v))
	// The setter never sees a value that was decoded in part.
	if err == nil {
		a.set(mem.At[T](at, 0), *v)
	}
	return pos, err
}
