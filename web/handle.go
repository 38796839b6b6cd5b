package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire"
)

// A Registrar takes routes: an [*Echo] or a [*Group].
type Registrar interface {
	AddRoute(route Route) (RouteInfo, error)
}

// An Operation is what [Handle] may be told beside the types. The zero value is
// the default.
type Operation struct {
	// Name of the route; by default "METHOD:path".
	Name string
	// Summary and Description are for the API document, as are Tags, which
	// group operations there, and Deprecated. See package web/openapi.
	Summary, Description string
	Tags                 []string
	Deprecated           bool
	// Status of a success; by default 200, or 204 if there is no content.
	Status int
	// BodyLimit bounds the request body, in bytes; 0 means what the Context says
	// ([Context.SetBodyLimit]), which is DefaultBodyLimit, or
	// DefaultMultipartLimit for a multipart form. A negative one lifts the limit
	// of a body that is a stream.
	BodyLimit int64
	// StreamTimeout is how long a client may take to send the next bytes of a
	// body that is a stream, or to take those of an answer that is [Content] or
	// [Elements]; 0 means DefaultStreamTimeout.
	StreamTimeout time.Duration
	// ContentType is the media type of a [Content] that names none, and the one
	// in the API document; by default application/octet-stream.
	ContentType string
	// ETag gives answers of status 200 to GET and HEAD an entity tag made of
	// their content, and answers If-None-Match with 304 (RFC 9110, 13.1.2).
	ETag bool
	// Heartbeat is the time between two comments on a quiet stream of
	// [HandleEvents]; 0 means DefaultHeartbeat.
	Heartbeat time.Duration
	// Middlewares run around the handler, the first outermost.
	Middlewares []MiddlewareFunc
}

// Handle registers a function from a request's input to its answer. The pattern
// is a method and a path, whose parameters are written ":name" and "*", or
// "{name}" and "{name...}".
//
//	type ListIn struct {
//		Host  string          `path:"host"`
//		Limit mo.Option[int]  `query:"limit"`
//	}
//	web.Handle(e, "GET /v1/hosts/{host}", func(ctx context.Context, in *ListIn) (*ListOut, error) { … })
//
// # Input
//
// In is a struct. Fields tagged path (or param), query, header and cookie are set
// by package bind, and so are those tagged form, from a body that is a form; a
// *multipart.FileHeader, or a slice of them, takes the files of that name. Any
// other body goes into the field tagged `body:""`; if no field has any of these
// tags, the whole of In is the body. A field of In that comes from nowhere is a
// mistake; tag it `query:"-"` if it is not.
//
// The body is JSON, or the format of package wire ([MIMEApplicationWire]) where
// its type can be encoded so and the body is not optional. Anything else is answered with 415, a
// body over the limit with 413, a missing one with 400 unless its field is a
// pointer or an mo.Option.
//
// A body field of type io.Reader is the body as it arrives: of any media type,
// or of those that its tag lists (`body:"text/csv,image/*"`). One of type
// [Elements] is an array of JSON that may be larger than memory. Both end with
// an error of status 413 at the limit, and take as long as they need, as long as
// the client sends something every StreamTimeout.
//
// Further tags limit what a field may hold, in parameters and anywhere in the
// body:
//
//	min, max   of a number or a time.Duration: `min:"1" max:"100"`
//	length     of a string in characters, or of a slice or map: `length:"1..64"`
//	pattern    a regular expression that a string matches: `pattern:"^[a-z]+$"`
//	enum       what is allowed: `enum:"asc,desc"`
//	format     of a string: date, date-time, duration, email, hostname, ipv4, ipv6, uri, uuid
//
// They apply to what an optional field holds, if it does, and all but length to
// the elements of slices and maps. A request that breaks them is answered with
// 422 and the list of all that do, up to a hundred.
//
// Path parameters arrive decoded. In is allocated for each request and is the
// handler's to keep.
//
// # Output
//
// Out is sent as JSON, or in the wire format if it can be encoded so and the
// request's Accept prefers it; if Accept allows neither, the answer is 406 and
// the handler does not run. A nil *Out, or an Out without fields, has no
// content. Out is encoded before the response begins, but for two types that are
// sent while they are made: [Elements], as JSON, and [Content], which is bytes of
// any type.
//
// # Errors
//
// An error becomes a problem document (RFC 9457), see [ProblemOf]; those of
// binding and decoding are a 400 that lists every field at fault. A panic is a
// 500, logged with its stack. The [*Problem] goes through the middleware and to
// the HTTPErrorHandler like any other error.
//
// Handle panics with an [*AddRouteError] if the pattern is bad, if the route is
// there already, or if In does not fit the pattern or cannot be bound.
func Handle[In, Out any](r Registrar, pattern string, h func(ctx context.Context, in *In) (*Out, error), op ...Operation) RouteInfo {
	route, err := typedRoute(pattern, h, op)
	if err != nil {
		panic(&AddRouteError{Err: err, Method: route.Method, Path: route.Path})
	}
	return must(r.AddRoute(route))
}

