package api

import (
	"errors"
	"fmt"
	"io"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// receiveElements makes target the elements of an answer in a media type.
func receiveElements(target message.Elements, body io.ReadCloser, mediaType string) {
	of := func(err error) error { return fmt.Errorf("api: the answer's elements of %v: %w", target.Elem(), err) }
	end := func() { _ = body.Close() }
	if mediaType == MediaTypeWireStream {
		d := wire.NewDecoder(body, maxElement)
		target.Fill(func(v any) (more bool, err error) {
			if err = d.Decode(v); err != nil && err != io.EOF {
				err = of(err)
			}
			return err == nil, err
		}, end)
		return
	}
	r := &answerReader{body: body, array: mediaType == message.JSON}
	r.bounded.from = body
	r.d = json.NewDecoder(&r.bounded)
	target.Fill(func(v any) (more bool, err error) {
		more, err = r.next(v)
		if err != nil && err != io.EOF {
			err = of(err)
		}
		return more, err
	}, end)
}

// An answerReader reads the elements of an answer in JSON.
type answerReader struct {
	body    io.ReadCloser
	bounded boundedReader
	d       *json.Decoder
	array   bool // else one value follows the other
	begun   bool
}

// next decodes the next element. The error is io.EOF after the last one.
func (r *answerReader) next(v any) (more bool, err error) {
	r.bounded.left = maxElement
	if !r.begun {
		r.begun = true
		if err := r.open(); err != nil {
			return false, err
		}
	}
	if r.array && !r.d.More() {
		if _, err := r.d.Token(); err != nil { // the end of the array
			return false, r.failed(err)
		}
		drainBody(r.body)
		return false, io.EOF
	}
	err = r.d.Decode(v)
	switch {
	case err == nil:
		return true, nil
	case err == io.EOF && !r.array && r.bounded.err == io.EOF:
		return false, io.EOF
	}
	return false, r.failed(err)
}

// open reads the start of the array.
func (r *answerReader) open() error {
	if !r.array {
		return nil
	}
	start, err := r.d.Token()
	switch {
	case err != nil:
		return r.failed(err)
	case start != json.Delim('['):
		return errors.New("they are not an array")
	}
	return nil
}

// failed returns the error of reading in the place of the error that it led to.
func (r *answerReader) failed(err error) error {
	switch {
	case r.bounded.err != nil && r.bounded.err != io.EOF:
		return r.bounded.err
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}

// A boundedReader fails when an element is longer than left.
type boundedReader struct {
	from io.Reader
	left int64
	err  error
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if b.left == 0 {
		b.err = ErrAnswerTooLarge
		return 0, b.err
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	b.err = err
	return n, err
}
