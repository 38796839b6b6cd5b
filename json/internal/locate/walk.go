package locate

import (
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
)

// maxDepth is how many levels of nesting are kept: no decoder goes deeper.
const maxDepth = 10_000

// A level is an array or an object that is open.
type level struct {
	object    bool
	onPath    bool // the way to it is the start of the pointer that is looked for
	index     int  // of the element that is read
	nameStart int  // the name of the member that is read, with its quotes
	nameEnd   int
}

// A token is a value or the name of a member. Of an array and an object it is the bracket.
type token struct {
	start, end int
	kind       byte // one of [{"0tfn, with " for names too
	name       bool
}

// A walk reads text that may be invalid from its start. It allocates the levels alone.
type walk struct {
	data   []byte
	pos    int
	levels []level
	values int  // at the top, which have ended
	first  int  // where the first of them ended
	failed bool // the text is wrong at pos, or ends there too early
	wants  want
}

// A want is the next part of the grammar.
type want uint8

const (
	wantValue      want = iota // a value, and at the top the end of the text
	wantElement                // a value, or the end of an array that has no element
	wantName                   // a name
	wantFirstName              // a name, or the end of an object that has no member
	wantColon                  // a colon
	wantCommaOrEnd             // a comma, or the end of the array or object
)

// next returns the next token. It is false at the end of the text and where that is
// wrong. Several values may follow one another.
func (w *walk) next() (token, bool) {
	for !w.failed {
		for w.pos < len(w.data) && isSpace(w.data[w.pos]) {
			w.pos++
		}
		if w.pos == len(w.data) {
			w.failed = w.wants != wantValue || w.depth() > 0 || w.values == 0
			return token{}, false
		}
		switch c := w.data[w.pos]; {
		case c == ',' && w.wants == wantCommaOrEnd:
			w.pos++
			w.wants = wantValue
			if top := w.top(); top != nil && top.object {
				w.wants = wantName
			} else if top != nil {
				top.index++
			}
		case c == ':' && w.wants == wantColon:
			w.pos++
			w.wants = wantValue
		case c == ']' && (w.wants == wantElement || w.wants == wantCommaOrEnd && !w.inObject()),
			c == '}' && (w.wants == wantFirstName || w.wants == wantCommaOrEnd && w.inObject()):
			w.pos++
			w.close()
		case w.wants == wantName || w.wants == wantFirstName:
			start := w.pos
			if c != '"' || !w.string() {
				w.failed = true
				return token{}, false
			}
			if top := w.top(); top != nil {
				top.nameStart, top.nameEnd = start, w.pos
			}
			w.wants = wantColon
			return token{start, w.pos, '"', true}, true
		case w.wants == wantValue || w.wants == wantElement:
			return w.value(c)
		default:
			w.failed = true
		}
	}
	return token{}, false
}

// value reads the value that starts with c, of an array or an object its bracket. The
// token is false if the value is wrong.
func (w *walk) value(c byte) (token, bool) {
	t := token{start: w.pos, kind: c}
	switch {
	case c == '{' || c == '[':
		t.end = t.start + 1
		return t, true // which enter goes into
	case c == '"':
		w.failed = !w.string()
	case c == '-' || '0' <= c && c <= '9':
		t.kind = '0'
		w.failed = !w.number()
	case c == 't':
		w.failed = !w.literal("true")
	case c == 'f':
		w.failed = !w.literal("false")
	case c == 'n':
		w.failed = !w.literal("null")
	default:
		w.failed = true
	}
	t.end = w.pos
	if !w.failed {
		w.done()
	}
	return t, !w.failed
}

// enter goes into the array or the object that the token starts.
func (w *walk) enter(t token, onPath bool) {
	if len(w.levels) == maxDepth {
		w.failed = true
		return
	}
	w.pos++
	w.wants = wantElement
	if t.kind == '{' {
		w.wants = wantFirstName
	}
	w.levels = append(w.levels, level{object: t.kind == '{', onPath: onPath})
}

// close leaves the innermost array or object.
func (w *walk) close() {
	w.levels = w.levels[:len(w.levels)-1]
	w.done()
}

