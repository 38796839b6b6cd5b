package api

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/header"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/wire"
)

// ErrNotModified is the error of a [Call] whose answer has status 304: the client has
// the content already, as a field such as If-None-Match of its request said.
var ErrNotModified = errors.New("api: the answer has not been modified")

// ErrAnswerTooLarge is the cause of an [AnswerError] about an answer over the limit.
var ErrAnswerTooLarge = errors.New("the answer is larger than the limit")

// An AnswerError says which answer an error of a [Call] is about. It is in the chain of
// a [*Problem] that the server answered with.
type AnswerError struct {
	Pattern string // of the call
	Status  int
	Header  http.Header // of the answer
	// Err is why the answer cannot be read; nil if it is a problem.
	Err error
}

// Error names the operation and the status; of the header it shows nothing.
func (e *AnswerError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("%s was answered with status %d", e.Pattern, e.Status)
	}
	return fmt.Sprintf("api: the answer of status %d to %s cannot be read: %v", e.Status, e.Pattern, e.Err)
}

// Unwrap returns the cause.
func (e *AnswerError) Unwrap() error { return e.Err }

// RetryAfter is how long the server asked to wait before the next attempt; 0 if it did
// not.
func (e *AnswerError) RetryAfter() time.Duration {
	return parseRetryAfter(e.Header.Get("Retry-After"), time.Now())
}

const (
	maxProblem     = 1 << 20 // bytes of a problem document
	maxProblemText = 1 << 10 // bytes of a text that is the detail of one
)

// problemFrom makes an error of an answer that is no success.
func problemFrom(resp *http.Response, pattern string) error {
	if resp.StatusCode == http.StatusNotModified {
		return ErrNotModified
	}
	cause := &AnswerError{Pattern: pattern, Status: resp.StatusCode, Header: resp.Header}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxProblem))
	p := new(Problem)
	mediaType := strings.ToLower(header.MediaType(resp.Header.Get("Content-Type")))
	isJSON := mediaType == MediaTypeProblem || mediaType == mediaTypeJSON
	if err != nil || !isJSON || json.Unmarshal(data, p) != nil {
		p = &Problem{}
		if isText := isJSON || strings.HasPrefix(mediaType, "text/") || mediaType == ""; isText {
			p.Detail = excerpt(data)
		}
	}
	p.Status = resp.StatusCode // whatever the document says
	if p.Title == "" {
		p.Title = http.StatusText(p.Status)
	}
	return p.Wrap(cause)
}

// excerpt returns the start of a text, without what is no text.
func excerpt(data []byte) string {
	data = data[:min(len(data), maxProblemText)]
	for i := 0; i < utf8.UTFMax && len(data) > 0; i++ { // a character that was cut through
		if r, size := utf8.DecodeLastRune(data); r != utf8.RuneError || size != 1 {
			break
		}
		data = data[:len(data)-1]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(data), "\uFFFD"))
}

// An answer reads the answers of one operation.
type answer[Out any] struct {
	*output[Out]
	head  bool
	limit int64
	json  []jsonv2.Options
}

func newAnswer[Out any](method string, options CallOptions) (*answer[Out], error) {
	o, err := newOutput[Out](Operation{JSON: options.JSON})
	if err != nil {
		return nil, err
	}
	a := &answer[Out]{output: o, head: method == http.MethodHead, limit: options.AnswerLimit, json: options.JSON}
	if a.limit == 0 {
		a.limit = DefaultAnswerLimit
	}
	return a, nil
}

// accept is what the request asks for.
func (a *answer[Out]) accept(asWire bool) string {
	types := []string{mediaTypeJSON}
	for _, f := range a.forms {
		switch {
		case f.content != nil:
			return "*/*"
		case f.elem != nil && asWire && f.offers[len(f.offers)-1].format == formatWireStream:
			types = []string{MediaTypeWireStream, MediaTypeNDJSON + ";q=0.9", mediaTypeJSON + ";q=0.8"}
		case f.elem != nil:
			types = []string{MediaTypeNDJSON, mediaTypeJSON + ";q=0.9"}
		case asWire && f.wire != nil:
			types = []string{MediaTypeWire, mediaTypeJSON + ";q=0.9"}
		}
	}
	return strings.Join(types, ", ")
}

