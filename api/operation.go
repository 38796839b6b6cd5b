package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/internal/http/body"
	"github.com/hone-go/hone/internal/http/routed"
	jsonv2 "github.com/hone-go/hone/json/v2"
)

// These are the default limits of a request body, in bytes.
const (
	// DefaultBodyLimit is the limit of bodies that are read into memory, and of streams.
	DefaultBodyLimit = 4 << 20
	// DefaultMultipartLimit is the limit of multipart forms. Their files are stored on disk.
	DefaultMultipartLimit = 32 << 20
)

// These are the media types that api supports in addition to application/json.
const (
	// MediaTypeWire is the binary format of package wire.
	MediaTypeWire = message.Wire
	// MediaTypeWireStream is a stream of wire records, each after its length, as written by
	// wire.Encoder.
	MediaTypeWireStream = message.WireStream
	// MediaTypeNDJSON is JSON with one value a line.
	MediaTypeNDJSON = message.NDJSON
	// MediaTypeProblem is the problem document of RFC 9457.
	MediaTypeProblem = message.Problem
	// MediaTypeEvents is a stream of server-sent events.
	MediaTypeEvents = message.Events
)

// An Operation holds the options of [Handle]. The zero value is the default. [API.Defaults]
// sets options for many operations at once.
type Operation struct {
	// Name identifies the operation in the API document and in generated clients; by
	// default it is derived from the method and the path.
	Name string
	// Summary and Description are texts of the API document. Tags group operations in the document.
	// Deprecated marks the operation as deprecated. See package api/openapi.
	Summary, Description string
	Tags                 []string
	Deprecated           bool
	// Status is the status of a success; by default 200, or 204 if there is no content.
	Status int
	// Errors are examples of errors that the handler may return: a [*Problem], or an error
	// whose type embeds a Problem and adds members. They are part of the API document. A
	// returned error of such a type is sent as its own JSON, with the status of its Problem.
	Errors []error
	// Security is a list of requirements. A request has to meet one of them: see [security.Scheme].
	// Nil means the list of API.Defaults, and an empty list admits anyone.
	Security []security.Requirement
	// Unknown selects the treatment of members of the body, and of parameters of the query
	// and of a form, that match no field.
	Unknown Unknown
	// Validator is called with every In, a pointer, once all limits and Validate methods
	// have passed. Its error is treated like an error of a Validate method. To use web's:
	//
	//	api.Operation{Validator: func(_ context.Context, in any) error { return e.Validator.Validate(in) }}
	Validator func(ctx context.Context, in any) error
	// With Unchecked the limits and Validate methods of the body are not applied before the handler
	// runs. The handler calls a [Checker] for the parts of the body that it uses. So the handler
	// can accept the valid elements of a list, and drop elements that break limits. The API
	// document has the limits all the same. A list with too many elements is decoded up to the
	// first element beyond its limit. Parameters, required members and the elements of a stream are
	// checked as always.
	Unchecked bool
	// BodyLimit limits the request body, in bytes. 0 means the router's limit, which web's
	// Context.SetBodyLimit sets. If the router has none, the limit is DefaultBodyLimit, or
	// DefaultMultipartLimit for a multipart form. A negative value removes the limit of a body
	// that is a stream.
	BodyLimit int64
	// StreamTimeout is the time that a client may take to send the next bytes of a
	// streamed body, or to accept the next bytes of an answer that is [Content] or
	// [Elements]; 0 means DefaultStreamTimeout.
	StreamTimeout time.Duration
	// StreamRate is the number of bytes a second that the client has to send or accept. It is
	// an average over the time spent waiting for the client, except for the first
	// StreamTimeout. 0 means DefaultStreamRate. A negative value means no minimum, for
	// clients that send or accept a few bytes from time to time.
	StreamRate int64
	// OpenWait is the longest time for which a streamed answer stays closed: the answer of
	// [HandleEvents], [Elements] or [Content]. If the first event, element or byte takes longer, the
	// header of the answer is sent before it, so that a client of a quiet stream knows that its request
	// is being served. An error within OpenWait can still be answered with a problem document. 0
	// means DefaultOpenWait. With a negative value, the header always waits for the first event,
	// element or byte. A header that does not wait is sent from another goroutine than the
	// handler's: so are WriteHeader of a ResponseWriter that middleware has put around the router's,
	// and the functions that web's Response.Before has registered.
	OpenWait time.Duration
	// ContentType is the media type of a [Content] without a Type. Other media types that a Content
	// may have follow it, separated by commas: "image/png, image/jpeg", or "image/png, image/*". The
	// API document lists them all, and a Content with any other Type is answered with status 500. If
	// ContentType is empty, a Content may have any Type, and has application/octet-stream by default.
	ContentType string
	// ETag adds an entity tag to each 200 answer to GET or HEAD. The tag is computed from the
	// content. If the request's If-None-Match contains the tag, the status is 304 instead (RFC
	// 9110, 13.1.2).
	ETag bool
	// JSON are options of package json/v2. If the slice is not nil, the body is decoded and
	// the answer is encoded with these options instead of the rules of encoding/json. An
	// empty slice that is not nil selects v2's default rules. The options apply to each
	// element of a stream too, but not to events.
	JSON []jsonv2.Options
	// Formats are further media types, besides JSON and the wire format, of bodies and
	// answers that are not streams.
	Formats []Format
	// Events describe the events of a [HandleEvents] stream for the API document. A key is
	// the name of an event, or "" for an event without a name. A value is any value of the Go
	// type of the event's data, which is JSON. If the map is not nil, events of other names are
	// refused when they are sent.
	Events map[string]any
	// Heartbeat is the time between two comments on a quiet stream of
	// [HandleEvents]; 0 means DefaultHeartbeat.
	Heartbeat time.Duration
	// Middlewares run around the handler, the first outermost. Errors are answered inside
	// them.
	Middlewares []func(http.Handler) http.Handler
}

