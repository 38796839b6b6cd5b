package shape

// Required reports whether a JSON object must have the member when the struct's tags are enforced.
// A member is not required if its type is an option or a pointer, if its json tag has the option
// omitempty or omitzero, if it has a `default` tag, or if it is promoted through an embedded
// pointer. The tags required:"false" and required:"true" override all of these rules except the
// last.
func (m *Member) Required() bool {
	if len(m.Through) > 0 {
		return false
	}
	switch m.Field.tag.Get("required") {
	case "true":
		return true
	case "false":
		return false
	}
	_, hasDefault := m.Field.tag.Lookup("default")
	return !hasDefault && !m.OmitEmpty && !m.OmitZero && !m.Field.Shape.Optional()
}

// Optional reports whether s can represent an absent value: s is an mo.Option, an mo.Nullable or a
// pointer.
func (s *Shape) Optional() bool { return s.Held() != nil }

// RequiredParam reports whether the field is tagged required:"true", which makes a parameter
// required.
func (f *Field) RequiredParam() bool { return f.tag.Get("required") == "true" }
