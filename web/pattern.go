package web

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Errors that a route can be refused with; they are the causes inside an
// [*AddRouteError]. Only typed handlers have patterns refused.
var (
	ErrRouteDuplicate = errors.New("route is already registered")
	ErrRoutePattern   = errors.New("bad route pattern")
)

// A part is one piece of a parsed route pattern.
type part struct {
	kind partKind
	text string // literal bytes, or the parameter's name
}

type partKind uint8

const (
	literalPart partKind = iota // matches its own bytes
	paramPart                   // matches up to the next '/'
	anyPart                     // matches the rest of the path, which may be empty
)

// parsePattern cuts a pattern into its parts and the names of its parameters.
//
// ":name" runs up to the next '/', "*" takes the rest of the path whatever
// follows it in the pattern, and "\:" is a literal colon. A pattern that lacks
// the leading '/' gets one.
func parsePattern(pattern string) (parts []part, names []string) {
	rest := pattern
	if rest == "" || rest[0] != '/' {
		rest = "/" + rest
	}
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			parts = append(parts, part{literalPart, literal.String()})
			literal.Reset()
		}
	}
	for rest != "" {
		switch c := rest[0]; {
		case c == '\\' && strings.HasPrefix(rest[1:], ":"):
			literal.WriteByte(':')
			rest = rest[2:]
		case c == ':':
			flush()
			end := strings.IndexByte(rest, '/')
			if end < 0 {
				end = len(rest)
			}
			name := rest[1:end]
			names = append(names, name)
			parts = append(parts, part{paramPart, name})
			rest = rest[end:]
		case c == '*':
			flush()
			names = append(names, "*")
			parts = append(parts, part{anyPart, "*"})
			rest = ""
		default:
			literal.WriteByte(c)
			rest = rest[1:]
		}
	}
	flush()
	return parts, names
}

// checkPattern finds what is a mistake in a pattern, though it has a meaning.
func checkPattern(pattern string) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrRoutePattern, fmt.Sprintf(format, args...))
	}
	if _, after, ok := strings.Cut(pattern, "*"); ok && after != "" {
		return bad("'*' must be last, and %q follows it", after)
	}
	_, names := parsePattern(pattern)
	for i, name := range names {
		switch {
		case name == "":
			return bad("a ':' without a parameter name")
		case name != "*" && strings.Contains(name, "*"):
			return bad("parameter %q contains '*'", name)
		case slices.Contains(names[:i], name):
			return bad("parameter %q appears twice", name)
		}
	}
	return nil
}