// openWait returns OpenWait, with the default in place of zero.
func (op *Operation) openWait() time.Duration { return cmp.Or(op.OpenWait, DefaultOpenWait) }

// patience returns StreamTimeout and StreamRate, with the defaults in place of zeros.
func (op *Operation) patience() (timeout time.Duration, rate int64) {
	timeout, rate = op.StreamTimeout, op.StreamRate
	if timeout <= 0 {
		timeout = DefaultStreamTimeout
	}
	if rate == 0 {
		rate = DefaultStreamRate
	}
	return timeout, rate
}

// bodyLimit returns the limit of a body. It is the first one that is set of own, which is the
// operation's limit, the router's limit, and byDefault.
func (x *exchange) bodyLimit(own, byDefault int64) int64 {
	var router int64
	if path, ok := x.path.(routed.BodyLimiter); ok {
		router = path.BodyLimit()
	}
	return body.Limit(own, router, byDefault)
}

// withDefaults returns the operation with defaults for its unset fields. Tags, errors, formats and
// middleware of both are combined; the defaults come first.
func (op Operation) withDefaults(defaults *Operation) Operation {
	out := op
	out.Tags = slices.Concat(defaults.Tags, op.Tags)
	out.Errors = slices.Concat(defaults.Errors, op.Errors)
	out.Formats = slices.Concat(defaults.Formats, op.Formats)
	out.Middlewares = slices.Concat(defaults.Middlewares, op.Middlewares)
	out.Deprecated = op.Deprecated || defaults.Deprecated
	out.ETag = op.ETag || defaults.ETag
	out.Unchecked = op.Unchecked || defaults.Unchecked
	if op.Security == nil {
		out.Security = defaults.Security
	}
	if op.JSON == nil {
		out.JSON = defaults.JSON
	}
	if op.Validator == nil {
		out.Validator = defaults.Validator
	}
	if op.Events == nil {
		out.Events = defaults.Events
	}
	orElse(&out.Unknown, defaults.Unknown)
	orElse(&out.BodyLimit, defaults.BodyLimit)
	orElse(&out.StreamTimeout, defaults.StreamTimeout)
	orElse(&out.StreamRate, defaults.StreamRate)
	orElse(&out.OpenWait, defaults.OpenWait)
	orElse(&out.ContentType, defaults.ContentType)
	orElse(&out.Heartbeat, defaults.Heartbeat)
	return out
}

// orElse sets *v to fallback if *v is zero.
func orElse[T comparable](v *T, fallback T) {
	if *v == *new(T) {
		*v = fallback
	}
}
