package shadow

import (
	"bytes"
	"fmt"
	"reflect"
)

// Bytes compares two texts.
func Bytes(answered, other []byte) *Difference {
	if bytes.Equal(answered, other) {
		return nil
	}
	at := 0
	for at < min(len(answered), len(other)) && answered[at] == other[at] {
		at++
	}
	return &Difference{What: "bytes", Offset: at, Answered: excerpt(answered, at), Other: excerpt(other, at)}
}

// Errors compares the types and the texts of two errors.
func Errors(answered, other error) *Difference {
	if answered == nil && other == nil {
		return nil
	}
	if answered != nil && other != nil && reflect.TypeOf(answered) == reflect.TypeOf(other) && answered.Error() == other.Error() {
		return nil
	}
	return &Difference{What: "error", Answered: describe(answered), Other: describe(other)}
}

// describe returns the type and the masked text of an error.
func describe(err error) string {
	if err == nil {
		return "no error"
	}
	return fmt.Sprintf("%T %q", err, mask([]byte(err.Error())))
}

// Values compares two values of one type.
func Values(answered, other reflect.Value) *Difference {
	if reflect.DeepEqual(answered.Interface(), other.Interface()) {
		return nil
	}
	path, a, b := firstDifference("", answered, other, 0)
	return &Difference{What: "value", Path: path, Answered: a, Other: b}
}

// maxDepth limits the search for a difference, because values may contain themselves.
const maxDepth = 100

// firstDifference returns the path of the first difference between two values, and descriptions of
// both values at this path.
func firstDifference(path string, a, b reflect.Value, depth int) (at, x, y string) {
	if a.IsValid() != b.IsValid() || !a.IsValid() || a.Type() != b.Type() || depth > maxDepth {
		return path, kindOf(a), kindOf(b)
	}
	differ := func(a, b reflect.Value) bool {
		return !a.CanInterface() || !b.CanInterface() || !reflect.DeepEqual(a.Interface(), b.Interface())
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !a.IsNil() && !b.IsNil() {
			return firstDifference(path, a.Elem(), b.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if f := a.Type().Field(i); f.IsExported() && differ(a.Field(i), b.Field(i)) {
				return firstDifference(path+"."+f.Name, a.Field(i), b.Field(i), depth+1)
			}
		}
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return path, fmt.Sprintf("%d elements", a.Len()), fmt.Sprintf("%d elements", b.Len())
		}
		for i := range a.Len() {
			if differ(a.Index(i), b.Index(i)) {
				return firstDifference(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i), depth+1)
			}
		}
	case reflect.Map:
		if a.Len() != b.Len() {
			return path, fmt.Sprintf("%d entries", a.Len()), fmt.Sprintf("%d entries", b.Len())
		}
		for iter := a.MapRange(); iter.Next(); {
			if v := b.MapIndex(iter.Key()); !v.IsValid() || differ(iter.Value(), v) {
				return firstDifference(path+"[…]", iter.Value(), v, depth+1)
			}
		}
	case reflect.String:
		if d := Bytes([]byte(a.String()), []byte(b.String())); d != nil {
			return path, d.Answered, d.Other
		}
	}
	return path, kindOf(a), kindOf(b)
}

// kindOf describes a value by its type or its length, without its content.
func kindOf(v reflect.Value) string {
	switch {
	case !v.IsValid():
		return "nothing"
	case v.IsZero():
		return fmt.Sprintf("the zero %v", v.Type())
	}
	return fmt.Sprintf("a %v", v.Type())
}
