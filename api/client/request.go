package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/http/route"
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

// address returns the URL of a path with its parameters.
func (c *Client) address(parts []route.Part, params bind.Lookup) (*url.URL, error) {
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(c.base.EscapedPath(), "/"))
	for _, p := range parts {
		if p.Kind == route.Literal {
			for i, segment := range strings.Split(p.Text, "/") {
				if i > 0 {
					b.WriteByte('/')
				}
				b.WriteString(escapeSegment(segment))
			}
			continue
		}
		value := ""
		if params != nil {
			value, _ = params.Get(p.Text)
		}
		switch {
		case p.Kind == route.Rest:
			writeRest(&b, value)
		case value == "":
			return nil, fmt.Errorf("the path parameter %q is empty", p.Text)
		default:
			b.WriteString(escapeSegment(value))
		}
	}
	u := c.base
	u.RawPath = b.String()
	var err error
	if u.Path, err = url.PathUnescape(u.RawPath); err != nil {
		return nil, err
	}
	return &u, nil
}

// escapeSegment escapes a segment of a path, so that the result has no '/' and is not removed
// when the path is cleaned.
func escapeSegment(s string) string {
	switch s {
	case ".":
		return "%2E"
	case "..":
		return "%2E%2E"
	}
	return url.PathEscape(s)
}

// writeRest writes the value of a parameter {rest...}. It escapes a '/' at the start of the
// value or after another '/', since servers treat "//" as "/".
func writeRest(b *strings.Builder, s string) {
	for i, segment := range strings.Split(s, "/") {
		switch {
		case i == 0:
		case strings.HasSuffix(b.String(), "/"):
			b.WriteString("%2F")
		default:
			b.WriteByte('/')
		}
		b.WriteString(escapeSegment(segment))
	}
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

// A formPart is a piece of a multipart form: bytes, followed by the content of a file.
type formPart struct {
	head []byte
	file *multipart.FileHeader // may be nil
}

// setMultipart sets a multipart form as the body. Each file is opened when it is sent.
func setMultipart(r *http.Request, from *bind.Input) error {
	var parts []formPart
	var head bytes.Buffer
	w := multipart.NewWriter(&head)
	length := int64(0)
	cut := func(file *multipart.FileHeader) {
		parts = append(parts, formPart{bytes.Clone(head.Bytes()), file})
		length += int64(head.Len())
		if file != nil {
			length += file.Size
		}
		head.Reset()
	}
	for _, name := range sortedKeys(from.Values) {
		for _, value := range from.Values[name] {
			if err := w.WriteField(name, value); err != nil {
				return err
			}
		}
	}
	for _, name := range sortedKeys(from.Files) {
		for _, file := range from.Files[name] {
			h := textproto.MIMEHeader{}
			for key, values := range file.Header {
				h[key] = values
			}
			h.Set("Content-Disposition", multipart.FileContentDisposition(name, file.Filename))
			if h.Get("Content-Type") == "" {
				h.Set("Content-Type", message.Bytes)
			}
			if _, err := w.CreatePart(h); err != nil {
				return err
			}
			cut(file)
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	cut(nil)
	r.Header["Content-Type"] = []string{w.FormDataContentType()}
	r.ContentLength = length
	r.GetBody = func() (io.ReadCloser, error) { return &formBody{parts: parts}, nil }
	r.Body, _ = r.GetBody()
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// A formBody reads the parts of a form. It has at most one file open.
type formBody struct {
	parts []formPart
	head  io.Reader     // the unread bytes of parts[0].head
	file  io.ReadCloser // the open file of parts[0], or nil
}

func (b *formBody) Read(p []byte) (int, error) {
	for len(b.parts) > 0 {
		if b.head == nil {
			b.head = bytes.NewReader(b.parts[0].head)
		}
		if n, _ := b.head.Read(p); n > 0 {
			return n, nil
		}
		if f := b.parts[0].file; f != nil {
			if b.file == nil {
				file, err := f.Open()
				if err != nil {
					return 0, err
				}
				b.file = file
			}
			n, err := b.file.Read(p)
			if err != io.EOF {
				return n, err
			}
			if n > 0 {
				return n, nil
			}
			_ = b.file.Close()
		}
		b.parts, b.head, b.file = b.parts[1:], nil, nil
	}
	return 0, io.EOF
}

func (b *formBody) Close() error {
	b.parts = nil
	if b.file != nil {
		return b.file.Close()
	}
	return nil
}

// FileOf returns a file to send in a form, for a field of In of type *multipart.FileHeader or
// []*multipart.FileHeader. It keeps a copy of the content; mediaType may be "". A handler that passes
// on a file of its own input does not need FileOf: the FileHeader of the input is valid until the
// handler returns.
func FileOf(name, mediaType string, content []byte) *multipart.FileHeader {
	// Only a multipart.Reader can create a FileHeader with content.
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	h := textproto.MIMEHeader{}
	h.Set("Content-Disposition", multipart.FileContentDisposition("f", "f"))
	if mediaType != "" {
		h.Set("Content-Type", mediaType)
	}
	part, err := w.CreatePart(h)
	if err == nil {
		_, err = part.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	var read *multipart.Form
	if err == nil {
		read, err = multipart.NewReader(&form, w.Boundary()).ReadForm(int64(len(content)) + 64<<20)
	}
	if err != nil || len(read.File["f"]) != 1 {
		return &multipart.FileHeader{Filename: name} // a FileHeader without content, whose Open fails
	}
	file := read.File["f"][0]
	file.Filename = name
	return file
}
