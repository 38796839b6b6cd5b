package shadow

import "reflect"

// HoldsNothing reports whether v points to a zero value. If it does, the second engine can decode
// into a new zero value, and both engines start with equal targets.
func HoldsNothing(v any) bool {
	to := reflect.ValueOf(v)
	return to.Kind() == reflect.Pointer && !to.IsNil() && to.Elem().IsZero()
}

// Text compares two engines: the output and the error of each, for the value v.
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

// Decode calls the function first, which decodes into v with the first engine. It then compares
// the result with the result of the function second, which decodes the same text with the second
// engine. Decode returns the error of first. It does not compare if the function text reports that
// the text is incomplete, if the text is too long, or if v was not zero: the second engine has no
// copy of the original v.
func (w *Watch) Decode(call string, v any, first func() error, text func() ([]byte, bool), second func(text []byte, v any) error, errors func(answered, other error) *Difference) error {
	empty := HoldsNothing(v)
	err := first()
	b, ok := text()
	if !empty || !ok || len(b) > w.MaxBytes() {
		w.Pass()
		return err
	}
	w.Value(call, v, err, func(other any) error { return second(b, other) }, errors)
	return err
}
