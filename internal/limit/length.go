package limit

import (
	"strings"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// checkLength reports whether the length of the value is allowed.
func (n *node) checkLength(c *check, a mem.Pointer, off uintptr) bool {
	var length int
	unit := "elements"
	switch s := n.shape; s.Kind {
	case shape.String:
		length, unit = utf8.RuneCountInString(mem.Load[string](a, off)), "characters"
	case shape.Bytes:
		length, unit = len(a.Bytes(off)), "bytes"
	case shape.Slice:
		_, length = a.Slice(off)
	case shape.Array:
		length = s.Len
	case shape.Map:
		if !a.MapIsNil(off) {
			length = a.Value(off, s.Type).Len()
		}
	}
	low, high := n.limits.MinLength, n.limits.MaxLength
	if high == 1 || high < 0 && low == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	switch {
	case length >= low && (high < 0 || length <= high):
		return true
	case high < 0:
		return c.violated("must have at least %d %s", low, unit)
	case low == high:
		return c.violated("must have %d %s", low, unit)
	case low == 0:
		return c.violated("must have at most %d %s", high, unit)
	}
	return c.violated("must have %d to %d %s", low, high, unit)
}
