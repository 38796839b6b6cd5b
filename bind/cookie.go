package bind

import (
	"strings"
)

// cookie returns the value of a cookie, by the rules of net/http.
func cookie(lines []string, name string) (value string, ok bool) {
	for _, line := range lines {
		for line != "" {
			var part string
			part, line, _ = strings.Cut(line, ";")
			key, value, _ := strings.Cut(strings.Trim(part, " \t\r\n"), "=")
			if strings.Trim(key, " \t\r\n") == name {
				if value, ok := cookieValue(value); ok {
					return value, true
				}
			}
		}
	}
	return "", false
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
