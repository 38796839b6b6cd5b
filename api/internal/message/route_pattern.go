package message

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/http/route"
)

// unbound returns an error if no field takes a parameter of the pattern.
func unbound(names, known []string, t reflect.Type) error {
	for _, name := range known {
		if !slices.Contains(names, name) {
			return fmt.Errorf("no field of %v takes the path parameter %q: add a field with the tag path:%q", t, name, name)
		}
	}
	return nil
}

// SplitPattern reads a pattern "METHOD /path", and returns the names of the path's parameters.
func SplitPattern(pattern string) (method, path string, params []string, err error) {
	method, path, ok := strings.Cut(pattern, " ")
	path = strings.TrimLeft(path, " ")
	if !ok || method == "" || method != strings.ToUpper(method) {
		return method, path, nil, fmt.Errorf("the pattern must be a method, a space and a path")
	}
	parts, err := route.ParseHTTP(path)
	return method, path, route.Names(parts), err
}
