package apidiff

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// limitText describes a limit and its old value.
func limitText(f finding, is, was any) string {
	switch {
	case f.keyword == "additionalProperties":
		if is == nil {
			return "members that are not listed are now accepted"
		}
		return "members that are not listed are now refused"
	case was == nil:
		return fmt.Sprintf("%s is now %s, and was not limited before", f.keyword, written(is))
	case is == nil:
		return fmt.Sprintf("%s was %s, and is no longer limited", f.keyword, written(was))
	}
	return fmt.Sprintf("%s was %s and is now %s", f.keyword, written(was), written(is))
}

// wider maps a format to the next wider format, which includes all its values.
var wider = map[string]string{"int32": "int64", "float": "double", "int8": "int16", "int16": "int32", "uint32": "uint64"}

// within reports whether the limits a imply the limits b. The list b is not empty.
func within(name string, a, b []any) bool {
	for _, limit := range b {
		if !slices.ContainsFunc(a, func(mine any) bool { return tighter(name, mine, limit) }) && !free(name, limit) {
			return false
		}
	}
	return true
}

// free reports whether a limit has no effect.
func free(name string, limit any) bool {
	return strings.HasPrefix(name, "min") && name != "minimum" && limit == 0.0
}

// tighter reports whether the limit a implies the limit b.
func tighter(name string, a, b any) bool {
	x, isNumber := a.(float64)
	y, alsoNumber := b.(float64)
	if !isNumber || !alsoNumber {
		if name == "format" && a != b {
			format, ok := a.(string)
			for ok && format != "" {
				if format = wider[format]; format == b {
					return true
				}
			}
			return false
		}
		return reflect.DeepEqual(a, b)
	}
	switch {
	case name == "multipleOf":
		return y != 0 && math.Abs(x/y-math.Round(x/y)) < 1e-9
	case strings.HasPrefix(name, "min"), name == "exclusiveMinimum":
		return x >= y
	}
	return x <= y
}
