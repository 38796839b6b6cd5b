package shadow

import "reflect"

// HoldsNothing reports whether v points to a zero value. If it does, the second engine can decode
// into a new zero value, and both engines start with equal targets.
func HoldsNothing(v any) bool {
	to := reflect.ValueOf(v)
	return to.Kind() == reflect.Pointer && !to.IsNil() && to.Elem().IsZero()
}

// Text compares an engine's output for v and its error with the output of the other engine.
func (w *Watch) Text(call string, v any, out []byte, err error, other func() ([]byte, error), compare func(answered, other []byte) *Difference) {
	if len(out) > w.MaxBytes() {
		w.Pass()
		return
	}
	w.Compare(call, reflect.TypeOf(v), func() *Difference {
		text, otherErr := other()
		if d := Errors(err, otherErr); d != nil {
			return d
		}
		return compare(out, text)
	})
}

// Value compares the results of two decodes. The first engine has decoded into v and returned err.
// The second engine decodes into a new value.
func (w *Watch) Value(call string, v any, err error, other func(v any) error, errors func(answered, other error) *Difference) {
	answered := reflect.ValueOf(v).Elem()
	w.Compare(call, answered.Type(), func() *Difference {
		second := reflect.New(answered.Type())
		if d := errors(err, other(second.Interface())); d != nil {
			return d
		}
		return Values(answered, second.Elem())
	})
}
