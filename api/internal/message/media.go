package message

// These are the media types of bodies.
const (
	JSON       = "application/json"
	NDJSON     = "application/x-ndjson"
	Wire       = "application/vnd.hone.wire"
	WireStream = "application/vnd.hone.wire-stream"
	Events     = "text/event-stream"
	Problem    = "application/problem+json"
	Form       = "application/x-www-form-urlencoded"
	Multipart  = "multipart/form-data"
	Bytes      = "application/octet-stream"
)
