package web

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// entityTag returns the strong entity tag of a body (RFC 9110, 8.8.3).
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	var text [18]byte
	text[0], text[17] = '"', '"'
	base64.RawURLEncoding.Encode(text[1:17], sum[:12])
	return string(text[:])
}

// tagged sets the answer's entity tag, and reports whether the client has that
// already.
func tagged(c *Context, tag string) bool {
	c.response.Header()[headerETag] = []string{tag}
	return clientHas(c.request, tag)
}

// clientHas reports whether If-None-Match names the tag (RFC 9110, 13.1.2).
func clientHas(r *http.Request, tag string) bool {
	tag = strings.TrimPrefix(tag, "W/")
	for _, list := range r.Header[headerIfNoneMatch] {
		for list != "" {
			var item string
			if item, list = cutList(list, ','); trimSpace(item) == "*" || strings.TrimPrefix(trimSpace(item), "W/") == tag {
				return true
			}
		}
	}
	return false
}

const (
	headerETag        = "Etag" // as net/http writes it
	headerIfNoneMatch = "If-None-Match"
)
