package wire

import (
	"encoding/binary"
	"io"
	"reflect"

	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/measure"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// An Encoder writes records to a stream. A record is the length of an encoding, as a uvarint,
// followed by the encoding. An Encoder is not safe for concurrent use.
type Encoder struct {
	// Limits bound each record that [Encoder.Encode] writes.
	Limits Limits

	w   io.Writer
	buf []byte
	err error
}

// NewEncoder returns an encoder to w. Each record is one call of w's Write.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w: w} }

// Encode writes the target of v, a pointer. An error of the writer is permanent, since a part of a
// record may have been written: every later call returns it. The other errors are the same as for
// [Append]; in these cases nothing is written.
func (e *Encoder) Encode(v any) error {
	if e.err != nil {
		return e.err
	}
	c, err := pointee(v, e.Limits)
	if err != nil {
		return &EncodeError{Type: reflect.TypeOf(v), Err: err}
	}
	return e.record(func(dst []byte) ([]byte, error) { return c.Append(dst, v) })
}

// EncodeWith is like [Encoder.Encode], but uses the codec c and its limits.
func EncodeWith[T any](e *Encoder, c *Codec[T], v *T) error {
	return e.record(func(dst []byte) ([]byte, error) { return c.Append(dst, v) })
}

// lengthRoom is the number of bytes reserved before a record for its length.
const lengthRoom = 10

// record writes the bytes that encode appends, as one record. The length is written directly
// before them, so that the record is one call of Write.
func (e *Encoder) record(encode func([]byte) ([]byte, error)) error {
	if e.err != nil {
		return e.err
	}
	if cap(e.buf) < lengthRoom {
		e.buf = make([]byte, 0, 512)
	}
	buf, err := encode(e.buf[:lengthRoom])
	if err != nil {
		return err
	}
	var head [lengthRoom]byte
	h := binary.AppendUvarint(head[:0], uint64(len(buf)-lengthRoom))
	start := lengthRoom - len(h)
	copy(buf[start:], h)
	e.buf = buf[:0]
	if cap(e.buf) > maxBuffer {
		e.buf = nil
	}
	return e.write(buf[start:])
}

// maxBuffer is the capacity of the largest buffer that is reused for the next record, in bytes.
const maxBuffer = 1 << 20

func (e *Encoder) write(b []byte) error {
	n, err := e.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	e.err = err
	return err
}

// A Decoder reads records from a stream. It is not safe for concurrent use.
//
// Every call consumes a record or ends the stream, so a loop that continues after errors ends at
// io.EOF, whatever the input is:
//
//   - A [*RecordError] reports a record that was skipped: its content is malformed, or it is longer
//     than the limit. The next call reads the record after it.
//   - A [*DecodeError] with io.ErrUnexpectedEOF reports a stream that ends within a record. A
//     DecodeError with another cause reports a malformed length: the start of the next record is
//     then unknown. These errors, and errors of the reader, end the stream. They are returned once;
//     every later call returns io.EOF.
//   - A timeout of the reader (os.ErrDeadlineExceeded) consumes nothing. The next call continues
//     where this one stopped, so the caller must set another deadline, or stop.
type Decoder struct {
	window measure.Window
	// Limits bound each record that [Decoder.Decode] reads.
	Limits Limits

	skip     uint64 // the number of bytes to discard before the next record
	skipNext bool   // the next call must skip a record, because the v of an earlier call could not hold it
	ended    bool   // an error has ended the stream
}

// NewDecoder returns a decoder for the stream of r. The decoder reads ahead. A record longer than
// limit bytes is skipped, with a [*RecordError] that wraps a [*LengthError]; 0 means 64 MiB. Memory
// for a record is allocated as its bytes arrive.
func NewDecoder(r io.Reader, limit int) *Decoder {
	return &Decoder{window: measure.NewWindow(r, limit)}
}

// Decode reads the next record into the target of v, a pointer. The error is io.EOF at the end of
// the stream, a [*RecordError] for a record that was skipped, and otherwise an error that ends the
// stream: see [Decoder]. If v is not a pointer to a type with an encoding, the error about v is
// returned at once, and the next call skips the record.
func (d *Decoder) Decode(v any) error {
	c, err := pointee(v, d.Limits)
	if err != nil {
		return d.refuse(&DecodeError{Offset: d.window.Offset, Type: reflect.TypeOf(v), Err: err})
	}
	return d.record(c.runner.Type, func(data []byte) error { return c.Unmarshal(data, v) })
}

// DecodeWith is like [Decoder.Decode], but uses the codec c and its limits. If the codec aliases
// its input, the decoded value is valid until the next record is read.
func DecodeWith[T any](d *Decoder, c *Codec[T], v *T) error {
	return d.record(reflect.TypeFor[T](), func(data []byte) error { return c.Unmarshal(data, v) })
}

// record reads a record and calls decode with its bytes, which are valid only during the call.
func (d *Decoder) record(t reflect.Type, decode func([]byte) error) error {
	if err := d.settle(t); err != nil {
		return err
	}
	for {
		data := d.window.Data()
		n, head := scalar.Uvarint(data, 0)
		start := d.window.Offset
		switch {
		case head > 0 && n > uint64(d.window.Limit):
			d.window.Take(head)
			d.skip = n
			return &RecordError{Offset: start, Length: n, Err: &LengthError{Length: n, Limit: d.window.Limit}}
		case head > 0 && n <= uint64(len(data)-head):
			// The record is consumed before a method of the type may panic.
			end := head + int(n)
			d.window.Take(end)
			if err := decode(data[head:end]); err != nil {
				return &RecordError{Offset: start, Length: n, Err: withoutEOF(program.Shift(err, start+int64(head)))}
			}
			return nil
		case head == 0 && len(data) > 0:
			if at, cause := scalar.UvarintFault(data, 0); cause != fault.ErrTruncated {
				return d.end(&DecodeError{Offset: start + int64(at), Type: t, Err: cause})
			}
		}
		if err := d.readMore(t); err != nil {
			return err
		}
	}
}

// readMore reads more of the stream. t is the type of the value that is not yet complete.
func (d *Decoder) readMore(t reflect.Type) error {
	err := d.window.More()
	if n := len(d.window.Data()); err == io.EOF && n > 0 {
		return d.end(d.torn(n, t))
	}
	return d.end(err)
}
