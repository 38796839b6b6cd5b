package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// document reads an OpenAPI document, in JSON or YAML, from a file, a URL or the standard input.
// The result has the types that package encoding/json decodes into an any.
func (c *call) document(name string) (any, error) {
	data, err := c.fetch(name)
	if err != nil {
		return nil, err
	}
	v, err := decodeDocument(data)
	if err != nil {
		return nil, fmt.Errorf("%s is neither JSON nor YAML: %w", name, err)
	}
	return v, nil
}

func decodeDocument(data []byte) (v any, err error) {
	if text := bytes.TrimSpace(data); len(text) > 0 && text[0] == '{' {
		if err := json.Unmarshal(text, &v); err == nil {
			return v, nil
		}
	}
	var node any
	if err := yaml.Unmarshal(data, &node); err != nil {
		return nil, err
	}
	// YAML is converted to JSON first, so that all numbers have one type and all names are
	// strings.
	text, err := json.Marshal(named(node))
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(text, &v)
	return v, err
}

// named converts the names of members to strings.
func named(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = named(value)
		}
	case map[any]any:
		out := map[string]any{}
		for name, value := range v {
			out[strings.TrimSpace(fmt.Sprint(name))] = named(value)
		}
		return out
	case []any:
		for i := range v {
			v[i] = named(v[i])
		}
	}
	return v
}
