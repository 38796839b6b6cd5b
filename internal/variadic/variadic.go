// Package variadic has the rule for options that a caller may leave out: at most one value.
package variadic

import "reflect"

// Only returns the element of a variadic parameter, or the zero value if the caller has left it out. It
// panics if there are several elements, since the caller would expect both to count.
func Only[T any](list []T) (v T) {
	switch len(list) {
	case 0:
		return v
	case 1:
		return list[0]
	}
	panic("hone: more than one " + reflect.TypeFor[T]().String())
}
