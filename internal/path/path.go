// Package path writes the paths in errors about decoded values, such as .items[3].price.
//
// A path has a step for each array and object that encloses the value:
//
//	.name      the member of an object, the field of a struct, or the entry of a map with a string key
//	["a b"]    the same for a name that is not a Go identifier, in Go's syntax of strings
//	[3]        the element of an array, or, in the wire format, the entry of a map with an integer key
//
// So the path of a value does not depend on the package that reports the error, and the paths of two
// values differ: a name is either an identifier or quoted, and an index is never quoted.
package path

import (
	"strconv"
	"strings"
	"unicode"
)

// MaxName is the maximum length in bytes of a name in a path. A path and its names are parts of
// errors, and names in the input may have any length.
const MaxName = 64

// Name returns the step to a member, a field or an entry of a map. "…" replaces the middle of a long
// name.
func Name(name string) string {
	if len(name) > MaxName {
		name = Shorten(name, MaxName)
	}
	if isIdentifier(name) {
		return "." + name
	}
	return "[" + strconv.Quote(name) + "]"
}

// Index returns the step to an element.
func Index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// isIdentifier reports whether s is a Go identifier.
func isIdentifier(s string) bool {
	for i, c := range s {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return s != ""
}

// First splits off the first step of a path. For the step of a name, quoted or not, it returns the
// name, and isName is true. Otherwise name is "".
func First(path string) (step, name, rest string, isName bool) {
	if path == "" {
		return "", "", "", false
	}
	if path[0] == '[' {
		if quoted, err := strconv.QuotedPrefix(path[1:]); err == nil && strings.HasPrefix(path[1+len(quoted):], "]") {
			name, _ = strconv.Unquote(quoted)
			n := len(quoted) + 2
			return path[:n], name, path[n:], true
		}
	}
	n := len(path)
	if i := strings.IndexAny(path[1:], ".["); i >= 0 {
		n = 1 + i
	}
	if path[0] == '.' {
		return path[:n], path[1:n], path[n:], true
	}
	return path[:n], "", path[n:], false
}

// Shorten returns the text. If the text has more than most bytes, "…" replaces its middle.
func Shorten[T string | []byte](text T, most int) string {
	if len(text) <= most {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:most/2]), "") + "…" + strings.ToValidUTF8(string(text[len(text)-most/2:]), "")
}