// done says that a value has ended.
func (w *walk) done() {
	w.wants = wantCommaOrEnd
	if w.depth() == 0 {
		w.wants = wantValue
		if w.values++; w.values == 1 {
			w.first = w.pos
		}
	}
}

func (w *walk) depth() int { return len(w.levels) }

func (w *walk) top() *level {
	if len(w.levels) == 0 {
		return nil
	}
	return &w.levels[len(w.levels)-1]
}

func (w *walk) inObject() bool { return w.depth() > 0 && w.top().object }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// string reads a string and reports whether it is one. If not, pos is at the byte that may
// not be there.
func (w *walk) string() bool {
	for w.pos++; w.pos < len(w.data); w.pos++ {
		switch c := w.data[w.pos]; {
		case c == '"':
			w.pos++
			return true
		case c < ' ':
			return false
		case c == '\\':
			w.pos++
			if w.pos == len(w.data) || strings.IndexByte(`"\/bfnrtu`, w.data[w.pos]) < 0 {
				return false
			}
			if w.data[w.pos] != 'u' {
				continue
			}
			for range 4 {
				w.pos++
				if w.pos == len(w.data) || !isHex(w.data[w.pos]) {
					return false
				}
			}
		}
	}
	return false
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// number reads a number and reports whether it is one.
func (w *walk) number() bool {
	if w.data[w.pos] == '-' {
		w.pos++
	}
	switch {
	case w.at('0'):
		w.pos++
	case !w.digits():
		return false
	}
	if w.at('.') {
		w.pos++
		if !w.digits() {
			return false
		}
	}
	if w.at('e') || w.at('E') {
		w.pos++
		if w.at('+') || w.at('-') {
			w.pos++
		}
		return w.digits()
	}
	return true
}

// digits reads one digit at least.
func (w *walk) digits() bool {
	start := w.pos
	for w.pos < len(w.data) && isDigit(w.data[w.pos]) {
		w.pos++
	}
	return w.pos > start
}

func (w *walk) at(c byte) bool { return w.pos < len(w.data) && w.data[w.pos] == c }

func (w *walk) literal(text string) bool {
	for i := range len(text) {
		if !w.at(text[i]) {
			return false
		}
		w.pos++
	}
	return true
}

// is reports whether the element or member that l reads has the name or the index.
func (w *walk) is(l *level, name string) bool {
	if !l.object {
		return strconv.Itoa(l.index) == name
	}
	return w.nameOf(l) == name
}

// nameOf returns the name of the member that l reads, "" in front of the first one.
func (w *walk) nameOf(l *level) string {
	if l.nameEnd == 0 {
		return ""
	}
	return unquoted(w.data[l.nameStart:l.nameEnd])
}

// unquoted returns the bytes of a JSON string, without quotes and escapes.
func unquoted(text []byte) string {
	b, _ := syntax.AppendUnquoted(nil, text)
	return string(b)
}

// steps calls yield for each step of the way to what is read, of which the last is left out
// unless it is asked for.
func (w *walk) steps(last bool, yield func(l *level)) {
	for i := range w.levels {
		if l := &w.levels[i]; (!l.object || l.nameEnd > 0) && (last || i < len(w.levels)-1) {
			yield(l)
		}
	}
}

var escapeStep = strings.NewReplacer("~", "~0", "/", "~1")

// pointer returns the JSON pointer of the current value.
func (w *walk) pointer(last bool) string {
	var b []byte
	w.steps(last, func(l *level) {
		b = append(b, '/')
		if l.object {
			b = append(b, escapeStep.Replace(w.nameOf(l))...)
		} else {
			b = strconv.AppendInt(b, int64(l.index), 10)
		}
	})
	return string(b)
}

// path returns the same way as Go would write it.
func (w *walk) path(last bool) string {
	var b []byte
	w.steps(last, func(l *level) {
		if !l.object {
			b = append(strconv.AppendInt(append(b, '['), int64(l.index), 10), ']')
		} else {
			b = append(b, decode.PathStep(w.nameOf(l))...)
		}
	})
	return string(b)
}
