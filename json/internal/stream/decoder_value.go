package stream

import (
	"io"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// ReadValue returns the next value as text, without white space around it. The text is valid until
// the next call, and may alias the input. On error the position of d is unchanged.
func (d *Decoder) ReadValue() (Value, error) {
	value, _, err := d.readValue(&d.index)
	return value, err
}

// ReadIndexed is like [Decoder.ReadValue], and indexes the value.
func (d *Decoder) ReadIndexed(index *syntax.Index) (Value, error) {
	value, indexed, err := d.readValue(index)
	if err == nil && !indexed {
		index.BuildFirst(value, true)
	}
	return value, err
}

// readValue implements ReadValue. It reports whether it has indexed the value; it indexes only
// arrays and objects.
func (d *Decoder) readValue(index *syntax.Index) (_ Value, indexed bool, err error) {
	pos, err := d.next()
	if err != nil {
		return nil, false, err
	}
	var start, end int
	switch c := d.buf[pos]; c {
	case '"':
		start, end, err = d.readString(pos)
	case '{', '[':
		start, end, indexed, err = d.readContainer(pos, index)
	case '}', ']':
		// A closing bracket was found instead of a value.
		if !d.closes(c) {
			err = d.wrongClosing(pos)
		} else {
			err = d.fault(badCharacter(d.buf[pos:], "at start of value"), pos, Next)
		}
	default:
		start, end, err = d.readScalar(pos)
	}
	if err != nil {
		return nil, false, err
	}
	d.start, d.end = start, end
	return d.buf[start:end:end], indexed, nil
}

// readContainer reads the array or the object at pos as one value, and reports whether the index is
// complete.
func (d *Decoder) readContainer(pos int, index *syntax.Index) (start, end int, indexed bool, err error) {
	switch mayNot := d.mayPush(); mayNot {
	case nil:
	case ErrNonStringName:
		// An array or object cannot be a name. Walk through it first, because an error inside it
		// takes precedence.
		object, before := d.PointerTo(Next), d.top.count
		d.top.count++
		member := d.PointerTo(Next)
		start, _, err := d.walk(pos, before)
		if err == nil {
			d.top.count--
		}
		d.top.count--
		if s, ok := err.(*SyntacticError); ok {
			s.JSONPointer = object + s.JSONPointer[len(member):] // remove the name of the member from the pointer
			return 0, 0, false, s
		}
		if err != nil {
			return 0, 0, false, err
		}
		return 0, 0, false, d.fault(ErrNonStringName, start, Next)
	default:
		return 0, 0, false, d.fault(mayNot, pos, Next)
	}
	n, status := index.BuildFirst(d.buf[pos:], d.r == nil)
	for status == syntax.Incomplete {
		if pos, err = d.fetch(pos); err != nil {
			d.unfetched = err // walk returns it, unless the text before the end has another error
			break
		}
		n, status = index.BuildMore(d.buf[pos:], false)
	}
	if status == syntax.Complete && d.mayTake(index, d.buf[pos:]) {
		d.top.count++
		return pos, pos + n, true, nil
	}
	start, end, err = d.walk(pos, d.top.count)
	return start, end, false, err
}

// skipWhole skips the next array or object if it is completely in the buffer, and reports whether
// it did.
func (d *Decoder) skipWhole() bool {
	pos := d.peeked
	if pos == 0 || d.mayPush() != nil {
		return false
	}
	n, status := d.index.BuildFirst(d.buf[pos:], d.r == nil)
	if status != syntax.Complete || !d.mayTake(&d.index, d.buf[pos:]) {
		return false
	}
	d.top.count++
	d.peeked = 0
	d.start, d.end = pos+n, pos+n
	return true
}

// mayTake reports whether the value in text, which is indexed, can be read in one step. This is not
// possible if the index of the value would be too large to be checked, if the value is nested too
// deeply, or if the options do not allow the value.
func (d *Decoder) mayTake(index *syntax.Index, text []byte) bool {
	words, outer := index.Words(), d.depth()+d.outerDepth
	if index.Dense() {
		return outer == 0 && !unique(&d.Set) && d.Has(option.AllowInvalidUTF8)
	}
	return (outer == 0 || outer+deepest(words, text) <= MaxDepth) && d.strict(text, words)
}

// deepest returns the maximum depth of the indexed value. If this depth is much less than MaxDepth,
// deepest returns an upper bound instead.
func deepest(words []syntax.Word, text []byte) int {
	most := len(words) / syntax.ContainerWords
	if most < MaxDepth/2 {
		return most
	}
	most = 0
	var closes []int
	for t := 0; t < len(words); {
		for len(closes) > 0 && t == closes[len(closes)-1] {
			closes = closes[:len(closes)-1]
		}
		if c := text[words[t].Pos()]; c == '{' || c == '[' {
			closes = append(closes, syntax.After(words, t))
			most = max(most, len(closes))
			t += syntax.ContainerWords
			continue
		}
		t++
	}
	return most
}

// strict reports whether the strings and names of the text satisfy the options of d; see [Strict].
// It leaves d's own stack unchanged.
func (d *Decoder) strict(text []byte, words []syntax.Word) bool {
	names, utf := unique(&d.Set), !d.Has(option.AllowInvalidUTF8)
	return !names && !utf || strict(text, words, 0, len(words), names, utf, &d.stack)
}

// Strict reports whether the values of words[t:end] satisfy two rules. If names is set, names must
// be unique in their object. If utf is set, strings must be valid UTF-8 without escapes of lone
// surrogates. The argument in is scratch memory.
func Strict(text []byte, words []syntax.Word, t, end int, names, utf bool, in *Names) bool {
	return strict(text, words, t, end, names, utf, &in.stack)
}

// Names is scratch memory for Strict.
type Names struct{ stack }

// Reset prepares n for another text. It drops large parts of the memory.
func (n *Names) Reset() { n.stack.reset() }

func strict(text []byte, words []syntax.Word, t, end int, names, utf bool, s *stack) bool {
	depth, top := len(s.levels), s.top
	ok := s.follow(text, words, t, end, names, utf)
	for len(s.levels) > depth {
		s.pop()
	}
	s.top = top
	return ok
}

// follow is like strict, but the words may end inside arrays and objects.
func (s *stack) follow(text []byte, words []syntax.Word, t, end int, names, utf bool) bool {
	closes := -1 // the index of the word after the innermost array or object
	var outer []int
	for t < end {
		for t == closes {
			s.pop()
			closes, outer = outer[len(outer)-1], outer[:len(outer)-1]
		}
		w := words[t]
		switch c := text[w.Pos()]; c {
		case '{', '[':
			s.open(c == '{')
			outer = append(outer, closes)
			closes = syntax.After(words, t)
			t += syntax.ContainerWords
			continue
		case '"':
			if names && s.top.wantsName() {
				stop := w.StringEnd(text)
				if utf && !w.Plain() && !isUnicode(text[w.Pos():stop], w) {
					return false
				}
				if !s.name(text[w.Pos():stop], w.Plain(), true) {
					return false
				}
			} else if utf && !w.Plain() && !isUnicode(text[w.Pos():w.StringEnd(text)], w) {
				return false
			}
		}
		s.top.count++
		t++
	}
	return true
}

// IsUnicode reports whether the string of w is valid UTF-8 without escapes of lone surrogates. The
// syntax of the string must be valid.
func IsUnicode(text []byte, w syntax.Word) bool {
	return w.Plain() || isUnicode(text[w.Pos():w.StringEnd(text)], w)
}

// isUnicode implements IsUnicode. The argument quoted is the text of the string, and w is its word.
func isUnicode(quoted []byte, w syntax.Word) bool {
	if !w.Escaped() {
		return syntax.ValidUTF8(quoted)
	}
	_, _, problem := syntax.ScanString(quoted, 0, 0, true)
	return problem.Kind == syntax.NoProblem
}

// walk reads the array or object at pos token by token, and adds it to the enclosing level as one
// value. before is the number of values in this level. An error has the position of the whole
// value. Because the buffer may move, walk returns the new start of the value too.
func (d *Decoder) walk(pos int, before int64) (start, end int, err error) {
	depth, count := len(d.levels), d.top.count
	start, end, err = d.walkValue(pos, depth, before)
	if err != nil {
		d.cut(depth, count)
	}
	if r, ok := err.(*readFailure); ok {
		err = r.error
		if len(r.pointer) > len(d.PointerTo(Next)) {
			err = syntactic(&d.Set, err, r.offset, r.pointer)
		}
	}
	return start, end, err
}

// A readFailure carries the position of an [IOError] within an array or object to walk, which knows
// the pointer of the whole value. As in encoding/json/jsontext, the error gets this position if its
// pointer is longer.
type readFailure struct {
	error
	offset  int64
	pointer []byte
}

// faultWithin is like fault, but returns an IOError with its position, as a readFailure.
func (d *Decoder) faultWithin(err error, pos int, sel Where) error {
	if _, io := err.(*IOError); io {
		return &readFailure{err, d.offset(pos), d.appendPointer(d.prefix(), sel)}
	}
	return d.fault(err, pos, sel)
}

// walkValue is like walk, but after an error arrays and objects may still be open on the stack.
func (d *Decoder) walkValue(pos, base int, before int64) (start, end int, err error) {
	start = pos
	inObject := d.top.object != 0
	begin := d.base
	// moved returns the current start of the value. The buffer may have moved.
	moved := func() int { return start - int(d.base-begin) }
	first := true
	for {
		// pos is the start of a value or a name.
		c := d.buf[pos]
		switch {
		case !first && d.top.wantsName():
			var f syntax.Form
			var stop int
			if pos, stop, f, err = d.scanString(pos); err != nil {
				return 0, 0, d.faultWithin(err, stop, Next)
			}
			if !d.name(d.buf[pos:stop], f&(syntax.Escaped|syntax.Broken) == 0, unique(&d.Set)) {
				return 0, 0, d.duplicate(d.buf[pos:stop], pos)
			}
			d.top.count++
			if pos, err = d.skipBlanks(stop); err != nil {
				return 0, 0, d.faultWithin(err, pos, Ambiguous)
			}
			if d.buf[pos] != ':' {
				return 0, 0, d.fault(badCharacter(d.buf[pos:], afterName), pos, Ambiguous)
			}
			if pos, err = d.skipBlanks(pos + 1); err != nil {
				return 0, 0, d.faultWithin(err, pos, Ambiguous)
			}
			continue
		case c == '{' || c == '[':
			if len(d.levels)+d.outerDepth == MaxDepth {
				return 0, 0, d.fault(ErrMaxDepth, pos, Next)
			}
			first = false
			d.open(c == '{')
			if pos, err = d.skipBlanks(pos + 1); err != nil {
				return 0, 0, d.faultWithin(err, pos, Ambiguous)
			}
			if d.buf[pos] != c+2 {
				continue
			}
			d.pop()
			pos++
		case c == '"':
			var stop int
			if _, stop, _, err = d.scanString(pos); err != nil {
				return 0, 0, d.faultWithin(err, stop, Next)
			}
			d.top.count++
			pos = stop
		case c == ']' || c == '}':
			return 0, 0, d.closingIn(pos, base, inObject, before)
		default:
			var stop int
			if _, stop, err = d.scanScalar(pos); err != nil {
				return 0, 0, d.faultWithin(err, stop, Next)
			}
			d.top.count++
			pos = stop
		}
		// pos is at the delimiter or bracket after a value.
		for {
			if len(d.levels) == base {
				return moved(), pos, nil
			}
			if pos, err = d.skipBlanks(pos); err != nil {
				return 0, 0, d.faultWithin(err, pos, Ambiguous)
			}
			c := d.buf[pos]
			if c == ',' {
				if pos, err = d.skipBlanks(pos + 1); err != nil {
					return 0, 0, d.faultWithin(err, pos, Ambiguous)
				}
				break
			}
			where, closing := afterElement, byte(']')
			if d.writes {
				where = afterWritten
			}
			if d.top.object != 0 {
				where, closing = afterMember, '}'
			}
			if c != closing {
				return 0, 0, d.fault(badCharacter(d.buf[pos:], where), pos, Ambiguous)
			}
			d.pop()
			pos++
		}
	}
}

// closingIn returns the error for a closing bracket where a value is expected. base is the number
// of arrays and objects that enclose the value being read. inObject says whether the innermost of
// these is an object. before is the number of values in the innermost one so far.
func (d *Decoder) closingIn(pos, base int, inObject bool, before int64) error {
	if base == 0 && d.Outer != nil {
		base = d.Outer.Depth()
		object, count, _ := d.Outer.Level(base)
		inObject, before = object, before+count
	}
	where, pointer := "at start of value", d.appendPointer(d.prefix(), Next)
	if inObject != (d.buf[pos] == '}') && base > 0 && before > 0 {
		where = afterElement
		if inObject {
			where = afterMember
		}
		pointer = []byte(Pointer(pointer).Parent())
	}
	return d.faultAt(badCharacter(d.buf[pos:], where), pos, pointer)
}

// NextStart returns the position in the buffer of the next value, without reading the value. ok is
// false if the next read returns an error.
func (d *Decoder) NextStart() (pos int, ok bool) {
	if pos = d.peeked; pos > 0 {
		return pos, true
	}
	if d.PeekKind() == 0 && d.failed != nil {
		return 0, false
	}
	return d.peeked, true // at the start of the buffer peeked is 0 and valid
}

// NextValue reads input until the buffer contains the next value, and returns its start and end. It
// indexes the value, or the part before a syntax error. It returns an error if there is no next
// value, or if the reader fails within the value. It does not advance d; see [Decoder.Pass]. If the
// input ends or the reader fails, d does not read again until [Decoder.Resume].
func (d *Decoder) NextValue(index *syntax.Index) (start, end int, status syntax.Status, err error) {
	pos, err := d.next()
	if err != nil {
		if _, ok := err.(*IOError); ok {
			d.unfetched, d.stopped = err, true
		} else if err == io.EOF {
			d.unfetched, d.stopped = io.ErrUnexpectedEOF, true
		}
		return 0, 0, syntax.Invalid, err
	}
	n, status := index.BuildFirst(d.buf[pos:], d.r == nil)
	for status == syntax.Incomplete && d.r != nil {
		if pos, err = d.fetch(pos); err != nil {
			// The end of the input may end a number. If the reader fails, the number may have more
			// digits.
			last := d.buf[len(d.buf)-1]
			n, status = index.BuildMore(d.buf[pos:], err == io.ErrUnexpectedEOF || last-'0' > 9)
			d.unfetched, d.stopped = err, true
			break
		}
		n, status = index.BuildMore(d.buf[pos:], false)
	}
	d.peeked = pos
	if _, ok := err.(*IOError); ok && status != syntax.Complete {
		return pos, pos + n, status, err
	}
	return pos, pos + n, status, nil
}

// Resume makes d read again after the input has ended or the reader has failed within a value.
func (d *Decoder) Resume() {
	if d.unfetched != nil {
		d.unfetched, d.stopped = nil, false
	}
}
