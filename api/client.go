package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/http/route"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
)

// A Client calls a server by the types of its handlers: see [Call]. It is safe for
// concurrent use.
type Client struct {
	base    url.URL // without a slash at its end
	options ClientOptions
	http    *http.Client
}

// ClientOptions are what all calls of a [Client] have in common. The zero value is
// the default.
type ClientOptions struct {
	// HTTP sends the requests; by default http.DefaultClient. It is copied. Its
	// Timeout cuts off answers that are streams too: give calls a context instead.
	HTTP *http.Client
	// Header is sent with each request, unless a field of In has another value for a
	// name. A redirect to another host is followed without it. NewClient copies it.
	Header http.Header
	// Prepare is called with each request before it is sent, each attempt of it
	// included, such as to sign it or to add a fresh token. An error of it ends the
	// call. What it adds to the header is left out of redirects to other hosts.
	Prepare func(*http.Request) error
	// Wire sends bodies in the format of package wire, and asks for answers in it,
	// where their types can be encoded so.
	Wire bool
	// AnswerLimit bounds an answer that is read into memory, in bytes; 0 means
	// DefaultAnswerLimit, a negative one no limit. Streams have none, but their
	// elements and events, of 4 MiB.
	AnswerLimit int64
	// Retry says whether requests are sent again.
	Retry Retry
}

// DefaultAnswerLimit is how much of an answer is read into memory where nothing else
// is configured, in bytes.
const DefaultAnswerLimit = 32 << 20

// A Retry says how often a request is sent that got no answer, or one of status 429,
// 502, 503 or 504. Only requests that mean the same when they arrive twice are sent
// again: those of GET, HEAD, PUT, DELETE, OPTIONS and TRACE, and those of a call whose
// options say so; and no body that can be read only once.
type Retry struct {
	Attempts int           // altogether; 0 and 1 mean that there is no second
	Wait     time.Duration // before the second attempt, twice as long before each further one; 0 means 200 ms
	MaxWait  time.Duration // 0 means 10 s
}

// The wait is a random time between half of it and all of it. Where the answer says
// Retry-After, it is at least that; if that is more than MaxWait, or more than the
// time that the context leaves, the answer is the result.
func (r Retry) withDefaults() Retry {
	if r.Wait <= 0 {
		r.Wait = 200 * time.Millisecond
	}
	if r.MaxWait <= 0 {
		r.MaxWait = 10 * time.Second
	}
	return r
}

// CallOptions are those of one operation. The zero value is the default.
type CallOptions struct {
	// JSON is that of the server's [Operation].
	JSON []jsonv2.Options
	// Formats are those of the server's Operation. The first is used for bodies, and asked
	// for, in the place of JSON.
	Formats []Format
	// Repeatable says that a request means the same when it arrives twice, though its
	// method does not: see [Retry].
	Repeatable bool
	// AnswerLimit is in place of that of the client.
	AnswerLimit int64
	// Events is for [CallEvents].
	Events EventOptions
}

// NewClient returns a client of the API at an address, such as "https://example.org" or
// "https://example.org/people", which comes before the paths of the patterns. The
// error is that of an address without a scheme and a host.
func NewClient(address string, options ...ClientOptions) (*Client, error) {
	if len(options) > 1 {
		return nil, errors.New("api: more than one ClientOptions")
	}
	base, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, errors.New("api: the address of the server cannot be parsed") // which may hold a password
	case base.Scheme != "http" && base.Scheme != "https" || base.Host == "":
		return nil, fmt.Errorf("api: the address %q is none of a server: want one like http://example.org:8080", base.Redacted())
	case base.RawQuery != "" || base.Fragment != "":
		return nil, fmt.Errorf("api: the address %q of the server has a query or a fragment", base.Redacted())
	}
	c := &Client{base: *base}
	if len(options) == 1 {
		c.options = options[0]
	}
	canonical := http.Header{}
	for name, values := range c.options.Header {
		name = http.CanonicalHeaderKey(name)
		canonical[name] = append(canonical[name], values...)
	}
	c.options.Header = canonical
	c.options.Retry = c.options.Retry.withDefaults()
	c.http = confined(c.options.HTTP)
	return c, nil
}

