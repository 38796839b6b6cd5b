//go:build !(go1.27 && goexperiment.jsonv2)

package json

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// successor returns the decoder that continues after an error, by the rules from Go 1.27 on.
func (d *Decoder) successor() standard {
	in, calls := d.unread()
	return read(&secondDecoder{r: in, levels: make([]secondLevel, 1), useNumber: d.options.UseNumber}, calls)
}

// A secondDecoder reads values and tokens as the Decoder of encoding/json does from Go 1.27 on, in
// a build whose encoding/json has the first engine. Its Decode supports only a RawMessage. A read
// that fails leaves its position unchanged.
//
// It is only used after an error, so it is simple and not fast. A Decoder of package stream could
// do the same, but would add 120 KB to each program that decodes a stream.
type secondDecoder struct {
	r         io.Reader
	buf       []byte
	pos       int   // the end of the last token in buf
	before    int64 // the number of bytes before buf
	failed    error // the error of the reader after the bytes in buf
	levels    []secondLevel
	err       error // the error of all further calls
	useNumber bool
	// Asked says that the last call was More, and ended that it was Token at the end of the stream.
	asked, ended bool
}

// A secondLevel is the stream, or an open array or object.
type secondLevel struct {
	bracket byte // 0 for the stream
	count   int  // the number of values; names count too
}

// errEnds reports text that ends too early.
var errEnds = io.ErrUnexpectedEOF

// A secondFault is a syntax error. Offset is the position after the invalid byte.
type secondFault struct{ offset int64 }

func (*secondFault) Error() string { return "invalid character" }

func (d *secondDecoder) UseNumber()             { d.useNumber = true }
func (d *secondDecoder) DisallowUnknownFields() {}

// Buffered returns the input that has been read and not decoded.
func (d *secondDecoder) Buffered() io.Reader { return bytes.NewReader(d.buf[d.pos:]) }

// more reads more input. It returns io.EOF at the end, and other errors as a stream.IOError.
func (d *secondDecoder) more() error {
	for range 100 { // after 100 empty reads the reader is considered broken
		if err := d.failed; err != nil {
			d.failed = nil
			if err != io.EOF {
				err = &stream.IOError{Action: "read", Err: err}
			}
			return err
		}
		d.buf = slices.Grow(d.buf, minRead)
		n, err := d.r.Read(d.buf[len(d.buf):cap(d.buf)])
		d.buf, d.failed = d.buf[:len(d.buf)+n], err
		if n > 0 {
			return nil
		}
	}
	return &stream.IOError{Action: "read", Err: io.ErrNoProgress}
}

// blanks returns the position of the first byte from pos on that is not white space.
func (d *secondDecoder) blanks(pos int) (int, error) {
	for {
		if pos = syntax.SkipSpace(d.buf, pos); pos < len(d.buf) {
			return pos, nil
		}
		if err := d.more(); err != nil {
			return pos, err
		}
	}
}

// fault returns the error for text that is invalid before position end of the buffer.
func (d *secondDecoder) fault(end int) error { return &secondFault{d.before + int64(end)} }

// top returns the innermost level.
func (d *secondDecoder) top() *secondLevel { return &d.levels[len(d.levels)-1] }

// wantsName reports whether the next value is a name.
func (l *secondLevel) wantsName() bool { return l.bracket == '{' && l.count%2 == 0 }

// delimiter returns the delimiter before a token that starts with c, or 0.
func (l *secondLevel) delimiter(c byte) byte {
	switch {
	case l.bracket == '{' && l.count%2 == 1:
		return ':'
	case l.bracket != 0 && l.count > 0 && c != '}' && c != ']':
		return ','
	}
	return 0
}

// next returns the start of the next token, after the delimiter that must precede it.
func (d *secondDecoder) next() (int, error) {
	first, err := d.blanks(d.pos)
	if err != nil {
		if err == io.EOF && len(d.levels) > 1 {
			err = errEnds
		}
		return 0, err
	}
	pos, delimiter := first, byte(0)
	if c := d.buf[first]; c == ',' || c == ':' {
		delimiter = c
		if pos, err = d.blanks(first + 1); err != nil {
			if d.top().delimiter('"') != delimiter {
				return 0, d.faultAt(first)
			}
			if err == io.EOF {
				err = errEnds
			}
			return 0, err
		}
	}
	if d.top().delimiter(d.buf[pos]) != delimiter {
		return 0, d.faultAt(first)
	}
	return pos, nil
}

// faultAt returns the error for the character at pos.
func (d *secondDecoder) faultAt(pos int) error {
	_, size := utf8.DecodeRune(d.buf[pos:])
	return d.fault(pos + size)
}

// read returns the end of the value or token at pos. The function one finds the end.
func (d *secondDecoder) read(pos int, one func([]byte) (int, syntax.Fault)) (int, error) {
	for {
		end, f := one(d.buf[pos:])
		number := end > 0 && pos+end == len(d.buf) && d.buf[len(d.buf)-1]-'0' <= 9
		switch {
		case end > 0 && !number:
		case end < 0 && !f.Ends:
			return 0, d.fault(pos + f.After)
		default:
			err := d.more()
			if err == nil {
				continue
			}
			if err != io.EOF || !number {
				if err == io.EOF {
					err = errEnds
				}
				return 0, err
			}
		}
		if d.top().wantsName() && d.buf[pos] != '"' {
			return 0, d.fault(pos + 1)
		}
		return pos + end, nil
	}
}