func typedRoute[In, Out any](pattern string, h func(ctx context.Context, in *In) (*Out, error), ops []Operation) (Route, error) {
	route, input, err := inputRoute[In](pattern, h == nil, ops)
	if err != nil {
		return route, err
	}
	op := route.typed.Operation
	output := newOutput[Out](op)
	route.typed.Out, route.typed.SendsWire, route.typed.SendsElements = reflect.TypeFor[Out](), output.other == formatWire, output.elem
	if op.ETag && output.streams {
		return route, fmt.Errorf("%v is sent while it is made: its content gives no entity tag", route.typed.Out)
	}
	output.etag = op.ETag && (route.Method == http.MethodGet || route.Method == http.MethodHead)
	output.duplex = output.streams && input.stream != nil
	route.Handler = func(c *Context) error {
		if err := serveTyped(c, input, output, h); err != nil {
			return problemOf(c, err)
		}
		return nil
	}
	return route, nil
}

// inputRoute returns a route without a handler yet, and what reads its input. An
// error comes with the route as far as it is known.
func inputRoute[In any](pattern string, noHandler bool, ops []Operation) (Route, *input[In], error) {
	method, path, rest, err := splitPattern(pattern)
	route := Route{Method: method, Path: path, restName: rest, typed: &Typed{In: reflect.TypeFor[In]()}}
	if err != nil {
		route.Path = pattern
		return route, nil, err
	}
	var op Operation
	switch len(ops) {
	case 0:
	case 1:
		op = ops[0]
	default:
		return route, nil, errors.New("more than one Operation")
	}
	if noHandler {
		return route, nil, errNilHandler
	}
	if err := checkPattern(path); err != nil {
		return route, nil, err
	}
	route.Name, route.Middlewares, route.typed.Operation = op.Name, op.Middlewares, op
	in, err := newInput[In](method, path, rest, op)
	if err == nil {
		route.typed.TakesWire = in.wire != nil
		if s := in.stream; s != nil {
			route.typed.TakesElements, route.typed.TakesBytes, route.typed.BytesTypes = s.elem, s.elem == nil, s.types
		}
	}
	return route, in, err
}

func serveTyped[In, Out any](c *Context, input *input[In], output *output[Out], h func(context.Context, *In) (*Out, error)) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicked(c, v)
		}
	}()
	format, err := output.negotiate(c)
	if err != nil {
		return err
	}
	in := new(In)
	if err := input.read(c, in); err != nil {
		return err
	}
	out, err := h(c.request.Context(), in)
	if input.stream != nil {
		leaveDeadline(c.request.Context(), http.NewResponseController(c.response))
	}
	if err != nil {
		return err
	}
	return output.send(c, format, out)
}

// panicked makes an error of a panic. Its stack goes to the log only.
func panicked(c *Context, v any) error {
	if v == http.ErrAbortHandler {
		panic(v)
	}
	c.Logger().LogAttrs(c.request.Context(), slog.LevelError, "web: panic",
		slog.String("method", c.request.Method), slog.String("route", c.Path()),
		slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
	if c.own.Committed {
		panic(http.ErrAbortHandler) // the client must not take half a body for a whole one
	}
	return NewProblem(http.StatusInternalServerError, "")
}

// problemOf describes an error of a typed handler to its client.
func problemOf(c *Context, err error) *Problem {
	if errors.Is(err, context.Canceled) && c.request.Context().Err() != nil {
		return NewProblem(http.StatusServiceUnavailable, "").Wrap(err)
	}
	return ProblemOf(err)
}

// splitPattern reads "METHOD /path" with either kind of parameter. It returns
// the path in the router's own form, and the name of a "{name...}".
func splitPattern(pattern string) (method, path, rest string, err error) {
	bad := func(format string, args ...any) (string, string, string, error) {
		return method, path, "", fmt.Errorf("%w: %s", ErrRoutePattern, fmt.Sprintf(format, args...))
	}
	method, path, ok := strings.Cut(pattern, " ")
	path = strings.TrimLeft(path, " ")
	if !ok || method == "" || method != strings.ToUpper(method) || path == "" || path[0] != '/' {
		return bad("it is not a method, a space and a path")
	}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		open := strings.IndexByte(s, '{')
		if open < 0 {
			if strings.IndexByte(s, '}') >= 0 {
				return bad("a '}' without '{' in %q", s)
			}
			continue
		}
		last := i == len(segments)-1
		name, isParam := strings.CutPrefix(s, "{")
		name, closed := strings.CutSuffix(name, "}")
		if !isParam || !closed || strings.ContainsAny(name, "{}") {
			return bad("%q is not one parameter in braces", s)
		}
		name, wild := strings.CutSuffix(name, "...")
		switch {
		case name == "$" && !wild && last:
			segments[i] = ""
		case name == "" || strings.ContainsAny(name, ":*$"):
			return bad("%q is not a parameter's name", name)
		case wild && !last:
			return bad("%q must be last", s)
		case wild:
			segments[i], rest = "*", name
		default:
			segments[i] = ":" + name
		}
	}
	return method, strings.Join(segments, "/"), rest, nil
}

