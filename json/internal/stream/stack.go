package stream

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// MaxDepth is the maximum nesting depth of arrays and objects.
const MaxDepth = syntax.MaxDepth

// A level is an open array or object. The first level is the stream itself.
//
// Each array and object copies a level twice, so a level has only two words. The names of an object
// are in the stack.
type level struct {
	count  int64 // the number of values; names count too
	object int   // for an object, the number of open objects up to this one; 0 for an array
}

// An object holds the names of an open object.
type object struct {
	first int    // the index of its first name in stack.list
	text  int    // the start of its names in stack.text
	last  int    // the start of its last name in stack.text; negative if it has no name yet
	end   int    // the end of its last name in stack.text
	seen  uint64 // a Bloom filter of the names, which recognizes most new names
	index int    // the number of its map in stack.indexes, from 1; 0 if it has none
}

// A stack contains the open arrays and objects, and their names.
type stack struct {
	top    level    // the innermost level
	levels []level  // all levels except the innermost one
	names  object   // the names of the innermost open object
	outer  []object // the names of the other open objects; its first element is unused
	list   []name   // the names of the open objects, if duplicates are not allowed
	text   []byte   // the bytes of these names; if duplicates are allowed, of the last name of each object

	indexes []map[string]struct{} // the names of objects with many names
}

// A name is a name in an open object.
type name struct {
	digest     uint64
	start, end int // its bytes in stack.text
}

func (s *stack) reset() {
	s.levels, s.top, s.outer = s.levels[:0], level{}, s.outer[:0]
	s.list, s.text = s.list[:0], s.text[:0]
	if s.indexes != nil {
		s.indexes = nil
	}
	if cap(s.levels) > 1<<10 {
		s.levels, s.outer = nil, nil
	}
	if cap(s.list) > 1<<10 || cap(s.text) > 1<<14 {
		s.list, s.text = nil, nil
	}
}

// depth returns the number of open arrays and objects.
func (s *stack) depth() int { return len(s.levels) }

// wantsName reports whether the next token is a name or the end of the object.
func (l *level) wantsName() bool { return l.object != 0 && l.count&1 == 0 }

// wantsMember reports whether the next token is the value of a member.
func (l *level) wantsMember() bool { return l.object != 0 && l.count&1 != 0 }

// levelAt returns the level that is nested in i arrays and objects.
func (s *stack) levelAt(i int) *level {
	if i == len(s.levels) {
		return &s.top
	}
	return &s.levels[i]
}

// delimiter returns the colon or comma that must precede a token that starts with c, or 0 if none.
func (s *stack) delimiter(c byte) byte {
	switch {
	case s.top.wantsMember():
		return ':'
	case s.top.count > 0 && len(s.levels) > 0 && c != '}' && c != ']':
		return ','
	}
	return 0
}

// scalar adds a value other than a string.
func (s *stack) scalar() error {
	if s.top.wantsName() {
		return ErrNonStringName
	}
	s.top.count++
	return nil
}

// push opens an array or an object.
func (s *stack) push(object bool) error {
	if err := s.mayPush(); err != nil {
		return err
	}
	s.open(object)
	return nil
}

// grow makes room for more levels, and for the first objects in them: most texts then need no more.
func (s *stack) grow() {
	s.levels = slices.Grow(s.levels, 16)
	if s.outer == nil {
		s.outer = make([]object, 0, 8)
	}
}

// open implements push.
func (s *stack) open(object bool) {
	if len(s.levels) == cap(s.levels) {
		s.grow()
	}
	s.levels = append(s.levels, level{s.top.count + 1, s.top.object})
	if s.top = (level{}); object {
		s.openObject()
	}
}

// openObject makes the innermost level an object without names.
func (s *stack) openObject() {
	s.outer = append(s.outer, s.names)
	s.names = object{first: len(s.list), text: len(s.text), last: -1}
	s.top.object = len(s.outer)
}

func (s *stack) mayPush() error {
	switch {
	case s.top.wantsName():
		return ErrNonStringName
	case len(s.levels) == MaxDepth:
		return ErrMaxDepth
	}
	return nil
}

// pop closes the innermost array or object.
func (s *stack) pop() {
	if s.top.object != 0 {
		s.closeObject()
	}
	s.top = s.levels[len(s.levels)-1]
	s.levels = s.levels[:len(s.levels)-1]
}

// closeObject removes the names of the innermost level.
func (s *stack) closeObject() {
	o := &s.names
	s.list, s.text = s.list[:o.first], s.text[:o.text]
	if o.index > 0 {
		s.indexes[o.index-1] = nil
		s.indexes = s.indexes[:o.index-1]
	}
	s.names = s.outer[len(s.outer)-1]
	s.outer = s.outer[:len(s.outer)-1]
}

// closes reports whether the bracket c closes the innermost array or object.
func (s *stack) closes(c byte) bool { return len(s.levels) > 0 && (s.top.object != 0) == (c == '}') }

