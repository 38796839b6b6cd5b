package openapi

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// A PathItem holds the operations of one path. The key of a method is its name in lower case, such as "get" or
// "query", if OpenAPI 3.2 has a field for the method, and otherwise its name as it is sent, such as "PURGE".
//
// In JSON, a document of OpenAPI 3.2 has the other methods in additionalOperations. A document of OpenAPI 3.1 or 3.0
// has these and QUERY, by their names as they are sent, in the extension x-additional-operations; see
// [Document.Extended].
type PathItem map[string]*Operation

// fields31 are the methods that have a field in a path item of OpenAPI 3.1. OpenAPI 3.2 adds QUERY.
var fields31 = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

const (
	fieldQuery = "query"
	additional = "additionalOperations"
	extension  = "x-additional-operations"
)

// keyOf returns the key of a method in a PathItem.
func keyOf(method string) string {
	if key := strings.ToLower(method); method == strings.ToUpper(method) && (key == fieldQuery || slices.Contains(fields31, key)) {
		return key
	}
	return method
}

// methodOf is the inverse of keyOf.
func methodOf(key string) string {
	if key == fieldQuery || slices.Contains(fields31, key) {
		return strings.ToUpper(key)
	}
	return key
}

// Operations yields the operations in the order of their keys, each after its method as it is sent, such as GET.
func (p PathItem) Operations() iter.Seq2[string, *Operation] {
	return func(yield func(string, *Operation) bool) {
		for _, key := range slices.Sorted(maps.Keys(p)) {
			if !yield(methodOf(key), p[key]) {
				return
			}
		}
	}
}

// members returns the members of the item in JSON.
func (p PathItem) members(is32 bool) map[string]any {
	members, others, name := map[string]any{}, map[string]*Operation{}, extension
	if is32 {
		name = additional
	}
	for key, op := range p {
		if slices.Contains(fields31, key) || is32 && key == fieldQuery {
			members[key] = op
		} else {
			others[methodOf(key)] = op
		}
	}
	if len(others) > 0 {
		members[name] = others
	}
	return members
}

// UnmarshalJSON parses the operations in the path item of a document of OpenAPI 3.0, 3.1 or 3.2. An operation that is
// null is absent. The other members of a path item, such as parameters, servers, $ref and other extensions than
// x-additional-operations, are not operations and are ignored.
func (p *PathItem) UnmarshalJSON(data []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	*p = PathItem{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		operations := map[string]*Operation{}
		var err error
		switch {
		case name == additional || name == extension:
			err = json.Unmarshal(members[name], &operations)
		case name == fieldQuery || slices.Contains(fields31, name):
			var op *Operation
			err = json.Unmarshal(members[name], &op)
			operations[methodOf(name)] = op
		}
		if err != nil {
			return fmt.Errorf("path item: %s: %w", name, err)
		}
		for method, op := range operations {
			switch key := keyOf(method); {
			case op == nil:
			case (*p)[key] != nil:
				return fmt.Errorf("path item: there are two operations for %s", method)
			default:
				(*p)[key] = op
			}
		}
	}
	return nil
}

// Extended returns the operations that the document's version of OpenAPI cannot express, such as "QUERY /v1/people",
// in the order of their paths. Their path items have them in the extension x-additional-operations, which most tools
// ignore. A document of OpenAPI 3.2 expresses all operations.
func (d *Document) Extended() (list []string) {
	if d.is32() {
		return nil
	}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for method := range d.Paths[path].Operations() {
			if !slices.Contains(fields31, keyOf(method)) {
				list = append(list, method+" "+path)
			}
		}
	}
	return list
}

func (d *Document) is32() bool { return strings.HasPrefix(d.OpenAPI, "3.2.") }

// MarshalJSON writes the document in its version of OpenAPI.
func (d *Document) MarshalJSON() ([]byte, error) {
	paths := map[string]map[string]any{}
	for path, item := range d.Paths {
		paths[path] = item.members(d.is32())
	}
	return json.Marshal(struct {
		OpenAPI    string                    `json:"openapi"`
		Self       string                    `json:"$self,omitempty"`
		Info       Info                      `json:"info"`
		Servers    []Server                  `json:"servers,omitempty"`
		Tags       []Tag                     `json:"tags,omitempty"`
		Paths      map[string]map[string]any `json:"paths"`
		Components Components                `json:"components"`
		Security   []Requirement             `json:"security"`
	}{d.OpenAPI, d.Self, d.Info, d.Servers, d.Tags, paths, d.Components, d.Security})
}
