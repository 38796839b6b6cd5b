package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/hone-go/hone/internal/jsontext"
)

// An Encoder writes JSON values to a stream, each with a newline after it.
type Encoder struct {
	w              io.Writer
	err            error // of the writer; final
	options        Options
	prefix, indent string
}

// NewEncoder returns an encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w: w} }

// SetIndent makes the encoder write in the form of [MarshalIndent].
func (e *Encoder) SetIndent(prefix, indent string) { e.prefix, e.indent = prefix, indent }

// SetEscapeHTML says whether <, > and & are escaped in strings; they are
// unless it says otherwise.
func (e *Encoder) SetEscapeHTML(on bool) { e.options.NoEscapeHTML = !on }

// Encode writes the encoding of v and a newline, in one call of the writer. If
// v cannot be encoded nothing is written.
func (e *Encoder) Encode(v any) error {
	if e.err != nil {
		return e.err
	}
	buffer := buffers.Get().(*[]byte)
	b, err := e.options.append((*buffer)[:0], v)
	if err == nil {
		b = append(b, '\n')
		out := b
		if e.prefix != "" || e.indent != "" {
			var indented bytes.Buffer
			err = json.Indent(&indented, b, e.prefix, e.indent)
			out = indented.Bytes()
		}
		if err == nil {
			_, e.err = e.w.Write(out)
			err = e.err
		}
	}
	giveBack(buffer, b)
	return err
}

// A Decoder reads JSON values from a stream. It reads ahead.
type Decoder struct {
	r       io.Reader
	buf     []byte
	pos     int   // in buf: where the unread part starts
	before  int64 // bytes of the stream that came before buf
	err     error // final
	scan    jsontext.Scanner
	options Options
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

// InputOffset returns the position in the stream after the last value.
func (d *Decoder) InputOffset() int64 { return d.before + int64(d.pos) }

// Decode reads the next value and decodes it into v, by the rules of
// [Unmarshal]. At the end of the stream it returns io.EOF.
func (d *Decoder) Decode(v any) error {
	if d.err != nil {
		return d.err
	}
	n, err := d.next()
	if err != nil {
		return err
	}
	value := d.buf[d.pos : d.pos+n]
	d.pos += n
	return d.options.Unmarshal(value, v)
}

// next makes sure that buf holds a whole value and returns its length from pos
// on, with the space before it.
func (d *Decoder) next() (int, error) {
	d.scan.Reset()
	scanned := 0
	var readErr error
	for {
		n, status := d.scan.Scan(d.buf[d.pos+scanned:])
		scanned += n
		switch {
		case status == jsontext.Complete:
			return scanned, nil
		case status == jsontext.Invalid:
			d.err = d.syntaxError(d.buf[d.pos : d.pos+scanned+1])
			return 0, d.err
		case readErr == io.EOF && d.scan.End():
			return scanned, nil
		case readErr != nil:
			if readErr == io.EOF && d.scan.Begun() {
				readErr = io.ErrUnexpectedEOF
			}
			d.err = readErr
			return 0, readErr
		}
		readErr = d.fill()
	}
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

// syntaxError returns encoding/json's error for the text up to the byte at
// fault, with its offset in the stream.
func (d *Decoder) syntaxError(text []byte) error {
	var raw RawMessage
	err := json.NewDecoder(bytes.NewReader(text)).Decode(&raw)
	if s := (*SyntaxError)(nil); errors.As(err, &s) {
		s.Offset += d.InputOffset()
	}
	return err
}
