package api

import (
	"net/http"
	"time"

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

// Media types beside application/json.
const (
	// MediaTypeWire is the binary format of package wire.
	MediaTypeWire = "application/vnd.hone.wire"
	// MediaTypeNDJSON is JSON with one value a line.
	MediaTypeNDJSON = "application/x-ndjson"
	// MediaTypeProblem is the problem document of RFC 9457.
	MediaTypeProblem = "application/problem+json"
	// MediaTypeEvents is a stream of server-sent events.
	MediaTypeEvents = "text/event-stream"

	mediaTypeJSON      = "application/json"
	mediaTypeForm      = "application/x-www-form-urlencoded"
	mediaTypeMultipart = "multipart/form-data"
	mediaTypeBytes     = "application/octet-stream"
)

// An Operation is what [Handle] may be told beside the types. The zero value is
// the default.
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
	// or events. A body is decoded as a whole before limits of length are checked.
	JSON []jsonv2.Options
	// Heartbeat is the time between two comments on a quiet stream of
	// [HandleEvents]; 0 means DefaultHeartbeat.
	Heartbeat time.Duration
	// Middlewares run around the handler, the first outermost. Errors are
	// answered within them.
	Middlewares []func(http.Handler) http.Handler
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
