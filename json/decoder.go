package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"

	"github.com/hone-go/hone/internal/jsontext"
)

// A Decoder reads JSON values from a stream. It reads ahead.
type Decoder struct {
	r       io.Reader
	buf     []byte
	pos     int   // in buf: where the unread part starts
	before  int64 // bytes of the stream that came before buf
	decoded int64 // bytes that Decode has read; Token's are not among them
	err     error // final
	options Config

	// Where the calls of Token stand.
	place place
	outer []place // of the containers around, outermost first
}

// NewDecoder returns a decoder that reads from r.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r} }

// UseNumber makes numbers that are decoded into an interface a [Number] rather
// than a float64.
func (d *Decoder) UseNumber() { d.options.UseNumber = true }

// DisallowUnknownFields makes an object key that the target struct has no field
// for an error.
func (d *Decoder) DisallowUnknownFields() { d.options.DisallowUnknownFields = true }

// Buffered returns what has been read from the stream and not decoded. It is
// valid until the next call of Decode.
func (d *Decoder) Buffered() io.Reader { return bytes.NewReader(d.buf[d.pos:]) }

// InputOffset returns the position in the stream after the last value or token.
func (d *Decoder) InputOffset() int64 { return d.before + int64(d.pos) }

// Decode reads the next value and decodes it into v, by the rules of
// [Unmarshal]. At the end of the stream it returns io.EOF. Among calls of
// [Decoder.Token] it reads the element, or the value of the member, that comes
// next, with the comma or colon in front of it.
//
// It holds one value in memory, however large.
func (d *Decoder) Decode(v any) error {
	if d.err != nil {
		return d.err
	}
	if err := d.beforeValue(); err != nil {
		return err
	}
	read, err := d.decode(v)
	if read {
		d.afterValue()
	}
	return err
}

// decode reads the next value and decodes it into v. It reports whether there
// was one.
func (d *Decoder) decode(v any) (read bool, err error) {
	if d.err != nil {
		return false, d.err
	}
	into := decoders.Get().(*decoder)
	defer into.release()
	n, err := d.next(&into.index)
	if err != nil {
		return false, err
	}
	into.space = jsontext.SkipSpace(d.buf, d.pos) - d.pos
	value := d.buf[d.pos : d.pos+n : d.pos+n]
	d.pos += n
	d.decoded += int64(n)
	if into.index.Dense() {
		return true, d.options.standard(value, reflect.ValueOf(v))
	}
	return true, into.start(value, reflect.ValueOf(v), nil, d.options)
}

// next makes sure that buf holds a whole value, indexes it, and returns its
// length from pos on, with the space before it.
func (d *Decoder) next(index *jsontext.Index) (int, error) {
	n, status := index.BuildFirst(d.buf[d.pos:], false)
	var err error
	for status == jsontext.Incomplete && err == nil {
		err = d.fill()
		n, status = index.BuildMore(d.buf[d.pos:], err == io.EOF)
	}
	switch rest := d.buf[d.pos:]; {
	case status == jsontext.Complete:
		return n, nil
	case status == jsontext.Invalid:
		err = d.syntaxError(rest)
	case err == io.EOF && jsontext.SkipSpace(rest, 0) < len(rest):
		err = io.ErrUnexpectedEOF
	}
	d.err = err
	return 0, err
}

// minRead is the room that a read gets at least.
const minRead = 512

func (d *Decoder) fill() error {
	if d.pos > 0 {
		d.before += int64(d.pos)
		d.buf = d.buf[:copy(d.buf, d.buf[d.pos:])]
		d.pos = 0
	}
	if cap(d.buf)-len(d.buf) < minRead {
		d.buf = append(make([]byte, 0, 2*cap(d.buf)+minRead), d.buf...)
	}
	n, err := d.r.Read(d.buf[len(d.buf):cap(d.buf)])
	d.buf = d.buf[:len(d.buf)+n]
	return err
}

// syntaxError returns encoding/json's error for the first value in text. Its
// offset counts what Decode has read, as encoding/json's does.
func (d *Decoder) syntaxError(text []byte) error {
	var raw RawMessage
	err := json.NewDecoder(bytes.NewReader(text)).Decode(&raw)
	if s := (*SyntaxError)(nil); errors.As(err, &s) {
		s.Offset += d.errorBase()
	}
	return err
}
