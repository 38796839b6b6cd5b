package layout

import (
	"errors"
	"io"
	"os"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/measure"
	"github.com/hone-go/hone/wire/internal/program"
)

// A ModelDecoder reads values of registered types from a stream.
type ModelDecoder[ID comparable] struct {
	models       *Models[ID]
	window       measure.Window
	ended        bool  // an error has ended the stream
	unregistered int64 // 1 plus the offset of the last id that was not registered
}

// NewDecoder returns a decoder for the stream of r. It reads ahead of the values. A value whose
// encoding is longer than limit bytes is refused with [ErrLimit]; 0 means 64 MiB.
func (m *Models[ID]) NewDecoder(r io.Reader, limit int) *ModelDecoder[ID] {
	return &ModelDecoder[ID]{models: m, window: measure.NewWindow(r, limit)}
}

// Decode reads the next value and returns a pointer to it. Values do not point into the buffer of
// the decoder.
//
// The error is io.EOF at the end of the stream. An id that is not registered is a [*ModelError] and
// is not consumed, so that the next call reads the value if the id has been registered by then. If
// the next call finds the same id again, the stream ends. Every other error ends the stream too,
// because a model has no length prefix, so the start of the next value is unknown. An error is
// returned once; after the end every call returns io.EOF. A timeout of the reader
// (os.ErrDeadlineExceeded) does not end the stream.
func (d *ModelDecoder[ID]) Decode() (id ID, v any, err error) {
	if d.ended {
		return id, nil, io.EOF
	}
	at := d.window.Offset + 1
	id, v, err = d.next()
	switch {
	case err == nil || errors.Is(err, os.ErrDeadlineExceeded):
	case isUnregistered(err) && d.unregistered != at:
		d.unregistered = at
	case isUnregistered(err):
		d.ended = true
		return id, nil, io.EOF
	default:
		d.ended = true
	}
	return id, v, err
}

// isUnregistered reports whether err is about an id that is not registered.
func isUnregistered(err error) bool {
	me, ok := err.(*ModelError)
	return ok && me.Err == wire.ErrUnregistered
}

// next implements Decode.
func (d *ModelDecoder[ID]) next() (id ID, v any, err error) {
	for len(d.window.Data()) == 0 {
		if err := d.window.More(); err != nil {
			return id, nil, err
		}
	}
	id, v, rest, err := d.models.decode(d.window.Data(), false)
	if isShort(err) {
		at, cause, failed := d.readWhole()
		if failed != nil {
			return id, nil, failed
		}
		id, v, rest, err = d.models.decode(d.window.Data(), false)
		if isShort(err) && cause != nil {
			de := err.(*wire.DecodeError)
			de.Offset, de.Err = int64(at), cause
		}
	}
	if err != nil {
		return id, v, program.Shift(err, d.window.Offset)
	}
	d.window.Take(len(d.window.Data()) - len(rest))
	return id, v, nil
}

// isShort reports whether err means that the input ended within the value, so that more input
// may help.
func isShort(err error) bool {
	de, ok := err.(*wire.DecodeError)
	return ok && de.Err == fault.ErrTruncated
}

// readWhole follows the lengths in the stream, and reads until the buffer contains the whole next
// value. If it finds a fault, at and cause are the position and the cause of the fault. err is an
// error of the reader other than io.EOF.
func (d *ModelDecoder[ID]) readWhole() (at int, cause, err error) {
	const extra = 8 // levels that a Measure counts but the decoder does not
	m := measure.Measure{Window: &d.window, Depth: budget.DefaultDepth + extra}
	if m.Value(d.models.header.Root) {
		if one, _, err := d.models.next(d.window.Data()); err == nil {
			if one.Limits.Depth > 0 {
				m.Depth = one.Limits.Depth + extra
			}
			m.Value(one.Root)
		}
	}
	if m.Err == io.EOF {
		m.Err = nil
	}
	return m.Pos, m.Cause, m.Err
}
