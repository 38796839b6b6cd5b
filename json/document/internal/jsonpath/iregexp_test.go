package jsonpath

import (
	"regexp"
	"strings"
	"testing"
)

func TestPattern(t *testing.T) {
	for _, c := range []struct{ pattern, matches, not string }{
		{"", "", "a"},
		{"abc", "abc", "abcd"},
		{"a.c", "a\u2028c", "a\nc"},
		{"a.c", "aöc", "a\rc"},
		{"^a$", "a", "^a$"},
		{"[^^]", "a", "^"},
		{"[\\^a]+", "^a^", "b"},
		{"[-a]+", "-a-", "b"},
		{"[a-]+", "-a-", "b"},
		{"[--]", "-", "a"},
		{"[a-cx]{2,3}", "axb", "a"},
		{"[a&&b]+", "a&b", "c"},
		{"(ab|c|)*", "abcab", "b"},
		{"()", "", "a"},
		{`\p{Lu}\P{Lu}`, "Aa", "AA"},
		{`[\p{Nd}x]*`, "1x2", "y"},
		{`[^\P{L}]`, "a", "1"},
		{`\p{Cn}`, "\u0378", "a"},
		{`\(\)\*\+\-\.\?\[\\\]\^\{\|\}\n\r\t`, "()*+-.?[\\]^{|}\n\r\t", ""},
		{"a{0}b{2,}", "bbb", "ab"},
		{"/", "/", `\`},
		{`[\p{L}\p{N}]{1,500}`, "aé1", "-"}, // a class is one state, whatever its size
	} {
		p, err := Compile(Match, c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if !p.Matches(c.matches) || p.Matches(c.not) {
			t.Errorf("%s: matches %q: %t, %q: %t", c.pattern, c.matches, p.Matches(c.matches), c.not, p.Matches(c.not))
		}
		s, err := Compile(Search, c.pattern)
		if err != nil || !s.Matches("x"+c.matches+"y") && c.pattern != "^a$" {
			t.Errorf("%s is not found in x%sy: %v", c.pattern, c.matches, err)
		}
	}
	for _, invalid := range []string{
		"*", "a**", "a+?", "(?:a)", "(?i)a", "(", ")", "[", "[]", "[^]", "[a", "[b-a]", "[a-b-c]", "[a--]", "[[a]", `[\p{L}-z]`, "[a-\\p{L}]", "]", "}", "{1}", "a{", "a{}", "a{,2}",
		"a{1", "a{x}", "a{2,1}", "a{1001}", `\`, `\d`, `\w`, `\b`, `\1`, `\p`, `\pL`, `\p{}`, `\p{Cs}`, `\p{Greek}`, `\p{L`, "|*", "(*)", "\xff", `\u0041`, "[[:alpha:]]",
		strings.Repeat("a", maxPattern+1), "((a{100}){100}){100}",
	} {
		if p, err := Compile(Search, invalid); err == nil {
			t.Errorf("%.40s is compiled to %s", invalid, p.regexp)
		}
	}
}

// Each expression that is translated is an expression of Go, unless it exceeds a limit of Go.
func FuzzPattern(f *testing.F) {
	for _, seed := range []string{"a[^b-c]{1,2}|.*", `\p{L}(x)?`, "[-]", "[a-]"} {
		f.Add(seed, "abc")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		translated, ok := translate(pattern)
		if !ok {
			return
		}
		if _, err := regexp.Compile(translated); err != nil && !strings.Contains(err.Error(), "range") && !strings.Contains(err.Error(), "repeat") && !strings.Contains(err.Error(), "deep") && !strings.Contains(err.Error(), "large") {
			t.Fatalf("%q becomes %q: %v", pattern, translated, err)
		}
		if p, err := Compile(Search, pattern); err == nil && p.Matches(text) && p.Cost(len(text)) <= 0 {
			t.Fatalf("%q costs %d", pattern, p.Cost(len(text)))
		}
	})
}
