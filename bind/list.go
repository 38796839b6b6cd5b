package bind

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/hone-go/hone/shape"
)

// With [ForDocument] a list is written as an OpenAPI document describes it: a query and a form repeat
// the parameter (style form, explode), the path and a header field have the elements with commas
// between them (style simple), and so has a cookie (style form without explode).
//
// Elements may contain commas in the path, where they are escaped (%2C), and in the header, where the
// element is a quoted string (RFC 9110, 5.6.4). They may not in a cookie.
//
// A list has at most maxParams elements, as a query has parameters: a small request must not make the server
// allocate a large slice.

// A RawLookup is a [Lookup] that also has the escaped values of path parameters. A list in the path
// is split before it is unescaped. If Input.Path is not a RawLookup, the unescaped value is split.
type RawLookup interface {
	Lookup
	// GetRaw returns the value of a parameter as it is in the URL.
	GetRaw(name string) (value string, ok bool)
}

var errQuotes = errors.New("the quotes of an element are not closed, or not followed by a comma")

// hasCommas reports whether the values of f are the elements of a list with commas between them.
func (f *field) hasCommas(documented bool) bool {
	if !documented || !f.repeats || f.source == FromQuery || f.source == FromForm {
		return false
	}
	_, isText := f.value.zeroOf().(shape.SchemaTyper)
	return !isText
}

// splitList returns the elements of a list without quotes.
func splitList(list string) ([]string, error) {
	if strings.Count(list, ",") >= maxParams {
		return nil, ErrTooMany
	}
	return strings.Split(list, ","), nil
}

// pathList returns the elements of a list in the path.
func pathList(path Lookup, name, value string) ([]string, error) {
	raw, ok := path.(RawLookup)
	if !ok {
		return splitList(value)
	}
	if value, ok = raw.GetRaw(name); !ok {
		return nil, nil
	}
	values, err := splitList(value)
	for i := range values {
		if values[i], err = url.PathUnescape(values[i]); err != nil {
			return nil, err
		}
	}
	return values, err
}

// cookieList returns the values of all cookies with the name. If commas is set, each value is a list.
func cookieList(lines []string, name string, commas bool) ([]string, error) {
	n := 0
	for value := range cookies(lines, name) {
		n++
		if commas {
			n += strings.Count(value, ",")
		}
	}
	switch {
	case n == 0:
		return nil, nil
	case n > maxParams:
		return nil, ErrTooMany
	}
	values := make([]string, 0, n)
	for value := range cookies(lines, name) {
		if commas {
			values = slices.AppendSeq(values, strings.SplitSeq(value, ","))
		} else {
			values = append(values, value)
		}
	}
	return values, nil
}

// appendPathList returns the text of a list for the path.
func appendPathList(values []string) string {
	escaped := make([]string, len(values))
	for i, s := range values {
		escaped[i] = url.PathEscape(s)
	}
	return strings.Join(escaped, ",")
}

// headerList returns the elements in the lines of a header field. Empty elements without quotes are
// ignored, as RFC 9110, 5.6.1, requires. The number of commas is an upper bound for the number of elements,
// because commas may be in quotes or between empty elements.
func headerList(lines []string) ([]string, error) {
	n := len(lines)
	for _, line := range lines {
		n += strings.Count(line, ",")
	}
	values := make([]string, 0, min(n, maxParams))
	for _, line := range lines {
		for line = strings.TrimLeft(line, " \t,"); line != ""; line = strings.TrimLeft(line, " \t,") {
			if len(values) == maxParams {
				return nil, ErrTooMany
			}
			var value string
			if line[0] == '"' {
				var ok bool
				if value, line, ok = cutQuoted(line); !ok {
					return nil, errQuotes
				}
			} else {
				value, line, _ = strings.Cut(line, ",")
				value = strings.TrimRight(value, " \t")
			}
			values = append(values, value)
		}
	}
	return values, nil
}

// cutQuoted splits off the quoted string at the start of a list, and the comma after it.
func cutQuoted(list string) (value, rest string, ok bool) {
	var b []byte
	for i := 1; i < len(list); i++ {
		switch c := list[i]; {
		case c == '"':
			rest = strings.TrimLeft(list[i+1:], " \t")
			return string(b), strings.TrimPrefix(rest, ","), rest == "" || rest[0] == ','
		case c == '\\' && i+1 < len(list):
			i++
			b = append(b, list[i])
		default:
			b = append(b, c)
		}
	}
	return "", "", false
}

// appendHeaderList returns the text of a list for a header field.
func appendHeaderList(values []string) string {
	elements := slices.Clone(values)
	for i, s := range elements {
		if s == "" || s != strings.Trim(s, " \t") || s[0] == '"' || strings.Contains(s, ",") {
			elements[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
		}
	}
	return strings.Join(elements, ", ")
}
