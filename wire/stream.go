package wire

import (
	"encoding/binary"
	"fmt"
	"io"
	"reflect"

	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/measure"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/schema"
)

// An Encoder writes records to a stream. A record is the length of an encoding as a uvarint, and
// the encoding. An Encoder is not safe for concurrent use.
type Encoder struct {
	// Limits bound each record that [Encoder.Encode] writes.
	Limits Limits

	w   io.Writer
	buf []byte
	err error
}

// NewEncoder returns an encoder to w. Each record is one call of w's Write.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w: w} }

// Encode writes the target of v, a pointer. An error of the writer is permanent, since a part of
// a record may have been written: every later call returns it. The other errors are the same as
// for [Append]; nothing was written then.
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

// EncodeWith is [Encoder.Encode] by the codec c, within the limits of c.
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
	if cap(e.buf) > maxKept {
		e.buf = nil
	}
	return e.write(buf[start:])
}

// maxKept is the largest buffer that is kept for the next record.
const maxKept = 1 << 20

func (e *Encoder) write(b []byte) error {
	n, err := e.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	e.err = err
	return err
}

// Fingerprint writes f, 8 bytes, for [Decoder.Fingerprint] of the reader. Both sides must agree
// on its place, usually the start of the stream.
func (e *Encoder) Fingerprint(f schema.Fingerprint) error {
	if e.err != nil {
		return e.err
	}
	return e.write(f[:])
}

// A Decoder reads records from a stream. It is not safe for concurrent use.
type Decoder struct {
	window measure.Window
	// Limits bound each record that [Decoder.Decode] reads.
	Limits Limits
}

// NewDecoder returns a decoder for the stream of r. It reads ahead of the records. A record
// longer than limit bytes is refused with [ErrLimit]; 0 means 64 MiB. Memory for a record is
// allocated as its bytes arrive.
func NewDecoder(r io.Reader, limit int) *Decoder {
	return &Decoder{window: measure.NewWindow(r, limit)}
}

// Decode reads the next record into the target of v, a pointer. The error is io.EOF at the end of
// the stream, and a [*DecodeError] with io.ErrUnexpectedEOF in the middle of a record. A
// malformed record is consumed: the next call reads the record after it.
func (d *Decoder) Decode(v any) error {
	c, err := pointee(v, d.Limits)
	if err != nil {
		return &DecodeError{Offset: d.window.Offset, Type: reflect.TypeOf(v), Err: err}
	}
	return d.record(c.runner.Type, func(data []byte) error { return c.Unmarshal(data, v) })
}

// DecodeWith is [Decoder.Decode] by the codec c, within the limits of c. If the codec aliases
// its input, the decoded value is valid until the next record is read.
func DecodeWith[T any](d *Decoder, c *Codec[T], v *T) error {
	return d.record(reflect.TypeFor[T](), func(data []byte) error { return c.Unmarshal(data, v) })
}

// record reads a record and calls decode with its bytes, which are valid during the call alone.
func (d *Decoder) record(t reflect.Type, decode func([]byte) error) error {
	fail := func(pos int, cause error) error {
		return &DecodeError{Offset: d.window.Offset + int64(pos), Type: t, Err: cause}
	}
	for {
		data := d.window.Data()
		n, head := scalar.Uvarint(data, 0)
		switch {
		case head > 0 && n > uint64(d.window.Limit):
			return fail(0, ErrLimit)
		case head > 0 && n <= uint64(len(data)-head):
			d.window.Take(head)
			err := program.Shift(decode(data[head:head+int(n)]), d.window.Offset)
			d.window.Take(int(n))
			return err
		case head == 0 && len(data) > 0:
			if at, cause := scalar.UvarintFault(data, 0); cause != fault.ErrTruncated {
				return fail(at, cause)
			}
		}
		if err := d.window.More(); err == io.EOF && len(data) > 0 {
			return fail(len(data), fault.ErrTruncated)
		} else if err != nil {
			return err
		}
	}
}

// Fingerprint reads 8 bytes and compares them with f. The error is a [*FingerprintError] if they
// differ.
func (d *Decoder) Fingerprint(f schema.Fingerprint) error {
	for len(d.window.Data()) < len(f) {
		if err := d.window.More(); err == io.EOF && len(d.window.Data()) > 0 {
			return &DecodeError{Offset: d.window.Offset + int64(len(d.window.Data())), Type: reflect.TypeFor[schema.Fingerprint](), Err: fault.ErrTruncated}
		} else if err != nil {
			return err
		}
	}
	got := schema.Fingerprint(d.window.Data()[:len(f)])
	d.window.Take(len(f))
	if got != f {
		return &FingerprintError{Got: got, Want: f}
	}
	return nil
}

// A FingerprintError reports a stream with another schema than the reader's.
type FingerprintError struct {
	Got, Want schema.Fingerprint
}

func (e *FingerprintError) Error() string {
	return fmt.Sprintf("wire: the stream has the schema %v, and this program has %v", e.Got, e.Want)
}
