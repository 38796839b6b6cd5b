package program

import (
	"math"
	"runtime"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/measure"
)

// afford checks that a decoder with the limits l can read data, an encoding that p has made.
//
// The ratio of the program is an upper bound of the memory for each byte. Most types have a ratio
// of at most the default budget, and most other values fit the budget even at the worst ratio.
// Only the remaining encodings are measured.
func (p *Program) afford(l budget.Limits, data []byte) error {
	if l.Bytes == 0 && p.ratio <= budget.PerByte {
		return nil
	}
	// The product of the ratio and the length might overflow, so the budget is divided instead. The
	// result is rounded down, which only makes more encodings be measured.
	b := budget.Of(l, len(data))
	if p.ratio <= uint64(b)/uint64(max(len(data), 1)) {
		return nil
	}
	w := measure.Over(data)
	// The encoder has limited the depth already.
	m := measure.Measure{Window: mem.NoEscape(&w), Depth: math.MaxInt, Budget: mem.NoEscape(&b)}
	ok := mem.NoEscape(&m).Value(p.Root)
	runtime.KeepAlive(&w) // see mem.NoEscape
	runtime.KeepAlive(&b)
	if !ok {
		return &EncodeError{Type: p.Type, Err: m.Cause}
	}
	return nil
}
