package shape

import (
	"reflect"
	"strconv"
)

// Values returns the values listed by the method Values of a named string or integer type, in the
// format of the `enum` tag. The method has no arguments and returns a slice of the type or of
// strings. It is called on the zero value. Values returns nil for other types.
func (s *Shape) Values() []string {
	if s.Type.Name() == "" || s.Type.PkgPath() == "" || s.Kind != String && (s.Kind < Int8 || s.Kind > Uintptr) {
		return nil
	}
	method := reflect.New(s.Type).MethodByName("Values")
	if !method.IsValid() {
		return nil
	}
	t := method.Type()
	if t.NumIn() != 0 || t.NumOut() != 1 || t.Out(0).Kind() != reflect.Slice {
		return nil
	}
	if elem := t.Out(0).Elem(); elem != s.Type && elem.Kind() != reflect.String {
		return nil
	}
	list := method.Call(nil)[0]
	values := make([]string, list.Len())
	for i := range values {
		switch v := list.Index(i); {
		case v.Kind() == reflect.String:
			values[i] = v.String()
		case v.CanInt():
			values[i] = strconv.FormatInt(v.Int(), 10)
		default:
			values[i] = strconv.FormatUint(v.Uint(), 10)
		}
	}
	return values
}
