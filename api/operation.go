package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/hone-go/hone/api/internal/message"
	jsonv2 "github.com/hone-go/hone/json/v2"
)

// Limits of what is read of a request body where nothing else is configured, in
// bytes.
const (
	// DefaultBodyLimit is for everything that is read into memory, and for streams.
	DefaultBodyLimit = 4 << 20
	// DefaultMultipartLimit is for multipart forms, whose files go to disk.
	DefaultMultipartLimit = 32 << 20
)

// Media types besides application/json.
const (
	// MediaTypeWire is the binary format of package wire.
	MediaTypeWire = message.Wire
	// MediaTypeWireStream is a stream of records in that format, each after its length, as
	// wire.Encoder writes it.
	MediaTypeWireStream = message.WireStream
	// MediaTypeNDJSON is JSON with one value a line.
	MediaTypeNDJSON = message.NDJSON
	// MediaTypeProblem is the problem document of RFC 9457.
	MediaTypeProblem = message.Problem
	// MediaTypeEvents is a stream of server-sent events.
	MediaTypeEvents = message.Events
)

// An Operation is what [Handle] may be told beside the types. The zero value is
// the default. [API.Defaults] says it for many operations at once.
type Operation struct {
	// Name identifies the operation in the API document, and in the clients made
	// of it; by default it is made of the method and the path.
	Name string
	// Summary and Description are for the API document, as are Tags, which
	// group operations there, and Deprecated. See package api/openapi.
	Summary, Description string
	Tags                 []string
	Deprecated           bool
	// Status of a success; by default 200, or 204 if there is no content.
	Status int
	// Errors are examples of what the handler may answer with beside a success: a
	// [*Problem], or an error of a type that embeds a Problem and adds members. They are in
	// the API document. An error of such a type that the handler returns is sent as it is
	// in JSON, with the status of its Problem.
	Errors []error
	// Security lists what a request may prove itself by, one of which is enough; see
	// [Scheme]. Nil means what API.Defaults says, and an empty list that anyone may call.
	Security []Requirement
	// Unknown says what becomes of members of the body, and of parameters of the query and
	// of a form, that no field takes.
	Unknown Unknown
	// Validator is asked about every In, a pointer, once all tags and methods Validate hold.
	// Its error is treated as that of such a method. For one of web's,
	//
	//	api.Operation{Validator: func(_ context.Context, in any) error { return e.Validator.Validate(in) }}
	Validator func(ctx context.Context, in any) error
	// BodyLimit bounds the request body, in bytes; 0 means what the router says,
	// such as web's Context.SetBodyLimit, or else DefaultBodyLimit, or
	// DefaultMultipartLimit for a multipart form. A negative one lifts the limit
	// of a body that is a stream.
	BodyLimit int64
	// StreamTimeout is how long a client may take to send the next bytes of a
	// body that is a stream, or to take those of an answer that is [Content] or
	// [Elements]; 0 means DefaultStreamTimeout.
	StreamTimeout time.Duration
	// StreamRate is how many bytes a second the client has to send or take then,
	// over all of the time that it is waited for but the first StreamTimeout; 0
	// means DefaultStreamRate. Set a negative one where a client sends something
	// now and then for as long as it likes.
	StreamRate int64
	// ContentType is the media type of a [Content] that names none, and the one
	// in the API document; by default application/octet-stream.
	ContentType string
	// ETag gives answers of status 200 to GET and HEAD an entity tag made of
	// their content, and answers If-None-Match with 304 (RFC 9110, 13.1.2).
	ETag bool
	// JSON are options of package json/v2, by which the body is decoded and the answer
	// encoded, in the place of the rules of encoding/json: an empty slice, and not nil,
	// stands for v2's own. They are not for bodies and answers that are streams of elements
	// or events.
	JSON []jsonv2.Options
	// Formats are media types beside JSON and the wire format, for bodies and answers that
	// are not streams.
	Formats []Format
	// Events are what a stream of [HandleEvents] sends, for the API document: by the name of
	// an event, "" for one without a name, a value of the type of its data, which is JSON.
	Events map[string]any
	// Heartbeat is the time between two comments on a quiet stream of
	// [HandleEvents]; 0 means DefaultHeartbeat.
	Heartbeat time.Duration
	// Middlewares run around the handler, the first outermost. Errors are
	// answered within them.
	Middlewares []func(http.Handler) http.Handler
}

// Unknown says what becomes of members and parameters that no field takes.
type Unknown uint8

const (
	// UnknownDefault is what API.Defaults says, or else UnknownIgnored.
	UnknownDefault Unknown = iota
	// UnknownIgnored passes over them. Types keep them by a field with the JSON option embed
	// (from Go 1.27 on), of a map or raw JSON, or tagged query:"*" or form:"*", of url.Values.
	UnknownIgnored
	// UnknownRefused answers with 422 and lists them, but for the members of types that
	// keep them.
	UnknownRefused
)

// over returns the operation with what defaults says where it says nothing itself. Tags,
// errors, formats and middleware of both count, those of the defaults first.
func (op Operation) over(defaults *Operation) Operation {
	out := op
	out.Tags = slices.Concat(defaults.Tags, op.Tags)
	out.Errors = slices.Concat(defaults.Errors, op.Errors)
	out.Formats = slices.Concat(defaults.Formats, op.Formats)
	out.Middlewares = slices.Concat(defaults.Middlewares, op.Middlewares)
	out.Deprecated = op.Deprecated || defaults.Deprecated
	out.ETag = op.ETag || defaults.ETag
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
	orElse(&out.ContentType, defaults.ContentType)
	orElse(&out.Heartbeat, defaults.Heartbeat)
	return out
}

// orElse sets *v if it is zero.
func orElse[T comparable](v *T, to T) {
	if *v == *new(T) {
		*v = to
	}
}

// patience returns the limits of a stream.
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
