package go127

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
	"github.com/hone-go/hone/json/internal/stream"
)

// A Reader implements [v1.Reader] by a [stream.Decoder] with the options of version 1. After an
// error its position is unchanged.
type Reader struct {
	r      io.Reader
	stream stream.Decoder
	memory v1.Memory
	rules  *v1.Decoding
	on     option.Flag
	err    error // the error that all further calls return
	// looked is set after a call of More, and ended after a call of Token that reached the end of
	// the stream. Both change what InputOffset returns.
	looked, ended bool
}

// NewReader returns a Reader of r with the given options.
func NewReader(r io.Reader, rules *v1.Decoding, on option.Flag) *Reader {
	d := &Reader{r: r, rules: rules, on: on}
	d.stream.SetReader(r, option.Set{Given: option.V1, On: option.V1})
	return d
}

// SetOptions implements [v1.Reader].
func (d *Reader) SetOptions(on option.Flag) { d.on |= on }

// Buffered implements [v1.Reader].
func (d *Reader) Buffered() io.Reader { return bytes.NewReader(d.stream.UnreadBuffer()) }

// InputOffset implements [v1.Reader]. After a call of More it returns the start of the next token. At
// the end of the stream it may return the end of a comma or colon.
func (d *Reader) InputOffset() int64 {
	offset := d.stream.InputOffset()
	if d.looked || d.ended {
		unread := d.stream.UnreadBuffer()
		if first := syntax.SkipSpace(unread, 0); first < len(unread) {
			offset += int64(first)
			if c := unread[first]; d.ended && (c == ',' || c == ':') {
				offset++
			}
		}
	}
	return offset
}

// Std implements [v1.Reader].
func (d *Reader) Std() *json.Decoder {
	text, calls := "", 0
	for i := range d.stream.StackDepth() {
		kind, count := d.stream.StackIndex(i + 1)
		to := opening(kind, count)
		if i+1 < d.stream.StackDepth() {
			to = enclosing(kind, count)
		}
		text += to.text
		calls += to.calls
	}
	rest := &v1.Rest{Text: string(d.stream.UnreadBuffer()), Reader: d.r}
	if d.err != nil {
		rest.Reader = v1.Failed{Err: d.err}
	}
	return v1.Resume(text, calls, rest, d.on)
}

// A start is a text that leads to a position in an array or object, and the number of calls of Token
// that read it.
type start struct {
	text  string
	calls int
}

// opening returns the start for the position after count names and values of an array or object.
func opening(kind stream.Kind, count int64) start {
	switch {
	case kind == '[' && count > 0:
		return start{`[""`, 2}
	case kind == '[':
		return start{"[", 1}
	case kind == '{' && count == 0:
		return start{"{", 1}
	case kind == '{' && count%2 == 1:
		return start{`{""`, 2}
	case kind == '{':
		return start{`{"":""`, 3}
	}
	return start{}
}

// enclosing returns the start for the position before the last of count names and values, which is an
// array or object.
func enclosing(kind stream.Kind, count int64) start {
	switch {
	case kind == '{':
		return start{`{"":`, 2}
	case count > 1:
		return start{`["",`, 2}
	}
	return start{"[", 1}
}

// prepare gives the stream a buffer from the pool.
func (d *Reader) prepare() {
	if !d.memory.Taken() {
		d.stream.SetBuffer(d.memory.Take(d.stream.UnreadBuffer()))
	}
}

// release returns the buffer to the pool if almost nothing is unread.
func (d *Reader) release() {
	if unread := d.stream.UnreadBuffer(); d.memory.MayRelease(unread) {
		d.stream.SetBuffer(d.memory.Release(d.stream.Text(), unread))
	}
}

// Element implements [v1.Reader].
func (d *Reader) Element(v any) (read bool, err error) {
	if d.err != nil {
		return false, d.err
	}
	d.prepare()
	into := d.rules.Take()
	defer into.Put()
	value, err := d.stream.ReadIndexed(&into.Index)
	if err == nil {
		d.looked, d.ended = false, false
		err = into.UnmarshalIndexed(value, reflect.ValueOf(v), nil, d.on)
		d.memory.Borrowed = d.memory.Borrowed || into.Borrowed
		d.release()
		return true, err
	}
	s, isSyntax := err.(*stream.SyntacticError)
	ends := isSyntax && s.Err == io.ErrUnexpectedEOF
	d.err = d.fault(err, true)
	// A reader's error with this message means the end of the text too, as in encoding/json.
	if ends || !isSyntax && d.err.Error() == "unexpected end of JSON input" {
		d.err = io.ErrUnexpectedEOF
	}
	if d.err == io.EOF {
		d.release()
	}
	return false, d.err
}

// Token implements [v1.Reader].
func (d *Reader) Token() (json.Token, error) {
	if d.err != nil {
		return nil, d.err
	}
	d.prepare()
	token, err := d.stream.ReadToken()
	if err != nil {
		if _, failed := err.(*stream.IOError); failed || !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, d.fault(err, false)
		}
		if len(bytes.Trim(d.stream.UnreadBuffer(), " \r\n\t,:")) == 0 {
			d.ended = true
			return nil, io.EOF // the stream ends after a complete token
		}
		return nil, io.ErrUnexpectedEOF
	}
	d.looked, d.ended = false, false
	switch k := token.Kind(); k {
	case 'n':
		return nil, nil
	case 't', 'f':
		return k == 't', nil
	case '"':
		return token.String(), nil
	case '0':
		if d.on&option.RawNumbers != 0 {
			return rules.Number(token.String()), nil
		}
		f, err := token.Float()
		if err != nil {
			return nil, &rules.UnmarshalTypeError{Value: "number " + token.String(), Type: reflect.TypeFor[float64](), Offset: d.InputOffset()}
		}
		return f, nil
	default:
		return json.Delim(k), nil
	}
}

// More implements [v1.Reader].
func (d *Reader) More() bool {
	d.prepare()
	d.looked = true
	k := d.stream.PeekKind()
	if k == 0 {
		if d.err == nil {
			_, err := d.stream.ReadToken()
			d.err = d.fault(err, false)
		}
		return d.err != io.EOF
	}
	return k != ']' && k != '}'
}

// fault converts err, an error of the stream about its unread input, to the error of version 1.
// decode says whether a call of Decode failed, or a call of Token.
func (d *Reader) fault(err error, decode bool) error {
	s, ok := err.(*stream.SyntacticError)
	if !ok {
		return rules.LegacySyntax(err)
	}
	if failed, ok := s.Err.(*stream.IOError); ok {
		return failed.Err
	}
	to := opening(d.stream.StackIndex(d.stream.StackDepth()))
	return legacySyntax(s, to, d.stream.UnreadBuffer(), decode)
}
