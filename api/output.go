package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/hone-go/hone/internal/memory/buffer"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire"
)

// An output sends values of type Out: in one form, or in the one of several that a union
// of mo holds.
type output[Out any] struct {
	forms  []*form
	union  *shape.Shape // nil for one form
	wire   *wire.Codec[Out]
	duplex bool // while the body is still read
	sender
}

// A sender is what is said of answers beside their types.
type sender struct {
	etag    bool // answers have an entity tag
	timeout time.Duration
	rate    int64
	json    []jsonv2.Options
	formats others
}

func newOutput[Out any](op Operation) (*output[Out], error) {
	out := &output[Out]{sender: sender{json: answerOptions(op.JSON, reflect.TypeFor[Out]()), formats: op.Formats}}
	out.timeout, out.rate = op.patience()
	s := shape.For[Out]()
	cases, err := formsOf(s)
	if err != nil {
		return nil, err
	}
	if cases != nil {
		out.union = s
	} else {
		cases = []*shape.Shape{s}
	}
	for _, c := range cases {
		f, err := newForm(c, op)
		if err != nil {
			return nil, err
		}
		out.forms = append(out.forms, f)
	}
	if out.union == nil && out.forms[0].bare {
		out.wire, _ = wire.For[Out]() // without a codec, JSON only
	}
	met := map[int]bool{}
	for _, f := range out.forms {
		for _, status := range f.statuses {
			if met[status] {
				return nil, fmt.Errorf("two forms of %v have the status %d", s.Type, status)
			}
			met[status] = true
		}
	}
	return out, nil
}

// formsOf returns the types of the forms if s is an Either of mo that holds several.
func formsOf(s *shape.Shape) (cases []*shape.Shape, err error) {
	if s.Union == nil || s.Union.Nullable() >= 0 {
		return nil, nil
	}
	envelopes := 0
	for _, c := range s.Union.Cases {
		if c.Elem == nil || c.Elem.Type == errorType {
			return nil, nil
		}
		response, err := c.Elem.Response()
		if err != nil {
			return nil, err
		}
		if response.Envelope() {
			envelopes++
		}
		cases = append(cases, c.Elem)
	}
	if envelopes == 0 {
		return nil, nil
	}
	return cases, nil
}

var errorType = reflect.TypeFor[error]()

// formOf returns the form that v is in, and a pointer to what it is in.
func (o *output[Out]) formOf(v *Out) (*form, any) {
	if o.union == nil {
		return o.forms[0], v
	}
	held, value := o.union.Union.Chosen(reflect.ValueOf(v))
	return o.forms[held], value
}

// negotiate chooses what the answer is sent as, by the first form that has offers. It is nil
// if none has, and the error is that of a request that accepts none of them.
func (o *output[Out]) negotiate(x *exchange) (*offer, error) {
	i := slices.IndexFunc(o.forms, func(f *form) bool { return len(f.offers) > 0 })
	if i < 0 {
		return nil, nil
	}
	if chosen := choose(x.r.Header["Accept"], o.forms[i].offers); chosen != nil {
		return chosen, nil
	}
	return nil, NewProblem(http.StatusNotAcceptable, "")
}

// send answers with v, as chosen if that is an offer of v's form. Begun is set once the
// response has begun.
func (o *output[Out]) send(x *exchange, chosen *offer, v *Out, begun *bool) error {
	if v == nil {
		*begun = true
		x.w.WriteHeader(o.forms[0].none)
		return nil
	}
	f, target := o.forms[0], any(v)
	if o.union != nil {
		if f, target = o.formOf(v); f != o.forms[0] && len(f.offers) > 0 {
			if chosen = choose(x.r.Header["Accept"], f.offers); chosen == nil {
				chosen = &f.offers[0] // the handler has run: an answer of another type is better than none
			}
		}
	}
	status, err := f.status(target)
	if err != nil {
		return err
	}
	body := f.body(target)
	switch {
	case body == nil, noContent(status):
		f.setHeader(x.w.Header(), target)
		*begun = true
		x.w.WriteHeader(status)
		return nil
	case f.streams:
		return o.stream(x, f, chosen, status, target, body, begun)
	}
	buf := buffer.Take()
	defer buf.Release()
	switch {
	case chosen.format == formatWire && f.bare && o.wire != nil:
		buf.B, err = o.wire.Append(buf.B, v)
	case chosen.format == formatJSON && f.bare && o.json == nil:
		if buf.B, err = f.json.Append(buf.B, v); err == nil {
			buf.B = append(buf.B, '\n')
		}
	default:
		buf.B, err = o.append(buf.B, f, chosen.format, body)
	}
	if err != nil {
		return err
	}
	f.setHeader(x.w.Header(), target)
	if len(f.offers) > 1 {
		addVaryAccept(x.w.Header())
	}
	if o.etag && status == http.StatusOK {
		if tag := entityTag(buf.B); tagged(x, tag) {
			*begun = true
			x.w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	*begun = true
	x.begin(status, chosen.header)
	_, err = x.w.Write(buf.B)
	return err
}

// append appends the encoding of what body points to.
func (s *sender) append(dst []byte, f *form, as format, body any) (out []byte, err error) {
	switch {
	case as == formatWire:
		return f.wire.Append(dst, body)
	case as >= formatOther:
		return s.formats[as-formatOther].Append(dst, body)
	case s.json != nil:
		out, err = jsonv2.Append(dst, body, s.json...)
	default:
		out, err = f.json.Append(dst, body)
	}
	if err != nil {
		return dst, err
	}
	return append(out, '\n'), nil
}

// stream sends an answer while it is made.
func (o *output[Out]) stream(x *exchange, f *form, chosen *offer, status int, target, body any, begun *bool) error {
	w := newStreamWriter(x, status, f.content, o.timeout, o.rate)
	if w.duplex = o.duplex; w.duplex {
		_ = w.control.EnableFullDuplex() // HTTP/2 always is
		// The rest of the body is read here: net/http fails when it reads it after the
		// handler.
		defer x.r.Body.Close()
	}
	head := x.r.Method == http.MethodHead
	var write func() error
	switch v := body.(type) {
	case *Content:
		defer v.close()
		if v.Type != "" {
			w.mediaType = []string{v.Type}
		}
		w.header = func(h http.Header) {
			f.setHeader(h, target)
			v.header(h)
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
	case elements:
		w.header = func(h http.Header) {
			f.setHeader(h, target)
			addVaryAccept(h)
		}
		w.mediaType = chosen.header
		write = func() error { return v.writeTo(w, chosen.format) }
	}
	if head {
		w.head()
		return nil
	}
	return w.run(write)
}

// describe fills in what the description says of the answer.
func (o *output[Out]) describe(d *Description) {
	d.Out = reflect.TypeFor[Out]()
	for _, f := range o.forms {
		d.Answers = append(d.Answers, f.describe())
	}
	d.Sends, d.SendsElements = d.Answers[0].Sends, d.Answers[0].Elements
}

var errNoTag = errors.New("it is sent while it is made: its content gives no entity tag")

// streams reports whether some form is sent while it is made.
func (o *output[Out]) streams() bool {
	return slices.ContainsFunc(o.forms, func(f *form) bool { return f.streams })
}

// Values of Content-Type, rendered once. All answers share them: net/http only
// reads them.
var (
	problemType = []string{MediaTypeProblem}

	nosniff = []string{"nosniff"}
)
