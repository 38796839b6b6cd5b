package schema

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Fingerprint identifies a schema. Two schemas that give some bytes different meanings have
// different fingerprints, with near certainty.
type Fingerprint [8]byte

// String returns the fingerprint in hexadecimal.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

// Fingerprint returns the fingerprint of s: the 64-bit FNV-1a hash of its [Schema.Canonical]
// form, most significant byte first. It depends on the names of fields and cases, but not on the
// names of types.
func (s *Schema) Fingerprint() Fingerprint {
	h := fnv.New64a()
	h.Write([]byte(s.Canonical()))
	return Fingerprint(h.Sum(nil))
}

// Canonical returns the schema as one line, which is the same for schemas of the same meaning.
// The first ref to a type is written as a number and the type, and later refs as the number
// alone.
func (s *Schema) Canonical() string {
	c := canonicalSchema{schema: s, numbers: map[string]int{}}
	var dst []byte
	if s.Mode != "" {
		dst = append(append(dst, s.Mode...), ' ')
	}
	return string(c.append(dst, s.Type, 0))
}

// A canonicalSchema writes the canonical line. The field numbers has the number of each type that
// was written.
type canonicalSchema struct {
	schema  *Schema
	numbers map[string]int
}

// maxSchemaDepth bounds the recursion into a schema, which may come from an untrusted source.
const maxSchemaDepth = 1000

func (c *canonicalSchema) append(dst []byte, t *Type, depth int) []byte {
	if t == nil || depth > maxSchemaDepth {
		return append(dst, '?')
	}
	part := func(t *Type) { dst = c.append(dst, t, depth+1) }
	if t.Kind == "ref" {
		if n, ok := c.numbers[t.Name]; ok {
			return fmt.Appendf(dst, "@%d", n)
		}
		n := len(c.numbers)
		c.numbers[t.Name] = n
		dst = fmt.Appendf(dst, "@%d=", n)
		part(c.schema.Types[t.Name])
		return dst
	}
	dst = append(dst, t.Kind...)
	for _, s := range []string{t.Coding, t.Length, t.Tag} {
		if s != "" {
			dst = append(append(dst, ' '), s...)
		}
	}
	for _, n := range []int{t.Bits, t.Count} {
		if n != 0 {
			dst = strconv.AppendInt(append(dst, ' '), int64(n), 10)
		}
	}
	if t.Evolving {
		dst = append(dst, " evolving"...)
	}
	if t.Key != nil {
		dst = append(dst, '<')
		part(t.Key)
		dst = append(dst, '>')
	}
	if t.Elem != nil {
		dst = append(dst, '(')
		part(t.Elem)
		dst = append(dst, ')')
	}
	if t.Kind == "struct" {
		dst = append(dst, '{')
		for i, f := range t.Fields {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendName(dst, f.Name), ':')
			part(f.Type)
			if f.Removed != "" {
				dst = append(dst, " removed"...)
			}
		}
		dst = append(dst, '}')
	}
	if t.Kind == "union" {
		dst = append(dst, '[')
		for i, one := range t.Cases {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(strconv.AppendUint(dst, uint64(one.ID), 10), '=')
			dst = append(appendName(dst, one.Name), ':')
			if one.Type != nil {
				part(one.Type)
			}
		}
		dst = append(dst, ']')
	}
	return dst
}

// appendName appends a name to the line from which a fingerprint is computed. The name is in
// double quotes, with escapes for quotes, backslashes, control characters and bytes that are
// not UTF-8. All other characters are written unchanged, even unprintable ones, so the result
// does not depend on the version of Unicode.
func appendName(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1 || r < ' ' || r == 0x7f:
			if i := strings.IndexByte("\a\b\t\n\v\f\r", s[0]); i >= 0 {
				dst = append(dst, '\\', "abtnvfr"[i])
			} else {
				dst = append(dst, '\\', 'x', digits[s[0]>>4], digits[s[0]&15])
			}
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		default:
			dst = append(dst, s[:n]...)
		}
		s = s[n:]
	}
	return append(dst, '"')
}
