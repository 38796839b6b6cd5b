package ways

import (
	"reflect"

	"github.com/hone-go/hone/wire"
)

// Reflection returns a serializer that uses package reflect on each call.
func Reflection[T any]() (Serializer[T], error) {
	return func(w wire.BinaryWriter, v *T) error { return reflected(w, reflect.ValueOf(v).Elem()) }, nil
}

func reflected(w wire.BinaryWriter, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Bool:
		w.WriteBool(v.Bool())
	case reflect.Int8:
		w.WriteInt8(int8(v.Int()))
	case reflect.Uint8:
		w.WriteUint8(uint8(v.Uint()))
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		w.WriteInt(v.Int())
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.WriteUint(v.Uint())
	case reflect.Float32:
		w.WriteFloat32(float32(v.Float()))
	case reflect.Float64:
		w.WriteFloat64(v.Float())
	case reflect.String:
		w.WriteString(v.String())
	case reflect.Array, reflect.Slice:
		if v.Kind() == reflect.Slice {
			w.WriteUint(uint64(v.Len()))
		}
		for i := range v.Len() {
			if err := reflected(w, v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := reflected(w, v.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Pointer:
		w.WriteBool(!v.IsNil())
		if !v.IsNil() {
			return reflected(w, v.Elem())
		}
	case reflect.Map:
		w.WriteUint(uint64(v.Len()))
		for it := v.MapRange(); it.Next(); {
			if err := reflected(w, it.Key()); err != nil {
				return err
			}
			if err := reflected(w, it.Value()); err != nil {
				return err
			}
		}
	default:
		return &TypeError{Type: v.Type()}
	}
	return nil
}
