package wire

import (
	"reflect"
	"strconv"

	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/schema"
)

// SchemaOf returns the schema of T's derived encoding. The error is that of
// [For].
func SchemaOf[T any]() (*schema.Schema, error) {
	c, err := For[T]()
	if err != nil {
		return nil, err
	}
	return c.Schema(), nil
}

func describe(root *program.Spec) *schema.Schema {
	m := schemaMaker{schema: &schema.Schema{Version: schema.Version}, names: map[*program.Spec]string{}}
	m.schema.Type = m.of(root)
	return m.schema
}

type schemaMaker struct {
	schema *schema.Schema
	names  map[*program.Spec]string
}

// of describes s. A type with a name of its own is described once and referred
// to, so that one that contains itself comes to an end.
func (m *schemaMaker) of(s *program.Spec) *schema.Type {
	named := s.Type != nil && s.Type.Name() != "" && (s.Elem != nil || s.Fields != nil || s.Cases != nil)
	if !named || s.Form == program.FormOption || s.Form == program.FormVariant || s.Form == program.FormAccessor {
		return m.describe(s)
	}
	name, ok := m.names[s]
	if !ok {
		name = s.Type.String()
		for i := 2; m.schema.Types[name] != nil; i++ {
			name = s.Type.String() + "#" + strconv.Itoa(i)
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

func (m *schemaMaker) describe(s *program.Spec) *schema.Type {
	integer := func(coding string, width uintptr) *schema.Type {
		if s.Signed {
			return &schema.Type{Kind: "int", Bits: 8 * int(width), Coding: coding}
		}
		return &schema.Type{Kind: "uint", Bits: 8 * int(width), Coding: coding}
	}
	order := "little"
	if s.Big {
		order = "big"
	}
	switch s.Form {
	case program.FormBool:
		return &schema.Type{Kind: "bool"}
	case program.FormByte:
		return integer("little", 1)
	case program.FormVarint, program.FormUvarint:
		width := s.Size
		if k := s.Type.Kind(); k == reflect.Int || k == reflect.Uint {
			width = 8 // a schema is not a platform's
		}
		return integer("varint", width)
	case program.FormFixed, program.FormFloat:
		if s.Float {
			return &schema.Type{Kind: "float", Bits: 8 * int(s.Width), Coding: order}
		}
		return integer(order, uintptr(s.Width))
	case program.FormComplex:
		return &schema.Type{Kind: "complex", Bits: 8 * int(s.Width), Coding: order}
	case program.FormText:
		return &schema.Type{Kind: "string", Length: s.Len.String()}
	case program.FormError:
		return &schema.Type{Kind: "string", Length: program.LenVarint.String()}
	case program.FormBytes:
		return &schema.Type{Kind: "bytes", Length: s.Len.String()}
	case program.FormTime:
		return &schema.Type{Kind: "time"}
	case program.FormTimeUTC:
		return &schema.Type{Kind: "time utc"}
	case program.FormTimeZone:
		return &schema.Type{Kind: "time location"}
	case program.FormSlice:
		return &schema.Type{Kind: "slice", Length: s.Len.String(), Elem: m.of(s.Elem)}
	case program.FormArray, program.FormList:
		return &schema.Type{Kind: "array", Count: s.Count, Elem: m.of(s.Elem)}
	case program.FormMap:
		return &schema.Type{Kind: "map", Length: s.Len.String(), Key: m.of(s.Key), Elem: m.of(s.Elem)}
	case program.FormPointer, program.FormOption:
		return &schema.Type{Kind: "optional", Elem: m.of(s.Elem)}
	case program.FormBinary:
		return &schema.Type{Kind: "binary", Name: s.Type.String()}
	case program.FormTextual:
		return &schema.Type{Kind: "text", Name: s.Type.String()}
	case program.FormSkip:
		return &schema.Type{Kind: "skip", Count: s.Count}
	case program.FormAccessor:
		return m.of(s.Elem)
	case program.FormVariant, program.FormInterface:
		t := &schema.Type{Kind: "union", Tag: "byte"}
		if s.Form == program.FormInterface {
			t.Tag = "uvarint"
		}
		for _, one := range s.Cases {
			c := schema.Case{ID: one.ID, Name: one.Name}
			if one.Spec != nil {
				c.Type = m.of(one.Spec)
			}
			t.Cases = append(t.Cases, c)
		}
		return t
	}
	t := &schema.Type{Kind: "struct", Evolving: s.Evolving}
	for i := range s.Fields {
		f := &s.Fields[i]
		name := f.Name
		if f.Spec.Form == program.FormAccessor {
			name = ""
		}
		t.Fields = append(t.Fields, schema.Field{Name: name, Type: m.of(f.Spec)})
	}
	return t
}
