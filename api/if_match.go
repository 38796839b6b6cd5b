package api

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/hone-go/hone/internal/http/header"
)

// A Match is the header field If-Match of a request (RFC 9110, 13.1.1): the entity tags of the versions of the
// content that the client has seen. A handler uses it to refuse a change if the client has not seen the current
// version.
//
//	type PutIn struct {
//		ID    int64     `path:"id"`
//		Match api.Match `header:"If-Match"`
//		Body  Person    `body:""`
//	}
//
//	tag, err := api.Tag(current)
//	…
//	if err := in.Match.Check(tag); err != nil {
//		return nil, err
//	}
//
// With required:"true" in its tag, a request without the field is refused.
type Match []string

// SchemaType describes the value as text, because the entity tags keep their quotes.
func (Match) SchemaType() (name, format string) { return "string", "" }

// Check returns a [*Problem] of status 412 if the client requires a version of the content with another tag. tag is the
// tag of the current content, with its quotes, or "" if there is no content. Weak tags do not match.
func (m Match) Check(tag string) error { return m.check(tag, tag != "") }

// check is like Check. exists reports whether there is a content, which may have no tag.
func (m Match) check(tag string, exists bool) error {
	if len(m) == 0 {
		return nil
	}
	for _, list := range m {
		for list != "" {
			var item string
			item, list = header.Cut(list, ',')
			if item = header.Trim(item); item == "*" && exists || item == tag && tag != "" && !strings.HasPrefix(tag, "W/") {
				return nil
			}
		}
	}
	return NewProblem(http.StatusPreconditionFailed, "the content has changed since the client read it")
}

// Tag returns the entity tag of an answer v, a pointer, for an operation with [Operation.ETag]. The tag is computed
// from v's JSON by the rules of encoding/json. An answer in another format, or of an operation with JSON options, has a
// different tag. The error reports a value that cannot be encoded.
func Tag(v any) (string, error) {
	text, err := appendJSON(nil, v)
	if err != nil {
		return "", err
	}
	return entityTag(append(text, '\n')), nil
}

// entityTag returns the strong entity tag of a body (RFC 9110, 8.8.3).
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	var text [18]byte
	text[0], text[17] = '"', '"'
	base64.RawURLEncoding.Encode(text[1:17], sum[:12])
	return string(text[:])
}

// tagged sets the answer's entity tag, and reports whether the client already has
// the content with that tag.
func tagged(x *exchange, tag string) bool {
	x.w.Header()[headerETag] = []string{tag}
	return clientHas(x.r, tag)
}

// clientHas reports whether If-None-Match names the tag (RFC 9110, 13.1.2).
func clientHas(r *http.Request, tag string) bool {
	tag = strings.TrimPrefix(tag, "W/")
	for _, list := range r.Header[headerIfNoneMatch] {
		for list != "" {
			var item string
			if item, list = header.Cut(list, ','); header.Trim(item) == "*" || strings.TrimPrefix(header.Trim(item), "W/") == tag {
				return true
			}
		}
	}
	return false
}

const (
	headerETag        = "Etag" // spelled as in net/http
	headerIfNoneMatch = "If-None-Match"
)
