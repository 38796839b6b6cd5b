package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
)

// A Decoder reads JSON values from a stream. It reads ahead.
type Decoder struct {
	r       io.Reader
	buf     []byte
	pos     int            // in buf: where the unread part starts
	taken   *buffer.Buffer // whose slice buf was at first, or nil; see settle
	lent    bool           // parts of buf may be kept by what was decoded
	rest    [maxRest]byte  // what buf is while nothing is taken
	before  int64          // bytes of the stream that came before buf
	decoded int64          // bytes that Decode has read; Token's are not among them
	hold    int            // in buf: what is kept of what is read; see handOver
	failed  error          // of the reader, at last
	err     error          // final
	options Config
	std     *json.Decoder // which does the work, or goes on; see handOver
	shift   int64         // from its offsets to ours

	// Where the calls of Token stand.
	place place
	outer []place // of the containers around, outermost first
}

// NewDecoder returns a decoder that reads from r.
func NewDecoder(r io.Reader) *Decoder { return Config{}.NewDecoder(r) }

// UseNumber makes numbers that are decoded into an interface a [Number] rather
// than a float64.
func (d *Decoder) UseNumber() {
	d.options.UseNumber = true
	if d.std != nil {
		d.std.UseNumber()
	}
}

// DisallowUnknownFields makes an object key that the target struct has no field
// for an error.
func (d *Decoder) DisallowUnknownFields() {
	d.options.DisallowUnknownFields = true
	if d.std != nil {
		d.std.DisallowUnknownFields()
	}
}

// Buffered returns what has been read from the stream and not decoded. It is
// valid until the next call of Decode.
func (d *Decoder) Buffered() io.Reader {
	if d.std != nil {
		return d.std.Buffered()
	}
	return bytes.NewReader(d.buf[d.pos:])
}

// InputOffset returns the position in the stream after the last value or token.
func (d *Decoder) InputOffset() int64 {
	if d.std != nil {
		return d.std.InputOffset() + d.shift
	}
	return d.before + int64(d.pos)
}

// Decode reads the next value and decodes it into v, by the rules of
// [Unmarshal]. At the end of the stream it returns io.EOF. Among calls of
// [Decoder.Token] it reads the element, or the value of the member, that comes
// next, with the comma or colon in front of it.
//
// It holds one value in memory, however large.
func (d *Decoder) Decode(v any) error {
	if d.std != nil {
		return d.shifted(d.std.Decode(v))
	}
	if d.err != nil {
		return d.err
	}
	start := d.start()
	read, err := d.element(v)
	if handsOver && !read && !start.atTop() {
		d.handOver(start)
		return d.Decode(v)
	}
	if read || err == io.EOF {
		d.settle()
	}
	return err
}

// element is Decode. It reports whether there was a value.
func (d *Decoder) element(v any) (read bool, err error) {
	if d.std != nil {
		var raw RawMessage
		if err := d.std.Decode(&raw); err != nil {
			return false, err
		}
		return true, d.options.unmarshalByStd(raw, reflect.ValueOf(v))
	}
	if err := d.beforeValue(); err != nil {
		return false, err
	}
	if read, err = d.decode(v); read {
		d.afterValue()
	}
	return read, err
}

// A start is where a call of Token, More or Decode begins.
type start struct{ place place }

func (s start) atTop() bool { return s.place == atTop }

// atEnd reports whether err is the end of a stream that may end there.
func (s start) atEnd(err error) bool { return err == io.EOF && s.atTop() }

// start returns where d stands, and holds what is read from there on.
func (d *Decoder) start() start {
	d.hold = d.pos
	return start{d.place}
}

// handOver lets encoding/json go on from where a call began that met something unexpected:
// what it says of that, and of what comes then, is its own.
func (d *Decoder) handOver(from start) {
	d.pos, d.place, d.err = d.hold, from.place, d.failed
	offset := d.InputOffset()
	std := d.Std()
	d.std, d.shift = std, offset-std.InputOffset()
}

// shifted makes the offset of a syntax error one in our stream.
func (d *Decoder) shifted(err error) error {
	if s, ok := err.(*SyntaxError); ok {
		ours := *s // which is returned again by the next call
		ours.Offset += d.shift
		return &ours
	}
	return err
}

// decode reads the next value and decodes it into v. It reports whether there
// was one.
func (d *Decoder) decode(v any) (read bool, err error) {
	if d.err != nil {
		return false, d.err
	}
	into := decode.Take()
	defer into.Release()
	n, err := d.next(&into.Index)
	if err != nil {
		return false, err
	}
	into.Space = syntax.SkipSpace(d.buf, d.pos) - d.pos
	value := d.buf[d.pos : d.pos+n : d.pos+n]
	d.pos += n
	d.decoded += int64(n)
	err = into.UnmarshalIndexed(value, reflect.ValueOf(v), nil, d.options.flags())
	d.lent = d.lent || into.Borrowed || d.options.AliasInput
	return true, err
}

// next makes sure that buf holds a whole value, indexes it, and returns its
// length from pos on, with the space before it.
func (d *Decoder) next(index *syntax.Index) (int, error) {
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

// minRead is the room that a read gets at least.
const minRead = 512

func (d *Decoder) fill() error {
	keep := d.pos
	if handsOver {
		keep = min(d.hold, d.pos)
	}
	if keep > 0 {
		d.before += int64(keep)
		d.buf = d.buf[:copy(d.buf, d.buf[keep:])]
		d.pos -= keep
		d.hold = 0
	}
	if d.taken == nil {
		d.taken = buffer.Take()
		d.buf = append(d.taken.B, d.buf...)
	}
	if cap(d.buf)-len(d.buf) < minRead {
		d.buf = append(make([]byte, 0, 2*cap(d.buf)+minRead), d.buf...)
	}
	n, err := d.r.Read(d.buf[len(d.buf):cap(d.buf)])
	d.buf = d.buf[:len(d.buf)+n]
	d.failed = err
	return err
}

// maxRest is how much that has been read may be kept without a pooled slice: the newline
// behind the one value of a body.
const maxRest = 32

// settle gives the slice back that a value was read into. A decoder has no end at which it
// could do so, and most read a single value.
func (d *Decoder) settle() {
	rest := d.buf[d.pos:]
	if d.taken == nil || d.lent || len(rest) > maxRest {
		return
	}
	d.taken.B = d.buf
	d.before += int64(d.pos)
	d.buf = d.rest[:copy(d.rest[:], rest)]
	d.pos, d.hold = 0, 0
	d.taken.Release()
	d.taken = nil
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
