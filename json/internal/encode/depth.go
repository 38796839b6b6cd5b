package encode

import (
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// checkDepth returns the error for a value that is nested deeper than Go 1.27's encoding/json writes.
// Text is the encoding of the value.
func (e *Encoder) checkDepth(text []byte, on option.Flag) error {
	if e.seen == nil || e.Mode.First() {
		return nil
	}
	pos := e.TooDeep(text, 0)
	if pos < 0 {
		return nil
	}
	err := rules.SyntaxErrorOf(text[:pos+1], on)
	if s, ok := err.(*rules.SyntaxError); ok {
		s.Offset = int64(pos) + 1
	}
	return err
}

// TooDeep returns the position of the first bracket that opens more than stream.MaxDepth arrays and
// objects, or a negative number. Text is the encoding of the value, within depth others. It is looked through only if
// the value has more levels than cycleLevel, so that other values pay nothing.
func (e *Encoder) TooDeep(text []byte, depth int) int {
	if e.seen == nil {
		return -1
	}
	for pos := 0; pos < len(text); {
		switch text[pos] {
		case '"':
			pos, _ = syntax.SkipString(text, pos)
			continue
		case '[', '{':
			// encoding/json writes an empty slice or map without a look at the depth, unless it
			// writes white space.
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
