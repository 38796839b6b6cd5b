package client

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/internal/message"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/shape"
)

// ErrNotModified is the error of a [Call] if the answer has status 304: the content has not changed
// since the version in the request, for example in If-None-Match.
var ErrNotModified = errors.New("api: the content has not been modified")

// ErrAnswerTooLarge is the cause of an [AnswerError] about an answer over the limit.
var ErrAnswerTooLarge = errors.New("the answer is larger than the limit")

const (
	maxProblem     = 1 << 20 // bytes of a problem document
	maxProblemText = 1 << 10 // bytes of a plain text answer that become the detail of a problem
)

// An answer reads the successful answers of one operation. If their type, Out, is a union whose types have
// different statuses, each of the types is a variant; otherwise Out is the only variant.
type answer struct {
	typ      reflect.Type // Out
	variants []*message.Response
	union    *shape.Shape // the shape of Out; nil unless Out is a union of variants
	head     bool
	limit    int64
	json     jsonv2.Options // the options for elements; nil selects the rules of encoding/json
}

// newAnswer returns the answer for an Out of the shape s.
func newAnswer(s *shape.Shape, method string, options CallOptions) (*answer, error) {
	formats, err := message.Formats(options.Formats)
	if err != nil {
		return nil, err
	}
	variants, union, err := message.Responses(s, message.Rules{JSON: options.JSON, Formats: formats})
	if err != nil {
		return nil, err
	}
	a := &answer{typ: s.Type, variants: variants, head: method == http.MethodHead, limit: options.AnswerLimit}
	if options.JSON != nil {
		a.json = jsonv2.JoinOptions(options.JSON...)
	}
	if union {
		a.union = s
	}
	if a.limit == 0 {
		a.limit = DefaultAnswerLimit
	}
	return a, nil
}

// accept returns the Accept field of requests: the preferred media type of each variant, followed by JSON. If the
// content of a variant is bytes, it returns "*/*".
func (a *answer) accept(asWire bool) string {
	var list []string
	add := func(s string) {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	for _, f := range a.variants {
		if f.Bytes != nil {
			return "*/*"
		}
		if best := preferred(f.Codecs, asWire); best != "" && best != message.JSON {
			add(best)
			add(message.JSON + ";q=0.9")
		}
	}
	if list == nil {
		return message.JSON
	}
	return strings.Join(list, ", ")
}

// preferred returns the media type that the client prefers: wire if asWire is set and there is a
// codec for it, else the first one besides JSON and wire, else JSON. Without codecs it returns "".
func preferred(codecs []message.Codec, asWire bool) string {
	best := ""
	for _, c := range codecs {
		switch {
		case c.MediaType == api.MediaTypeWire || c.MediaType == api.MediaTypeWireStream:
			if asWire {
				return c.MediaType
			}
		case best == "", best == message.JSON:
			best = c.MediaType
		}
	}
	return best
}

// redirects lists the 3xx statuses that are successful answers of the operation.
func (a *answer) redirects() (list []int) {
	for _, f := range a.variants {
		for _, status := range f.Statuses {
			if status >= 300 {
				list = append(list, status)
			}
		}
	}
	return list
}

// read reads a successful answer into out, an *Out. It closes the body unless the body is a stream.
// some is false if the handler returned nil.
func (a *answer) read(resp *http.Response, out any) (some bool, err error) {
	f, target := a.variants[0], out
	if a.union != nil {
		i := slices.IndexFunc(a.variants, func(f *message.Response) bool { return slices.Contains(f.Statuses, resp.StatusCode) })
		if i < 0 {
			drainBody(resp.Body)
			return false, fmt.Errorf("no variant of %v has the status %d", a.typ, resp.StatusCode)
		}
		f, target = a.variants[i], a.union.Union.Choose(reflect.ValueOf(out), i)
	}
	if err := f.Receive(resp, target); err != nil {
		drainBody(resp.Body)
		return false, err
	}
	hasContent := resp.StatusCode != http.StatusNoContent && (resp.ContentLength != 0 || resp.Header.Get("Content-Type") != "")
	switch {
	case a.head, f.Empty, !hasContent:
		drainBody(resp.Body)
		if content, ok := f.Target(target).(*api.Content); ok && a.head {
			describe(content, resp)
		}
		return a.head || f.Empty || !f.Optional, nil
	case f.Streams:
		return true, openStream(resp, f, f.Target(target), a.json)
	}
	defer drainBody(resp.Body)
	return true, a.whole(resp, f, f.Target(target))
}

// whole reads the whole body and decodes it into the value that target points to.
func (a *answer) whole(resp *http.Response, f *message.Response, target any) error {
	codec := message.ByContentType(resp.Header, f.Codecs)
	if codec == nil {
		return unexpectedType(resp)
	}
	data, err := a.bytes(resp)
	if err != nil {
		return err
	}
	return codec.Decode(data, target)
}

// bytes reads the whole body. It returns ErrAnswerTooLarge if the body is longer than the limit.
func (a *answer) bytes(resp *http.Response) ([]byte, error) {
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

// openStream makes the stream that target points to read from the body. The options apply to
// elements in JSON.
func openStream(resp *http.Response, f *message.Response, target any, options jsonv2.Options) error {
	if content, ok := target.(*api.Content); ok {
		describe(content, resp)
		content.Body = resp.Body
		return nil
	}
	codec := message.ByContentType(resp.Header, f.Codecs)
	if codec == nil {
		drainBody(resp.Body)
		return unexpectedType(resp)
	}
	receiveElements(message.StreamOf(target).(message.Elements), resp.Body, codec.MediaType, options)
	return nil
}

func unexpectedType(resp *http.Response) error {
	if coding := resp.Header.Get("Content-Encoding"); coding != "" {
		return fmt.Errorf("unexpected Content-Type %q with Content-Encoding %q", resp.Header.Get("Content-Type"), coding)
	}
	return fmt.Errorf("unexpected Content-Type %q", resp.Header.Get("Content-Type"))
}

// describe sets the fields of a Content from the header of an answer.
func describe(v *api.Content, resp *http.Response) {
	v.Type = resp.Header.Get("Content-Type")
	v.ETag = resp.Header.Get("Etag")
	v.Length = max(resp.ContentLength, 0)
	v.Modified, _ = http.ParseTime(resp.Header.Get("Last-Modified"))
	if _, params, err := mime.ParseMediaType(resp.Header.Get("Content-Disposition")); err == nil {
		v.Name = params["filename"]
	}
}
