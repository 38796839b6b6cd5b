package jsontext

import (
	"strings"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// WithIndent sets [Multiline], and indents each line by one indent for each level of nesting. It
// panics if indent contains other characters than spaces and tabs.
func WithIndent(indent string) Options { return option.IndentOf(blank(indent, "indent")) }

// WithIndentPrefix sets [Multiline], and starts each line with prefix. It panics if prefix contains
// other characters than spaces and tabs.
func WithIndentPrefix(prefix string) Options { return option.PrefixOf(blank(prefix, "indent prefix")) }

// blank returns s. Like the standard library, it panics if s contains other characters than spaces
// and tabs.
func blank(s, name string) string {
	if rest := strings.Trim(s, " \t"); rest != "" {
		panic("json: invalid character " + stream.QuoteRune([]byte(rest)) + " in " + name)
	}
	return s
}
