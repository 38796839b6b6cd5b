package api

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"slices"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/internal/http/route"
	"github.com/hone-go/hone/internal/http/routed"
	"github.com/hone-go/hone/internal/variadic"
	"github.com/hone-go/hone/shape"
)

// Handle registers a function from a request's input to its answer. The pattern
// is a pattern of net/http with a method: "GET /v1/hosts/{host}". A pattern for a path
// that ends in '/' ends in "/{$}".
//
//	type ListIn struct {
//		Host  string          `path:"host"`
//		Limit mo.Option[int]  `query:"limit"`
//	}
//	api.Handle(r, "GET /v1/hosts/{host}", func(ctx context.Context, in *ListIn) (*ListOut, error) { … })
//
// # Input
//
// In is a struct. Package bind sets fields tagged path (or param), query, header and cookie. If the
// body is a form, it also sets fields tagged form. A field of the type *multipart.FileHeader, or a
// slice of them, receives the files of its name. Any other body is decoded into the field tagged
// `body:""`. If no field has any of these tags, the whole of In is the body. A field of In without a
// source is a mistake. If it is intended, tag the field `query:"-"`.
//
// The body is JSON. It may also be in the format of package wire ([MediaTypeWire]) if
// wire can encode its type and the body is not optional. Other media types are answered
// with 415, a body over the limit with 413, and a missing body with 400, unless its field
// is a pointer or an mo.Option.
//
// A body field of type io.Reader reads the body as it arrives. It accepts any media type,
// or the types listed in its tag (`body:"text/csv,image/*"`). A body field of type
// [Elements] is a JSON array that may be larger than memory. Both end with an error of
// status 413 at the limit. They have no deadline as long as the client sends bytes within
// every StreamTimeout and keeps up the StreamRate.
//
// Other tags limit the values of a field, in parameters and anywhere in the body:
//
//	min, max   of a number or a time.Duration: `min:"1" max:"100"`
//	length     of a string in characters, or of a slice or map: `length:"1..64"`
//	pattern    a regular expression that a string must match: `pattern:"^[a-z]+$"`
//	enum       the allowed values: `enum:"asc,desc"`
//	format     of a string: date, date-time, duration, email, hostname, ipv4, ipv6, uri, uuid
//
// A limit of an optional field applies to its value, if there is one. All limits except
// length also apply to the elements of slices and maps. A request that breaks limits is
// answered with 422 and the list of the broken limits, up to a hundred.
//
// Path parameters are decoded. In is allocated for each request, and the handler may
// retain it.
//
// # Output
//
// Out is sent as JSON, or in the wire format if wire can encode it and the request's
// Accept prefers that format. If Accept allows neither, the answer is 406 and the handler
// does not run. A nil *Out, or an Out without fields, has no content. Out is encoded
// before the response begins, except for two types that are sent while they are produced:
// [Elements], as JSON, and [Content], which is bytes of any type.
//
// # Errors
//
// An error becomes a problem document (RFC 9457), see [ProblemOf]. Errors of binding and
// decoding are a 400 that lists every faulty field. A panic is a 500, and is logged with
// its stack. A router that handles errors, such as web's, receives the [*Problem] like any
// other error. On other routers Handle answers with it.
//
// Handle panics with a [*RouteError] if the pattern is invalid, if the router already has
// the route or cannot express it, or if In does not fit the pattern or cannot be bound.
func Handle[In, Out any](r Router, pattern string, h func(ctx context.Context, in *In) (*Out, error), op ...Operation) {
	t := newHandler(r, pattern, variadic.Only(op))
	t.need(h != nil, errNilHandler)
	reader := readerOf[In](t)
	output := t.newOutput(shape.For[Out]())
	output.duplex = output.streams() && reader.input.Stream != nil
	t.serve = func(x exchange) (begun bool, err error) { return serveTyped(x, t.gate, reader, output, h) }
	t.register(r)
}

var errNilHandler = errors.New("the handler is nil")

var (
	_ routed.Handler = (*handler)(nil)
	_ describer      = (*handler)(nil)
	_ describer      = wrapped{}
)

// A handler is a typed handler without its type parameters.
type handler struct {
	description Description
	pattern     string
	parts       []route.Part // the parts of the path, with the prefix of the group
	gate        *security.Gate
	log         *slog.Logger
	// serve answers a request, or returns the error to answer with. begun reports whether the
	// answer has begun.
	serve func(x exchange) (begun bool, err error)
}

