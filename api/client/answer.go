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
	"time"
	"unicode/utf8"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/internal/http/header"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/shape"
)

// ErrNotModified is the error of a [Call] if the answer has status 304: the content has not changed
// since the version in the request, for example in If-None-Match.
var ErrNotModified = errors.New("api: the content has not been modified")

// ErrAnswerTooLarge is the cause of an [AnswerError] about an answer over the limit.
var ErrAnswerTooLarge = errors.New("the answer is larger than the limit")

// An AnswerError is the error of a [Call] if the server has sent an answer, but not the expected one. It contains the
// pattern of the call, and the status and the header of the answer. An error that wraps a [*api.Problem] of the server
// also wraps an AnswerError.
type AnswerError struct {
	Pattern string // the pattern of the call
	Status  int
	Header  http.Header // the header of the answer
	// Err is the reason why the answer cannot be read. It is nil if the answer is a problem.
	Err error
}

// Error names the operation and the status. It leaves out the header, which may hold secrets.
func (e *AnswerError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("%s was answered with status %d", e.Pattern, e.Status)
	}
	return fmt.Sprintf("api: the answer of status %d to %s cannot be read: %v", e.Status, e.Pattern, e.Err)
}

// Unwrap returns the cause.
func (e *AnswerError) Unwrap() error { return e.Err }

// RetryAfter returns the time for which the server asks the client to wait before the next
// attempt, or 0.
func (e *AnswerError) RetryAfter() time.Duration {
	return parseRetryAfter(e.Header.Get("Retry-After"), time.Now())
}

const (
	maxProblem     = 1 << 20 // bytes of a problem document
	maxProblemText = 1 << 10 // bytes of a plain text answer that become the detail of a problem
)

// problemFrom returns the error of an answer whose status is not a success.
func problemFrom(resp *http.Response, pattern string) error {
	if resp.StatusCode == http.StatusNotModified {
		return ErrNotModified
	}
	cause := &AnswerError{Pattern: pattern, Status: resp.StatusCode, Header: resp.Header}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxProblem))
	p := new(api.Problem)
	mediaType := strings.ToLower(header.MediaType(resp.Header.Get("Content-Type")))
	isJSON := mediaType == api.MediaTypeProblem || mediaType == message.JSON
	if err != nil || !isJSON || json.Unmarshal(data, p) != nil {
		p = &api.Problem{}
		if isText := isJSON || strings.HasPrefix(mediaType, "text/") || mediaType == ""; isText {
			p.Detail = excerpt(data)
		}
	}
	p.Status = resp.StatusCode // the status of the answer takes precedence over the status in the document
	if p.Title == "" {
		p.Title = http.StatusText(p.Status)
	}
	return p.Wrap(cause)
}

// excerpt returns the first KiB of data as text. Bytes that are not UTF-8 become U+FFFD.
func excerpt(data []byte) string {
	data = data[:min(len(data), maxProblemText)]
	for i := 0; i < utf8.UTFMax && len(data) > 0; i++ { // remove a character that the limit has cut in two
		if r, size := utf8.DecodeLastRune(data); r != utf8.RuneError || size != 1 {
			break
		}
		data = data[:len(data)-1]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(data), "\uFFFD"))
}

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
