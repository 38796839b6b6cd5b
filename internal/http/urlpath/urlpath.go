// Package urlpath finds the plain forms of the path of a request: the paths that servers may obtain by
// decoding and cleaning the path. The package also converts a path to the name of a file. Guards of
// package web and its middleware need this, because clients can spell one path in many ways.
package urlpath

import (
	"strings"
)

// Plain reports whether a path, or the end of a path from a slash on, is in its simplest
// form: without escapes, backslashes, parameters, empty segments and dot segments.
func Plain(p string) bool {
	for i := 0; i < len(p); i++ {
		switch {
		case !mayEnd[p[i]]:
		case p[i] != '/':
			return false
		case i+1 < len(p) && (p[i+1] == '/' || p[i+1] == '.' && dots(p[i+1:])):
			return false
		}
	}
	return true
}

// mayEnd has the bytes at which a path may stop being plain: those that a plain path does not contain,
// and the slash, which an empty segment or a dot segment may follow. For each other byte Plain only
// loads an entry of this table. Plain runs for each request whose route ends in "*".
var mayEnd = [256]bool{'%': true, '\\': true, ';': true, '?': true, '#': true, 0: true, '/': true}

// Local ensures that a redirect to uri stays on this host. A browser treats two slashes or
// backslashes as the beginning of another host's name.
func Local(uri string) string { return "/" + strings.TrimLeft(uri, `/\`) }

// Climbs reports whether an escaped path, as some server might interpret it, leads above its first
// element. Examples are "/a/../../x" and "/%2e%2e/x". It examines all plain forms. It also returns
// true for a path that is escaped more often than PlainForms decodes, because no honest client sends
// one.
func Climbs(escaped string) bool {
	dots, read := strings.Contains(escaped, ".."), escaped
	for range readings - 1 {
		read = decode(read)
		dots = dots || strings.Contains(read, "..")
	}
	if decode(read) != read {
		return true
	}
	if !dots {
		return false
	}
	for _, climbs := range PlainForms("/" + escaped) {
		if climbs {
			return true
		}
	}
	return false
}