// An input reads requests into values of type In.
type input[In any] struct {
	params   *bind.Binder[In] // nil if In has no parameters
	cookies  bool             // some of them are cookies
	form     bool             // some of them are in a form, which is the body
	limits   limits
	hasBody  bool
	stream   *streamedBody  // nil if the body is read as a whole
	optional bool           // a missing body leaves its field as it is
	field    []int          // of the body in In; nil if In is the body
	wire     *wire.AnyCodec // of the body; nil if it has no binary form
	limit    int64
	own      bool // the limit is the operation's own
}

func newInput[In any](method, path, rest string, op Operation) (*input[In], error) {
	in := &input[In]{limit: op.BodyLimit, own: op.BodyLimit > 0}
	if !in.own {
		in.limit = DefaultBodyLimit
	}
	t := reflect.TypeFor[In]()
	if t.Kind() == reflect.Struct && t.NumField() == 0 {
		return in, nil
	}
	s := shape.Of(t)
	from, err := fieldsOf(s, method)
	if err != nil {
		return nil, err
	}
	in.cookies, in.form = from.has(shape.FromCookie), from.has(shape.FromForm)
	if len(from.Params) > 0 {
		params, err := bind.For[In]()
		if err != nil {
			return nil, err
		}
		in.params = params
		if err := knownParams(params.PathNames(), path, rest); err != nil {
			return nil, fmt.Errorf("%v: %w", t, err)
		}
	}
	bodyType := t
	var body *shape.Place
	var mediaTypes []string
	if len(from.Bodies) == 1 {
		body = &from.Bodies[0]
		bodyType = body.Field.Shape.Type
		mediaTypes, _ = body.Field.BodyTypes()
	}
	if in.stream, err = newStreamedBody(bodyType, mediaTypes, op); err != nil {
		return nil, fmt.Errorf("%v: %w", t, err)
	}
	switch {
	case in.stream == nil && mediaTypes != nil:
		return nil, fmt.Errorf("the body of %v is read as a whole, and its tag lists media types", t)
	case body != nil:
		in.hasBody, in.field = true, body.Index
		if in.stream != nil {
			break
		}
		ft := bodyType
		in.optional = ft.Kind() == reflect.Pointer || shape.Of(ft).Kind == shape.Option
		if !in.optional { // whose encoding would begin with a flag that no client expects
			in.wire, _ = wire.ForType(ft) // without a codec, JSON only
		}
	case from.tagged():
	case method == http.MethodGet || method == http.MethodHead:
		return nil, fmt.Errorf("no field of %v is tagged, and %s has no body to fill it from", t, method)
	default:
		in.hasBody = true
		if in.stream == nil {
			in.wire, _ = wire.ForType(t)
		}
	}
	if in.stream != nil && in.field == nil {
		return in, nil
	}
	in.limits, err = limitsOf(s, body, in.hasBody && in.stream == nil)
	return in, err
}

// inputFields is where the fields of an In come from.
type inputFields struct{ *shape.Request }

