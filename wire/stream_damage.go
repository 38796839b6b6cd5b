package wire

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/hone-go/hone/wire/internal/fault"
)

// torn returns the error about a stream that ends n bytes after the start of the window.
func (d *Decoder) torn(n int, t reflect.Type) error {
	return &DecodeError{Offset: d.window.Offset + int64(n), Type: t, Err: fault.ErrTruncated}
}

// end ends the stream if err is an error that no later call can recover from, and returns err.
func (d *Decoder) end(err error) error {
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		d.ended = true
	}
	return err
}

// settle moves to the start of the next record. It skips the records that earlier calls refused.
func (d *Decoder) settle(t reflect.Type) error {
	if d.ended {
		return io.EOF
	}
	if d.skip > 0 {
		n, err := d.window.Discard(d.skip)
		if d.skip -= n; err == io.EOF {
			err = d.torn(0, t)
		}
		if err != nil {
			return d.end(err)
		}
	}
	if d.skipNext {
		d.skipNext = false
		err := d.record(t, func([]byte) error { return nil })
		var skipped *RecordError // a record over the limit
		if err != nil && !errors.As(err, &skipped) {
			d.skipNext = !d.ended
			return err
		}
		return d.settle(t)
	}
	return nil
}

// refuse returns err, an error about a v that cannot hold a record, without waiting for the record.
// The next call skips the record.
func (d *Decoder) refuse(err *DecodeError) error {
	if failed := d.settle(err.Type); failed != nil {
		return failed
	}
	d.skipNext = true
	return err
}

// A RecordError reports a record of a stream that a [Decoder] has skipped. The next call reads the
// record after it.
type RecordError struct {
	Offset int64  // position of the record's length prefix, in bytes from the start of the stream
	Length uint64 // length of the record in bytes, without its length prefix
	Err    error  // the cause, usually a *DecodeError or a *LengthError; never nil
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("wire: skipped a record of %d bytes at byte %d: %s", e.Length, e.Offset, strings.TrimPrefix(e.Err.Error(), "wire: "))
}

// Unwrap returns the cause.
func (e *RecordError) Unwrap() error { return e.Err }

// A LengthError reports a record that is longer than the limit of its reader. [errors.Is] reports
// that it matches [ErrLimit].
type LengthError struct {
	Length uint64 // length of the record in bytes
	Limit  int    // the second argument of NewDecoder
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("%d bytes exceed the limit of %d; the second argument of NewDecoder raises the limit", e.Length, e.Limit)
}

// Is reports whether target is [ErrLimit].
func (e *LengthError) Is(target error) bool { return target == ErrLimit }

// withoutEOF returns err, an error about the content of a record, without io.ErrUnexpectedEOF and
// io.EOF in its chain. A caller would take these for the end of the stream.
func withoutEOF(err error) error {
	var de *DecodeError
	switch {
	case !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF):
	case !errors.As(err, &de):
		return errors.New(err.Error())
	case de.Err == fault.ErrTruncated:
		de.Err = fault.ErrShort
	default: // the error of a method
		de.Err = errors.New(de.Err.Error())
	}
	return err
}
