package client

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/http/route"
)

// address returns the URL of a path with its parameters.
func (c *Client) address(parts []route.Part, params bind.Lookup) (*url.URL, error) {
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(c.base.EscapedPath(), "/"))
	for _, p := range parts {
		if p.Kind == route.Literal {
			for i, segment := range strings.Split(p.Text, "/") {
				if i > 0 {
					b.WriteByte('/')
				}
				b.WriteString(escapeSegment(segment))
			}
			continue
		}
		value, list := "", ""
		if params != nil {
			value, _ = params.Get(p.Text)
		}
		if raw, ok := params.(bind.RawLookup); ok {
			list, _ = raw.GetRaw(p.Text)
		}
		switch {
		case list == "." || list == "..":
			b.WriteString(escapeSegment(list))
		case list != "":
			b.WriteString(list) // the elements are escaped, the commas between them are not
		case p.Kind == route.Rest:
			writeRest(&b, value)
		case value == "":
			return nil, fmt.Errorf("the path parameter %q is empty", p.Text)
		default:
			b.WriteString(escapeSegment(value))
		}
	}
	u := c.base
	u.RawPath = b.String()
	var err error
	if u.Path, err = url.PathUnescape(u.RawPath); err != nil {
		return nil, err
	}
	return &u, nil
}

// escapeSegment escapes a segment of a path, so that the result has no '/' and is not removed
// when the path is cleaned.
func escapeSegment(s string) string {
	switch s {
	case ".":
		return "%2E"
	case "..":
		return "%2E%2E"
	}
	return url.PathEscape(s)
}

// writeRest writes the value of a parameter {rest...}. It escapes a '/' at the start of the
// value or after another '/', since servers treat "//" as "/".
func writeRest(b *strings.Builder, s string) {
	for i, segment := range strings.Split(s, "/") {
		switch {
		case i == 0:
		case strings.HasSuffix(b.String(), "/"):
			b.WriteString("%2F")
		default:
			b.WriteByte('/')
		}
		b.WriteString(escapeSegment(segment))
	}
}
