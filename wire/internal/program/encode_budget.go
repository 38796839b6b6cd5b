package program

import (
	"math"
	"runtime"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/measure"
)

// affordsAll reports whether the default budget suffices for every value, so that afford need not be
// called.
func (p *Program) affordsAll(l budget.Limits) bool {
	return l.Bytes == 0 && l.AtMost <= 0 && p.ratio <= budget.PerByte
}

// afford checks that a decoder with the limits l has enough memory for data, an encoding by p.
//
// p.ratio is an upper bound of the memory for each byte of data. For most types the ratio is at
// most budget.PerByte, so no value can exceed the default budget. Most values of the other
// types fit the budget even at the worst ratio. Only the remaining encodings are measured.
func (p *Program) afford(l budget.Limits, data []byte) error {
	if p.affordsAll(l) {
		return nil
	}
	// The budget is divided because the product of the ratio and the length might overflow. The
	// quotient is rounded down, so at most a few more encodings than necessary are measured.
	b := budget.Of(l, len(data))
	if p.ratio <= uint64(b)/uint64(max(len(data), 1)) {
		return nil
	}
	w := measure.Over(data)
	// The encoder has checked the depth already.
	m := measure.Measure{Window: mem.NoEscape(&w), Depth: math.MaxInt, Budget: mem.NoEscape(&b)}
	ok := mem.NoEscape(&m).Value(p.Root)
	runtime.KeepAlive(&w) // see mem.NoEscape
	runtime.KeepAlive(&b)
	if !ok {
		return &EncodeError{Type: p.Type, Err: m.Cause}
	}
	return nil
}
