package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/hone-go/hone/wire/schema"
)

const printHelp = `Prints a schema as a table: its fingerprint, and a line for each field with the name,
the type and the encoding of the field.

  hone schema print user.json
  hone schema export ./model.User | hone schema print -
`

// loadSchema reads and checks a schema.
func (c *call) loadSchema(name string) (*schema.Schema, error) {
	data, err := c.read(name)
	if err != nil {
		return nil, err
	}
	return parseSchema(name, data)
}

func parseSchema(name string, data []byte) (*schema.Schema, error) {
	s := new(schema.Schema)
	if err := strictly(data, s); err != nil {
		return nil, fmt.Errorf("%s is not a schema: %w", name, err)
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// strictly decodes JSON, and refuses unknown members.
func strictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("unexpected text after the schema")
	}
	return nil
}

func printSchema(c *call) action {
	return func(args []string) error {
		s, err := c.loadSchema(args[0])
		if err != nil {
			return err
		}
		return writeTable(c.stdout, s)
	}
}

func writeTable(out io.Writer, s *schema.Schema) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	p := printer{w: w}
	fmt.Fprintf(w, "fingerprint %v\n\n", s.Fingerprint())
	p.named("the value", s.Type)
	var names []string
	for name := range s.Types {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintln(w)
		p.named(name, s.Types[name])
	}
	return w.Flush()
}

type printer struct{ w io.Writer }

func (p *printer) named(name string, t *schema.Type) {
	fmt.Fprintf(p.w, "%s\t%s\t%s\n", name, title(t), encodingOf(t))
	p.parts(t, "  ")
}

// parts prints the fields, the cases, or the key and element types of a type.
func (p *printer) parts(t *schema.Type, indent string) {
	for i, f := range t.Fields {
		name := f.Name
		if name == "" {
			name = fmt.Sprint(i)
		}
		if len(f.Was) > 0 {
			name += " (was " + strings.Join(f.Was, ", ") + ")"
		}
		if f.Removed != "" {
			name += " (removed)"
		}
		p.part(name, f.Type, indent)
	}
	if t.Unknown != "" {
		fmt.Fprintf(p.w, "%s%s\tfields that newer versions have added\t\n", indent, t.Unknown)
	}
	for _, c := range t.Cases {
		if c.Type == nil {
			fmt.Fprintf(p.w, "%s%d %s\t\t\n", indent, c.ID, c.Name)
			continue
		}
		p.part(fmt.Sprintf("%d %s", c.ID, c.Name), c.Type, indent)
	}
	if inner(t) {
		for _, e := range []*schema.Type{t.Key, t.Elem} {
			if e != nil {
				p.parts(e, indent)
			}
		}
	}
}

func (p *printer) part(name string, t *schema.Type, indent string) {
	fmt.Fprintf(p.w, "%s%s\t%s\t%s\n", indent, name, title(t), encodingOf(t))
	p.parts(t, indent+"  ")
}

func inner(t *schema.Type) bool { return t.Kind != "struct" && t.Kind != "union" }

// title returns a name for a type, close to its name in Go.
func title(t *schema.Type) string {
	switch t.Kind {
	case "ref":
		return t.Name
	case "int", "uint", "float":
		return fmt.Sprint(t.Kind, t.Bits)
	case "complex":
		return fmt.Sprint(t.Kind, 2*t.Bits)
	case "slice":
		return "[]" + title(t.Elem)
	case "array":
		return fmt.Sprintf("[%d]%s", t.Count, title(t.Elem))
	case "map":
		return fmt.Sprintf("map[%s]%s", title(t.Key), title(t.Elem))
	case "optional", "raw":
		return t.Kind + " " + title(t.Elem)
	case "binary", "text":
		return t.Name
	case "struct":
		if t.Evolving {
			return "evolving struct"
		}
	}
	return t.Kind
}

// encodingOf describes the encoding of a type, the outermost part first.
func encodingOf(t *schema.Type) string {
	var words []string
	for ; t != nil; t = t.Elem {
		switch t.Kind {
		case "int", "uint", "float", "complex":
			switch {
			case t.Coding == "varint":
				words = append(words, "varint")
			case t.Bits == 8:
				words = append(words, "1 byte")
			default:
				words = append(words, fmt.Sprintf("%d bytes, %s end first", t.Bits/8, t.Coding))
			}
		case "string", "bytes", "slice", "map", "raw":
			words = append(words, "length "+t.Length)
		case "optional", "bool":
			words = append(words, "flag")
		case "union":
			words = append(words, "tag "+t.Tag)
		case "binary", "text":
			words = append(words, t.Kind+" method")
		case "skip":
			words = append(words, fmt.Sprint(t.Count, " bytes"))
		}
	}
	return strings.Join(words, ", ")
}
