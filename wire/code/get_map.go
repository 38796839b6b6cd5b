package code

import (
	"errors"
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
)

// GetMap begins a map: it reads the number of entries and sets *v to an empty map, whose memory is
// reused. For no entries it sets *v to nil. On error it returns a negative position.
func GetMap[M ~map[K]V, K comparable, V any](d *Decoder, p *Part, pos int, v *M) (m M, n, next int) {
	n, next = p.GetMapLen(d, pos, reflect.TypeFor[K]().Size(), reflect.TypeFor[V]().Size())
	switch {
	case next < 0: // the old map stays
	case n == 0:
		*v = nil
	case *v == nil:
		*v = make(M, n)
	default:
		clear(*v)
	}
	return *v, n, next
}

// Again lets the engine read the map at v again, because an entry has a fault. The engine finds the
// fault and sets the error of d. pos is the position of the map, and mark is the budget that was
// left at this position.
func Again[M any](d *Decoder, p *Part, pos, mark int, v *M) int {
	d.Reset(mark)
	if p.Get(d, pos, mem.Of(v)) >= 0 {
		// The engine found no fault. The caller stopped within the map and cannot continue, so
		// return an error.
		return d.Fail(pos, "", reflect.TypeFor[M](), errAccepted)
	}
	return -1
}

// errAccepted is the cause of a fault that generated code has found and the engine has not.
var errAccepted = errors.New("generated code refuses a map that the engine accepts")

// AgainWithin is like [Again], for a field of the struct at path.
func AgainWithin[M any](d *Decoder, p *Part, pos, mark int, v *M, path string) int {
	Again(d, p, pos, mark, v)
	return d.Within(path)
}
