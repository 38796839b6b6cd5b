package client

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/bind"
)

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
