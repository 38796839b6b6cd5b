package web

// A PathValue is one path parameter of a request.
type PathValue struct {
	Name  string
	Value string
}

// PathValues are the path parameters of a request, in the order of the path.
type PathValues []PathValue

// Get returns the value of a parameter, and whether the route has the parameter.
func (p PathValues) Get(name string) (string, bool) {
	for i := range p {
		if p[i].Name == name {
			return p[i].Value, true
		}
	}
	return "", false
}

// GetOr returns the value of a parameter, or defaultValue if there is no such parameter.
func (p PathValues) GetOr(name string, defaultValue string) string {
	if v, ok := p.Get(name); ok {
		return v
	}
	return defaultValue
}
