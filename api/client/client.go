package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/http/route"
	"github.com/hone-go/hone/internal/variadic"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/shape"
)

// A Client calls the typed handlers of a server with their Go types: see [Call]. It is safe for
// concurrent use.
type Client struct {
	base    url.URL // the address of the server; its path may end in a slash
	options Options
	http    *http.Client
}

// Options configure all calls of a [Client]. The zero value is the default.
type Options struct {
	// HTTP sends the requests; nil means http.DefaultClient. New copies it. Its Timeout also
	// cuts off answers that are streams: limit these with a context instead.
	HTTP *http.Client
	// Header is sent with each request. A header field of In overrides the field of the same name in
	// Header. After a redirect to another host or scheme, only harmless fields are sent, such as
	// Accept and User-Agent. New copies Header.
	Header http.Header
	// Prepare is called before each attempt to send a request, for example to sign the request or to
	// add a fresh token. Its error ends the call. After a redirect to another host or scheme, only
	// harmless header fields are sent, such as Accept and User-Agent.
	Prepare func(*http.Request) error
	// Wire selects the format of package wire for bodies and answers, if package wire can encode
	// their type.
	Wire bool
	// AnswerLimit is the maximum length in bytes of an answer that is read into memory. 0 means
	// DefaultAnswerLimit, and a negative value means no limit. It does not apply to streams,
	// whose elements and events may have 4 MiB each.
	AnswerLimit int64
	// Retry configures when requests are sent again. The zero value never sends them again.
	Retry Retry
}

// DefaultAnswerLimit is the default of Options.AnswerLimit, in bytes.
const DefaultAnswerLimit = 32 << 20

// CallOptions configure the calls of one operation. The zero value is the default.
type CallOptions struct {
	// JSON must have the same options as the field JSON of the server's [api.Operation].
	JSON []jsonv2.Options
	// Formats are formats of the server's Operation. The first of them replaces JSON in bodies and
	// answers.
	Formats []api.Format
	// Repeatable allows [Retry] to send requests of this operation again, whatever their
	// method.
	Repeatable bool
	// AnswerLimit overrides Options.AnswerLimit, unless it is 0.
	AnswerLimit int64
	// Events configures [CallEvents].
	Events EventOptions
}

// New returns a client of the API at an address such as "https://example.org" or
// "https://example.org/people". The path of the address is put before the paths of the patterns. An
// address without a scheme and a host is an error.
func New(address string, options ...Options) (*Client, error) {
	base, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, errors.New("api: the address of the server cannot be parsed") // the text of err may contain a password
	case base.Scheme != "http" && base.Scheme != "https" || base.Host == "":
		return nil, fmt.Errorf("api: the address %q has no scheme and host: want one like http://example.org:8080", base.Redacted())
	case base.RawQuery != "" || base.Fragment != "":
		return nil, fmt.Errorf("api: the address %q of the server has a query or a fragment", base.Redacted())
	}
	c := &Client{base: *base, options: variadic.Only(options)}
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

// Call returns a function that calls an operation of a server. The function has the signature of the
// handler: it sends an In in the form that [api.Handle] reads, and returns the Out that the handler
// returned.
//
//	c, err := client.New("https://example.org")
//	getHost := client.Call[HostIn, HostOut](c, "GET /v1/hosts/{host}")
//	…
//	host, err := getHost(ctx, &HostIn{Host: "a/b"})
//
// Call examines the two types once. It panics with a [*api.RouteError] in the cases in which
// Handle does, and if the type of a parameter cannot be written as text (see [bind.Encoder]).
//
// # Input
//
// A [bind.Encoder] writes the parameters. In a parameter of the path, '/' and the segments
// "." and ".." are escaped, so that the server reads the same value. A parameter that stands
// for one segment must not be empty.
//
// The body is JSON. If Options.Wire is set and package wire can encode the type, it is in the wire
// format. An optional body that is nil or None is not sent. An io.Reader is sent while it is read,
// and closed if it is an io.Closer; its media type is the value of the field tagged
// header:"Content-Type". Without such a field the media type is the one in the tag body, if the tag
// lists exactly one, or else application/octet-stream. Elements are sent as a JSON array, or as wire
// records if Options.Wire is set and package wire can encode their type. Another goroutine ranges
// over them while the request is sent. If the server answers early, the sequence may still be running
// when the call returns; it is stopped at its next element. A form is sent urlencoded, or as
// multipart if In has fields for files; [FileOf] makes a file.
//
// # Output
//
// Out is nil if the answer has no content (204) and Out has fields. [api.Elements] are
// decoded while they arrive: range over them once, which closes the answer. Close an
// [api.Content]. When ctx ends, both end early with an error. An answer to HEAD sets only the
// fields of Out that come from its header and status.
//
// Fields of Out that are tagged header, cookie or status are set from the answer. If Out is
// a union of such structs, the status selects one of them. A redirect is followed, unless its
// status is one of Out's.
//
// # Errors
//
// If the status is 400 or more, the error is a [*api.Problem]: the document that the server sent, or
// one with the status and the first KiB of the text. Its chain has an [*AnswerError] with the header.
// If the status is 304, the error is [ErrNotModified]. If the answer cannot be read, the error is an
// [*AnswerError]. If there is no answer, the error comes from Options.Prepare or from package
// net/http.
func Call[In, Out any](c *Client, pattern string, options ...CallOptions) func(ctx context.Context, in *In) (*Out, error) {
	sender := senderOf[In](c, pattern, variadic.Only(options))
	t := sender.caller
	a, err := newAnswer(shape.For[Out](), t.method, t.options)
	if err != nil {
		panic(&api.RouteError{Pattern: pattern, Err: err})
	}
	t.redirects = a.redirects()
	t.accept = a.accept(c.options.Wire)
	return func(ctx context.Context, in *In) (*Out, error) {
		r, err := sender.request(ctx, in)
		if err != nil {
			return nil, err
		}
		resp, err := c.do(r, t.repeatable(), t.pattern) //nolint:bodyclose // a.read closes it, or gives it to the caller
		if err != nil {
			return nil, err
		}
		out := new(Out)
		some, err := a.read(resp, out)
		if err != nil {
			return nil, t.failed(resp, err)
		}
		if !some {
			return nil, nil // the handler returned nil
		}
		return out, nil
	}
}