// cut closes all arrays and objects deeper than depth. The innermost level that remains gets the
// given count.
func (s *stack) cut(depth int, count int64) {
	for len(s.levels) > depth {
		s.pop()
	}
	s.top.count = count
}

// A Where selects a value relative to the current position, for a JSON pointer.
type Where int8

const (
	Previous  Where = iota - 1 // the last token
	Ambiguous                  // after a name, the member with this name; otherwise the innermost array or object
	Next                       // the next value; if a name comes next, the innermost object
)

// appendPointer appends the JSON pointer of the value that sel selects.
func (s *stack) appendPointer(b []byte, sel Where) []byte {
	for i := 1; i <= len(s.levels); i++ {
		l := s.levelAt(i)
		step := int64(-1)
		if i == len(s.levels) {
			var ok bool
			if step, ok = l.step(sel); !ok {
				return b
			}
		}
		b = appendStep(b, l.object != 0, l.count+step, s.lastName(l))
	}
	return b
}

// step reports whether the pointer to the value that sel selects has a token for the level l, which
// must be the innermost one. If l is an array, the token is the index l.count+step.
func (l *level) step(sel Where) (step int64, ok bool) {
	switch {
	case sel == Previous && l.count == 0, sel == Ambiguous && !l.wantsMember(), sel == Next && l.wantsName():
		return 0, false
	case sel == Next:
		return 0, true
	}
	return -1, true
}

// appendStep appends the reference token for an element or a member (RFC 6901).
func appendStep(b []byte, object bool, element int64, name []byte) []byte {
	b = append(b, '/')
	if object {
		return appendToken(b, name)
	}
	return strconv.AppendInt(b, element, 10)
}

// lastName returns the last name of a level, or nil if it has none.
func (s *stack) lastName(l *level) []byte {
	if l.object == 0 {
		return nil
	}
	o := &s.names
	if l.object < len(s.outer) {
		o = &s.outer[l.object]
	}
	if o.last < 0 {
		return nil
	}
	return s.text[o.last:o.end]
}

// appendToken appends a name as a reference token, with escapes.
func appendToken(b, name []byte) []byte {
	for _, r := range string(name) {
		switch r {
		case '~':
			b = append(b, "~0"...)
		case '/':
			b = append(b, "~1"...)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// A Track computes the open arrays and objects at a position in a valid text. It continues from its
// last position, so a series of ascending positions costs one pass over the text.
type Track struct {
	stack
	from int // the position that Reset moves the track to
	at   int
}

// Move moves t to the position pos, which must be before or after a value or name. It skips the
// colon or comma before this position.
func (t *Track) Move(text []byte, pos int) {
	if pos < t.at {
		t.Reset()
	}
	for t.at < pos {
		c := text[t.at]
		switch c {
		case ' ', '\n', '\t', '\r', ',', ':':
			t.at++
			continue
		case '{', '[':
			_ = t.push(c == '{')
			t.at++
			continue
		case '}', ']':
			t.pop()
			t.at++
			continue
		}
		var end int
		if c == '"' {
			var plain bool
			end, plain = syntax.SkipString(text, t.at)
			if t.top.wantsName() {
				t.stack.name(text[t.at:end], plain, false)
			}
		} else {
			end = syntax.SkipValue(text, t.at)
		}
		t.top.count++
		t.at = end
	}
}

// Reset moves t back to its start.
func (t *Track) Reset() {
	t.stack.reset()
	t.at = t.from
}

// StartAt makes t start at pos, where a value starts.
func (t *Track) StartAt(pos int) {
	t.from = pos
	t.Reset()
}

// Next returns the JSON pointer of the value that starts at the position, and Previous returns the
// JSON pointer of the value that ends there.
func (t *Track) Next() Pointer     { return Pointer(t.appendPointer(nil, Next)) }
func (t *Track) Previous() Pointer { return Pointer(t.appendPointer(nil, Previous)) }

// At returns the position.
func (t *Track) At() int { return t.at }

// WantsName reports whether the next token is a name or the end of an object.
func (t *Track) WantsName() bool { return t.top.wantsName() }

// Level returns level i; see [Place.Level].
func (t *Track) Level(i int) (object bool, count int64, name []byte) { return t.describe(i) }

// describe returns whether level i is an object, the number of its values, and its last name.
func (s *stack) describe(i int) (object bool, count int64, name []byte) {
	l := s.levelAt(i)
	return l.object != 0, l.count, s.lastName(l)
}

// Depth returns the number of open arrays and objects.
func (t *Track) Depth() int { return t.depth() }

// KindOf returns the kind of a value whose first byte is c, or 0 if no value starts with c.
func KindOf(c byte) Kind { return kinds[c] }

var kinds = func() (k [256]Kind) {
	for _, c := range `nft"{}[]` {
		k[c] = Kind(c)
	}
	for _, c := range "-0123456789" {
		k[c] = '0'
	}
	return k
}()

// unique reports whether names must be unique in an object.
func unique(s *option.Set) bool { return s.On&option.AllowDuplicateNames == 0 }
