package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/bind"
)

// request returns the request for an input, a pointer. from has the input's parameters.
func (t *caller) request(ctx context.Context, input any, from *bind.Input) (*http.Request, error) {
	address, err := t.client.address(t.parts, from.Path)
	if err != nil {
		return nil, t.refused(err)
	}
	address.RawQuery = from.Query
	r, err := http.NewRequestWithContext(ctx, t.method, t.client.base.String(), nil)
	if err != nil {
		return nil, t.refused(err)
	}
	r.URL = address
	if t.redirects != nil {
		r = r.WithContext(context.WithValue(ctx, redirectsKey{}, t.redirects))
	}
	r.Header.Set("Accept", t.accept)
	for name, values := range t.client.options.Header {
		r.Header[name] = slices.Clone(values)
	}
	if err := t.body(r, input, from); err != nil {
		return nil, t.refused(err)
	}
	for name, values := range from.Header {
		t.set(r, name, values)
	}
	if from.Cookies != nil {
		r.Header["Cookie"] = []string{strings.Join(slices.Concat(r.Header["Cookie"], from.Cookies), "; ")}
	}
	return r, nil
}

// set sets a header field. An http.Request keeps Host and Content-Length outside Header.
func (t *caller) set(r *http.Request, name string, values []string) {
	switch name {
	case "Host":
		r.Host = values[0]
	case "Content-Length":
		if n, err := strconv.ParseInt(values[0], 10, 64); err == nil && n >= 0 && t.input.Stream != nil && r.ContentLength <= 0 && r.Body != nil {
			r.ContentLength = n
		}
	default:
		r.Header[name] = values
	}
}

// refused adds the operation to the error of an input that cannot be sent.
func (t *caller) refused(err error) error {
	return fmt.Errorf("api: %s: the request cannot be made: %w", t.pattern, err)
}

// body sets the body of the request, and its media type.
func (t *caller) body(r *http.Request, in any, from *bind.Input) error {
	switch i := t.input; {
	case i.Files:
		return setMultipart(r, from)
	case i.Form:
		setBytes(r, message.Form, []byte(from.Form))
		return nil
	case !i.HasBody:
		return nil
	case i.Stream != nil:
		t.stream(r, i.Target(in))
		return nil
	default:
		return t.whole(r, i.Target(in))
	}
}

// whole encodes the value that target points to as the body.
func (t *caller) whole(r *http.Request, target any) error {
	if t.input.Optional && reflect.ValueOf(target).Elem().IsZero() {
		return nil
	}
	data, err := t.codec.Append(nil, target)
	if err != nil {
		return err
	}
	setBytes(r, t.codec.MediaType, data)
	return nil
}

// setBytes sets a body that can be sent again.
func setBytes(r *http.Request, mediaType string, data []byte) {
	r.Header["Content-Type"] = []string{mediaType}
	r.ContentLength = int64(len(data))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	r.Body, _ = r.GetBody()
}

// stream sets the io.Reader or the Elements that target points to as the body. They are read when
// the request is sent.
func (t *caller) stream(r *http.Request, target any) {
	s := t.input.Stream
	mediaType := message.Bytes
	if len(s.Types) == 1 && !strings.Contains(s.Types[0], "*") {
		mediaType = s.Types[0]
	}
	if reader, ok := target.(*io.Reader); ok {
		if *reader == nil {
			return
		}
		// http.NewRequest knows the length of some readers, and how to read them again.
		known, err := http.NewRequest(r.Method, "", *reader)
		if err != nil {
			return // not reached: the method and the URL are valid
		}
		r.Body, r.GetBody, r.ContentLength = known.Body, known.GetBody, known.ContentLength
	} else {
		codec := message.Codec{MediaType: message.JSON, Append: t.appendJSON}
		if t.client.options.Wire && slices.ContainsFunc(s.Codecs, func(c message.Codec) bool { return c.MediaType == api.MediaTypeWireStream }) {
			codec = message.Codec{MediaType: api.MediaTypeWireStream}
		}
		mediaType = codec.MediaType
		elements := message.StreamOf(target).(message.Elements)
		read, write := io.Pipe()
		r.ContentLength = -1
		r.Body = &lazyBody{ReadCloser: read, start: sync.OnceFunc(func() {
			go func() { _ = write.CloseWithError(elements.WriteTo(write, codec)) }()
		})}
	}
	r.Header["Content-Type"] = []string{mediaType}
}

// A lazyBody calls the function start before its first Read.
type lazyBody struct {
	io.ReadCloser
	start func()
}

func (b *lazyBody) Read(p []byte) (int, error) {
	b.start()
	return b.ReadCloser.Read(p)
}