// newHandler returns a handler whose serve is not yet set.
func newHandler(r Router, pattern string, op Operation) *handler {
	t := &handler{pattern: pattern}
	t.description.Operation = op
	if a, ok := r.(*API); ok {
		t.description.Operation = t.description.withDefaults(&a.Defaults)
	}
	method, path, parts, err := message.SplitPattern(pattern)
	t.need(err == nil, err)
	t.description.Method, t.description.Path, t.parts = method, path, parts
	err = decodable(&t.description.Operation)
	t.need(err == nil, err)
	t.gate, err = security.NewGate(t.description.Security...)
	t.need(err == nil, err)
	if a, ok := r.(*API); ok {
		t.log = a.Logger
		if a.prefix != "" {
			prefix, err := route.ParseHTTP(a.prefix)
			t.need(err == nil, err)
			t.parts = slices.Concat(prefix, parts)
		}
	}
	return t
}

// decodable returns an error for a type of op's errors or events that clients cannot decode.
func decodable(op *Operation) error {
	values := slices.Collect(maps.Values(op.Events))
	for _, err := range op.Errors {
		values = append(values, err)
	}
	for _, v := range values {
		if v == nil {
			continue
		}
		if err := message.Decodable(shape.Of(reflect.TypeOf(v))); err != nil {
			return err
		}
	}
	return nil
}

// need panics with a [*RouteError] for err unless ok is true.
func (t *handler) need(ok bool, err error) {
	if !ok {
		panic(&RouteError{t.pattern, err})
	}
}

func (t *handler) register(r Router) {
	var h http.Handler = t
	if around := t.description.Middlewares; len(around) > 0 {
		for _, m := range slices.Backward(around) {
			h = m(h)
		}
		h = wrapped{h, t}
	}
	err := r.AddHandler(t.description.Method, t.pattern[len(t.description.Method)+1:], h)
	t.need(err == nil, err)
}

// Description returns the handler's description.
func (t *handler) Description() Description { return t.description }

func (t *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ServePath(w, r, t, nil, r)
}

func (t *handler) ServeRoute(w http.ResponseWriter, r *http.Request, path routed.Path) error {
	_, err := t.serve(exchange{w, r, path, t.log})
	return err
}

// A wrapped handler has middleware around it.
type wrapped struct {
	http.Handler
	t *handler
}

func (w wrapped) Description() Description { return w.t.description }

func serveTyped[In, Out any](x exchange, gate *security.Gate, reader *reader[In], output *output, h func(context.Context, *In) (*Out, error)) (begun bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = x.panicked(v, begun)
		} else if err != nil && !begun {
			err = x.problemOf(err)
		}
	}()
	v := new(invocation[In])
	v.call.begin(&x)
	defer v.call.end()
	if v.call.found, err = gate.Admit(x.w.Header(), x.r); err != nil {
		return false, err
	}
	format, err := output.negotiate(&x)
	if err != nil {
		return false, err
	}
	if reader.input.Form {
		defer removeFiles(x.r)
	}
	if err := reader.read(&v.call, &x, &v.in); err != nil {
		return false, err
	}
	out, err := h(&v.call, &v.in)
	if reader.input.Stream != nil {
		leaveDeadline(x.r.Context(), http.NewResponseController(x.w))
	}
	if err != nil {
		return false, err
	}
	var answer any // is nil if out is nil: an interface with a nil *Out would not be nil
	if out != nil {
		answer = out
	}
	err = output.send(&x, format, answer, &begun)
	return begun, err
}

// An exchange is one request and its answer.
type exchange struct {
	w    http.ResponseWriter
	r    *http.Request
	path routed.Path
	log  *slog.Logger // the API's logger; nil for slog.Default()
}

func (x *exchange) logger() *slog.Logger {
	if path, ok := x.path.(routed.Logged); ok {
		return path.Logger()
	}
	if x.log != nil {
		return x.log
	}
	return slog.Default()
}

// begin sends the header of an answer with a body. The media type is mediaType unless
// middleware has already set one.
func (x *exchange) begin(status int, mediaType []string) {
	h := x.w.Header()
	if set := h["Content-Type"]; len(set) == 0 || set[0] == "" {
		h["Content-Type"] = mediaType
	}
	h["X-Content-Type-Options"] = nosniff
	x.w.WriteHeader(status)
}
