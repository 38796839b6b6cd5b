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

// pathList returns the elements of a list in the path.
func pathList(path Lookup, name, value string) ([]string, error) {
	raw, ok := path.(RawLookup)
	if !ok {
		return strings.Split(value, ","), nil
	}
	if value, ok = raw.GetRaw(name); !ok {
		return nil, nil
	}
	values := strings.Split(value, ",")
	for i := range values {
		var err error
		if values[i], err = url.PathUnescape(values[i]); err != nil {
			return nil, err
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
// ignored, as RFC 9110, 5.6.1, requires.
func headerList(lines []string) ([]string, error) {
	var values []string
	for _, line := range lines {
		for line != "" {
			line = strings.TrimLeft(line, " \t,")
			if strings.HasPrefix(line, `"`) {
				value, rest, ok := cutQuoted(line)
				if !ok {
					return nil, errQuotes
				}
				values, line = append(values, value), rest
				continue
			}
			value, rest, _ := strings.Cut(line, ",")
			if value = strings.TrimRight(value, " \t"); value != "" {
				values = append(values, value)
			}
			line = rest
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
