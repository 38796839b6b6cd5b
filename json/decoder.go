package json

import (
	"bytes"
	"io"
	"reflect"
	"slices"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// A Decoder reads JSON values from a stream. It may read more of the stream than it has decoded.
type Decoder struct {
	r        io.Reader
	buf      []byte
	pos      int            // the start of the unread part of buf
	taken    *buffer.Buffer // the pooled buffer that buf is a part of, or nil; see releaseBuffer
	borrowed bool           // decoded values may alias buf, so it must not be reused
	rest     [maxRest]byte  // if taken is nil, buf is a part of this array
	before   int64          // the number of bytes of the stream before buf
	decoded  int64          // the number of bytes that Decode has read; Token does not count
	hold     int            // the start of the current call in buf, for handOver; fill keeps buf[hold:]
	failed   error          // the error of the last read in the current call; if err is set, of the call that set err
	err      error          // the error that all further calls return
	options  Config
	std      standard // if not nil, serves all calls instead of d: from the start, or after a syntax error; see handOver
	shift    int64    // added to an offset of std, yields the offset in the stream

	grammar // the position in the grammar, for Token
}

// NewDecoder returns a decoder that reads from r.
func NewDecoder(r io.Reader) *Decoder { return Config{}.NewDecoder(r) }

// UseNumber decodes a number into an interface as a [Number] and not as a float64.
func (d *Decoder) UseNumber() {
	d.options.UseNumber = true
	if d.std != nil {
		d.std.UseNumber()
	}
}

// DisallowUnknownFields makes Decode return an error for an object member that matches no field of
// the struct.
func (d *Decoder) DisallowUnknownFields() {
	d.options.DisallowUnknownFields = true
	if d.std != nil {
		d.std.DisallowUnknownFields()
	}
}

// Buffered returns the input that has been read but not decoded. It is valid until the next call of
// Decode.
func (d *Decoder) Buffered() io.Reader {
	if d.std != nil {
		return d.std.Buffered()
	}
	return bytes.NewReader(d.buf[d.pos:])
}

// InputOffset returns the offset in the stream at which the last value or token ends.
func (d *Decoder) InputOffset() int64 {
	if d.std != nil {
		return d.std.InputOffset() + d.shift
	}
	return d.before + int64(d.pos)
}

// Decode reads the next value and decodes it into v by the rules of [Unmarshal]. At the end of the
// stream it returns io.EOF. If [Decoder.Token] has opened an array or object, Decode reads the next
// element or the value of the next member, and the comma or colon before it.
//
// It keeps one whole value in memory.
func (d *Decoder) Decode(v any) error {
	if d.std != nil && (!rules.Standard(d.options.release()) && !d.options.byStd() || rules.NeedsHone(reflect.TypeOf(v))) {
		_, err := d.element(v)
		return err
	}
	if d.std != nil {
		return d.shifted(d.std.Decode(v))
	}
	if d.err != nil {
		return d.err
	}
	start := d.start()
	read, err := d.element(v)
	if !read && d.handsOver() && (!start.atTop() || d.endedInNumber(err)) {
		d.handOver(start)
		return d.Decode(v)
	}
	if read || err == io.EOF {
		d.releaseBuffer()
	}
	return err
}

// element implements Decode, and reports whether there was a value.
func (d *Decoder) element(v any) (read bool, err error) {
	if d.std != nil {
		var raw RawMessage
		if err := d.std.Decode(&raw); err != nil {
			return false, d.shifted(err)
		}
		return true, d.options.unmarshal(raw, reflect.ValueOf(v), nil)
	}
	if err := d.beforeValue(); err != nil {
		return false, err
	}
	if read, err = d.decode(v); read {
		d.afterValue()
	}
	return read, err
}

// A start is the position in the grammar at the start of a call of Token, More or Decode.
type start struct{ place place }

func (s start) atTop() bool { return s.place == atTop }

// atEnd reports whether err is io.EOF between two top-level values.
func (s start) atEnd(err error) bool { return err == io.EOF && s.atTop() }

// start returns the position of d in the grammar, and marks the start of a call. Until the next
// call of start, handOver can move d back to this position.
func (d *Decoder) start() start {
	d.hold = d.pos
	if d.err == nil {
		d.failed = nil // an earlier call has got past this error
	}
	return start{d.place}
}

// isFirst reports whether the rules before Go 1.27 apply.
func (d *Decoder) isFirst() bool { return d.options.release()&option.FirstEngine != 0 }

// handsOver reports whether another decoder replaces d after a syntax error. The rules from Go 1.27
// on require this. Under the rules before Go 1.27, d creates the error itself; see [Decoder.fault].
func (d *Decoder) handsOver() bool { return !d.isFirst() }

// handOver replaces d by d.std after a syntax error. It moves d back to the start of the current
// call, which began at origin. d.std then reads this input again: it returns the error of this call,
// and serves all further calls.
func (d *Decoder) handOver(origin start) {
	d.pos, d.place, d.err = d.hold, origin.place, d.failed
	offset := d.InputOffset()
	d.std = d.successor()
	d.shift = offset - d.std.InputOffset()
}

// shifted converts the offset of a syntax error of d.std to an offset in the stream.
func (d *Decoder) shifted(err error) error {
	if s, ok := err.(*SyntaxError); ok {
		ours := *s // a copy, because d.std may return s again
		ours.Offset += d.shift
		return &ours
	}
	return err
}

// decode reads the next value, decodes it into v, and reports whether there was a value.
func (d *Decoder) decode(v any) (read bool, err error) {
	if d.err != nil {
		return false, d.err
	}
	on := d.options.flags()
	into := decodingOf(on).Take()
	defer into.Put()
	n, err := d.next(&into.Index)
	if err != nil {
		return false, err
	}
	into.Space = syntax.SkipSpace(d.buf, d.pos) - d.pos
	value := d.buf[d.pos : d.pos+n : d.pos+n]
	d.pos += n
	d.decoded += int64(n)
	err = into.UnmarshalIndexed(value, reflect.ValueOf(v), nil, on)
	d.borrowed = d.borrowed || into.Borrowed || d.options.AliasInput
	return true, err
}

// next reads input until buf has a whole value, and indexes the value. It returns the number of
// bytes from pos to the end of the value.
func (d *Decoder) next(index *syntax.Index) (int, error) {
	index.Waits = d.isFirst()
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

// fill reads more input into the buffer, and returns the error of the reader. By the rules from Go
// 1.27 on it ignores an error that comes with bytes; the next read returns it again if it lasts.
// fill keeps the unread input. If handOver may be called, it keeps the input from the start of the
// current call on.
func (d *Decoder) fill() error {
	keep := d.pos
	if d.handsOver() {
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
	if n > 0 && !d.isFirst() {
		err = nil
	}
	d.failed = err
	return err
}

// maxRest is the number of bytes of unread input that a Decoder can store in itself. This is enough
// for the newline after the only value of a request body.
const maxRest = 32

// releaseBuffer returns the buffer to the pool after a value is decoded. A later release is not
// possible: a Decoder has no Close method, and most programs read only one value with each Decoder.
func (d *Decoder) releaseBuffer() {
	rest := d.buf[d.pos:]
	if d.taken == nil || d.borrowed || len(rest) > maxRest {
		return
	}
	d.taken.B = d.buf
	d.before += int64(d.pos)
	d.buf = d.rest[:copy(d.rest[:], rest)]
	d.pos, d.hold = 0, 0
	d.taken.Release()
	d.taken = nil
}

// endedInNumber reports whether err is the error for a stream that has ended after a number within a
// top-level array or object; see endsInNumber.
func (d *Decoder) endedInNumber(err error) bool {
	return err == io.ErrUnexpectedEOF && d.failed == io.EOF && endsInNumber(d.buf[d.pos:])
}

// endsInNumber reports whether text ends with a number within an array or object. By the rules from
// Go 1.27 on, the end of the stream completes this number, and the rest of the array or object may
// follow when the reader is called once more.
func endsInNumber(text []byte) bool {
	if len(text) == 0 || text[len(text)-1]-'0' > 9 {
		return false
	}
	// These bytes complete a string, but are not valid after a number.
	end, f := syntax.FirstValue(append(slices.Clip(text), `0000"`...))
	return end < 0 && !f.Ends
}

// syntaxError returns the error that encoding/json returns for the first value in text.
func (d *Decoder) syntaxError(text []byte) error {
	err := linkedError(bytes.NewReader(text), 0, true)
	if s, ok := err.(*SyntaxError); ok {
		if on := d.options.release(); !option.FollowsLinked(on) {
			s.Offset = rules.SyntaxOffset(text, on)
		}
		s.Offset += d.errorBase()
	}
	return err
}

// errorBase returns the number that is added to the offset of a syntax error within a value. By the
// rules before Go 1.27 this is the number of bytes that Decode has read. From Go 1.27 on it is the
// offset of the value in the stream.
func (d *Decoder) errorBase() int64 {
	if d.isFirst() {
		return d.decoded
	}
	return d.InputOffset()
}

// tokenError returns err, the error for a token that is a complete value. From Go 1.27 on the
// error's offset is relative to the start of the stream.
func (d *Decoder) tokenError(err error) error {
	if e, ok := err.(*UnmarshalTypeError); ok && !d.isFirst() {
		e.Offset, e.Struct, e.Field = d.InputOffset(), "", ""
	}
	return err
}
