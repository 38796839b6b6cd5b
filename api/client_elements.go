package api

import (
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// receive makes e the elements of an answer.
func (e *Elements[T]) receive(body io.ReadCloser, f format) {
	used := false
	*e = func(yield func(T, error) bool) {
		var zero T
		if used {
			yield(zero, errElementsTwice)
			return
		}
		used = true
		defer body.Close()
		if f == formatWireStream {
			receiveRecords(body, yield)
			return
		}
		bounded := &boundedReader{from: body}
		d := json.NewDecoder(bounded)
		fail := func(err error) {
			if bounded.err != nil && bounded.err != io.EOF {
				err = bounded.err
			} else if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			yield(zero, fmt.Errorf("api: the answer's elements of %v: %w", reflect.TypeFor[T](), err))
		}
		bounded.left = maxElement
		if f == formatJSON {
			if start, err := d.Token(); err != nil {
				fail(err)
				return
			} else if start != json.Delim('[') {
				fail(errors.New("they are no array"))
				return
			}
		}
		for f != formatJSON || d.More() {
			var v T
			err := d.Decode(&v)
			if err == io.EOF && f != formatJSON && bounded.err == io.EOF {
				return
			}
			if err != nil {
				fail(err)
				return
			}
			if !yield(v, nil) {
				return
			}
			bounded.left = maxElement
		}
		if _, err := d.Token(); err != nil { // the end of the array
			fail(err)
			return
		}
		drainBody(body)
	}
}

// receiveRecords yields the elements of a stream in the wire format.
func receiveRecords[T any](body io.ReadCloser, yield func(T, error) bool) {
	d := wire.NewDecoder(body, maxElement)
	for {
		var v T
		switch err := d.Decode(&v); {
		case err == io.EOF:
			return
		case err != nil:
			yield(v, fmt.Errorf("api: the answer's elements of %v: %w", reflect.TypeFor[T](), err))
			return
		}
		if !yield(v, nil) {
			return
		}
	}
}

// A boundedReader fails where an element takes more than its part of the memory.
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
