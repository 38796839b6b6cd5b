package program

import (
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/spec"
)

// An accessor encodes and decodes a value that has no address: a getter returns it and a setter
// accepts it. The program of the value runs over memory that the accessor allocates.
type accessor interface {
	put(p *Program, e *Encoder, n int, at mem.Pointer) (int, *EncodeError)
	read(p *Program, d *Decoder, pos int, at mem.Pointer) (int, *DecodeError)
}

// PropertyOf returns the spec of a property of T. elem is the spec of the property's value.
func PropertyOf[T, V any](get func(*T) V, set func(*T, V), elem *spec.Spec) *spec.Spec {
	t := reflect.TypeFor[T]()
	return &spec.Spec{Form: spec.FormAccessor, Type: t, Size: t.Size(), Elem: elem, Accessor: &property[T, V]{get: get, set: set, keeps: callsMethods(elem)}}
}

// A property implements accessor for a property of T with the values V.
type property[T, V any] struct {
	get func(*T) V
	set func(*T, V)

	// values is a pool of values for encoding. A decoded value is not reused, because the setter
	// owns it. A value is also not reused if a method of its type received its address, because the
	// method may keep the address.
	values sync.Pool
	keeps  bool // methods of a type get the address of the value, and may keep it
}

// put encodes the result of the getter. Several goroutines may call put at the same time; each
// takes its own value from the pool.
func (a *property[T, V]) put(p *Program, e *Encoder, n int, at mem.Pointer) (int, *EncodeError) {
	v, ok := a.values.Get().(*V)
	if !ok || a.keeps {
		v = new(V)
	}
	*v = a.get(mem.At[T](at, 0))
	n, err := p.put(e, n, mem.Of(v))
	if !a.keeps {
		// The value is cleared, so that the pool does not keep alive the memory that it refers
		// to.
		var zero V
		*v = zero
		a.values.Put(v)
	}
	return n, err
}

// read decodes a new value and passes it to the setter.
func (a *property[T, V]) read(p *Program, d *Decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	// The value is not from the pool, since the setter may keep it or parts of it.
	v := new(V)
	pos, err := p.read(d, pos, mem.Of(v))
	// The setter never receives a partly decoded value.
	if err == nil {
		a.set(mem.At[T](at, 0), *v)
	}
	return pos, err
}
