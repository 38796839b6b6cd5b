package openapi

import (
	"encoding/json"
	"strconv"

	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/shape"
)

// A limited is a schema to which the limits of a field are added.
type limited struct {
	*Schema
	shape    *shape.Shape // the shape of the values; for optional values, the shape of the values inside
	optional bool         // the values are optional: pointers, or options of package mo
}

// limitKeywords writes each limit as keywords of JSON Schema, in this order. Each limit has a
// row in three tables; see package internal/limit.
var limitKeywords = []struct {
	tag string // one of shape.LimitTags
	// whole is set for a limit of the field's own value, such as its length. Any other limit
	// applies to each element if the field is a slice, array or map, and otherwise to its value.
	whole bool
	write func(to limited, l *shape.Limits)
}{
	{"uniqueItems", true, func(to limited, l *shape.Limits) { to.UniqueItems = l.Unique }},
	{"length", true, writeLength},
	{"min", false, func(to limited, l *shape.Limits) { to.setNumber(&to.Minimum, l.Min) }},
	{"max", false, func(to limited, l *shape.Limits) { to.setNumber(&to.Maximum, l.Max) }},
	{"multipleOf", false, func(to limited, l *shape.Limits) { to.setNumber(&to.MultipleOf, l.MultipleOf) }},
	{"pattern", false, writePattern},
	{"enum", false, writeEnum},
	{"format", false, writeFormat},
}

// limit adds the limits l of a field to s, or to the schemas of its elements. values is the shape of
// the values. If the values are optional, the limits apply to the values inside. whole is set for the
// field's own value, and not for its elements.
func (s *Schema) limit(l *shape.Limits, values *shape.Shape, whole bool) {
	to := limited{Schema: s, shape: values, optional: values.Held() != nil}
	if s.AnyOf != nil {
		to.Schema = s.AnyOf[0]
	}
	for held := values.Held(); held != nil; held = to.shape.Held() {
		to.shape = held
	}
	if to.shape.Union != nil {
		return
	}
	elements, has := to.elements()
	for _, k := range limitKeywords {
		if k.whole && whole || !k.whole && !has {
			k.write(to, l)
		}
	}
	if elements != nil {
		elements.limit(l, to.shape.Elem, false)
	}
}

// elements reports whether the values have elements, and returns the schema of the elements.
func (to limited) elements() (s *Schema, has bool) {
	switch to.shape.Kind {
	case shape.Slice, shape.Array:
		return to.Items, true
	case shape.Map:
		return to.AdditionalProperties, true
	}
	return nil, false
}

func writeLength(to limited, l *shape.Limits) {
	if l.MinLength > 0 && !to.optional {
		to.notNull() // a nil slice or map, which is null, breaks the minimum length
	}
	var high *int
	if l.MaxLength >= 0 {
		high = &l.MaxLength
	}
	switch to.shape.Kind {
	case shape.String:
		to.MinLength, to.MaxLength = l.MinLength, high
	case shape.Slice:
		to.MinItems, to.MaxItems = l.MinLength, high
	case shape.Array:
		to.MinItems = max(to.MinItems, l.MinLength)
	case shape.Map:
		to.MinProperties, to.MaxProperties = l.MinLength, high
	}
}

// notNull removes null from the types.
func (s *Schema) notNull() {
	if several, ok := s.Type.([]string); ok && len(several) == 2 && several[1] == "null" {
		s.Type = several[0]
	}
}

// setNumber sets *keyword to the bound n, unless n is nil. It rewrites numbers that JSON does
// not allow, such as "+1" and ".5".
func (to limited) setNumber(keyword *json.Number, n *shape.Number) {
	if n == nil {
		return
	}
	text := n.Text
	if to.shape.Type == durationType {
		text = strconv.FormatInt(n.Int, 10)
	}
	if !json.Valid([]byte(text)) {
		text = strconv.FormatFloat(n.Float, 'g', -1, 64)
		if n.Int != 0 || n.Uint != 0 {
			text = strconv.FormatInt(n.Int+int64(n.Uint), 10)
		}
	}
	*keyword = json.Number(text)
}

func writePattern(to limited, l *shape.Limits) {
	if l.Pattern == "" {
		return
	}
	if to.Pattern = l.Pattern; to.MaxLength == nil {
		longest := limit.MaxMatched
		to.MaxLength = &longest
	}
}

func writeEnum(to limited, l *shape.Limits) {
	if l.Enum != nil {
		to.Enum = nil // the tag enum replaces the values that the type's method Values lists
	}
	for _, e := range l.Enum {
		if to.shape.Kind == shape.String {
			to.Enum = append(to.Enum, e)
		} else {
			to.Enum = append(to.Enum, json.Number(e))
		}
	}
	if several, ok := to.Type.([]string); ok && several[len(several)-1] == "null" {
		to.allowNull()
	}
}

func writeFormat(to limited, l *shape.Limits) {
	if l.Format == "" {
		return
	}
	if to.Format = l.Format; l.Format == "duration" {
		to.Format = "go-duration" // JSON Schema's format duration is the syntax of ISO 8601
	}
}
