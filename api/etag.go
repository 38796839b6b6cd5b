package api

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/hone-go/hone/internal/http/header"
)

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
