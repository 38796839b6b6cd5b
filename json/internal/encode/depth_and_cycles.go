package encode

import (
	"reflect"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// IsDeep reports whether a value of the call has more than cycleLevel levels.
func (e *Encoder) IsDeep() bool { return e.seen != nil }

// TooDeep returns the position of the first bracket that exceeds stream.MaxDepth, or a negative
// number if there is none. text is the JSON of a value that is nested in depth arrays and objects.
// To save time, TooDeep reads the text only if the value is deep; see IsDeep.
func (e *Encoder) TooDeep(text []byte, depth int) int {
	if !e.IsDeep() {
		return -1
	}
	for pos := 0; pos < len(text); {
		switch text[pos] {
		case '"':
			pos, _ = syntax.SkipString(text, pos)
			continue
		case '[', '{':
			// encoding/json does not check the depth of an empty slice or map, unless it writes
			// white space.
			empty := text[pos+1] == text[pos]+2
			if depth++; depth > stream.MaxDepth && (!empty || e.Has(option.Whitespace)) {
				return pos
			}
		case ']', '}':
			depth--
		}
		pos++
	}
	return -1
}

// cycleLevel is the nesting level beyond which the encoder detects cycles. Up to this level the
// detection costs nothing.
const cycleLevel = 1000

// enter is called before a pointer, a map or a slice is followed. Beyond cycleLevel it calls
// identity, which returns a key of the value. If a value with this key is already open, enter
// returns an error.
func (e *Encoder) enter(identity func() (any, reflect.Value)) (key any, err error) {
	if e.level++; e.level <= cycleLevel {
		return nil, nil
	}
	key, v := identity()
	if _, ok := e.seen[key]; ok {
		return nil, e.cycle(v)
	}
	if e.seen == nil {
		e.seen = map[any]struct{}{}
	}
	e.seen[key] = struct{}{}
	return key, nil
}

// cycle returns the error for a value that contains itself. It is not inlined, because enter runs for
// each pointer, map and slice.
//
//go:noinline
func (e *Encoder) cycle(v reflect.Value) error { return e.Mode.Rules.Unsupported(v, ErrCycle) }

// leave ends the level that enter started. key is the result of enter.
func (e *Encoder) leave(key any) {
	e.level--
	if key != nil {
		delete(e.seen, key)
	}
}
