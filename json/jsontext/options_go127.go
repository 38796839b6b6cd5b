//go:build go1.27 && goexperiment.jsonv2

package jsontext

import "encoding/json/jsontext"

// AllowDuplicateNames takes objects that have a name more than once, if v is set.
func AllowDuplicateNames(v bool) Options { return jsontext.AllowDuplicateNames(v) }

// AllowInvalidUTF8 takes bytes in strings that are not UTF-8 for U+FFFD, if v is set.
func AllowInvalidUTF8(v bool) Options { return jsontext.AllowInvalidUTF8(v) }

// EscapeForHTML escapes <, > and & in strings, if v is set.
func EscapeForHTML(v bool) Options { return jsontext.EscapeForHTML(v) }

// EscapeForJS escapes U+2028 and U+2029 in strings, if v is set.
func EscapeForJS(v bool) Options { return jsontext.EscapeForJS(v) }

// PreserveRawStrings keeps the escapes of strings that are written as values, if v is set.
func PreserveRawStrings(v bool) Options { return jsontext.PreserveRawStrings(v) }

// CanonicalizeRawInts writes integers that are written as values as RFC 8785 does, as float64, if v is set.
func CanonicalizeRawInts(v bool) Options { return jsontext.CanonicalizeRawInts(v) }

// CanonicalizeRawFloats writes numbers with a fraction or exponent that are written as values as RFC 8785 does, if v is set.
func CanonicalizeRawFloats(v bool) Options { return jsontext.CanonicalizeRawFloats(v) }

// ReorderRawObjects sorts the members of objects that are written as values as RFC 8785 does, if v is set.
func ReorderRawObjects(v bool) Options { return jsontext.ReorderRawObjects(v) }

// SpaceAfterColon writes a space behind each colon, if v is set.
func SpaceAfterColon(v bool) Options { return jsontext.SpaceAfterColon(v) }

// SpaceAfterComma writes a space behind each comma, if v is set.
func SpaceAfterComma(v bool) Options { return jsontext.SpaceAfterComma(v) }

// Multiline writes each element and member on a line of its own, if v is set: behind a tab for each level, if [WithIndent] says nothing else.
func Multiline(v bool) Options { return jsontext.Multiline(v) }

// WithIndent sets [Multiline], and writes each line behind one indent for each level. An
// indent that is not of spaces and tabs is a panic.
func WithIndent(indent string) Options { return jsontext.WithIndent(indent) }

// WithIndentPrefix sets [Multiline], and starts each line with the prefix. A prefix that is
// not of spaces and tabs is a panic.
func WithIndentPrefix(prefix string) Options { return jsontext.WithIndentPrefix(prefix) }
