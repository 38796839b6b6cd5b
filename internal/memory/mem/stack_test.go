package mem_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/hone-go/hone/internal/memory/mem"
)

// deep uses enough of the stack to make it grow.
func deep(n int) byte {
	var room [256]byte
	room[n%len(room)] = 1
	if n > 0 {
		return deep(n-1) + room[n%len(room)]
	}
	return room[0]
}

//go:noinline
func store(at mem.Pointer, v uint64) { mem.SetBits64(at, v) }

// TestNoEscapeOnAStackThatMoves keeps hidden pointers across calls while the stack grows and
// shrinks, and stores through them. The variables must get the stored values.
func TestNoEscapeOnAStackThatMoves(t *testing.T) {
	for name, move := range map[string]func(){
		"grows":   func() { deep(1000) },
		"shrinks": runtime.GC,
	} {
		var done sync.WaitGroup
		done.Go(func() {
			if name == "shrinks" {
				deep(1000)
			}
			var k, v uint64
			key, elem := mem.Of(mem.NoEscape(&k)), mem.Of(mem.NoEscape(&v))
			for i := range uint64(4) {
				move()
				store(key, i)
				store(elem, i+10)
				if k != i || v != i+10 {
					t.Errorf("stack %s: stored %d and %d, got %d and %d", name, i, i+10, k, v)
				}
			}
		})
		done.Wait()
	}
}
