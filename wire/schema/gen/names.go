package gen

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hone-go/hone/wire/schema"
)

// words takes the name of a Go type or field apart into words: at underscores and
// whatever stands in no identifier, and where the case changes. So UserIDs is User and
// IDs, and HTTPServer2 is HTTP and Server2.
func (l *language) words(name string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, string(word))
		}
		word = nil
	}
	runes := []rune(name)
	at := func(i int) rune {
		if i < len(runes) {
			return runes[i]
		}
		return ' '
	}
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		if n := len(word); n > 0 && unicode.IsUpper(r) {
			switch {
			case !unicode.IsUpper(word[n-1]): // userID
				end()
			case unicode.IsLower(at(i+1)) && !(at(i+1) == 's' && !unicode.IsLower(at(i+2))): // HTTPServer, but not IDs
				end()
			}
		}
		if l.letter(r) {
			word = append(word, r)
		} else {
			word = append(word, []rune("u"+strconv.FormatInt(int64(r), 16))...)
		}
	}
	end()
	return out
}

func upper(word string) string {
	r, n := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[n:]
}

// camel joins words as userIdOf.
func camel(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if w = strings.ToLower(w); i > 0 {
			w = upper(w)
		}
		b.WriteString(w)
	}
	return b.String()
}

// snake joins words as user_id_of.
func snake(words []string) string { return strings.ToLower(strings.Join(words, "_")) }

// typeName makes a name of a type of a Go type's, such as app.Page[example.org/app.User].
// Packages are left out, unless they are asked for.
func (l *language) typeName(name string, packages bool) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("[]*,() {};#", r) }) {
		if i := strings.LastIndexByte(part, '/'); i >= 0 {
			part = part[i+1:]
		}
		if i := strings.LastIndexByte(part, '.'); i >= 0 && !packages {
			part = part[i+1:]
		}
		for _, w := range l.words(part) {
			b.WriteString(upper(w))
		}
	}
	return identifier(b.String(), "Type")
}

// identifier returns name, with the prefix if it does not begin with a letter.
func identifier(name, prefix string) string {
	if r, _ := utf8.DecodeRuneInString(name); !unicode.IsLetter(r) {
		return prefix + name
	}
	return name
}

// disambiguate turns the names of the declarations into ones of the language, of which
// each is there once: types of one name in two packages get those of their packages too.
func (m *module) disambiguate() {
	short := map[string]int{}
	for _, d := range m.list {
		short[m.language.typeName(d.name, false)]++
	}
	taken := map[string]bool{}
	for _, d := range m.list {
		name := m.language.typeName(d.name, false)
		if short[name] > 1 || m.language.reserved(name) {
			name = m.language.typeName(d.name, true)
		}
		d.name = unique(name, "", func(s string) bool { return taken[s] || m.language.reserved(s) })
		taken[d.name] = true
	}
}

// unique returns name, or name with the first number from 2 on that makes it a name that
// is free.
func unique(name, separator string, taken func(string) bool) string {
	out := name
	for i := 2; taken(out); i++ {
		out = name + separator + strconv.Itoa(i)
	}
	return out
}

// properties returns the names of the fields of a struct, "" for those that its values
// do not have, and that of what keeps the unknown or "".
func (m *module) properties(t *schema.Type) (of []string, unknown string) {
	taken := map[string]bool{}
	name := func(field, none string) string {
		words := m.language.words(field)
		if len(words) == 0 {
			words = []string{none}
		}
		name := identifier(m.language.property(words), "_")
		name = unique(name, "_", func(s string) bool { return taken[s] })
		taken[name] = true
		return name
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Removed != "" || m.schema.Resolve(f.Type).Kind == "skip" {
			of = append(of, "")
			continue
		}
		of = append(of, name(f.Name, "field"+strconv.Itoa(i)))
	}
	if t.Unknown != "" {
		unknown = name(t.Unknown, "unknown")
	}
	return of, unknown
}

// caseName returns the name of a union's case: "#" and its id if it has none of its own.
func caseName(t *schema.Type, c *schema.Case) string {
	times := 0
	for i := range t.Cases {
		if t.Cases[i].Name == c.Name {
			times++
		}
	}
	if c.Name == "" || c.Name[0] == '#' || times > 1 || !utf8.ValidString(c.Name) {
		return "#" + strconv.FormatUint(uint64(c.ID), 10)
	}
	return c.Name
}

// quote returns s as a literal, which both languages read as JSON does.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string has JSON
	return strings.TrimSpace(b.String())
}
