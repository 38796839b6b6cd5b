package schema

import (
	"strings"
	"unicode/utf8"
)

// maxPath is the maximum number of bytes of a path, or of a name in a reason. The end of a longer
// text is replaced by "…".
const maxPath = 256

// A typePath is the path from a type to one of its parts. It is converted to text only for an
// error, since a type may have many parts with long paths.
type typePath []typeStep

// A typeStep is the text of one step of a path, such as .Name or [key]. Only name may be shortened.
type typeStep struct{ before, name, after string }

var (
	mapKeyStep = typeStep{before: "[key]"}
	elemStep   = typeStep{before: "[]"}
)

// fieldStep returns the step to the field f, the i-th of its struct.
func fieldStep(f Field, i int) typeStep { return typeStep{".", fieldName(f, i), ""} }

// caseStep returns the step to the case c.
func caseStep(c Case) typeStep { return typeStep{".(", c.Name, ")"} }

// text returns the path, shortened, with the steps of suffix at its end.
func (p typePath) text(suffix ...typeStep) string {
	var b strings.Builder
	for _, steps := range [][]typeStep{p, suffix} {
		for _, s := range steps {
			if b.Len() > maxPath {
				break
			}
			b.WriteString(s.before)
			b.WriteString(shorten(s.name))
			b.WriteString(s.after)
		}
	}
	return shorten(b.String())
}

// shorten returns s, or its beginning if s is longer than maxPath bytes.
func shorten(s string) string {
	if len(s) <= maxPath {
		return s
	}
	n := maxPath
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
