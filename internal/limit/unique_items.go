package limit

import (
	"github.com/hone-go/hone/internal/memory/mem"
)

// checkUnique reports whether no two elements are equal. It allocates a map of the elements.
func (n *node) checkUnique(c *check, a mem.Pointer, off uintptr) bool {
	list := a.Value(off, n.shape.Type)
	met := make(map[any]int, list.Len())
	for i := range list.Len() {
		v := list.Index(i).Interface()
		if first, twice := met[v]; twice {
			return c.violated("must not have equal elements: [%d] and [%d] are equal", first, i)
		}
		met[v] = i
	}
	return true
}
