package locate

import (
	"errors"
	"io"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// A token is a value or the name of a member. An array or object is represented by its opening bracket.
type token struct {
	start, end int
	// kind is one of the bytes [ { " 0 t f n. The kind of a name is '"'.
	kind stream.Kind
	name bool
	// depth is the number of enclosing arrays and objects.
	depth int
}

// A walk reads the tokens of a text, which may be invalid. It stores some bytes for each open array
// or object, and the last name of each open object.
type walk struct {
	in   stream.Decoder
	data []byte
	// onPath says for each open array or object whether the searched JSON pointer leads through it.
	onPath []bool
	// values is the number of complete top-level values, and first is the end of the first one.
	values int
	first  int
	// If failed is set, the text is invalid or incomplete at pos. due is set if a value is expected
	// at pos.
	failed bool
	pos    int
	due    bool
}

// newWalk returns a walk over data by the rules of version 1: names may repeat, and strings may
// contain invalid UTF-8.
func newWalk(data []byte) *walk {
	w := &walk{data: data}
	w.in.SetText(data)
	w.in.On |= option.AllowDuplicateNames | option.AllowInvalidUTF8
	return w
}

// next returns the next token. It returns false at the end of the text and at a syntax error. The
// text may contain several values.
func (w *walk) next() (token, bool) {
	for !w.failed {
		t := token{name: w.in.WantsName(), depth: w.in.StackDepth()}
		read, err := w.in.ReadToken()
		if err != nil {
			w.fail(err)
			return token{}, false
		}
		t.kind, t.end = read.Kind(), int(w.in.InputOffset())
		switch t.kind {
		case '}', ']':
			w.onPath = w.onPath[:len(w.onPath)-1]
			w.ended()
			continue
		case '{', '[':
			t.start = t.end - 1
			w.onPath = append(w.onPath, false)
			return t, true
		}
		t.start = t.end - len(w.in.LastText())
		if !t.name {
			w.ended()
		}
		return t, true
	}
	return token{}, false
}

// enter records for an array or object t whether the searched JSON pointer leads through t.
func (w *walk) enter(t token, onPath bool) {
	if t.kind == '[' || t.kind == '{' {
		w.onPath[t.depth] = onPath
	}
}

// parentOnPath reports whether the searched JSON pointer leads through the array or object that contains
// t.
func (w *walk) parentOnPath(t token) bool { return t.depth == 0 || w.onPath[t.depth-1] }

// ended updates values and first if the token that was read last completes a top-level value.
func (w *walk) ended() {
	if w.in.StackDepth() == 0 {
		if w.values++; w.values == 1 {
			w.first = int(w.in.InputOffset())
		}
	}
}

// fail records the position of a syntax error: the first invalid byte, or the end of the text. The
// stream reports another offset for a wrong delimiter, for an escape, and for a literal instead of
// a name.
func (w *walk) fail(err error) {
	end := int(w.in.InputOffset())
	start := syntax.SkipSpace(w.data, end) // the start of the invalid token
	delimited := start < len(w.data) && w.delimits(w.data[start])
	if delimited {
		start = syntax.SkipSpace(w.data, start+1)
	}
	var syntactic *stream.SyntacticError
	switch {
	case err == io.EOF:
		w.pos, w.failed, w.due = len(w.data), w.values == 0, true
		return
	case start < len(w.data) && w.in.WantsName() && w.data[start] != '"':
		w.pos = start
	case errors.Is(err, io.ErrUnexpectedEOF), !errors.As(err, &syntactic), syntactic.ByteOffset >= int64(len(w.data)):
		w.pos = len(w.data)
	default:
		w.pos = max(start, int(syntactic.ByteOffset))
		if w.pos > start && w.data[start] == '"' && w.data[w.pos] == '\\' {
			w.pos = w.badEscape(w.pos)
		}
	}
	w.failed = true
	object, count, _ := w.in.Level(w.in.StackDepth())
	switch {
	case w.in.StackDepth() == 0:
		w.due = true
	case object:
		w.due = count%2 == 1
	default:
		w.due = count == 0 || delimited
	}
}

// delimits reports whether c is the colon or comma that is expected after the last token.
func (w *walk) delimits(c byte) bool {
	object, count, _ := w.in.Level(w.in.StackDepth())
	if object && count%2 == 1 {
		return c == ':'
	}
	return c == ',' && count > 0 && w.in.StackDepth() > 0
}

// badEscape returns the position of the first invalid byte of the escape at pos.
func (w *walk) badEscape(pos int) int {
	end := pos + 1
	if end < len(w.data) && w.data[end] == 'u' {
		for end++; end < min(pos+6, len(w.data)) && isHex(w.data[end]); end++ {
		}
	}
	return end
}

func isHex(c byte) bool { return c-'0' <= 9 || c|0x20-'a' <= 5 }
