package openapi

import (
	"strings"

	"github.com/hone-go/hone/shape"
)

// A Discriminator names the member by which a reader distinguishes the schemas of OneOf or AnyOf.
type Discriminator struct {
	PropertyName string `json:"propertyName"`
	// Mapping has the reference to a schema for each value of the member.
	Mapping map[string]string `json:"mapping,omitempty"`
}

// sum returns the schema of an interface, or of an Either, with declared cases. The schema is a reference to a
// component, which has a schema for each case. A nil interface is not one of the cases, so a member that may be
// null must be an mo.Option or a pointer.
func (c *schemas) sum(s *shape.Shape, cases *shape.Sum) *Schema {
	key := schemaKey{s.Type, c.strict, c.request && c.isSided(s)}
	name, known := c.names[key]
	if !known {
		name = c.nameFor(key)
		c.names[key] = name
		out := &Schema{}
		c.components[name] = out // set before the cases, since they may contain the interface
		c.cases(out, cases, name)
	}
	return &Schema{Ref: "#/components/schemas/" + name}
}

// cases adds a schema for each case of s to out, the component called name. Unless the form is external, each case
// becomes a separate component.
func (c *schemas) cases(out *Schema, s *shape.Sum, name string) {
	var list []*Schema
	mapping := map[string]string{}
	for i := range s.Cases {
		of := &s.Cases[i]
		if i == s.Unknown {
			continue
		}
		if s.Form == shape.SumExternal {
			only := wrapped(of.Name, c.of(of.Type))
			only.AdditionalProperties = &Schema{False: true}
			list = append(list, only)
			continue
		}
		component := c.free(name + titled(plainName(of.Name)))
		one := &Schema{}
		c.components[component] = one
		c.tagged(one, s, i)
		ref := "#/components/schemas/" + component
		mapping[of.Name] = ref
		list = append(list, &Schema{Ref: ref})
	}
	if s.Form != shape.SumExternal {
		out.Discriminator = &Discriminator{PropertyName: s.Tag, Mapping: mapping}
	}
	if s.Unknown < 0 {
		out.OneOf = list
		return
	}
	// Other names are allowed, with any members. A known name matches this schema too.
	other := &Schema{Type: "object"}
	if s.Form != shape.SumExternal {
		other = wrapped(s.Tag, &Schema{Type: "string"})
	}
	out.AnyOf = append(list, other)
}

// tagged describes the object of a case in the internal or the adjacent form.
func (c *schemas) tagged(out *Schema, s *shape.Sum, i int) {
	of := &s.Cases[i]
	tag := &Schema{Type: "string", Enum: []any{of.Name}}
	if s.Form == shape.SumAdjacent {
		out.Type, out.Required = "object", []string{s.Tag}
		out.Properties = map[string]*Schema{s.Tag: tag, s.Value: c.of(of.Type)}
		if s.NeedsValue(i) {
			out.Required = append(out.Required, s.Value)
		}
		if c.strict {
			out.AdditionalProperties = &Schema{False: true}
		}
		return
	}
	held := of.Shape
	if held.Kind == shape.Pointer {
		held = held.Elem
	}
	c.fill(out, held)
	if out.Properties == nil {
		out.Properties = map[string]*Schema{}
	}
	out.Properties[s.Tag] = tag
	out.Required = append([]string{s.Tag}, out.Required...)
}

// titled returns name with a capital letter.
func titled(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