// Call returns a function that calls an operation of a server, with the signature of
// its handler: it sends In as [Handle] reads it, and returns Out as the handler did.
//
//	client, err := api.NewClient("https://example.org")
//	getHost := api.Call[HostIn, HostOut](client, "GET /v1/hosts/{host}")
//	…
//	host, err := getHost(ctx, &HostIn{Host: "a/b"})
//
// Everything about the two types is found out by Call, which panics with a
// [*RouteError] where Handle does, and where a type has no way to be written as a
// parameter (see [bind.Encoder]).
//
// # Input
//
// Parameters are written as [bind.Encoder] does. They arrive as they were: a '/' in a
// parameter of the path is escaped, as are "." and "..". One of a single segment has to
// hold something.
//
// The body is JSON, or the format of package wire if ClientOptions.Wire says so and it
// has one. An optional one that is nil or None is not sent. An io.Reader is sent as it
// is read, and closed if it can be; its media type is that of a field tagged
// header:"Content-Type", or that of the tag body if there is one, or else
// application/octet-stream. Elements are sent as a JSON array while they are made, by
// another goroutine: the sequence may still be running when the call returns, if the
// server answers early, and ends with its next element then. A form is sent urlencoded,
// or as multipart if In has fields for files; [FileOf] makes one.
//
// # Output
//
// Out is nil if the answer has no content (204) and Out has fields. [Elements] are
// decoded while they arrive, and are to be ranged over, once: that closes the answer. A
// [Content] is to be closed. Both end early, with an error, when ctx does. An answer to
// HEAD leaves Out as it is without content.
//
// Fields of Out that are tagged header, cookie and status are set from the answer. Of an
// Out that is one of several forms, the status tells which it is. A redirection is followed,
// unless its status is one of a form.
//
// # Errors
//
// An answer of status 400 and more is a [*Problem]: the document that the server sent,
// or one made of the status and the first KiB of the text. Its chain has an
// [*AnswerError], with the header. An answer of status 304 is [ErrNotModified]. One
// that cannot be read is an [*AnswerError], and a request that got none is the error of
// package net/http.
func Call[In, Out any](c *Client, pattern string, options ...CallOptions) func(ctx context.Context, in *In) (*Out, error) {
	t := newCaller[In](c, pattern, options)
	a, err := newAnswer[Out](t.method, t.options)
	if err != nil {
		panic(&RouteError{pattern, err})
	}
	t.redirects = a.redirects()
	t.accept = a.accept(c.options.Wire)
	return func(ctx context.Context, in *In) (*Out, error) {
		r, err := t.request(ctx, in)
		if err != nil {
			return nil, err
		}
		resp, err := c.do(r, t.repeatable(), t.pattern) //nolint:bodyclose // a.read closes it, or hands it to the caller
		if err != nil {
			return nil, err
		}
		out, err := a.read(resp)
		if err != nil {
			return nil, t.failed(resp, err)
		}
		return out, nil
	}
}

// A caller sends the requests of one operation.
type caller[In any] struct {
	client  *Client
	options CallOptions
	pattern string
	method  string
	parts   []route.Part
	input   *message.Request
	codec   message.Codec     // of a body that is sent as a whole
	params  *bind.Encoder[In] // nil if In has no parameters
	accept  string
	// redirects are statuses that are answers of the operation.
	redirects []int
}

func newCaller[In any](c *Client, pattern string, options []CallOptions) *caller[In] {
	t := &caller[In]{client: c, pattern: pattern}
	need := func(ok bool, err error) {
		if !ok {
			panic(&RouteError{pattern, err})
		}
	}
	need(c != nil, errors.New("the client is nil"))
	need(len(options) <= 1, errors.New("more than one CallOptions"))
	if len(options) == 1 {
		t.options = options[0]
	}
	if t.options.AnswerLimit == 0 {
		t.options.AnswerLimit = c.options.AnswerLimit
	}
	method, path, names, err := message.SplitPattern(pattern)
	need(err == nil, err)
	t.method = method
	t.parts, err = route.ParseHTTP(path)
	need(err == nil, err)
	formats, err := message.Formats(t.options.Formats)
	need(err == nil, err)
	input, params, err := message.NewRequest[In](method, names)
	need(err == nil, err)
	if t.input = input; params != nil {
		t.params, err = bind.EncoderFor[In]()
		need(err == nil, err)
	}
	t.codec = t.bodyCodec(formats)
	return t
}

// bodyCodec returns the codec of bodies: of the first format, or of wire if the client asks for
// it, or of JSON.
func (t *caller[In]) bodyCodec(formats []message.Format) message.Codec {
	asJSON := message.Codec{Append: json.Append}
	if t.options.JSON != nil {
		asJSON.Append = func(dst []byte, v any) ([]byte, error) { return jsonv2.Append(dst, v, t.options.JSON...) }
	}
	codecs, preferred := t.input.Codecs(asJSON, formats), ""
	switch {
	case len(formats) > 0:
		preferred = formats[0].MediaType()
	case t.client.options.Wire:
		preferred = MediaTypeWire
	}
	i := slices.IndexFunc(codecs, func(c message.Codec) bool { return c.MediaType == preferred })
	return codecs[max(i, 0)]
}

func (t *caller[In]) repeatable() bool { return t.options.Repeatable || idempotent[t.method] }

// failed says which answer an error is about.
func (t *caller[In]) failed(resp *http.Response, err error) error {
	if err == ErrNotModified || errors.As(err, new(*Problem)) || errors.As(err, new(*AnswerError)) {
		return err
	}
	return &AnswerError{Pattern: t.pattern, Status: resp.StatusCode, Header: resp.Header, Err: err}
}

// idempotent are the methods of requests that may arrive twice (RFC 9110, 9.2.2).
var idempotent = map[string]bool{
	http.MethodGet: true, http.MethodHead: true, http.MethodPut: true, http.MethodDelete: true,
	http.MethodOptions: true, http.MethodTrace: true,
}
