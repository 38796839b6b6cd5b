package openapi

import (
	"encoding"
	"encoding/json"
	"mime/multipart"
	"reflect"
	"slices"
	"time"

	"github.com/hone-go/hone/internal/literal"
	"github.com/hone-go/hone/shape"
)

// A Schema is a JSON Schema (draft 2020-12), restricted to the keywords that this package
// writes.
type Schema struct {
	Ref                  string             `json:"$ref,omitempty"`
	Type                 any                `json:"type,omitempty"` // a string, or several
	Format               string             `json:"format,omitempty"`
	ContentEncoding      string             `json:"contentEncoding,omitempty"`
	ContentMediaType     string             `json:"contentMediaType,omitempty"`
	ContentSchema        *Schema            `json:"contentSchema,omitempty"`
	Description          string             `json:"description,omitempty"`
	Properties           map[string]*Schema `json:"properties,omitempty"`
	Required             []string           `json:"required,omitempty"`
	Items                *Schema            `json:"items,omitempty"`
	AdditionalProperties *Schema            `json:"additionalProperties,omitempty"`
	PropertyNames        *Schema            `json:"propertyNames,omitempty"`
	AnyOf                []*Schema          `json:"anyOf,omitempty"`
	OneOf                []*Schema          `json:"oneOf,omitempty"`
	Discriminator        *Discriminator     `json:"discriminator,omitempty"`
	Enum                 []any              `json:"enum,omitempty"`
	Minimum              json.Number        `json:"minimum,omitempty"`
	Maximum              json.Number        `json:"maximum,omitempty"`
	MinLength            int                `json:"minLength,omitempty"`
	MaxLength            *int               `json:"maxLength,omitempty"`
	MinItems             int                `json:"minItems,omitempty"`
	MaxItems             *int               `json:"maxItems,omitempty"`
	MinProperties        int                `json:"minProperties,omitempty"`
	MaxProperties        *int               `json:"maxProperties,omitempty"`
	Pattern              string             `json:"pattern,omitempty"`
	MultipleOf           json.Number        `json:"multipleOf,omitempty"`
	UniqueItems          bool               `json:"uniqueItems,omitempty"`
	Default              json.RawMessage    `json:"default,omitempty"`
	Examples             []json.RawMessage  `json:"examples,omitempty"`
	ReadOnly             bool               `json:"readOnly,omitempty"`
	WriteOnly            bool               `json:"writeOnly,omitempty"`

	// These keywords are only in documents of OpenAPI 3.0; see [Document.Version30].
	Nullable bool            `json:"nullable,omitempty"`
	AllOf    []*Schema       `json:"allOf,omitempty"`
	Example  json.RawMessage `json:"example,omitempty"`

	// False is set for the schema that matches no value, which is written as false.
	False bool `json:"-"`
}

// MarshalJSON writes the schema as an object, or as false.
func (s *Schema) MarshalJSON() ([]byte, error) {
	if s.False {
		return []byte("false"), nil
	}
	type plain Schema
	return json.Marshal((*plain)(s))
}

// UnmarshalJSON parses the output of MarshalJSON, and true as the schema that matches any value.
func (s *Schema) UnmarshalJSON(data []byte) error {
	type plain Schema
	switch string(data) {
	case "false":
		*s = Schema{False: true}
		return nil
	case "true":
		*s = Schema{}
		return nil
	}
	return json.Unmarshal(data, (*plain)(s))
}

// A schemas value makes the schemas of types. Structs with a name become components.
type schemas struct {
	components map[string]*Schema
	names      map[schemaKey]string
	security   map[string]*SecurityScheme
	sided      map[reflect.Type]bool // the results of isSided
	strict     bool                  // unknown members are refused
	request    bool                  // the schemas are of requests
}

func newSchemas() *schemas {
	return &schemas{
		components: map[string]*Schema{}, names: map[schemaKey]string{}, security: map[string]*SecurityScheme{}, sided: map[reflect.Type]bool{},
	}
}