// passed moves d to the end of a token or a value, and returns its text.
func (d *secondDecoder) passed(pos, end int) []byte {
	text := slices.Clone(d.buf[pos:end])
	d.before += int64(end)
	d.buf = d.buf[:copy(d.buf, d.buf[end:])]
	d.pos, d.asked, d.ended = 0, false, false
	return text
}

// Decode reads the next value into *v, a RawMessage.
func (d *secondDecoder) Decode(v any) error {
	if d.err != nil {
		return d.err
	}
	pos, err := d.next()
	end := 0
	if err == nil {
		end, err = d.read(pos, syntax.FirstValue)
	}
	if err != nil {
		if d.err = err; err != errEnds {
			d.err = d.legacy(err)
		}
		return d.err
	}
	d.top().count++
	*v.(*RawMessage) = d.passed(pos, end)
	return nil
}

// Token returns the next token.
func (d *secondDecoder) Token() (Token, error) {
	if d.err != nil {
		return nil, d.err
	}
	text, err := d.token()
	switch {
	case err == errEnds && len(bytes.Trim(d.buf[d.pos:], " \r\n\t,:")) == 0:
		// The text may end after a complete token.
		d.ended = true
		return nil, io.EOF
	case err == errEnds:
		return nil, err
	case err != nil:
		return nil, d.legacy(err)
	}
	switch c := text[0]; c {
	case 'n':
		return nil, nil
	case 't', 'f':
		return c == 't', nil
	case '"':
		unquoted, _ := syntax.AppendUnquoted(nil, text)
		return string(unquoted), nil
	case '[', ']', '{', '}':
		return Delim(c), nil
	}
	if d.useNumber {
		return Number(text), nil
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return nil, &UnmarshalTypeError{Value: "number " + string(text), Type: reflect.TypeFor[float64](), Offset: d.InputOffset()}
	}
	return f, nil
}

// token returns the text of the next token.
func (d *secondDecoder) token() ([]byte, error) {
	pos, err := d.next()
	if err != nil {
		return nil, err
	}
	c := d.buf[pos]
	if c == ']' || c == '}' {
		if d.top().bracket != c-2 || c == '}' && !d.top().wantsName() {
			return nil, d.fault(pos + 1)
		}
		d.levels = d.levels[:len(d.levels)-1]
		return d.passed(pos, pos+1), nil
	}
	end, err := d.read(pos, syntax.FirstToken)
	if err != nil {
		return nil, err
	}
	bracket := c == '[' || c == '{'
	if bracket && len(d.levels) > syntax.MaxDepth {
		return nil, d.fault(pos + 1)
	}
	if d.top().count++; bracket {
		d.levels = append(d.levels, secondLevel{bracket: c})
	}
	return d.passed(pos, end), nil
}

// More reports whether the array or object that is being read has another element.
func (d *secondDecoder) More() bool {
	d.asked = true
	pos, err := d.next()
	if err == nil && strings.IndexByte(`]}[{"tfn-0123456789`, d.buf[pos]) >= 0 {
		return d.buf[pos] != ']' && d.buf[pos] != '}'
	}
	if d.err == nil {
		if err == nil {
			err = d.faultAt(pos)
		}
		d.err = d.legacy(err)
	}
	return d.err != io.EOF
}

// InputOffset returns the position after the last value or token. After a call of More it is the
// start of the next token. At the end of the stream it is the end of a comma or colon.
func (d *secondDecoder) InputOffset() int64 {
	pos := d.pos
	if d.asked || d.ended {
		if first := syntax.SkipSpace(d.buf, pos); first < len(d.buf) {
			pos = first
			if c := d.buf[pos]; d.ended && (c == ',' || c == ':') {
				pos++
			}
		}
	}
	return d.before + int64(pos)
}

// legacy returns err in the form of encoding/json. Only encoding/json can set the message of a
// SyntaxError, so it decodes a text that leads to the same position in the grammar.
func (d *secondDecoder) legacy(err error) error {
	made, _ := rules.SyntaxErrorOf(nil, option.Linked).(*SyntaxError)
	switch f, ok := err.(*secondFault); {
	case ok:
		at, calls := d.reach(d.levels[len(d.levels)-1:])
		_, failed := read(json.NewDecoder(strings.NewReader(at+string(d.buf[d.pos:]))), calls).Token()
		if s, is := failed.(*SyntaxError); is {
			made = s
		}
		made.Offset = f.offset
	case err == errEnds:
		made.Offset = d.before + int64(len(d.buf))
	default:
		return rules.LegacySyntax(err)
	}
	return made
}

// reach returns a text that leads to the position in levels, and the number of calls of Token that
// read it.
func (d *secondDecoder) reach(levels []secondLevel) (text string, calls int) {
	for i, l := range levels {
		p := atTop
		switch inner := i < len(levels)-1; {
		case l.bracket == 0:
		case inner && l.bracket == '[':
			p = atElem
		case inner:
			p = atMember
		case l.bracket == '[' && l.count == 0:
			p = atFirstElem
		case l.bracket == '[':
			p = afterElem
		case l.count == 0:
			p = atFirstName
		case l.count%2 == 1:
			p = afterName
		default:
			p = afterMember
		}
		text += reach[p].text
		calls += reach[p].calls
	}
	return text, calls
}

// std implements [Decoder.Std].
func (d *secondDecoder) std(_ io.Reader, options *Config) *json.Decoder {
	text, calls := d.reach(d.levels)
	r := d.r
	if d.failed != nil {
		r = failed{d.failed}
	}
	return read(options.newStdDecoder(io.MultiReader(strings.NewReader(text), d.Buffered(), r)), calls)
}
