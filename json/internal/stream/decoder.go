package stream

import (
	"bytes"
	"errors"
	"io"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// A Decoder reads tokens and values from a buffer, or from a reader in pieces.
type Decoder struct {
	option.Set
	stack

	r           io.Reader // nil if the input is a buffer
	buf         []byte
	start       int    // the start of the last token or value
	end         int    // the end of the last token or value
	peeked      int    // the start of the next token, which a peek has found; 0 if unknown
	failed      error  // the error of the next read; set by a peek or by Fail
	failedToken error  // replaces failed if the next read reads a token; may be nil
	again       bool   // failed was set by a peek; the next peek clears it and tries again
	unfetched   error  // the next fetch returns this error without a read; may be nil
	stopped     bool   // all fetches return unfetched until Resume
	base        int64  // the number of bytes of the stream before buf
	separator   int    // see SetPart
	unread      []byte // see SetPart
	index       syntax.Index

	outerDepth int  // the number of enclosing arrays and objects, for the limit of depth
	writes     bool // an Encoder uses d to check the text that it writes

	// Outer is the position of the text within the enclosing text. Only a Decoder that the engine
	// passes to a method has an Outer.
	Outer *Place
}

// SetText makes d read from the buffer text.
func (d *Decoder) SetText(text []byte) {
	d.SetPart(text, nil, 0, 0, nil)
}

// SetPart makes d read text, which is a part of a larger text and starts at offset base. separator is
// the number of bytes between the previous token and text: white space and the delimiter. outer is the
// position of text in the larger text.
//
// unread is the text that UnreadBuffer returns. It starts at the end of the previous token, and
// continues after the end of text. If it is nil, UnreadBuffer returns the rest of text.
func (d *Decoder) SetPart(text, unread []byte, base int64, separator int, outer *Place) {
	d.stack.reset()
	if d.index.Cap() > 1<<16 {
		d.index = syntax.Index{} // a pooled Decoder must not retain a large index
	}
	// The conditions save write barriers: a call has one Decoder for all its methods.
	if d.r != nil {
		d.r = nil
	}
	if d.failed != nil || d.failedToken != nil {
		d.failed, d.failedToken = nil, nil
	}
	d.Resume()
	if d.Outer != outer {
		d.Outer = outer
	}
	d.buf, d.unread, d.start, d.end, d.peeked, d.again, d.base, d.separator = text, unread, 0, 0, 0, false, base, separator
}

// Reset makes d read from r with the given options.
func (d *Decoder) Reset(r io.Reader, options ...option.Options) {
	if d.Has(option.WithinCall) {
		panic("jsontext: cannot reset Decoder passed to json.UnmarshalerFrom")
	}
	var set option.Set
	set.Join(options...)
	d.SetReader(r, set)
}

// SetReader makes d read from r with the options of set.
func (d *Decoder) SetReader(r io.Reader, set option.Set) {
	if r == nil {
		panic("jsontext: invalid nil io.Reader")
	}
	buf := d.buf[:0]
	if d.r == nil {
		buf = nil // the buffer belongs to the caller
	}
	d.SetText(buf)
	d.r, d.Set = r, set
}

func (d *Decoder) offset(pos int) int64 { return d.base + int64(pos) }

// InputOffset returns the offset after the last token or value in the stream.
func (d *Decoder) InputOffset() int64 {
	if d.end == 0 {
		return d.base - int64(d.separator)
	}
	return d.offset(d.end)
}

// UnreadBuffer returns the bytes that d has read ahead.
func (d *Decoder) UnreadBuffer() []byte {
	switch {
	case len(d.unread) == 0:
		return d.buf[d.end:]
	case d.end == 0:
		return d.unread
	}
	return d.unread[d.separator+d.end:]
}

// Options returns the options of d, including the options of the call that passed d to a method.
func (d *Decoder) Options() option.Options {
	set := d.Set
	set.On &^= option.OfStream
	return set.Options()
}

const firstBuffer = 4 << 10

// fetch reads more input into the buffer. It keeps the last token and all input after it. It may
// move the buffer, and returns the new position of the byte at pos. At the end of the input it
// returns io.ErrUnexpectedEOF. If the reader fails, it returns an [IOError].
func (d *Decoder) fetch(pos int) (int, error) {
	if d.r == nil {
		return pos, io.ErrUnexpectedEOF
	}
	if err := d.unfetched; err != nil {
		if !d.stopped {
			d.unfetched = nil
		}
		return pos, err
	}
	keep := d.start
	if keep > 0 && (len(d.buf) == cap(d.buf) || keep == len(d.buf)) {
		d.buf = d.buf[:copy(d.buf, d.buf[keep:])]
		d.base += int64(keep)
		d.start, d.end, pos = 0, d.end-keep, pos-keep
	}
	if len(d.buf) == cap(d.buf) {
		grown := make([]byte, len(d.buf), max(firstBuffer, 2*cap(d.buf)))
		copy(grown, d.buf)
		d.buf = grown
	}
	n, err := Read(d.r, d.buf[len(d.buf):cap(d.buf)])
	d.buf = d.buf[:len(d.buf)+n]
	switch {
	case n > 0:
		return pos, nil // the next fetch returns err
	case err == io.EOF:
		return pos, io.ErrUnexpectedEOF
	}
	return pos, &IOError{"read", err}
}

// skipBlanks returns the position of the next byte that is not white space, and reads more input if
// necessary. On error it returns the end of the white space. The position may differ from pos
// because fetch moves the buffer.
func (d *Decoder) skipBlanks(pos int) (int, error) {
	for {
		pos = syntax.SkipSpace(d.buf, pos)
		if pos < len(d.buf) {
			return pos, nil
		}
		var err error
		if pos, err = d.fetch(pos); err != nil {
			return pos, err
		}
	}
}

// fault returns err as a [SyntacticError] at position pos in the buffer, with the JSON pointer of
// the value that sel selects. An [IOError] is returned unchanged.
func (d *Decoder) fault(err error, pos int, sel Where) error {
	return d.faultAt(err, pos, d.appendPointer(d.prefix(), sel))
}

func (d *Decoder) faultAt(err error, pos int, pointer []byte) error {
	if _, io := err.(*IOError); io {
		return err
	}
	return syntactic(&d.Set, err, d.offset(pos), pointer)
}

// prefix returns the JSON pointer of d's text within the enclosing text.
func (d *Decoder) prefix() []byte { return outerPointer(d.Outer) }

// next checks and skips the colon or comma before the next token, and returns the start of the
// token. At the end of the stream it returns [io.EOF].
func (d *Decoder) next() (int, error) {
	if d.peeked > 0 {
		pos := d.peeked
		d.peeked = 0
		return pos, nil
	}
	if d.failed != nil {
		if err := d.failure(); err != nil {
			return 0, err
		}
	}
	if d.r != nil {
		d.start = d.end
	}
	if pos := d.nextHere(); pos >= 0 {
		return pos, nil
	}
	pos := d.end
	if pos >= len(d.buf) || d.buf[pos] <= ' ' {
		var err error
		if pos, err = d.skipBlanks(pos); err != nil {
			if err == io.ErrUnexpectedEOF && d.depth() == 0 && (d.top.count > 0 || d.Outer == nil || d.Outer.Depth() == 0) {
				return pos, io.EOF
			}
			return pos, d.fault(err, pos, Ambiguous)
		}
	}
	var delim byte
	c := d.buf[pos]
	if c == ',' || c == ':' {
		delim = c
		var err error
		if pos, err = d.skipBlanks(pos + 1); err != nil {
			err = d.fault(err, pos, Ambiguous)
			if d.delimiter('"') != delim {
				err = d.wrongDelimiter('"')
			}
			return pos, err
		}
		c = d.buf[pos]
	}
	if d.delimiter(c) != delim {
		return pos, d.wrongDelimiter(c)
	}
	return pos, nil
}

// nextHere is like next, but fetches no input. It returns a negative number if the token is not in
// the buffer, or if the delimiter before it is wrong.
func (d *Decoder) nextHere() int {
	pos := syntax.SkipSpace(d.buf, d.end)
	if pos >= len(d.buf) {
		return -1
	}
	c := d.buf[pos]
	switch {
	case d.top.wantsMember():
		if c != ':' {
			return -1
		}
	case d.top.count > 0 && len(d.levels) > 0:
		if c == ']' || c == '}' {
			return pos
		}
		if c != ',' {
			return -1
		}
	case c == ',' || c == ':':
		return -1
	default:
		return pos
	}
	delim := c
	if pos = syntax.SkipSpace(d.buf, pos+1); pos >= len(d.buf) {
		return -1
	}
	if c = d.buf[pos]; c == delim || delim == ',' && (c == ']' || c == '}') {
		return -1
	}
	return pos
}

// wrongDelimiter returns the error for a missing or unexpected delimiter before a token that starts
// with the byte c.
func (d *Decoder) wrongDelimiter(c byte) error {
	where := "at start of value"
	switch d.delimiter(c) {
	case ':':
		where = afterName
	case ',':
		where = afterElement
		if d.top.object != 0 {
			where = afterMember
		}
	}
	pos := syntax.SkipSpace(d.buf, d.end)
	return d.fault(badCharacter(d.buf[pos:], where), pos, Ambiguous)
}

const (
	afterName    = "after object name (expecting ':')"
	afterMember  = "after object value (expecting ',' or '}')"
	afterElement = "after array element (expecting ',' or ']')"
	afterWritten = "after array value (expecting ',' or ']')" // the text of the same error in an Encoder
)

// PeekKind returns the kind of the next token. On error it returns 0, and the next read returns the
// error. The next peek tries again, because the reader may provide more input by then.
func (d *Decoder) PeekKind() Kind {
	if d.peeked > 0 {
		return KindOf(d.buf[d.peeked])
	}
	switch {
	case d.failed == errInValue:
		d.failed = d.failure()
	case d.again:
		d.failed, d.again = nil, false
	}
	if d.failed != nil {
		return 0
	}
	pos, err := d.next()
	if err != nil {
		d.failed, d.again = err, true
		return 0
	}
	d.peeked = pos
	if pos == 0 {
		return KindOf(d.buf[0]) // peeked stays 0 here, which means unknown
	}
	return KindOf(d.buf[pos])
}

// ReadToken returns the next token, which is valid until the next call. At the end of the stream it
// returns [io.EOF].
func (d *Decoder) ReadToken() (Token, error) {
	if d.failed != nil && d.failedToken != nil {
		d.failed = d.failedToken
	}
	pos, err := d.next()
	if err != nil {
		return Token{}, err
	}
	switch c := d.buf[pos]; c {
	case '"':
		start, end, err := d.readString(pos)
		if err != nil {
			return Token{}, err
		}
		d.start, d.end = start, end
		return Token{from: d, num: uint64(d.offset(start))}, nil
	case '{', '[':
		if err := d.push(c == '{'); err != nil {
			return Token{}, d.fault(err, pos, Next)
		}
		d.start, d.end = pos+1, pos+1
		if c == '{' {
			return BeginObject, nil
		}
		return BeginArray, nil
	case '}', ']':
		return d.closeAt(pos)
	default:
		start, end, err := d.readScalar(pos)
		if err != nil {
			return Token{}, err
		}
		switch c {
		case 'n':
			d.start, d.end = end, end
			return Null, nil
		case 't':
			d.start, d.end = end, end
			return True, nil
		case 'f':
			d.start, d.end = end, end
			return False, nil
		}
		d.start, d.end = start, end
		return Token{from: d, num: uint64(d.offset(start))}, nil
	}
}

// readString reads the string at pos, and adds it to the stack as a name or a value. It returns the
// start and the end of the string, because the buffer may have moved.
func (d *Decoder) readString(pos int) (start, end int, err error) {
	end = syntax.PlainRun(d.buf, pos+1)
	plain := end < len(d.buf) && d.buf[end] == '"'
	if plain {
		end++
	} else {
		var f syntax.Form
		if pos, end, f, err = d.scanString(pos); err != nil {
			return 0, 0, d.fault(err, end, Next)
		}
		plain = f&(syntax.Escaped|syntax.Broken) == 0
	}
	if d.top.wantsName() {
		if !d.name(d.buf[pos:end], plain, unique(&d.Set)) {
			return 0, 0, d.duplicate(d.buf[pos:end], pos)
		}
	}
	d.top.count++
	return pos, end, nil
}

// duplicate returns the error for the name at pos, which is already in the object.
func (d *Decoder) duplicate(quoted []byte, pos int) error {
	name, _ := unquoted(quoted)
	pointer := appendToken(append(d.appendPointer(d.prefix(), Next), '/'), name)
	return d.faultAt(ErrDuplicateName, pos, pointer)
}

// scanString returns the start, the end and the form of the string at pos. On error, end is the
// position of the error.
func (d *Decoder) scanString(pos int) (start, end int, f syntax.Form, err error) {
	n := 0
	for {
		var problem syntax.Problem
		n, f, problem = syntax.ScanString(d.buf[pos:], n, f, !d.Has(option.AllowInvalidUTF8))
		if problem.Kind != syntax.NeedsMore {
			return pos, pos + n, f, stringError(d.buf[pos:], n, problem)
		}
		if pos, err = d.fetch(pos); err != nil {
			return pos, pos + n, f, err
		}
	}
}

// readScalar reads the number or the literal at pos, and adds it to the stack. It returns the start
// and the end of the scalar, because the buffer may have moved.
func (d *Decoder) readScalar(pos int) (start, end int, err error) {
	start, end, err = d.scanScalar(pos)
	if err != nil {
		return 0, 0, d.fault(err, end, Next)
	}
	if err := d.scalar(); err != nil {
		return 0, 0, d.fault(err, start, Next)
	}
	return start, end, nil
}

// scanScalar returns the start and the end of the number or literal at pos. On error, end is the
// position of the error.
func (d *Decoder) scanScalar(pos int) (start, end int, err error) {
	c := d.buf[pos]
	switch KindOf(c) {
	case '0':
		if end := syntax.ReadNumber(d.buf, pos); end > 0 && end < len(d.buf) {
			return pos, end, nil
		}
		var n int
		var s syntax.NumberState
		for {
			var problem syntax.Problem
			n, s, problem = syntax.ScanNumber(d.buf[pos:], n, s)
			if problem.Kind != syntax.NeedsMore {
				if problem.Kind == syntax.BadCharacter {
					err = badCharacter(d.buf[pos+n:], "in number (expecting digit)")
				}
				return pos, pos + n, err
			}
			if pos, err = d.fetch(pos); err != nil {
				if s.MayEnd() && err == io.ErrUnexpectedEOF {
					return pos, pos + n, nil
				}
				if d.writes {
					return pos, pos + lastDigit(d.buf[pos:pos+n]), err
				}
				return pos, pos, err
			}
		}
	case 'n', 't', 'f':
		for {
			text, n, problem := syntax.ScanLiteral(d.buf[pos:])
			switch problem.Kind {
			case syntax.NoProblem:
				return pos, pos + n, nil
			case syntax.BadCharacter:
				where := "in literal " + text + " (expecting '" + text[n:n+1] + "')"
				return pos, pos + n, badCharacter(d.buf[pos+n:], where)
			}
			if pos, err = d.fetch(pos); err != nil {
				return pos, pos + n, err
			}
		}
	}
	return pos, pos, badCharacter(d.buf[pos:], "at start of value")
}

// lastDigit returns the position after the last digit of an incomplete number.
func lastDigit(number []byte) int {
	n := len(number)
	for n > 0 && number[n-1]-'0' > 9 {
		n--
	}
	return n
}

// wrongClosing returns the error for a bracket that does not close the innermost array or object.
func (d *Decoder) wrongClosing(pos int) error {
	where, pointer := "at start of value", d.appendPointer(d.prefix(), Next)
	if len(d.levels) > 0 && d.top.count > 0 {
		where = afterElement
		if d.top.object != 0 {
			where = afterMember
		}
		pointer = []byte(Pointer(pointer).Parent())
	}
	return d.faultAt(badCharacter(d.buf[pos:], where), pos, pointer)
}

// SkipValue reads and drops the next value. It buffers only one token at a time.
func (d *Decoder) SkipValue() error {
	if k := d.PeekKind(); k != '{' && k != '[' {
		_, err := d.ReadValue()
		return err
	}
	if d.skipWhole() {
		return nil
	}
	for depth := d.depth(); ; {
		if err := d.skipToken(); err != nil {
			return err
		}
		if d.depth() <= depth {
			return nil
		}
	}
}

// skipToken reads and drops the next token.
func (d *Decoder) skipToken() error {
	pos, err := d.next()
	if err != nil {
		return err
	}
	switch c := d.buf[pos]; c {
	case '"':
		d.start, d.end, err = d.stringAt(pos)
	case '{', '[':
		if err := d.push(c == '{'); err != nil {
			return d.fault(err, pos, Next)
		}
		d.start, d.end = pos+1, pos+1
	case '}', ']':
		_, err = d.closeAt(pos)
	default:
		d.start, d.end, err = d.scalarAt(pos)
	}
	return err
}

// stringAt and scalarAt are like readString and readScalar. On error they return the start and end
// of the previous token.
func (d *Decoder) stringAt(pos int) (start, end int, err error) {
	if start, end, err = d.readString(pos); err != nil {
		return d.start, d.end, err
	}
	return start, end, nil
}

func (d *Decoder) scalarAt(pos int) (start, end int, err error) {
	if start, end, err = d.readScalar(pos); err != nil {
		return d.start, d.end, err
	}
	return start, end, nil
}

// closeAt reads the closing bracket at pos.
func (d *Decoder) closeAt(pos int) (Token, error) {
	c := d.buf[pos]
	switch {
	case !d.closes(c):
		return Token{}, d.wrongClosing(pos)
	case d.top.wantsMember():
		return Token{}, d.fault(errMissingValue, pos, Next)
	}
	d.pop()
	d.start, d.end = pos+1, pos+1
	if c == '}' {
		return EndObject, nil
	}
	return EndArray, nil
}

// CheckEnd returns an error if anything except white space follows the last value, or if the reader
// fails.
func (d *Decoder) CheckEnd() error {
	switch pos, err := d.skipBlanks(d.end); err {
	case nil:
		return d.fault(badCharacter(d.buf[pos:], "after top-level value"), pos, Ambiguous)
	case io.ErrUnexpectedEOF:
		return nil
	default:
		return err
	}
}

// StackDepth returns the number of open arrays and objects.
func (d *Decoder) StackDepth() int { return stackDepth(&d.stack, d.Outer) }

// StackIndex returns the kind of level i, '{' or '[', and the number of its values so far. Names
// count as values. Level 0 is the stream itself, and its kind is 0.
func (d *Decoder) StackIndex(i int) (Kind, int64) { return stackIndex(&d.stack, d.Outer, i) }

// StackPointer returns the JSON pointer of the last token or value.
func (d *Decoder) StackPointer() Pointer { return stackPointer(&d.stack, d.Outer) }

// Fail makes the next read return err.
func (d *Decoder) Fail(err error) { d.failed, d.again = err, false }

// FailEither sets the error of the next read. A read of a value returns the error value, and a read
// of a token returns the error token.
func (d *Decoder) FailEither(value, token error) {
	d.failed, d.failedToken, d.again = value, token, false
}

// FailInValue is called if the next value contains an error. The next read then reads this value to
// find the error, and returns the error.
func (d *Decoder) FailInValue() { d.peeked, d.failed, d.again = 0, errInValue, false }

var errInValue = errors.New("jsontext: the next value is broken")

// failure returns the error of the next read, and clears it.
func (d *Decoder) failure() error {
	err := d.failed
	if d.failed, d.failedToken, d.again = nil, nil, false; err == errInValue {
		_, err = d.ReadValue()
	}
	return err
}

// StartName makes d treat the first value as the name of a member.
func (d *Decoder) StartName() { d.openObject() }

// WantsName reports whether the next token is a name or the end of an object.
func (d *Decoder) WantsName() bool { return d.top.wantsName() }

// MayClose reports whether the bracket k can close the innermost array or object here.
func (d *Decoder) MayClose(k Kind) bool { return d.closes(byte(k)) && !d.top.wantsMember() }

// NextOffset returns the offset in the stream of the next token, after white space and the comma or
// colon. It calls PeekKind, which may read more input.
func (d *Decoder) NextOffset() int64 {
	d.PeekKind()
	rest := d.buf[d.end:]
	return d.offset(len(d.buf) - len(bytes.TrimLeft(rest, " \n\t\r,:")))
}

// LastText returns the text of the last token or value. After a peek it returns nil.
func (d *Decoder) LastText() []byte {
	switch {
	case d.peeked > 0:
		return nil
	case d.start < d.end:
		return d.buf[d.start:d.end]
	}
	for _, token := range []string{"null", "false", "true", "{", "}", "[", "]"} {
		if n := d.end - len(token); n >= 0 && string(d.buf[n:d.end]) == token {
			return d.buf[n:d.end]
		}
	}
	return nil
}

// PointerTo returns the JSON pointer of the value that sel selects.
func (d *Decoder) PointerTo(sel Where) Pointer { return Pointer(d.appendPointer(d.prefix(), sel)) }

// Pass advances d past the next value, which is in the buffer from position start to position end.
// See [Decoder.NextValue].
func (d *Decoder) Pass(start, end int) {
	d.peeked = 0
	d.top.count++
	d.start, d.end = start, end
}

// Text returns the buffer.
func (d *Decoder) Text() []byte { return d.buf }

// SetBuffer replaces the buffer by b, which must contain the bytes of [Decoder.UnreadBuffer].
func (d *Decoder) SetBuffer(b []byte) {
	d.base += int64(d.end)
	d.peeked = max(0, d.peeked-d.end)
	d.buf, d.start, d.end = b, 0, 0
}

// Offset converts a position in the buffer to an offset in the stream.
func (d *Decoder) Offset(pos int) int64 { return d.offset(pos) }
