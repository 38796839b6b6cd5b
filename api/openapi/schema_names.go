package openapi

import (
	"strconv"
	"strings"
)

// nameFor returns a component name that no other component has. If the schema of a type in requests differs from
// its schema in answers, the name for requests ends with Input. A type may also have both a strict schema, which
// refuses unknown members, and a schema that allows them. The first of the two to be named has the plain name. The
// second ends with Input if it is strict, and otherwise with Output.
func (c *schemas) nameFor(key schemaKey) string {
	other := key
	other.strict = !key.strict
	if plain, exists := c.names[other]; exists {
		switch {
		case key.request:
			return c.free(plain)
		case key.strict:
			return c.free(plain + "Input")
		}
		return c.free(plain + "Output")
	}
	suffix := ""
	if key.request {
		suffix = "Input"
	}
	name := plainName(key.t.Name()) + suffix
	if _, taken := c.components[name]; taken {
		pkg := key.t.PkgPath()
		name = plainName(pkg[strings.LastIndexByte(pkg, '/')+1:]+"."+key.t.Name()) + suffix
	}
	return c.free(name)
}

// free returns the name, followed by a number if it is taken.
func (c *schemas) free(name string) string {
	for base, n := name, 2; ; n++ {
		if _, taken := c.components[name]; !taken {
			return name
		}
		name = base + strconv.Itoa(n)
	}
}

// plainName reduces the name of a type to the characters that the name of a component may have:
// Page[example.org/shop.Item] becomes "Page_Item".
func plainName(name string) string {
	var b strings.Builder
	word := 0 // the start in b of the current qualified name
	for _, r := range name {
		switch {
		case r == '/' || r == '.' && word > 0:
			rest := b.String()[:word]
			b.Reset()
			b.WriteString(rest)
		case r == '[' || r == ',':
			b.WriteByte('_')
			word = b.Len()
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-', r == '.':
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 {
		return "Type"
	}
	return b.String()
}
