package gen

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hone-go/hone/wire/schema"
)

// A writer writes a module. It prints types and codecs by the formats of the module's language.
type writer struct {
	*module
	out bytes.Buffer
}

// formats are the formats of the types, or of the codecs, of the kinds with parts.
type formats struct {
	array, list, dict, pairs, optional, raw string
	some                                    string // wraps an optional value that may itself be null
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.out, format+"\n", args...) }

// fields writes the fields of the codec of a struct.
func (w *writer) fields(t *schema.Type, properties []string, indent string) {
	for i, p := range properties {
		f := &t.Fields[i]
		switch {
		case f.Removed != "":
			w.line("%swire.removed(%s, %s, %s),", indent, quote(f.Name), w.codec(f.Type, true, indent), quote(f.Removed))
		case p == "":
			w.line("%swire.skipped(%d),", indent, w.schema.Resolve(f.Type).Count)
		default:
			w.line("%swire.field(%s, %s, %s),", indent, quote(f.Name), quote(p), w.codec(f.Type, true, indent))
		}
	}
}

// typ returns the type of the values of t in the language.
func (w *writer) typ(t *schema.Type) string {
	if d := w.of[w.schema.Resolve(t)]; d != nil {
		return d.name
	}
	return w.shape(t)
}

// shape returns the type for the structure of t, even if t has a name.
func (w *writer) shape(t *schema.Type) string {
	if row, ok := primitives[t.Kind]; ok {
		return w.language.primitive(row).typ(t)
	}
	f := &w.language.types
	switch t.Kind {
	case "array", "slice":
		return fmt.Sprintf(f.list, w.typ(t.Elem))
	case "map":
		return fmt.Sprintf(w.mapFormat(f, t), w.typ(t.Key), w.typ(t.Elem))
	case "optional":
		return w.optional(f, t, w.typ(t.Elem))
	case "raw":
		return fmt.Sprintf(f.raw, w.typ(t.Elem))
	}
	var cases []string
	for i := range t.Cases {
		cases = append(cases, w.language.caseType(w, t, &t.Cases[i]))
	}
	if t.Tag == "uvarint" {
		cases = append(cases, w.language.null)
	}
	if len(cases) == 0 {
		return w.language.never
	}
	return strings.Join(cases, " | ")
}

// codec returns an expression for the codec of t. If later is set, the expression is in a
// function that is called later, and may refer to types that are declared later.
func (w *writer) codec(t *schema.Type, later bool, indent string) string {
	d := w.of[w.schema.Resolve(t)]
	switch {
	case d == nil:
		return w.shapeCodec(t, later, indent)
	case later:
		return w.language.codecName(d)
	}
	return fmt.Sprintf(w.language.lazy, w.language.codecName(d))
}

// shapeCodec is like codec, but ignores the name of t.
func (w *writer) shapeCodec(t *schema.Type, later bool, indent string) string {
	if row, ok := primitives[t.Kind]; ok {
		return w.language.primitive(row).codec(t)
	}
	f, part := &w.language.codecs, func(p *schema.Type) string { return w.codec(p, later, indent) }
	switch t.Kind {
	case "array":
		return fmt.Sprintf(f.array, t.Count, part(t.Elem))
	case "slice":
		return fmt.Sprintf(f.list, t.Length, part(t.Elem))
	case "map":
		return fmt.Sprintf(w.mapFormat(f, t), t.Length, part(t.Key), part(t.Elem))
	case "optional":
		return w.optional(f, t, part(t.Elem))
	case "raw":
		return fmt.Sprintf(f.raw, t.Length, part(t.Elem))
	}
	return w.language.union(w, t, later, indent)
}

func (w *writer) mapFormat(f *formats, t *schema.Type) string {
	if w.textual(t.Key) {
		return f.dict
	}
	return f.pairs
}

// optional returns the type or the codec of t, an optional. elem is its element's.
func (w *writer) optional(f *formats, t *schema.Type, elem string) string {
	if w.nullable(t.Elem) {
		elem = fmt.Sprintf(f.some, elem)
	}
	return fmt.Sprintf(f.optional, elem)
}
