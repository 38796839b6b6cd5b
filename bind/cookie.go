package bind

import (
	"iter"
	"strings"
)

// cookie returns the value of the first cookie with the name.
func cookie(lines []string, name string) (value string, ok bool) {
	for value := range cookies(lines, name) {
		return value, true
	}
	return "", false
}

// cookies yields the values of all cookies with the name, by the rules of net/http.
func cookies(lines []string, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range lines {
			for line != "" {
				var part string
				part, line, _ = strings.Cut(line, ";")
				key, value, _ := strings.Cut(strings.Trim(part, " \t\r\n"), "=")
				if strings.Trim(key, " \t\r\n") == name {
					if value, ok := cookieValue(value); ok && !yield(value) {
						return
					}
				}
			}
		}
	}
}

func cookieValue(s string) (string, bool) {
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		s = s[1 : len(s)-1]
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == ';' || c == '\\' {
			return "", false
		}
	}
	return s, true
}