// A schemaKey identifies the component of a type.
type schemaKey struct {
	t       reflect.Type
	strict  bool
	request bool // the schema is for requests, and the type is sided
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	typer         = reflect.TypeFor[shape.SchemaTyper]()
	rawMessage    = reflect.TypeFor[json.RawMessage]()
	jsonNumber    = reflect.TypeFor[json.Number]()
	durationType  = reflect.TypeFor[time.Duration]()
	fileType      = reflect.TypeFor[multipart.FileHeader]()
	errorType     = reflect.TypeFor[error]()
)

// of returns the schema of a type's JSON, as package json writes it.
func (c *schemas) of(t reflect.Type) *Schema {
	s := shape.Of(t)
	switch {
	case t == rawMessage:
		return &Schema{}
	case t == jsonNumber:
		return &Schema{Type: "number"}
	case t == fileType:
		return &Schema{Type: "string", Format: "binary"}
	case s.Kind == shape.Time:
		return &Schema{Type: "string", Format: "date-time"}
	case s.Kind == shape.Option:
		return orNull(c.of(s.Elem.Type))
	case s.Union != nil:
		return c.union(s)
	case s.Sum != nil:
		return c.sum(s, s.Sum)
	case s.Endless():
		return &Schema{Type: "null"}
	case s.Kind == shape.Pointer:
		if t.Elem() == fileType {
			return c.of(fileType)
		}
		return orNull(c.of(t.Elem()))
	case t.Kind() != reflect.Interface && has(t, typer):
		return typedBySelf(reflect.New(t).Interface().(shape.SchemaTyper))
	case has(t, jsonMarshaler):
		return &Schema{} // only the type's method knows its JSON
	case has(t, textMarshaler):
		return &Schema{Type: "string"}
	case s.Values() != nil:
		return valued(s)
	case t.Kind() == reflect.Int: // the document must not depend on the machine that generates it
		return &Schema{Type: "integer", Format: "int64"}
	}
	switch k := s.Kind; k {
	case shape.Bool:
		return &Schema{Type: "boolean"}
	case shape.Int8, shape.Int16:
		return &Schema{Type: "integer", Format: "int32", Minimum: choose(k == shape.Int8, "-128", "-32768"), Maximum: choose(k == shape.Int8, "127", "32767")}
	case shape.Int32:
		return &Schema{Type: "integer", Format: "int32"}
	case shape.Int64:
		return &Schema{Type: "integer", Format: "int64"}
	case shape.Uint8, shape.Uint16:
		return &Schema{Type: "integer", Format: "int32", Minimum: "0", Maximum: choose(k == shape.Uint8, "255", "65535")}
	case shape.Uint32, shape.Uint64, shape.Uintptr:
		if k == shape.Uint32 && t.Kind() == reflect.Uint32 {
			return &Schema{Type: "integer", Format: "int64", Minimum: "0", Maximum: "4294967295"}
		}
		return &Schema{Type: "integer", Minimum: "0", Maximum: "18446744073709551615"}
	case shape.Float32:
		return &Schema{Type: "number", Format: "float"}
	case shape.Float64:
		return &Schema{Type: "number", Format: "double"}
	case shape.String:
		return &Schema{Type: "string"}
	case shape.Bytes:
		return &Schema{Type: []string{"string", "null"}, ContentEncoding: "base64"}
	case shape.Slice:
		items := &Schema{Type: "array", Items: c.of(s.Elem.Type)}
		if s.Elem.Type == fileType || s.Elem.Kind == shape.Pointer && s.Elem.Elem.Type == fileType {
			return items
		}
		return orNull(items) // a nil slice is null
	case shape.Array:
		n := s.Len
		return &Schema{Type: "array", Items: c.of(s.Elem.Type), MinItems: n, MaxItems: &n}
	case shape.Map:
		out := &Schema{Type: "object", AdditionalProperties: c.of(s.Elem.Type)}
		if k := s.Key; k.Kind >= shape.Int8 && k.Kind <= shape.Uintptr && !has(k.Type, textMarshaler) {
			out.PropertyNames = &Schema{Pattern: wholeNumber(k)}
		}
		return orNull(out)
	case shape.Struct:
		return c.object(s)
	}
	return &Schema{} // an interface: any value
}

