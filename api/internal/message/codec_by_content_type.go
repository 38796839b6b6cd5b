package message

import (
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/hone-go/hone/internal/http/header"
)

// A Codec encodes and decodes the bodies of one Go type in one media type. It is chosen once
// for a message: by Content-Type for a body that is read, by Accept for an answer.
type Codec struct {
	MediaType string
	// Header is the value of Content-Type. All messages share it, because net/http only reads
	// it.
	Header []string
	// AsJSON is set if Append and Decode use JSON.
	AsJSON bool
	// Append appends the encoding of the value that v points to, or of one element of a stream.
	// On error it returns dst. It is nil for streams in the wire format.
	Append func(dst []byte, v any) ([]byte, error)
	// Decode decodes data, which is reused after the call, into the value that v points to. It
	// is nil for streams of elements.
	Decode func(data []byte, v any) error
}

func newCodec(mediaType string) Codec {
	return Codec{MediaType: mediaType, Header: []string{mediaType}}
}

// ByContentType returns the codec for the media type in the header h of a body, or nil if codecs
// has none. It also returns nil for a body with a content coding other than identity, and for JSON
// in a charset other than UTF-8.
func ByContentType(h http.Header, codecs []Codec) *Codec {
	if coding := first(h["Content-Encoding"]); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil
	}
	text := first(h["Content-Type"])
	for i := range codecs {
		if codecs[i].MediaType == text {
			return &codecs[i] // the usual case: no parameters, lower case
		}
	}
	mediaType, params, _ := strings.Cut(text, ";")
	mediaType = header.Trim(mediaType)
	for i := range codecs {
		c := &codecs[i]
		if !strings.EqualFold(c.MediaType, mediaType) {
			continue
		}
		if c.AsJSON || c.MediaType == JSON || c.MediaType == NDJSON {
			if charset := header.Param(params, "charset"); charset != "" && !strings.EqualFold(charset, "utf-8") {
				return nil
			}
		}
		return c
	}
	return nil
}

// first returns the first value of a header field, and "" if there is none.
func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// A Format is the api.Format of an operation: a media type besides JSON and the wire format.
type Format interface {
	MediaType() string
	Append(dst []byte, v any) ([]byte, error)
	Unmarshal(data []byte, v any) error
}

// Formats converts a list of api.Format to a list of [Format]. It returns an error for a malformed
// media type, and for a media type of two formats. JSON and wire count as formats.
func Formats[F Format](list []F) ([]Format, error) {
	formats := make([]Format, len(list))
	met := map[string]bool{JSON: true, NDJSON: true, Wire: true, WireStream: true}
	for i, f := range list {
		name := f.MediaType()
		parsed, params, err := mime.ParseMediaType(name)
		switch {
		case err != nil || parsed != name || len(params) > 0 || !strings.Contains(name, "/") || strings.Contains(name, "*"):
			return nil, fmt.Errorf("the format %T has the media type %q, which is not valid or not in lower case", f, name)
		case met[name]:
			return nil, fmt.Errorf("two formats have the media type %s", name)
		}
		met[name], formats[i] = true, f
	}
	return formats, nil
}
