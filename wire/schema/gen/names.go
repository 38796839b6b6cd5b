package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hone-go/hone/wire/schema"
)

// words splits the name of a Go type or field into words: at underscores and other characters
// that are not part of an identifier, and where the case changes. UserIDs is split into User
// and IDs, and HTTPServer2 into HTTP and Server2.
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

// camel joins words as in userIdOf.
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

// snake joins words as in user_id_of.
func snake(words []string) string { return strings.ToLower(strings.Join(words, "_")) }

// maxTypeName is the maximum length in bytes of the generated name of a type that has no name
// in the schema. The generated name consists of the names of all enclosing types. If it is too
// long, the outer names are cut.
const maxTypeName = 256

// joinNames returns the name of a part of outer. If the name is longer than maxTypeName, its start
// is cut.
func joinNames(outer, part string) string {
	name := outer + " " + part
	if len(name) <= maxTypeName {
		return name
	}
	name = name[len(name)-maxTypeName:]
	for len(name) > 0 && !utf8.RuneStart(name[0]) {
		name = name[1:]
	}
	return name
}

// typeName returns the name for a Go type, such as app.Page[example.org/app.User]. Packages are
// left out unless packages is set.
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

// disambiguate replaces the names of the declarations by unique names of the language. Types of
// the same name in two packages get the names of their packages too.
func (m *module) disambiguate() {
	short := map[string]int{}
	for _, d := range m.list {
		short[m.language.typeName(d.name, false)]++
	}
	names := newNameSpace()
	for _, d := range m.list {
		name := m.language.typeName(d.name, false)
		if short[name] > 1 || m.language.reserved(name) {
			name = m.language.typeName(d.name, true)
		}
		d.name = names.unique(name, "", m.language.reserved)
	}
}

// A nameSpace makes unique names.
type nameSpace struct {
	taken map[string]bool
	next  map[string]int // the number to try next, by the name without a number
}

func newNameSpace() nameSpace { return nameSpace{map[string]bool{}, map[string]int{}} }

// unique returns name and marks it as taken. If name is already taken or reserved, unique appends the
// smallest number, starting at 2, that makes the name free. reserved may be nil.
func (n *nameSpace) unique(name, separator string, reserved func(string) bool) string {
	out := name
	for n.taken[out] || reserved != nil && reserved(out) {
		i := max(n.next[name], 2)
		n.next[name] = i + 1
		out = name + separator + strconv.Itoa(i)
	}
	n.taken[out] = true
	return out
}

// Names are names of properties, which replace the names that a language has for fields. A key is
// TYPE.FIELD, with the name of the type in the module and the name of the field in the schema, such
// as "Reading.MemoryUsed". A name has ASCII letters, digits and underscores.
type Names map[string]string

var propertyName = regexp.MustCompile(`^_?[A-Za-z][A-Za-z0-9_]*$`)

// check returns an error if a name cannot be used, or if the module does not have the field of a
// name.
func (m *module) check(names Names) error {
	fields := map[string]bool{}
	for _, d := range m.list {
		taken := map[string]string{}
		for i := range d.typ.Fields {
			if d.typ.Fields[i].Removed != "" {
				continue
			}
			key := d.name + "." + d.typ.Fields[i].Name
			name, named := names[key]
			fields[key] = true
			if !named {
				continue
			}
			if other, twice := taken[name]; twice {
				return fmt.Errorf("gen: %s and %s have the name %q", other, key, name)
			}
			taken[name] = key
		}
	}
	for _, key := range slices.Sorted(maps.Keys(names)) {
		if !fields[key] {
			return fmt.Errorf("gen: there is no field %s: the key of a name is TYPE.FIELD, such as Reading.MemoryUsed", key)
		}
		if !propertyName.MatchString(names[key]) {
			return fmt.Errorf("gen: %s cannot have the name %q: a name has ASCII letters, digits and underscores", key, names[key])
		}
	}
	return nil
}

// properties returns the names of the fields of a struct, or "" for fields without a property, and
// the name of the property for unknown fields, or "".
func (m *module) properties(t *schema.Type) (of []string, unknown string) {
	names := newNameSpace()
	given := func(field string) string {
		d := m.of[t]
		if d == nil {
			return ""
		}
		return m.names[d.name+"."+field]
	}
	for i := range t.Fields {
		if name := given(t.Fields[i].Name); name != "" {
			names.taken[name] = true
		}
	}
	name := func(field, none string) string {
		if name := given(field); name != "" {
			return name
		}
		words := m.language.words(field)
		if len(words) == 0 {
			words = []string{none}
		}
		return names.unique(identifier(m.language.property(words), "_"), "_", nil)
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

// caseName returns the name of a union's case. A case without a usable name has "#" and its id.
func (m *module) caseName(t *schema.Type, c *schema.Case) string {
	times := m.caseNames[t]
	if times == nil {
		times = map[string]int{}
		for i := range t.Cases {
			times[t.Cases[i].Name]++
		}
		m.caseNames[t] = times
	}
	if c.Name == "" || c.Name[0] == '#' || times[c.Name] > 1 || !utf8.ValidString(c.Name) {
		return "#" + strconv.FormatUint(uint64(c.ID), 10)
	}
	return c.Name
}

// quote returns s as a literal in the syntax of JSON, which both languages accept.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // encoding a string cannot fail
	return strings.TrimSpace(b.String())
}