// A sender makes the requests of one operation from values of type In. It has only the code that
// depends on In, because the compiler compiles this code again for each In. The caller is not
// embedded, for the same reason.
type sender[In any] struct {
	caller *caller
	params *bind.Encoder[In] // nil if In has no parameters
}

func senderOf[In any](c *Client, pattern string, options CallOptions) *sender[In] {
	s := &sender[In]{}
	var lists []string
	s.caller = newCaller(c, pattern, options, reflect.TypeFor[In](), func() ([]string, error) {
		binder, err := bind.ForDocument[In]()
		if err != nil {
			return nil, err
		}
		if s.params, err = bind.EncoderForDocument[In](); err != nil {
			return nil, err
		}
		lists = binder.PathLists()
		return binder.PathNames(), nil
	})
	if _, err := message.SlashesAfter(s.caller.parts, lists); err != nil {
		panic(&api.RouteError{Pattern: pattern, Err: err})
	}
	return s
}

// request returns the request for the given input. A nil input is sent as the zero In.
func (s *sender[In]) request(ctx context.Context, input *In) (*http.Request, error) {
	if input == nil {
		input = new(In)
	}
	var from bind.Input
	if s.params != nil {
		if err := s.params.Encode(input, &from); err != nil {
			return nil, s.caller.refused(err)
		}
	}
	return s.caller.request(ctx, input, &from)
}

// A caller sends the requests of one operation.
type caller struct {
	client  *Client
	options CallOptions
	pattern string
	method  string
	parts   []route.Part
	input   *message.Request
	codec   message.Codec // encodes a body that is not a stream
	accept  string
	// redirects are the 3xx statuses that are answers of the operation.
	redirects []int
}

// newCaller returns the caller for inputs of type in. The function pathNames is called if in has
// parameters. It returns the names of the path's parameters.
func newCaller(c *Client, pattern string, options CallOptions, in reflect.Type, pathNames func() ([]string, error)) *caller {
	t := &caller{client: c, pattern: pattern, options: options}
	need := func(ok bool, err error) {
		if !ok {
			panic(&api.RouteError{Pattern: pattern, Err: err})
		}
	}
	need(c != nil, errors.New("the client is nil"))
	if t.options.AnswerLimit == 0 {
		t.options.AnswerLimit = c.options.AnswerLimit
	}
	method, _, parts, err := message.SplitPattern(pattern)
	need(err == nil, err)
	t.method, t.parts = method, parts
	formats, err := message.Formats(t.options.Formats)
	need(err == nil, err)
	t.input, err = message.NewRequest(in, method, route.Names(parts), pathNames)
	need(err == nil, err)
	t.codec = t.bodyCodec(formats)
	return t
}

// bodyCodec returns the codec of request bodies: the first format, else wire if Options.Wire is
// set, else JSON.
func (t *caller) bodyCodec(formats []message.Format) message.Codec {
	codecs, preferred := t.input.Codecs(message.Codec{Append: t.appendJSON}, formats), ""
	switch {
	case len(formats) > 0:
		preferred = formats[0].MediaType()
	case t.client.options.Wire:
		preferred = api.MediaTypeWire
	}
	i := slices.IndexFunc(codecs, func(c message.Codec) bool { return c.MediaType == preferred })
	return codecs[max(i, 0)]
}

// appendJSON appends the JSON of a body, or of one element of a body.
func (t *caller) appendJSON(dst []byte, v any) ([]byte, error) {
	if t.options.JSON == nil {
		return json.Append(dst, v)
	}
	return jsonv2.Append(dst, v, t.options.JSON...)
}

// failed returns err as an [*AnswerError] with the operation and the answer, or err itself if
// it contains an AnswerError or a [*api.Problem] or is ErrNotModified.
func (t *caller) failed(resp *http.Response, err error) error {
	if err == ErrNotModified || errors.As(err, new(*api.Problem)) || errors.As(err, new(*AnswerError)) {
		return err
	}
	return &AnswerError{Pattern: t.pattern, Status: resp.StatusCode, Header: resp.Header, Err: err}
}
