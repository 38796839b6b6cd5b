// Package header parses and formats the values of header fields, for packages web and api.
package header

import (
	"strings"
)

// Cut splits a list at the first separator outside of quotes.
func Cut(s string, separator byte) (item, rest string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == separator && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// Param returns a parameter from a list such as `charset="utf-8"; q=1`, unquoted, or "".
func Param(params, name string) string {
	for params != "" {
		var p string
		p, params = Cut(params, ';')
		key, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(Trim(key), name) {
			return strings.Trim(Trim(value), `"`)
		}
	}
	return ""
}

// Trim removes spaces and tabs, the white space of header fields, from both ends of s.
func Trim(s string) string { return strings.Trim(s, " \t") }

// MediaType returns a Content-Type without its parameters.
func MediaType(contentType string) string {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return Trim(mediaType)
}

// IsValue reports whether value has no control characters except tabs. HTTP/1.1 replaces line breaks in a field by
// spaces, and HTTP/2 leaves out a field with other control characters (RFC 9110, 5.5).
func IsValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == '\x7f' {
			return false
		}
	}
	return true
}
