package wire

import (
	"sync"

	"github.com/hone-go/hone/internal/mem"
)

// An accessor is a value that has no address: a getter makes it and a setter
// takes it. Between them and the program lies memory that is used again.
type accessor interface {
	append(p *program, e *encoder, n int, at mem.Pointer) (int, *EncodeError)
	read(p *program, d *decoder, pos int, at mem.Pointer) (int, *DecodeError)
}

type property[T, V any] struct {
	get func(*T) V
	set func(*T, V)

	// Only what encoding needs is used again: what was decoded belongs to the
	// setter, and methods that see a value may keep it.
	values sync.Pool
	keeps  bool
}

func (a *property[T, V]) append(p *program, e *encoder, n int, at mem.Pointer) (int, *EncodeError) {
	v, ok := a.values.Get().(*V)
	if !ok || a.keeps {
		v = new(V)
	}
	*v = a.get(mem.At[T](at, 0))
	n, err := p.append(e, n, mem.Of(v))
	if !a.keeps {
		var zero V
		*v = zero
		a.values.Put(v)
	}
	return n, err
}

func (a *property[T, V]) read(p *program, d *decoder, pos int, at mem.Pointer) (int, *DecodeError) {
	v := new(V)
	pos, err := p.read(d, pos, mem.Of(v))
	if err == nil {
		a.set(mem.At[T](at, 0), *v)
	}
	return pos, err
}