// read reads a successful answer. It closes the body, unless that is a stream.
func (a *answer[Out]) read(resp *http.Response) (*Out, error) {
	out := new(Out)
	f, target := a.formFor(resp.StatusCode, out)
	if err := f.receive(resp, target); err != nil {
		drainBody(resp.Body)
		return nil, err
	}
	if f.streams && !a.head && resp.StatusCode != http.StatusNoContent {
		return out, a.open(resp, f.make(target))
	}
	defer drainBody(resp.Body)
	switch {
	case f.empty:
		return out, nil
	case a.head:
		if f.content != nil {
			f.make(target).(*Content).describe(resp)
		}
		return out, nil
	case resp.StatusCode == http.StatusNoContent:
		if f.bare {
			return nil, nil
		}
		return out, nil
	}
	return out, a.whole(resp, f, f.make(target))
}

// whole reads an answer that is in memory as a whole.
func (a *answer[Out]) whole(resp *http.Response, f *form, body any) error {
	format := requestFormat(resp.Header, nil)
	if format != formatJSON && (format != formatWire || f.wire == nil) {
		return unexpectedType(resp)
	}
	data, err := a.bytes(resp)
	switch {
	case err != nil:
		return err
	case format == formatWire:
		return f.wire.Unmarshal(data, body)
	case a.json != nil:
		return jsonv2.Unmarshal(data, body, a.json...)
	}
	return json.Unmarshal(data, body)
}

// bytes reads a body up to the limit.
func (a *answer[Out]) bytes(resp *http.Response) ([]byte, error) {
	if a.limit < 0 {
		return io.ReadAll(resp.Body)
	}
	if resp.ContentLength > a.limit {
		return nil, ErrAnswerTooLarge
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, a.limit+1))
	if err == nil && int64(len(data)) > a.limit {
		err = ErrAnswerTooLarge
	}
	return data, err
}

// open hands the body over to what target points to, a stream.
func (a *answer[Out]) open(resp *http.Response, target any) error {
	if content, ok := target.(*Content); ok {
		content.describe(resp)
		content.Body = resp.Body
		return nil
	}
	format := requestFormat(resp.Header, nil)
	if format != formatJSON && format != formatNDJSON && format != formatWireStream {
		drainBody(resp.Body)
		return unexpectedType(resp)
	}
	target.(elements).receive(resp.Body, format)
	return nil
}

// formFor returns the form of an answer of the status, and a pointer to where in *out it
// goes.
func (a *answer[Out]) formFor(status int, out *Out) (*form, any) {
	if a.union == nil {
		return a.forms[0], out
	}
	i := max(0, slices.IndexFunc(a.forms, func(f *form) bool { return slices.Contains(f.statuses, status) }))
	return a.forms[i], hold(a.union, i, reflect.ValueOf(out))
}

// receive sets what of *target is the status, the header and the cookies of an answer.
func (f *form) receive(resp *http.Response, target any) error {
	if f.bare {
		return nil
	}
	at := reflect.ValueOf(target).Elem()
	if place := f.response.Status; place != nil {
		at.FieldByIndex(place.Index).SetInt(int64(resp.StatusCode))
	}
	h := resp.Header.Clone()
	for i := range f.fields {
		f.fields[i].receive(resp, h, at)
	}
	return bind.Header(h, target)
}

// make returns a pointer to what of *target is the body, which it makes if it is nil.
func (f *form) make(target any) any {
	if !f.bare && f.streams {
		if v := reflect.ValueOf(target).Elem().FieldByIndex(f.bodyAt); v.Kind() == reflect.Pointer {
			v.Set(reflect.New(v.Type().Elem()))
		}
	}
	return f.body(target)
}

func unexpectedType(resp *http.Response) error {
	if coding := resp.Header.Get("Content-Encoding"); coding != "" {
		return fmt.Errorf("it is %q encoded as %q", resp.Header.Get("Content-Type"), coding)
	}
	return fmt.Errorf("it is %q", resp.Header.Get("Content-Type"))
}

// describe sets what the header of an answer says of its content.
func (v *Content) describe(resp *http.Response) {
	v.Type = resp.Header.Get("Content-Type")
	v.ETag = resp.Header.Get(headerETag)
	v.Length = max(resp.ContentLength, 0)
	if _, params, err := mime.ParseMediaType(resp.Header.Get("Content-Disposition")); err == nil {
		v.Name = params["filename"]
	}
}

// Close closes the Body, if it can be. A Content that a [Call] returned is to be closed.
func (v *Content) Close() error {
	if closer, ok := v.Body.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

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
			e.records(body, yield)
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

// records yields the elements of a stream in the wire format.
func (e *Elements[T]) records(body io.Reader, yield func(T, error) bool) {
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
