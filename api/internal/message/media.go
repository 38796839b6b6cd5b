package message

import (
	"mime"
	"strings"
)

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

// IsJSON reports whether mediaType is [JSON] or another media type of JSON (RFC 6839, 3.1), in lower case and
// without parameters.
func IsJSON(mediaType string) bool {
	kind, subtype, _ := strings.Cut(mediaType, "/")
	parsed, params, err := mime.ParseMediaType(mediaType)
	return err == nil && parsed == mediaType && len(params) == 0 && kind != "*" &&
		(mediaType == JSON || strings.HasSuffix(subtype, "+json") && subtype != "+json" && !strings.Contains(subtype, "*"))
}
