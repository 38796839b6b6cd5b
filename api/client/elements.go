package client

import (
	"errors"
	"fmt"
	"io"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/wire"
)

// receiveElements makes target a sequence that decodes the elements of a body in the given
// media type. The body is read while the sequence is ranged over, and closed at its end.
func receiveElements(target message.Elements, body io.ReadCloser, mediaType string, options jsonv2.Options) {
	of := func(err error) error {
		return fmt.Errorf("api: reading elements of the type %v: %w", target.Elem(), err)
	}
	end := func() { _ = body.Close() }
	if mediaType == api.MediaTypeWireStream {
		d := wire.NewDecoder(body, message.MaxElement)
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
	r.d = message.NewElementDecoder(&r.bounded, json.Config{}, options)
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
	d       message.ElementDecoder
	array   bool // the body is a JSON array; otherwise it is NDJSON
	begun   bool
}

// next decodes the next element. The error is io.EOF after the last one.
func (r *answerReader) next(v any) (more bool, err error) {
	r.bounded.remaining = message.MaxElement
	if !r.begun {
		r.begun = true
		if err := r.open(); err != nil {
			return false, err
		}
	}
	if r.array && !r.d.More() {
		if _, err := r.d.Token(); err != nil { // read the end of the array
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

// open reads the '[' of a JSON array. For NDJSON it reads nothing.
func (r *answerReader) open() error {
	if !r.array {
		return nil
	}
	start, err := r.d.Token()
	switch {
	case err != nil:
		return r.failed(err)
	case start != json.Delim('['):
		return errors.New("not a JSON array")
	}
	return nil
}

// failed returns the cause of a failed decoding: the error of reading the body, if reading has
// failed, and otherwise err. It replaces io.EOF by io.ErrUnexpectedEOF.
func (r *answerReader) failed(err error) error {
	switch {
	case r.bounded.err != nil && r.bounded.err != io.EOF:
		return r.bounded.err
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}

// A boundedReader returns ErrAnswerTooLarge after as many bytes as the field remaining says. The
// answerReader sets this field before each element.
type boundedReader struct {
	from      io.Reader
	remaining int64
	err       error
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if b.remaining == 0 {
		b.err = ErrAnswerTooLarge
		return 0, b.err
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.remaining)])
	b.remaining -= int64(n)
	b.err = err
	return n, err
}
