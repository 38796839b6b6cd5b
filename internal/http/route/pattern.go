package route

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// A Part is one piece of a parsed pattern.
type Part struct {
	Kind Kind
	Text string // literal bytes, or the parameter's name
}

// A Kind is the kind of text that a Part matches.
type Kind uint8

const (
	Literal Kind = iota // its own bytes
	Param               // up to the next '/'
	Rest                // the rest of the path, which may be empty
)

// Parse splits an Echo pattern into parts, and appends them to dst.
//
// ":name" extends to the next '/' or inline verb. "*" matches the rest of the path; the text after "*"
// in the pattern is ignored. "\:" is a literal colon. A pattern without the leading '/' gets
// one. Every pattern is valid.
//
// A literal colon after a parameter begins an inline verb, which is literal text up to the end of the
// segment: "/orders/:id\:cancel" matches "/orders/7:cancel", with 7 as the id. Any other segment that
// begins with ':' is one parameter, as in Echo: "/:a\:x:b" has the parameter "a\:x:b".
func Parse(dst []Part, pattern string) []Part {
	rest := pattern
	if rest == "" || rest[0] != '/' {
		rest = "/" + rest
	}
	for rest != "" {
		end, escaped := 0, false
		for end < len(rest) && rest[end] != '*' {
			if rest[end] == ':' {
				if end == 0 || rest[end-1] != '\\' {
					break
				}
				escaped = true
			}
			end++
		}
		if end > 0 {
			text := rest[:end]
			if escaped {
				text = strings.ReplaceAll(text, `\:`, ":")
			}
			dst = append(dst, Part{Literal, text})
			rest = rest[end:]
			continue
		}
		if rest[0] == '*' {
			return append(dst, Part{Rest, "*"})
		}
		end = ParamLen(rest)
		dst = append(dst, Part{Param, rest[1:end]})
		rest = rest[end:]
	}
	return dst
}

// ParamLen returns the length in bytes of the parameter ":name" with which an Echo pattern begins.
func ParamLen(pattern string) int {
	segment, _, _ := strings.Cut(pattern, "/")
	verb := strings.Index(segment, `\:`)
	if verb < 0 || strings.ContainsAny(segment[1:verb], ":*") || strings.ContainsAny(strings.ReplaceAll(segment[verb:], `\:`, ""), ":*") {
		return len(segment)
	}
	return verb
}

// ParseHTTP splits the path of a net/http pattern into segments, each with the slash
// before it: "/a/{b}" is the literal "/a/" and the parameter "b". A final "{$}" yields no
// part. Literals are decoded ("%20" is a space).
//
// A path that ends in '/' is refused. In net/http such a path matches all paths below it, but the
// matched rest has no parameter name.
func ParseHTTP(path string) (parts []Part, err error) {
	if path == "" || path[0] != '/' {
		return nil, fmt.Errorf("the path %q does not begin with '/'", path)
	}
	var names []string
	literal := ""
	segments := strings.Split(path[1:], "/")
	for i, s := range segments {
		literal += "/"
		last := i == len(segments)-1
		if !strings.ContainsAny(s, "{}") {
			if s == "" && last {
				return nil, fmt.Errorf("the path %q ends in '/': append {$} to match only that path, or {name...} to match all paths below it", path)
			}
			text, err := url.PathUnescape(s)
			if err != nil || strings.Contains(text, "/") {
				return nil, fmt.Errorf("the segment %q has an invalid escape or an escaped slash", s)
			}
			literal += text
			continue
		}
		name, opened := strings.CutPrefix(s, "{")
		name, closed := strings.CutSuffix(name, "}")
		if !opened || !closed || strings.ContainsAny(name, "{}") {
			return nil, fmt.Errorf("the segment %q is neither text without braces nor one parameter in braces", s)
		}
		if name == "$" && last {
			break
		}
		kind := Param
		if before, ok := strings.CutSuffix(name, "..."); ok {
			name, kind = before, Rest
		}
		switch {
		case !identifier(name):
			return nil, fmt.Errorf("the name of the parameter %q is not a Go identifier", name)
		case slices.Contains(names, name):
			return nil, fmt.Errorf("the path has two parameters called %q", name)
		case kind == Rest && !last:
			return nil, fmt.Errorf("%q must be the last segment of the path", s)
		}
		names = append(names, name)
		parts = append(parts, Part{Literal, literal}, Part{kind, name})
		literal = ""
	}
	if literal != "" {
		parts = append(parts, Part{Literal, literal})
	}
	return parts, nil
}

// identifier reports whether name is valid for a parameter in net/http: it is an
// identifier of Go.
func identifier(name string) bool {
	for i, c := range name {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return name != ""
}

// Names returns the names of the parameters of parts.
func Names(parts []Part) []string {
	n := params(parts)
	if n == 0 {
		return nil
	}
	names := make([]string, 0, n)
	for _, p := range parts {
		if p.Kind != Literal {
			names = append(names, p.Text)
		}
	}
	return names
}

// params returns the number of parameters in parts.
func params(parts []Part) (n int) {
	for _, p := range parts {
		if p.Kind != Literal {
			n++
		}
	}
	return n
}
