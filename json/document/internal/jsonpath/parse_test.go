package jsonpath

import (
	"errors"
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	for query, want := range map[string]string{
		"":                                 "at byte 0: a query begins with $",
		"$.":                               "at byte 2: unexpected end instead of a name or *",
		"$.a ":                             "at byte 3: unexpected ' ' after the query",
		"$[01]":                            "at byte 2: the integer begins with an unneeded zero",
		"$[9007199254740992]":              "at byte 2: the integer is not between -(2^53-1) and 2^53-1",
		"$['a":                             "at byte 2: the string does not end",
		`$["\ud800"]`:                      "at byte 3: half of a surrogate pair",
		`$["\u12"]`:                        `at byte 5: \u must be followed by four hexadecimal digits`,
		`$["\`:                             "at byte 3: unknown escape in a string",
		"$[?1]":                            "at byte 3: a literal must be compared",
		"$[?length(@.a)]":                  "at byte 3: the result of length must be compared",
		"$[?count(1)>2]":                   "at byte 9: the argument of count must be a query",
		"$[?@.*==1]":                       "at byte 3: the query may select several nodes, and a value is needed",
		"$[?match(@.a,'b')==true]":         "at byte 3: the result of match is not a value",
		"$[?nope(@)]":                      `at byte 3: unknown function "nope"`,
		"$[?yes]":                          `at byte 3: unexpected word "yes" in an expression`,
		"$[?@.a==1 && ]":                   "at byte 13: unexpected ']' in an expression",
		"$[?(@.a]":                         `at byte 7: unexpected ']' instead of ")"`,
		"$\xff":                            "at byte 0: the query is not UTF-8",
		strings.Repeat("$[?", 101):         "at byte 303: more than 100 parentheses, filters and calls in each other",
		"$[?" + strings.Repeat("!(", 1000): "more than 100 parentheses",
	} {
		if _, err := Parse(query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, not %s", query, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, query := range []string{"$", "$.a[0]['b'][-1:2:3].*", "$..[?@.a==1 && !(@.b||$.c<'x')]", `$[?match(@.a,"b")][?count(@..*)>=-1.5e3]`, "$['\\u00e9\\ud83d\\ude00']", "$[?length(value(@.a))!=null]"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		_, err := Parse(query)
		if fault := (*SyntaxError)(nil); err != nil && !errors.As(err, &fault) {
			t.Fatalf("%q: %v", query, err)
		}
	})
}
