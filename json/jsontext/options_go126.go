//go:build !(go1.27 && goexperiment.jsonv2)

package jsontext

import (
	"strings"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// AllowDuplicateNames takes objects that have a name more than once, if v is set.
func AllowDuplicateNames(v bool) Options { return option.Of(option.AllowDuplicateNames, v) }

// AllowInvalidUTF8 takes bytes in strings that are not UTF-8 for U+FFFD, if v is set.
func AllowInvalidUTF8(v bool) Options { return option.Of(option.AllowInvalidUTF8, v) }

// EscapeForHTML escapes <, > and & in strings, if v is set.
func EscapeForHTML(v bool) Options { return option.Of(option.EscapeForHTML, v) }

// EscapeForJS escapes U+2028 and U+2029 in strings, if v is set.
func EscapeForJS(v bool) Options { return option.Of(option.EscapeForJS, v) }

// PreserveRawStrings keeps the escapes of strings that are written as values, if v is set.
func PreserveRawStrings(v bool) Options { return option.Of(option.PreserveRawStrings, v) }

// CanonicalizeRawInts writes integers that are written as values as RFC 8785 does, as float64, if v is set.
func CanonicalizeRawInts(v bool) Options { return option.Of(option.CanonicalizeRawInts, v) }

// CanonicalizeRawFloats writes numbers with a fraction or exponent that are written as values as RFC 8785 does, if v is set.
func CanonicalizeRawFloats(v bool) Options { return option.Of(option.CanonicalizeRawFloats, v) }

// ReorderRawObjects sorts the members of objects that are written as values as RFC 8785 does, if v is set.
func ReorderRawObjects(v bool) Options { return option.Of(option.ReorderRawObjects, v) }

// SpaceAfterColon writes a space behind each colon, if v is set.
func SpaceAfterColon(v bool) Options { return option.Of(option.SpaceAfterColon, v) }

// SpaceAfterComma writes a space behind each comma, if v is set.
func SpaceAfterComma(v bool) Options { return option.Of(option.SpaceAfterComma, v) }

// Multiline writes each element and member on a line of its own, if v is set: behind a tab for each level, if [WithIndent] says nothing else.
func Multiline(v bool) Options { return option.Of(option.Multiline, v) }

// WithIndent sets [Multiline], and writes each line behind one indent for each level. An
// indent that is not of spaces and tabs is a panic.
func WithIndent(indent string) Options { return option.IndentOf(blank(indent, "indent")) }

// WithIndentPrefix sets [Multiline], and starts each line with the prefix. A prefix that is
// not of spaces and tabs is a panic.
func WithIndentPrefix(prefix string) Options { return option.PrefixOf(blank(prefix, "indent prefix")) }

// blank returns s, which is of spaces and tabs.
func blank(s, what string) string {
	if rest := strings.Trim(s, " \t"); rest != "" {
		panic("json: invalid character " + stream.QuoteRune([]byte(rest)) + " in " + what)
	}
	return s
}
