package go126

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
)

// A Reader implements [v1.Reader]. After an error of Token, its position is after the white space,
// commas and colons that the call has read, and the next call of Token returns the error again.
type Reader struct {
	r       io.Reader
	buf     []byte
	pos     int // the start of the unread part of buf
	memory  v1.Memory
	before  int64 // the number of bytes of the stream before buf
	decoded int64 // the number of bytes that Element has read; Token does not count
	failed  error // the error of the last read
	err     error // the error that all further calls return
	on      option.Flag

	grammar // the position in the grammar
}

// NewReader returns a Reader of r with the given options.
func NewReader(r io.Reader, on option.Flag) *Reader { return &Reader{r: r, on: on} }

// SetOptions implements [v1.Reader].
func (d *Reader) SetOptions(on option.Flag) { d.on |= on }

// Buffered implements [v1.Reader].
func (d *Reader) Buffered() io.Reader { return bytes.NewReader(d.buf[d.pos:]) }

// InputOffset implements [v1.Reader].
func (d *Reader) InputOffset() int64 { return d.before + int64(d.pos) }

// Std implements [v1.Reader].
func (d *Reader) Std() *json.Decoder {
	text, calls := d.opening()
	rest := &v1.Rest{Text: string(d.buf[d.pos:]), Err: d.err, Reader: d.r}
	if d.err != nil && d.err != d.failed {
		rest.Reader = v1.Failed{Err: d.err}
	}
	return v1.Resume(text, calls, rest, d.on)
}

// Element implements [v1.Reader].
func (d *Reader) Element(v any) (read bool, err error) {
	if d.err != nil {
		return false, d.err
	}
	if err := d.beforeValue(); err != nil {
		return false, err
	}
	if read, err = d.decode(v); read {
		d.afterValue()
	}
	if unread := d.buf[d.pos:]; (read || err == io.EOF) && d.memory.MayRelease(unread) {
		d.before += int64(d.pos)
		d.buf, d.pos = d.memory.Release(d.buf, unread), 0
	}
	return read, err
}

// decode reads the next value, decodes it into v, and reports whether there was a value.
func (d *Reader) decode(v any) (read bool, err error) {
	if d.err != nil {
		return false, d.err
	}
	into := Decoding.Take()
	defer into.Put()
	n, err := d.next(&into.Index)
	if err != nil {
		return false, err
	}
	value := d.buf[d.pos : d.pos+n : d.pos+n]
	d.pos += n
	d.decoded += int64(n)
	err = into.UnmarshalIndexed(value, reflect.ValueOf(v), nil, d.on)
	d.memory.Borrowed = d.memory.Borrowed || into.Borrowed
	return true, err
}

// next reads input until buf has a whole value, and indexes the value. It returns the number of
// bytes from pos to the end of the value.
func (d *Reader) next(index *syntax.Index) (int, error) {
	index.Waits = true
	n, status := index.BuildFirst(d.buf[d.pos:], false)
	var err error
	for status == syntax.Incomplete && err == nil {
		err = d.fill()
		n, status = index.BuildMore(d.buf[d.pos:], err == io.EOF)
	}
	switch rest := d.buf[d.pos:]; {
	case status == syntax.Complete:
		return n, nil
	case status == syntax.Invalid:
		err = d.syntaxError(rest)
	case err == io.EOF && syntax.SkipSpace(rest, 0) < len(rest):
		err = io.ErrUnexpectedEOF
	}
	d.err = err
	return 0, err
}

// minRead is the minimum number of free bytes in the buffer for a read.
const minRead = 512

// fill reads more input into the buffer, and returns the error of the reader. It keeps the unread
// input.
func (d *Reader) fill() error {
	if d.pos > 0 {
		d.before += int64(d.pos)
		d.buf = d.buf[:copy(d.buf, d.buf[d.pos:])]
		d.pos = 0
	}
	if !d.memory.Taken() {
		d.buf = d.memory.Take(d.buf)
	}
	if cap(d.buf)-len(d.buf) < minRead {
		d.buf = append(make([]byte, 0, 2*cap(d.buf)+minRead), d.buf...)
	}
	n, err := d.r.Read(d.buf[len(d.buf):cap(d.buf)])
	d.buf = d.buf[:len(d.buf)+n]
	d.failed = err
	return err
}

// syntaxError returns the error for the first value in text. Its offset counts from the bytes that
// Element has read.
func (d *Reader) syntaxError(text []byte) error {
	err := v1.StreamError(bytes.NewReader(text), 0, true)
	if s, ok := err.(*rules.SyntaxError); ok {
		if !option.FollowsLinked(d.on) {
			s.Offset = rules.SyntaxOffset(text, d.on)
		}
		s.Offset += d.decoded
	}
	return err
}

// fault returns the error for the byte c at the position of d. If decode is set, it is the error of
// Decode, otherwise of Token.
func (d *Reader) fault(c byte, decode bool) error {
	to := reach[d.place]
	err := v1.StreamError(strings.NewReader(to.text+string([]byte{c})), to.calls, decode)
	s, ok := err.(*rules.SyntaxError)
	if !ok && !option.FollowsLinked(d.on) {
		// At this byte the linked encoding/json returns another kind of error.
		s, ok = rules.SyntaxErrorOf([]byte{c}, option.Linked).(*rules.SyntaxError)
		err = s
	}
	if ok {
		s.Offset = d.InputOffset()
	}
	return err
}
