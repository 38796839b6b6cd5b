// Package header parses and formats the values of header fields, for packages web and api.
package header

import (
	"fmt"
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

// Trim removes the white space of header fields around s.
func Trim(s string) string { return strings.Trim(s, " \t") }

// MediaType returns a Content-Type without its parameters.
func MediaType(contentType string) string {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return Trim(mediaType)
}

// Disposition returns a Content-Disposition of a kind, inline or attachment, with
// the name of a file.
func Disposition(kind, name string) string {
	return kind + `; filename="` + quoted.Replace(name) + `"`
}

// quoted escapes a name so that it stays inside its quotes and its header: a field must
// not contain control characters (RFC 9110, 5.5).
var quoted = func() *strings.Replacer {
	pairs := []string{"\\", "\\\\", `"`, `\"`, "\x7f", "%7F"}
	for c := range byte(' ') {
		pairs = append(pairs, string(rune(c)), fmt.Sprintf("%%%02X", c))
	}
	return strings.NewReplacer(pairs...)
}()
