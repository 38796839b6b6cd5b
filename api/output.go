package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/shape"
)

// An output sends the answers of an operation. The type of the answers, Out, may be a union of package
// mo whose types have different statuses; each type is then a variant. Otherwise Out is the only
// variant.
type output struct {
	typ      reflect.Type // Out
	variants []*message.Response
	union    *shape.Shape // the shape of Out; nil unless Out is a union of variants
	duplex   bool         // answers begin while the body is still being read
	etag     bool         // answers have an entity tag
	timeout  time.Duration
	rate     int64
	openWait time.Duration
	anyType  bool // a Content may have any media type, because the operation names none
}

// newOutput returns the output of a handler whose Out has the shape s, and describes the output in
// the description.
func (t *handler) newOutput(s *shape.Shape) *output {
	d := &t.description
	formats, err := message.Formats(d.Formats)
	t.need(err == nil, err)
	variants, union, err := message.Responses(s, message.Rules{Status: d.Status, ContentType: d.ContentType, JSON: d.JSON, Formats: formats})
	t.need(err == nil, err)
	out := &output{typ: s.Type, variants: variants}
	out.timeout, out.rate = d.patience()
	out.openWait = d.openWait()
	if union {
		out.union = s
	}
	out.anyType = d.ContentType == ""
	out.describe(d)
	if d.ETag {
		t.need(!out.streams(), fmt.Errorf("%v: %w", d.Out, errNoTag))
		out.etag = d.Method == http.MethodGet || d.Method == http.MethodHead
	}
	return out
}

// variantOf returns the variant that v, an *Out, holds, and a pointer to the value of the variant.
func (o *output) variantOf(v any) (*message.Response, any) {
	if o.union == nil {
		return o.variants[0], v
	}
	held, value := o.union.Union.Chosen(reflect.ValueOf(v))
	return o.variants[held], value
}

// negotiate chooses the codec of the answer from the first variant that has codecs. It returns nil
// if no variant has codecs. The error answers a request that accepts none of the codecs.
func (o *output) negotiate(x *exchange) (*message.Codec, error) {
	i := slices.IndexFunc(o.variants, func(f *message.Response) bool { return len(f.Codecs) > 0 })
	if i < 0 {
		return nil, nil
	}
	if chosen := message.ByAccept(x.r.Header["Accept"], o.variants[i].Codecs); chosen != nil {
		return chosen, nil
	}
	return nil, NewProblem(http.StatusNotAcceptable, "")
}

// send answers with v, an *Out, or nil for no content. It encodes the first variant with the chosen
// codec, and negotiates the codec of another variant again. It sets *begun once the response has begun.
func (o *output) send(x *exchange, chosen *message.Codec, v any, begun *bool) error {
	if v == nil {
		*begun = true
		x.w.WriteHeader(o.variants[0].None)
		return nil
	}
	f, target := o.variantOf(v)
	if f != o.variants[0] && len(f.Codecs) > 0 {
		if chosen = message.ByAccept(x.r.Header["Accept"], f.Codecs); chosen == nil {
			chosen = &f.Codecs[0] // the handler has run, so send another media type rather than an error
		}
	}
	body := f.BodyOf(target)
	if content, ok := body.(*Content); ok {
		defer content.Close()
	}
	status, err := f.StatusOf(target)
	if err != nil {
		return err
	}
	fields, err := f.Header(target)
	if err != nil {
		return err
	}
	switch {
	case body == nil, noContent(status):
		fields.Set(x.w.Header())
		*begun = true
		x.w.WriteHeader(status)
		return nil
	case f.Streams:
		return o.stream(x, f, chosen, status, fields, body, begun)
	}
	buf := buffer.Take()
	defer buf.Release()
	if buf.B, err = chosen.Append(buf.B, body); err != nil {
		return err
	}
	fields.Set(x.w.Header())
	if len(f.Codecs) > 1 {
		message.AddVaryAccept(x.w.Header())
	}
	if o.etag && status == http.StatusOK {
		if tag := entityTag(buf.B); tagged(x, tag) {
			*begun = true
			x.w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	*begun = true
	x.begin(status, chosen.Header)
	_, err = x.w.Write(buf.B)
	return err
}

// noContent reports whether an answer of the status has no content (RFC 9110, 15).
func noContent(status int) bool {
	return status == http.StatusNoContent || status == http.StatusResetContent || status == http.StatusNotModified
}

// stream sends a streamed answer.
func (o *output) stream(x *exchange, f *message.Response, chosen *message.Codec, status int, fields message.Header, body any, begun *bool) error {
	w := newStreamWriter(x, status, f.Bytes[:min(1, len(f.Bytes))], o.timeout, o.rate)
	w.openWait = o.openWait
	if w.duplex = o.duplex; w.duplex {
		_ = w.control.EnableFullDuplex() // HTTP/2 is always full duplex
		// Close reads the rest of the body while the handler still runs. In full duplex, net/http
		// fails if it has to read the rest after the handler.
		defer x.r.Body.Close()
	}
	head := x.r.Method == http.MethodHead
	var write func() error
	if v, ok := body.(*Content); ok {
		if err := v.check(); err != nil {
			return err
		}
		if !o.anyType && !f.SendsBytes(v.Type) {
			return fmt.Errorf("api: the media type %q of a Content is not one of Operation.ContentType, %q", v.Type, f.Bytes)
		}
		if v.Type != "" {
			w.mediaType = []string{v.Type}
		}
		about := *v // Write may run while the header is sent
		w.header = func(h http.Header) {
			fields.Set(h)
			about.header(h)
		}
		reads := head || x.r.Method == http.MethodGet
		if content, ok := v.Body.(io.ReadSeeker); ok && status == http.StatusOK && reads {
			return w.run(func() error { return v.serve(w, content) })
		}
		if err := Match(x.r.Header["If-Match"]).check(v.ETag, true); err != nil && status == http.StatusOK && reads {
			return err
		}
		if v.ETag != "" && status == http.StatusOK && reads && clientHas(x.r, v.ETag) {
			w.header(x.w.Header())
			delete(x.w.Header(), "Content-Length")
			*begun = true
			x.w.WriteHeader(http.StatusNotModified)
			return nil
		}
		write = func() error { return v.writeTo(w) }
	} else {
		v := message.StreamOf(body).(message.Elements)
		w.header = func(h http.Header) {
			fields.Set(h)
			message.AddVaryAccept(h)
		}
		w.mediaType = chosen.Header
		write = func() error { return v.WriteTo(w, *chosen) }
	}
	if head {
		w.head()
		return nil
	}
	w.openLater()
	return w.run(write)
}

// describe adds the answers to d.
func (o *output) describe(d *Description) {
	d.Out = o.typ
	for _, f := range o.variants {
		a := Answer{Statuses: f.Statuses, Type: f.Shape.Type, Elements: f.Elem, Fields: f.Fields, Sends: f.Bytes}
		if f.Body != nil {
			a.Body = f.Body.Type
		}
		if f.Bytes != nil && o.anyType {
			a.Sends = []string{"*/*"}
		}
		for _, c := range f.Codecs {
			a.Sends = append(a.Sends, c.MediaType)
		}
		d.Answers = append(d.Answers, a)
	}
	d.Sends, d.SendsElements = d.Answers[0].Sends, d.Answers[0].Elements
}

var errNoTag = errors.New("a streamed answer cannot have an entity tag")

// streams reports whether a variant is streamed.
func (o *output) streams() bool {
	return slices.ContainsFunc(o.variants, func(f *message.Response) bool { return f.Streams })
}