// fieldsOf returns where the fields of s come from, in a request of the method.
// The error is that of fields that do not go together.
func fieldsOf(s *shape.Shape, method string) (from inputFields, err error) {
	if s.Kind != shape.Struct {
		return inputFields{new(shape.Request)}, nil
	}
	from = inputFields{s.Request()}
	stray := from.Untagged
	for i := range from.Bodies {
		if b := &from.Bodies[i]; !b.Field.Exported || len(b.Through) > 0 { // which may be nil
			stray = append(slices.Clip(stray), *b)
		}
	}
	switch {
	case len(from.Bodies) > 1:
		return from, fmt.Errorf("%v has more than one field for the body", s.Type)
	case from.tagged() && len(stray) > 0:
		return from, fmt.Errorf("field %s of %v comes from nowhere: tag it path, query, header, cookie, form or body", stray[0].GoPath(), s.Type)
	case from.has(shape.FromForm) && len(from.Bodies) > 0:
		return from, fmt.Errorf("%v has fields of a form and one for another body", s.Type)
	case from.has(shape.FromForm) && (method == http.MethodGet || method == http.MethodHead):
		return from, fmt.Errorf("%v has fields of a form, and %s has no body: tag them query", s.Type, method)
	}
	return from, nil
}

// tagged reports whether some field says where it comes from, so that the whole
// is not the body.
func (f inputFields) tagged() bool { return len(f.Params) > 0 || len(f.Bodies) > 0 }

func (f inputFields) has(source shape.Source) bool {
	return slices.ContainsFunc(f.Params, func(p shape.Param) bool { return p.Source == source })
}

func knownParams(names []string, path, rest string) error {
	_, known := parsePattern(path)
	if rest != "" {
		known[len(known)-1] = rest
	}
	for _, name := range names {
		found := false
		for _, k := range known {
			found = found || k == name
		}
		if !found {
			return fmt.Errorf("%w: it has no parameter %q", ErrRoutePattern, name)
		}
	}
	return nil
}

// decodedPath looks up path parameters, decoded if the router left them raw.
type decodedPath Context

func (p *decodedPath) Get(name string) (string, bool) {
	v, ok := p.pathValues.Get(name)
	if ok && p.rawPath {
		if d, err := url.PathUnescape(v); err == nil {
			v = d
		}
	}
	return v, ok
}

func (in *input[In]) read(c *Context, v *In) error {
	if in.params != nil {
		r := c.request
		from := bind.Input{Path: (*decodedPath)(c), Query: r.URL.RawQuery, Header: r.Header}
		if in.cookies {
			from.Cookies = r.Header["Cookie"]
		}
		if in.form {
			if err := in.readForm(c, &from); err != nil {
				return err
			}
		}
		if err := in.params.Bind(&from, v); err != nil {
			return badParams(err)
		}
	}
	if in.hasBody && in.stream == nil {
		if err := in.readBody(c, v); err != nil {
			return err
		}
	}
	if err := in.limits.check(v); err != nil || in.stream == nil {
		return err
	}
	return in.stream.open(c, in.body(v))
}

// readForm reads a body that is a form.
func (in *input[In]) readForm(c *Context, from *bind.Input) error {
	r := c.request
	mediaType, _, _ := strings.Cut(r.Header.Get(HeaderContentType), ";")
	switch mediaType = trimSpace(mediaType); {
	case r.Header.Get(HeaderContentEncoding) != "":
		return NewProblem(http.StatusUnsupportedMediaType, "")
	case strings.EqualFold(mediaType, MIMEApplicationForm):
		buf := takeBuffer()
		defer buf.release()
		if err := buf.readBody(c.response, r, in.bodyLimit(c)); err != nil {
			return err
		}
		from.Form = string(buf.b)
	case strings.EqualFold(mediaType, MIMEMultipartForm):
		if in.own {
			c.SetBodyLimit(in.limit)
		}
		form, err := c.MultipartForm()
		if err != nil {
			if StatusCode(err) != 0 {
				return err
			}
			return NewProblem(http.StatusBadRequest, "the form cannot be read").Wrap(err)
		}
		from.Values, from.Files = form.Value, form.File
	case mediaType == "" && r.ContentLength == 0: // a form without fields
	default:
		return NewProblem(http.StatusUnsupportedMediaType, "")
	}
	return nil
}

func (in *input[In]) readBody(c *Context, v *In) error {
	r := c.request
	if in.optional && (r.Body == nil || r.Body == http.NoBody) {
		return nil
	}
	format := requestFormat(r.Header)
	if format != formatJSON && (format != formatWire || in.wire == nil) {
		return unsupported(r)
	}
	buf := takeBuffer()
	defer buf.release()
	if err := buf.readBody(c.response, r, in.bodyLimit(c)); err != nil {
		return err
	}
	if len(buf.b) == 0 && in.optional {
		return nil
	}
	body := in.body(v)
	if format == formatWire {
		return badBody(in.wire.Unmarshal(buf.b, body))
	}
	if len(buf.b) == 0 {
		return NewProblem(http.StatusBadRequest, "the request body is empty")
	}
	return badBody(json.Unmarshal(buf.b, body))
}

