package openapi

import (
	"regexp"
	"strconv"
	"strings"
)

// layoutParts are the elements of the layouts of package time, each with the pattern of the text
// that it formats. An element precedes its shorter prefixes, because the first match is used.
var layoutParts = []struct{ element, pattern string }{
	{"January", "(January|February|March|April|May|June|July|August|September|October|November|December)"},
	{"Jan", "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"},
	{"Monday", "(Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday)"},
	{"Mon", "(Sun|Mon|Tue|Wed|Thu|Fri|Sat)"},
	{"MST", "([A-Z]{3,5}|[+-][0-9]{2,4})"},
	{"2006", "[0-9]{4}"},
	{"_2006", "_[0-9]{4}"},
	{"__2", "[ 0-9]{2}[0-9]"},
	{"002", "[0-3][0-9]{2}"},
	{"_2", "[ 1-3]?[0-9]"},
	{"01", "(0[1-9]|1[0-2])"},
	{"02", "(0[1-9]|[12][0-9]|3[01])"},
	{"03", "(0[1-9]|1[0-2])"},
	{"04", "[0-5][0-9]"},
	{"05", "[0-5][0-9]"},
	{"06", "[0-9]{2}"},
	{"15", "([01][0-9]|2[0-3])"},
	{"PM", "(AM|PM)"},
	{"pm", "(am|pm)"},
	{"Z07:00:00", "(Z|[+-][0-9]{2}:[0-9]{2}:[0-9]{2})"},
	{"-07:00:00", "[+-][0-9]{2}:[0-9]{2}:[0-9]{2}"},
	{"Z070000", "(Z|[+-][0-9]{6})"},
	{"-070000", "[+-][0-9]{6}"},
	{"Z07:00", "(Z|[+-][0-9]{2}:[0-9]{2})"},
	{"-07:00", "[+-][0-9]{2}:[0-9]{2}"},
	{"Z0700", "(Z|[+-][0-9]{4})"},
	{"-0700", "[+-][0-9]{4}"},
	{"Z07", "(Z|[+-][0-9]{2})"},
	{"-07", "[+-][0-9]{2}"},
	{"1", "([1-9]|1[0-2])"},
	{"2", "([1-9]|[12][0-9]|3[01])"},
	{"3", "([1-9]|1[0-2])"},
	{"4", "[1-5]?[0-9]"},
	{"5", "[1-5]?[0-9]"},
}

// fraction is a fraction of a second in a layout: zeros are written in full, nines are optional.
var fraction = regexp.MustCompile(`^[.,](0+|9+)`)

// layoutPattern returns a pattern that matches the times formatted with a layout. It also matches
// some dates that do not exist, such as 31 February.
func layoutPattern(layout string) string {
	out := "^"
next:
	for rest := layout; rest != ""; {
		if f := fraction.FindString(rest); f != "" && (len(f) == len(rest) || rest[len(f)] < '0' || rest[len(f)] > '9') {
			digits := strconv.Itoa(len(f) - 1)
			if f[1] == '0' {
				out += "[.,][0-9]{" + digits + "}"
			} else {
				out += "([.,][0-9]{1," + digits + "})?"
			}
			rest = rest[len(f):]
			continue
		}
		for _, p := range layoutParts {
			if after, ok := strings.CutPrefix(rest, p.element); ok {
				out += p.pattern
				rest = after
				continue next
			}
		}
		out += regexp.QuoteMeta(rest[:1])
		rest = rest[1:]
	}
	return out + "$"
}
