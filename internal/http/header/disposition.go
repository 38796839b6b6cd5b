package header

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Disposition returns a Content-Disposition of a kind, inline or attachment, with the name of a
// file. A name that is not ASCII is also written as filename* (RFC 6266, 4.3), because clients
// do not read filename as UTF-8.
func Disposition(kind, name string) string {
	name = printable.Replace(name)
	value := kind + `; filename="` + quoted.Replace(name) + `"`
	if strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		value += "; filename*=UTF-8''" + extended(name)
	}
	return value
}

// printable percent-encodes control characters, which a field must not contain (RFC 9110, 5.5).
var printable = func() *strings.Replacer {
	pairs := []string{"\x7f", "%7F"}
	for c := range byte(' ') {
		pairs = append(pairs, string(rune(c)), fmt.Sprintf("%%%02X", c))
	}
	return strings.NewReplacer(pairs...)
}()

// quoted escapes a name so that it stays inside its quotes.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// extended returns the value of an extended parameter (RFC 8187, 3.2.1): every byte is
// percent-encoded, except for letters, digits and the other characters that RFC 8187 calls
// attr-char. Bytes that are not UTF-8 become U+FFFD.
func extended(name string) string {
	var b strings.Builder
	for _, c := range []byte(strings.ToValidUTF8(name, "\uFFFD")) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("!#$&+-.^_`|~", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