// body returns a pointer to where the body goes in *v.
func (in *input[In]) body(v *In) any {
	if in.field == nil {
		return v
	}
	return reflect.ValueOf(v).Elem().FieldByIndex(in.field).Addr().Interface()
}

// bodyLimit returns the operation's own limit, or else that of the Context.
func (in *input[In]) bodyLimit(c *Context) int64 {
	if in.own {
		return in.limit
	}
	return c.limitOr(in.limit)
}

// An output sends values of type Out.
type output[Out any] struct {
	empty   bool // Out has no content, whatever its value
	status  int
	none    int    // status of an answer without content
	other   format // offered beside JSON
	wire    *wire.Codec[Out]
	etag    bool         // answers have an entity tag
	streams bool         // Out is sent while it is made: Content or Elements
	elem    reflect.Type // of the Elements
	duplex  bool         // while the body is still read
	content []string     // the media type of Content
	timeout time.Duration
}

func newOutput[Out any](op Operation) *output[Out] {
	out := &output[Out]{status: op.Status, none: op.Status, timeout: op.StreamTimeout}
	if op.Status == 0 {
		out.status, out.none = http.StatusOK, http.StatusNoContent
	}
	if out.timeout <= 0 {
		out.timeout = DefaultStreamTimeout
	}
	switch v := any((*Out)(nil)).(type) {
	case *Content:
		out.streams, out.content = true, contentType(cmp.Or(op.ContentType, MIMEOctetStream))
		return out
	case elements:
		out.streams, out.elem, out.other = true, v.elem(), formatNDJSON
		return out
	}
	if t := reflect.TypeFor[Out](); t.Kind() == reflect.Struct && t.NumField() == 0 {
		out.empty = true
		return out
	}
	var err error
	if out.wire, err = wire.For[Out](); err == nil { // without a codec, JSON only
		out.other = formatWire
	}
	return out
}

func (o *output[Out]) negotiate(c *Context) (format, error) {
	if o.empty || o.content != nil {
		return formatJSON, nil
	}
	f := acceptedFormat(c.request.Header[HeaderAccept], o.other)
	if f == formatUnknown {
		return f, NewProblem(http.StatusNotAcceptable, "")
	}
	return f, nil
}

func (o *output[Out]) send(c *Context, f format, v *Out) error {
	if o.empty || v == nil {
		return c.NoContent(o.none)
	}
	if o.streams {
		return o.stream(c, f, v)
	}
	buf := takeBuffer()
	defer buf.release()
	mediaType := jsonType
	var err error
	if f == formatWire {
		mediaType = wireType
		buf.b, err = o.wire.Append(buf.b, v)
	} else {
		err = buf.json(v, "")
	}
	if err != nil {
		return err
	}
	if o.other != formatUnknown {
		addVaryAccept(c.response.Header())
	}
	if o.etag && o.status == http.StatusOK {
		if tag := entityTag(buf.b); tagged(c, tag) {
			return c.NoContent(http.StatusNotModified)
		}
	}
	c.begin(o.status, mediaType)
	_, err = c.response.Write(buf.b)
	return err
}

// stream sends an answer while it is made.
func (o *output[Out]) stream(c *Context, f format, v *Out) error {
	w := newStreamWriter(c, o.status, o.content, o.timeout)
	if w.duplex = o.duplex; w.duplex {
		_ = w.control.EnableFullDuplex() // HTTP/2 always is
		// What is left of the body is read here: net/http, when it does so after
		// the handler, trips over itself.
		defer c.request.Body.Close()
	}
	head := c.request.Method == http.MethodHead
	switch v := any(v).(type) {
	case *Content:
		defer v.close()
		if v.ETag != "" && o.status == http.StatusOK && (head || c.request.Method == http.MethodGet) && clientHas(c.request, v.ETag) {
			v.header(c.response.Header())
			delete(c.response.Header(), HeaderContentLength)
			return c.NoContent(http.StatusNotModified)
		}
		if v.Type != "" {
			w.mediaType = contentType(v.Type)
		}
		w.header = v.header
		if head {
			w.head()
			return nil
		}
		return w.run(func() error { return v.writeTo(w) })
	case elements:
		addVaryAccept(c.response.Header())
		w.mediaType = jsonType
		if f == formatNDJSON {
			w.mediaType = ndjsonType
		}
		if head {
			w.head()
			return nil
		}
		return w.run(func() error { return v.writeTo(w, f) })
	}
	return nil
}