// valued returns the schema of a type whose method Values lists all of its values.
func valued(s *shape.Shape) *Schema {
	out := &Schema{Type: "integer"}
	if s.Kind == shape.String {
		out.Type = "string"
	}
	for _, v := range s.Values() {
		if s.Kind == shape.String {
			out.Enum = append(out.Enum, v)
		} else {
			out.Enum = append(out.Enum, json.Number(v))
		}
	}
	return out
}

// choose returns a if first is set, and b otherwise.
func choose(first bool, a, b json.Number) json.Number {
	if first {
		return a
	}
	return b
}

// wholeNumber returns the regular expression for the digits of an integer of shape s, for integers that are
// written as strings. The expression does not check the bounds.
func wholeNumber(s *shape.Shape) string {
	if s.Kind >= shape.Uint8 {
		return "^(0|[1-9][0-9]*)$"
	}
	return "^(0|-?[1-9][0-9]*)$"
}

// quotedPattern returns the regular expression for the text of a member with the JSON option
// string.
func quotedPattern(s *shape.Shape) string {
	for s.Held() != nil {
		s = s.Held()
	}
	switch {
	case s.Kind >= shape.Int8 && s.Kind <= shape.Uintptr:
		return wholeNumber(s)
	case s.Kind == shape.Float32 || s.Kind == shape.Float64:
		return "^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$"
	case s.Kind == shape.Bool:
		return "^(true|false)$"
	}
	return ""
}

// quotedSchema returns the schema of a member with the tag option string. Its values are strings that contain the JSON
// of the values of p, or null for a nil pointer. A string cannot have the limits of a number.
func quotedSchema(p *Schema, s *shape.Shape) *Schema {
	q := &Schema{Type: "string", Description: p.Description, ReadOnly: p.ReadOnly, WriteOnly: p.WriteOnly, Pattern: quotedPattern(s)}
	if p.Default != nil {
		q.Default = quotedJSON(p.Default)
	}
	for _, example := range p.Examples {
		q.Examples = append(q.Examples, quotedJSON(example))
	}
	for _, v := range p.Enum {
		if v != nil {
			text, _ := json.Marshal(v) // no error: the values of an enum are strings and numbers
			q.Enum = append(q.Enum, string(text))
		}
	}
	if s.Kind == shape.Pointer {
		return orNull(q)
	}
	return q
}

// quotedJSON returns the JSON string that contains text, or null if text is null.
func quotedJSON(text json.RawMessage) json.RawMessage {
	if string(text) == "null" {
		return text
	}
	quoted, _ := json.Marshal(string(text)) // a string cannot fail
	return quoted
}

// typedBySelf returns the schema from the method SchemaType of a type. If the method panics,
// the schema matches any value: the method may be promoted from an embedded pointer, which is
// nil in a zero value.
func typedBySelf(v shape.SchemaTyper) (s *Schema) {
	s = &Schema{}
	defer func() {
		if recover() != nil {
			s = &Schema{}
		}
	}()
	if name, format := v.SchemaType(); name != "" {
		s.Type, s.Format = name, format
	}
	return s
}

func has(t, method reflect.Type) bool {
	return t.Implements(method) || t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(method)
}

// orNull returns a schema that matches null too.
func orNull(s *Schema) *Schema {
	switch t := s.Type.(type) {
	case string:
		s.Type = []string{t, "null"}
		s.allowNull()
		return s
	case []string:
		return s
	}
	if s.Ref == "" && s.AnyOf == nil && s.OneOf == nil {
		return s // the schema already matches any value
	}
	return &Schema{AnyOf: []*Schema{s, {Type: "null"}}}
}

// allowNull adds null to the enum of a schema that has one: a validator accepts null only if
// both the type and the enum contain it.
func (s *Schema) allowNull() {
	if s.Enum != nil && !slices.Contains(s.Enum, nil) {
		s.Enum = append(s.Enum, nil)
	}
}

