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

// SlashesAfter returns the number of slashes in the pattern after each of the given parameters, which are lists. It
// returns an error if one of them is the rest of the path, and if the number is not fixed because the rest follows.
func SlashesAfter(parts []route.Part, lists []string) (after map[string]int, err error) {
	after = map[string]int{}
	slashes := 0
	for _, p := range slices.Backward(parts) {
		switch {
		case p.Kind == route.Literal:
			slashes += strings.Count(p.Text, "/")
		case slices.Contains(lists, p.Text):
			after[p.Text] = slashes
		}
	}
	if len(lists) > 0 && parts[len(parts)-1].Kind == route.Rest {
		return nil, fmt.Errorf("the path parameter %q is a slice, which a pattern that ends in {%s...} cannot have", lists[0], parts[len(parts)-1].Text)
	}
	return after, nil
}

// SplitPattern reads a pattern "METHOD /path", and returns the parts of the path.
func SplitPattern(pattern string) (method, path string, parts []route.Part, err error) {
	method, path, ok := strings.Cut(pattern, " ")
	path = strings.TrimLeft(path, " ")
	if !ok || method == "" || method != strings.ToUpper(method) {
		return method, path, nil, fmt.Errorf("the pattern must be a method, a space and a path")
	}
	parts, err = route.ParseHTTP(path)
	return method, path, parts, err
}
