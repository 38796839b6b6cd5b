package wire

import (
	"encoding/hex"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/internal/spec"
	"github.com/hone-go/hone/wire/schema"
)

// SchemaOf returns the schema of T's derived encoding. The error is the same as for [For].
func SchemaOf[T any]() (*schema.Schema, error) {
	c, err := For[T]()
	if err != nil {
		return nil, err
	}
	return c.Schema(), nil
}

// describe returns the schema of r's encoding, or nil if r has no program.
func describe(r *program.Runner) *schema.Schema {
	if r.Program == nil {
		return nil
	}
	m := schemaMaker{schema: &schema.Schema{Version: schema.Version}, names: map[*spec.Spec]string{}}
	if r.Mode.Canonical {
		m.schema.Mode = schema.Canonical
	}
	m.schema.Type = m.typeOf(r.Root)
	return m.schema
}

// A schemaMaker makes schemas from specs. names maps each spec that schema.Types describes to
// its name.
type schemaMaker struct {
	schema *schema.Schema
	names  map[*spec.Spec]string
}

// typeOf returns the type for s. A named type is described once, in schema.Types, and other places
// refer to it by name, so that the schema of a recursive type is finite.
func (m *schemaMaker) typeOf(s *spec.Spec) *schema.Type {
	named := s.Type != nil && s.Type.Name() != "" && (s.Elem != nil || s.Fields != nil || s.Cases != nil)
	if s.Form == spec.FormOption || s.Form == spec.FormVariant || s.Form == spec.FormAccessor || s.Form == spec.FormRaw {
		named = false
	}
	// An interface needs a name only if one of its types contains the interface.
	if !named && !(s.Form == spec.FormInterface && s.Within(func(part *spec.Spec) bool { return part == s }) != nil) {
		return m.describe(s)
	}
	name, ok := m.names[s]
	if !ok {
		name = shape.TypeName(s.Type)
		for i := 2; m.schema.Types[name] != nil; i++ {
			name = shape.TypeName(s.Type) + "#" + strconv.Itoa(i)
		}
		m.names[s] = name
		if m.schema.Types == nil {
			m.schema.Types = map[string]*schema.Type{}
		}
		t := new(schema.Type)
		m.schema.Types[name] = t
		*t = *m.describe(s)
	}
	return &schema.Type{Kind: "ref", Name: name}
}

// describe returns the schema type for s. The table of forms contains most of its fields: see
// [spec.Form.Info].
func (m *schemaMaker) describe(s *spec.Spec) *schema.Type {
	if s.Form == spec.FormAccessor {
		return m.typeOf(s.Elem)
	}
	info := s.Form.Info()
	t := &schema.Type{Kind: info.Kind, Tag: info.Tag, Count: s.Count, Evolving: s.Evolving}
	if info.Number {
		t.Coding, t.Bits = coding(s)
	}
	switch {
	case t.Kind != "" || !info.Number:
	case s.Float:
		t.Kind = "float"
	case s.Signed:
		t.Kind = "int"
	default:
		t.Kind = "uint"
	}
	if info.Length {
		t.Length = s.Len.String()
	}
	if info.Method {
		t.Name = shape.TypeName(s.Type)
	}
	if s.Key != nil {
		t.Key = m.typeOf(s.Key)
	}
	if s.Elem != nil {
		t.Elem = m.typeOf(s.Elem)
	}
	for _, one := range s.Cases {
		c := schema.Case{ID: one.ID, Name: one.Name}
		if one.Spec != nil {
			c.Type = m.typeOf(one.Spec)
		}
		t.Cases = append(t.Cases, c)
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Spec.Form == spec.FormUnknown {
			t.Unknown = f.Name
		} else {
			t.Fields = append(t.Fields, m.field(f))
		}
	}
	return t
}

// field describes a field of a struct.
func (m *schemaMaker) field(f *spec.Field) schema.Field {
	out := schema.Field{Name: f.Name, Was: f.Was}
	switch s := f.Spec; s.Form {
	case spec.FormAccessor:
		out.Name, out.Type = "", m.typeOf(s)
	case spec.FormRemoved:
		out.Type, out.Removed = m.typeOf(s.Elem), hex.EncodeToString(s.Zero)
		if n := len(f.Was); n == 0 {
			out.Name = ""
		} else {
			out.Was = f.Was[:n-1] // the last element is the current name
		}
	default:
		out.Type = m.typeOf(s)
	}
	return out
}

// coding returns the name of a number's coding and the number of its bits.
func coding(s *spec.Spec) (name string, bits int) {
	width := int(s.Width)
	switch s.Form {
	case spec.FormVarint, spec.FormUvarint:
		width = int(s.Size)
		if k := s.Type.Kind(); k == reflect.Int || k == reflect.Uint {
			width = 8 // a schema is the same on every platform
		}
		return "varint", 8 * width
	case spec.FormByte:
		width = 1
	}
	if s.Big {
		return "big", 8 * width
	}
	return "little", 8 * width
}
