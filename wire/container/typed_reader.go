package container

import (
	"errors"
	"io"
	"strings"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

// A Reader reads the records of a container as values of T. It is not safe for concurrent use.
type Reader[T any] struct {
	codec   *wire.Codec[T]
	records *Records
}

// NewReader reads the header of a container from r and compares its schema with the schema of the
// codec c. If c is nil, the codec is [wire.For] of T. Another schema is accepted if
// [schema.Schema.Reads] reports that the codec can read all its values, for example values of an
// older version of an evolving struct; otherwise the error is a [*SchemaError]. The other errors
// are the same as for [NewRecords], and a *wire.TypeError.
func NewReader[T any](r io.Reader, c *wire.Codec[T], o ReaderOptions) (*Reader[T], error) {
	c, s, err := codecOf(c)
	if err != nil {
		return nil, err
	}
	records, err := NewRecords(r, o)
	if err != nil {
		return nil, err
	}
	if err := readable(s, records.Header()); err != nil {
		return nil, err
	}
	return &Reader[T]{c, records}, nil
}

// codecOf returns c, or the derived codec of T if c is nil, and its schema.
func codecOf[T any](c *wire.Codec[T]) (*wire.Codec[T], *schema.Schema, error) {
	if c == nil {
		var err error
		if c, err = wire.For[T](); err != nil {
			return nil, nil, err
		}
	}
	s := c.Schema()
	if s == nil {
		return nil, nil, wire.ErrNoCodec
	}
	return c, s, nil
}

// readable returns a SchemaError if the schema s cannot read the records of a container.
func readable(s *schema.Schema, h Header) error {
	want := s.Fingerprint()
	if h.Fingerprint == want {
		return nil
	}
	if h.Schema == nil {
		return &SchemaError{Got: h.Fingerprint, Want: want}
	}
	if problems := s.Reads(h.Schema); len(problems) > 0 {
		return &SchemaError{Got: h.Fingerprint, Want: want, Problems: problems}
	}
	return nil
}

// Header returns the header.
func (r *Reader[T]) Header() Header { return r.records.Header() }

// Totals returns the numbers of the records that were read and lost so far.
func (r *Reader[T]) Totals() Totals { return r.records.Totals() }

// Read reads the next record into *v. The errors are the same as for [Records.Next], and a
// [*wire.RecordError] for a record that the codec refuses. Such a record is skipped; the offset of
// the error is the position of the record, or of the block if the block is compressed. If the codec
// aliases its input, the value is valid until the next call.
func (r *Reader[T]) Read(v *T) error {
	data, err := r.records.Next()
	if err != nil {
		return err
	}
	if err := r.codec.Unmarshal(data, v); err != nil {
		at := r.records.Offset()
		if !r.records.packed {
			at -= int64(prefixOf(len(data)))
		}
		return &wire.RecordError{Offset: at, Length: uint64(len(data)), Err: withoutEOF(err)}
	}
	return nil
}

// withoutEOF returns err, an error about the content of a whole record, without io.ErrUnexpectedEOF
// and io.EOF in its chain. A caller would take these for the end of the stream.
func withoutEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New(strings.TrimPrefix(err.Error(), "wire: "))
	}
	return err
}
