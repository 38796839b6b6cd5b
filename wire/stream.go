package wire

import (
	"encoding/binary"
	"fmt"
	"io"
	"reflect"

	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/schema"
)

// An Encoder writes records to a stream: each value's encoding behind its length
// as a uvarint. It is not safe for concurrent use.
type Encoder struct {
	// Limits bound each record that [Encoder.Encode] writes.
	Limits Limits

	w   io.Writer
	buf []byte
	err error
}

// NewEncoder returns an encoder to w. Each record is one call of w's Write.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w: w} }

// Encode writes the value that v, a pointer, points to. An error of the writer
// is kept: part of a record may be written, so every later call returns it. The
// other errors are those of [Append]; then nothing was written.
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

// EncodeWith is [Encoder.Encode] by a codec, within the codec's limits.
func EncodeWith[T any](e *Encoder, c *Codec[T], v *T) error {
	return e.record(func(dst []byte) ([]byte, error) { return c.Append(dst, v) })
}

// lengthRoom is kept free in front of a record for its length.
const lengthRoom = 10

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

// Fingerprint writes f, 8 bytes, which a reader checks by
// [Decoder.Fingerprint]: both sides must agree that it is there, as a rule at the
// start of the stream.
func (e *Encoder) Fingerprint(f schema.Fingerprint) error {
	if e.err != nil {
		return e.err
	}
	return e.write(f[:])
}

// A Decoder reads records from a stream. It is not safe for concurrent use.
type Decoder struct {
	window program.Window
	// Limits bound each record that [Decoder.Decode] reads.
	Limits Limits
}

// NewDecoder returns a decoder of what r delivers, which it reads ahead of the
// records. A record longer than limit bytes is refused with [ErrLimit]; 0 is 64
// MiB. Memory for a record is taken as it arrives.
func NewDecoder(r io.Reader, limit int) *Decoder {
	return &Decoder{window: program.NewWindow(r, limit)}
}

// Decode reads the next record into the value that v, a pointer, points to. The
// error is io.EOF at the end of the stream, and io.ErrUnexpectedEOF within a
// [*DecodeError] in the middle of a record. A record that is there but malformed
// is left behind: the next call reads the next one.
func (d *Decoder) Decode(v any) error {
	c, err := pointee(v, d.Limits)
	if err != nil {
		return &DecodeError{Offset: d.window.Offset, Type: reflect.TypeOf(v), Err: err}
	}
	return d.record(c.runner.Type, func(data []byte) error { return c.Unmarshal(data, v) })
}

// DecodeWith is [Decoder.Decode] by a codec, within the codec's limits. If it
// aliases its input, what was decoded holds until the next record is read.
func DecodeWith[T any](d *Decoder, c *Codec[T], v *T) error {
	return d.record(reflect.TypeFor[T](), func(data []byte) error { return c.Unmarshal(data, v) })
}

func (d *Decoder) record(t reflect.Type, decode func([]byte) error) error {
	fail := func(pos int, cause error) error {
		return &DecodeError{Offset: d.window.Offset + int64(pos), Type: t, Err: cause}
	}
	for {
		data := d.window.Data()
		n, head := program.Uvarint(data, 0)
		switch {
		case head > 0 && n > uint64(d.window.Limit):
			return fail(0, ErrLimit)
		case head > 0 && n <= uint64(len(data)-head):
			d.window.Take(head)
			err := program.Shift(decode(data[head:head+int(n)]), d.window.Offset)
			d.window.Take(int(n))
			return err
		case head == 0 && len(data) > 0:
			if at, cause := program.UvarintFault(data, 0); cause != program.ErrTruncated {
				return fail(at, cause)
			}
		}
		if err := d.window.More(); err == io.EOF && len(data) > 0 {
			return fail(len(data), program.ErrTruncated)
		} else if err != nil {
			return err
		}
	}
}

// Fingerprint reads 8 bytes and checks that they are f. The error is a
// [*FingerprintError] if they are not.
func (d *Decoder) Fingerprint(f schema.Fingerprint) error {
	for len(d.window.Data()) < len(f) {
		if err := d.window.More(); err == io.EOF && len(d.window.Data()) > 0 {
			return &DecodeError{Offset: d.window.Offset + int64(len(d.window.Data())), Type: reflect.TypeFor[schema.Fingerprint](), Err: program.ErrTruncated}
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

// A FingerprintError reports a stream whose schema is another than the reader's.
type FingerprintError struct {
	Got, Want schema.Fingerprint
}

func (e *FingerprintError) Error() string {
	return fmt.Sprintf("wire: the stream has the schema %v, this program %v", e.Got, e.Want)
}
