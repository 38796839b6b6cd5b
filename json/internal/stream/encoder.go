package stream

import (
	"io"
	"math/bits"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// An Encoder writes tokens and values to a buffer, or to a writer in pieces. It adds colons and
// commas, and the white space that the options require.
type Encoder struct {
	option.Set
	stack

	w    io.Writer // nil if the output is a buffer
	buf  []byte
	base int64 // the number of bytes written to w

	spare   []byte // see AvailableBuffer
	longest int    // the approximate length of the longest value so far

	// Calls is the number of nested calls of marshal methods and functions that led to e. It is 1
	// in a method that the engine calls. If this method calls MarshalEncode, it is 2 in the methods
	// that MarshalEncode calls, and so on.
	Calls int

	separator int // the number of bytes of delimiter and white space before the first value

	closedOuter bool // a token has closed the enclosing array or object, see Values

	// Outer is the position of the buffer within the enclosing text. Only an Encoder that the
	// engine passes to a method has an Outer.
	Outer *Place
}

// SetBuffer makes e append to b. Offsets are relative to the end of b.
func (e *Encoder) SetBuffer(b []byte) { e.SetPart(b, 0, 0, nil) }

// SetPart makes e append one value to b. The value starts at offset base of a larger text, which the
// caller writes. separator is the number of bytes between the previous token and the value: the
// delimiter and white space. outer is the position of the value in the larger text.
func (e *Encoder) SetPart(b []byte, base int64, separator int, outer *Place) {
	e.stack.reset()
	// The conditions save write barriers: a call has one Encoder for all its methods.
	if e.w != nil {
		e.w = nil
	}
	if e.Outer != outer {
		e.Outer = outer
	}
	e.buf, e.base, e.separator, e.Calls, e.closedOuter = b, base-int64(len(b)), separator, 0, false
}

// Buffer returns the output that has not been written to a writer.
func (e *Encoder) Buffer() []byte { return e.buf }

// Values returns the number of values that were written at the outermost level, and the number of
// open arrays and objects. The depth is negative if a token has closed the enclosing array or object.
func (e *Encoder) Values() (count int64, depth int) {
	if e.closedOuter {
		return 0, -1
	}
	return e.levelAt(0).count, e.depth()
}

// Values returns the number of values that were read at the outermost level, and the number of open
// arrays and objects.
func (d *Decoder) Values() (count int64, depth int) { return d.levelAt(0).count, d.depth() }

// Reset makes e write to w with the given options.
func (e *Encoder) Reset(w io.Writer, options ...option.Options) {
	switch {
	case w == nil:
		panic("jsontext: invalid nil io.Writer")
	case e.Has(option.WithinCall):
		panic("jsontext: cannot reset Encoder passed to json.MarshalerTo")
	}
	var set option.Set
	set.Join(options...)
	set.Lines()
	buf := e.buf[:0]
	if e.w == nil {
		buf = nil
	}
	e.SetBuffer(buf)
	e.w, e.Set = w, set
}

// Options returns the options of e, including the options of the call that passed e to a method.
func (e *Encoder) Options() option.Options {
	set := e.Set
	set.On &^= option.OfStream
	return set.Options()
}

// OutputOffset returns the offset after the last token or value in the output.
func (e *Encoder) OutputOffset() int64 {
	if e.separator > 0 && len(e.levels) == 0 && e.top.count == 0 {
		return e.base + int64(len(e.buf)-e.separator)
	}
	return e.base + int64(len(e.buf))
}

// StackDepth returns the number of open arrays and objects.
func (e *Encoder) StackDepth() int { return stackDepth(&e.stack, e.Outer) }

// StackIndex is like [Decoder.StackIndex].
func (e *Encoder) StackIndex(i int) (Kind, int64) { return stackIndex(&e.stack, e.Outer, i) }

// StackPointer returns the JSON pointer of the last token or value.
func (e *Encoder) StackPointer() Pointer { return stackPointer(&e.stack, e.Outer) }

// AvailableBuffer returns an empty slice with capacity for a typical value. The caller may append
// the argument of the next WriteValue to it.
func (e *Encoder) AvailableBuffer() []byte {
	if n := 1 << bits.Len(uint(e.longest|63)); cap(e.spare) < n {
		e.spare = make([]byte, 0, n)
	}
	return e.spare
}

// flushAt is the length in bytes at which the buffer is written to the writer, even inside a value.
const flushAt = 8 << 10

// written writes the buffer to the writer if a top-level value is complete or the buffer is large.
func (e *Encoder) written() error {
	if e.w == nil || len(e.levels) > 0 && len(e.buf) < flushAt {
		return nil
	}
	return e.flush()
}

func (e *Encoder) flush() error {
	if len(e.levels) == 0 && !e.Has(option.OneValue) {
		e.buf = append(e.buf, '\n')
	}
	n, err := Write(e.w, e.buf)
	e.base += int64(n)
	if err != nil {
		e.buf = e.buf[:copy(e.buf, e.buf[n:])]
		return &IOError{"write", err}
	}
	if cap(e.buf) > 16*flushAt {
		e.buf = nil
	}
	e.buf = e.buf[:0]
	return nil
}

// fault returns err as a [SyntacticError] at position pos in the buffer, with the JSON pointer of
// the value that sel selects.
func (e *Encoder) fault(err error, pos int, sel Where) error {
	return syntactic(&e.Set, err, e.base+int64(pos), e.appendPointer(outerPointer(e.Outer), sel))
}

// TooDeep returns the error for a value that is nested too deeply.
func (e *Encoder) TooDeep() error { return e.fault(ErrMaxDepth, len(e.Start('[')), Next) }

// Start returns the buffer with the delimiter and the white space that precede the next token. The
// token starts with the byte c. Start does not change e: the caller passes the buffer to
// [Encoder.Count] after it has appended the token.
func (e *Encoder) Start(c byte) []byte {
	b := e.buf
	delim := e.delimiter(c)
	if delim != 0 {
		b = append(b, delim)
	}
	if e.Spaced() {
		b = e.space(b, delim, c)
	}
	return b
}

// space appends the white space between the delimiter delim, which is 0 if there is none, and a
// token that starts with c.
func (e *Encoder) space(b []byte, delim, c byte) []byte {
	if delim == ':' {
		if e.Has(option.SpaceAfterColon) {
			b = append(b, ' ')
		}
		return b
	}
	if delim == ',' && e.Has(option.SpaceAfterComma) {
		b = append(b, ' ')
	}
	if !e.Has(option.Multiline) || len(e.levels) == 0 {
		return b
	}
	closes := c == '}' || c == ']'
	switch {
	case closes && e.top.count > 0:
		return e.line(b, len(e.levels)-1)
	case !closes && (delim == ',' || e.top.count == 0):
		return e.line(b, len(e.levels))
	}
	return b
}

// line appends a newline and the indentation for the given depth.
func (e *Encoder) line(b []byte, depth int) []byte {
	b = append(append(b, '\n'), e.Prefix...)
	for range depth {
		b = append(b, e.Indent...)
	}
	return b
}

// WriteToken writes t. If t is not allowed here, it returns a [*SyntacticError] and writes nothing.
func (e *Encoder) WriteToken(t Token) error {
	switch t.form() {
	case readForm:
		return e.writeText(t.raw())
	case textForm:
		switch c := t.str[0]; c {
		case '{', '[', '}', ']':
			return e.writeBracket(c)
		}
		return e.writeText([]byte(t.str))
	case stringForm:
		return e.WriteString(t.str)
	case noToken:
		return e.fault(errInvalidToken, len(e.Start(0)), Next)
	}
	b := e.Start('0')
	if err := e.scalar(); err != nil {
		return e.fault(err, len(b), Next)
	}
	e.buf = t.appendNumber(b)
	return e.written()
}

// WriteString writes a string, as a name or a value.
func (e *Encoder) WriteString(s string) error {
	b := e.Start('"')
	pos := len(b)
	b, ok := AppendString(b, s, &e.Set)
	if !ok {
		return e.fault(ErrInvalidUTF8, pos, Next)
	}
	if e.top.wantsName() {
		plain := len(b)-pos == len(s)+len(`""`) // an escape would make the JSON text longer
		if !e.name(b[pos:], plain, unique(&e.Set)) {
			return e.duplicate(b[pos:], pos)
		}
	}
	e.top.count++
	e.buf = b
	return e.written()
}

// duplicate returns the error for a name that is already in the object.
func (e *Encoder) duplicate(quoted []byte, pos int) error {
	name, _ := unquoted(quoted)
	pointer := appendToken(append(e.appendPointer(outerPointer(e.Outer), Next), '/'), name)
	return syntactic(&e.Set, ErrDuplicateName, e.base+int64(pos), pointer)
}

// writeBracket writes an opening or closing bracket.
func (e *Encoder) writeBracket(c byte) error {
	b := e.Start(c)
	switch {
	case c == '{' || c == '[':
		if err := e.push(c == '{'); err != nil {
			return e.fault(err, len(b), Next)
		}
	case e.depth() == 0 && e.closesOuter(c):
		// As in encoding/json/jsontext, only the caller of the method reports this.
		e.closedOuter = true
	case !e.closes(c):
		return e.fault(errMismatch, len(b), Next)
	case e.top.wantsMember():
		return e.fault(errMissingValue, len(b), Next)
	default:
		e.pop()
	}
	e.buf = append(b, c)
	return e.written()
}

// closesOuter reports whether the bracket c closes the array or object that encloses the text of e,
// in which no array or object is open.
func (e *Encoder) closesOuter(c byte) bool {
	if e.Outer == nil || e.Outer.Depth() == 0 {
		return false
	}
	object, _, _ := e.Outer.Level(e.Outer.Depth())
	return !object && c == ']' // an object cannot end, because the value of a member is missing
}

// writeText writes a token, given as JSON text.
func (e *Encoder) writeText(text []byte) error {
	if c := text[0]; c == '{' || c == '[' || c == '}' || c == ']' {
		return e.writeBracket(c)
	}
	b := e.Start(text[0])
	pos := len(b)
	switch c := text[0]; c {
	case '"':
		var ok bool
		if b, ok = appendQuoted(b, text, &e.Set); !ok {
			return e.fault(ErrInvalidUTF8, pos, Next)
		}
		if e.top.wantsName() && !e.name(b[pos:], false, unique(&e.Set)) {
			return e.duplicate(b[pos:], pos)
		}
		e.top.count++
		e.buf = b
		return e.written()
	case 'n', 't', 'f':
		if err := e.scalar(); err != nil {
			return e.fault(err, pos, Next)
		}
	default:
		if err := e.scalar(); err != nil {
			return e.fault(err, pos, Next)
		}
		e.buf = appendNumber(b, text, &e.Set)
		return e.written()
	}
	e.buf = append(b, text...)
	return e.written()
}

// Count adds a value to the stack. b is the result of Start, to which the engine has appended the
// value.
func (e *Encoder) Count(b []byte) error {
	if err := e.scalar(); err != nil {
		return err
	}
	e.buf = b
	return e.written()
}

// CountName is like Count, for a name that starts at position pos of b.
func (e *Encoder) CountName(b []byte, pos int) error {
	if len(b) <= pos || b[pos] != '"' {
		return e.fault(ErrNonStringName, pos, Next)
	}
	if !e.name(b[pos:], false, unique(&e.Set)) {
		return e.duplicate(b[pos:], pos)
	}
	e.top.count++
	e.buf = b
	return e.written()
}

// WantsName reports whether the next token must be a name or the end of an object.
func (e *Encoder) WantsName() bool { return e.top.wantsName() }

// StartName makes e treat the first value as the name of a member.
func (e *Encoder) StartName() { e.openObject() }

// CopyPlace makes e continue at the position of the Encoder other: it copies the open arrays and
// objects, but no output.
func (e *Encoder) CopyPlace(other *Encoder) {
	e.Set, e.Outer, e.w, e.buf = other.Set, other.Outer, nil, nil
	e.base = other.OutputOffset()
	e.levels = append([]level(nil), other.levels...)
	e.top = other.top
	e.outer, e.names = append([]object(nil), other.outer...), other.names
	e.names.index = 0 // the map of names is rebuilt when it is needed
	for i := range e.outer {
		e.outer[i].index = 0
	}
	e.list = append([]name(nil), other.list...)
	e.text = append([]byte(nil), other.text...)
}

// Replay writes the tokens of text, which must not contain white space. It ignores a comma or colon
// at the end.
func (e *Encoder) Replay(text []byte) {
	held := e.Set
	defer func() { e.Set = held }()
	e.Put(option.AllowDuplicateNames, true)
	for pos := 0; pos < len(text); {
		switch c := text[pos]; c {
		case ',', ':':
			pos++
			continue
		case '{', '[', '}', ']':
			_ = e.writeText(text[pos : pos+1])
			pos++
			continue
		}
		end := syntax.SkipValue(text, pos)
		b := append(e.Start(text[pos]), text[pos:end]...)
		if text[pos] == '"' && e.top.wantsName() {
			e.name(text[pos:end], false, false)
		}
		e.top.count++
		e.buf = b
		pos = end
	}
}

// Place returns the offset of the next value, and the JSON pointer of the value that sel selects.
func (e *Encoder) Place(sel Where) (offset int64, pointer Pointer) {
	return e.base + int64(len(e.Start('"'))), Pointer(e.appendPointer(outerPointer(e.Outer), sel))
}