// union returns the schema of a Result, a Nullable or an Either of mo.
func (c *schemas) union(s *shape.Shape) *Schema {
	one := &Schema{}
	switch sum := s.Union.Sum; {
	case sum == nil || sum.Form == shape.SumExternal:
	case sum.Form == shape.SumUntagged:
		// A reader distinguishes the cases by the kind of the JSON value, or by a member that only one of them has.
		for i := range sum.Cases {
			one.AnyOf = append(one.AnyOf, c.of(sum.Cases[i].Type))
		}
		return one
	default:
		return c.sum(s, sum)
	}
	for _, held := range s.Union.Cases {
		switch {
		case held.Elem == nil:
		case held.Name == "":
			return orNull(c.of(held.Elem.Type))
		case held.Elem.Type == errorType:
			one.OneOf = append(one.OneOf, wrapped(held.Name, wrapped("message", &Schema{Type: "string"})))
		default:
			only := wrapped(held.Name, c.of(held.Elem.Type))
			if s.Union.Cases[1].Elem.Type != errorType {
				only.AdditionalProperties = &Schema{False: true}
			}
			one.OneOf = append(one.OneOf, only)
		}
	}
	return one
}

func wrapped(name string, s *Schema) *Schema {
	return &Schema{Type: "object", Properties: map[string]*Schema{name: s}, Required: []string{name}}
}

// object returns the schema of a struct: a reference if its type has a name.
func (c *schemas) object(s *shape.Shape) *Schema {
	if s.Type.Name() == "" {
		out := &Schema{}
		c.fill(out, s)
		return out
	}
	key := schemaKey{s.Type, c.strict, c.request && c.isSided(s)}
	name, known := c.names[key]
	if !known {
		name = c.nameFor(key)
		c.names[key] = name
		out := &Schema{}
		c.components[name] = out // set before fill, since the fields may refer to the component
		c.fill(out, s)
	}
	return &Schema{Ref: "#/components/schemas/" + name}
}

// fill describes the members of a struct, by the rules of package json.
func (c *schemas) fill(out *Schema, s *shape.Shape) {
	out.Type = "object"
	members := s.Members()
	for i := range members {
		m := &members[i]
		if m.Field.WriteOnly() && !c.request {
			continue
		}
		p := c.field(m.Field)
		if m.Quoted {
			p = quotedSchema(p, m.Field.Shape)
		}
		if out.Properties == nil {
			out.Properties = map[string]*Schema{}
		}
		out.Properties[m.Name] = p
		if c.isNeeded(m) {
			out.Required = append(out.Required, m.Name)
		}
	}
	switch rest := s.Object().Rest; {
	case rest != nil && rest.Field.Shape.Kind == shape.Map:
		out.AdditionalProperties = c.of(rest.Field.Shape.Elem.Type)
	case rest != nil:
		out.AdditionalProperties = &Schema{} // a field collects the other members, as JSON, so they may have any value
	case rest == nil && s.Unknown() == "ignored":
	case rest == nil && c.strict, s.Unknown() == "refused":
		out.AdditionalProperties = &Schema{False: true}
	}
}

// optional reports whether a field may be absent: it is an option or a pointer.
func optional(s *shape.Shape) bool {
	return s.Kind == shape.Option || s.Kind == shape.Pointer || s.Union != nil && s.Union.Cases[0].Elem == nil
}

// field returns the schema of a field, with its limits and its doc tag.
func (c *schemas) field(f *shape.Field) *Schema {
	out := c.of(f.Shape.Type)
	doc := f.Doc()
	limits, _ := f.Limits() // no error: the limits were checked when the handler was registered
	if out.Ref != "" {
		// This draft allows other keywords next to a reference.
		out = &Schema{Ref: out.Ref}
	}
	out.Description = doc
	out.ReadOnly, out.WriteOnly = f.ReadOnly(), f.WriteOnly()
	out.Default, _ = literal.Default(f)
	if example, _ := literal.Example(f); example != nil {
		out.Examples = []json.RawMessage{example}
	}
	if limits != nil {
		out.limit(limits, f.Shape, true)
	}
	return out
}
