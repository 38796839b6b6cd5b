package pgx

import (
	"database/sql"
	"reflect"
	"sync"
)

// reflected maps the type of a container that is not in typed to its *reflectedScanner or
// *reflectedResult.
var reflected sync.Map

// A reflectedContainer accesses the values of a container of any T with the methods of C, which are
// looked up once.
type reflectedContainer struct {
	value  reflect.Type  // T
	getter reflect.Value // the method Get of C
}

func newReflected(t reflect.Type) reflectedContainer {
	get := method(t, "Get")
	return reflectedContainer{get.Type().Out(0), get}
}

// method returns a method of t as a function, whose first parameter is the receiver. The names are constants
// so that the linker can still drop the methods that a program does not use.
func method(t reflect.Type, name string) reflect.Value {
	var m reflect.Method
	switch name {
	case "Get":
		m, _ = t.MethodByName("Get")
	case "Map":
		m, _ = t.MethodByName("Map")
	}
	return m.Func
}

func (c *reflectedContainer) newValue() any { return reflect.New(c.value).Interface() }

// call calls Get. Ok is false if of is a nil pointer. The second result of Get is a bool or an error.
func (c *reflectedContainer) call(of any) (value, second any, ok bool) {
	v := reflect.ValueOf(of)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil, nil, false
		}
		v = v.Elem()
	}
	out := c.getter.Call([]reflect.Value{v})
	return out[0].Interface(), out[1].Interface(), true
}

// A reflectedScanner is an Option or a Nullable, whose pointers are sql.Scanners.
type reflectedScanner struct{ reflectedContainer }

func (c *reflectedScanner) get(of any) (any, bool, error) {
	v, present, ok := c.call(of)
	return v, ok && present.(bool), nil
}

func (c *reflectedScanner) setNull(target any) bool { return target.(sql.Scanner).Scan(nil) == nil }

func (c *reflectedScanner) set(target, value any, err error) error {
	if err != nil {
		return err
	}
	return target.(sql.Scanner).Scan(reflect.ValueOf(value).Elem().Interface())
}

// A reflectedResult is a Result. Its method Map makes the Result of a value or an error.
type reflectedResult struct {
	reflectedContainer
	mapped reflect.Value
}

func (c *reflectedResult) get(of any) (any, bool, error) {
	v, failure, ok := c.call(of)
	err, _ := failure.(error)
	return v, ok && err == nil, err
}

func (c *reflectedResult) setNull(any) bool { return false }

func (c *reflectedResult) set(target, value any, err error) error {
	to := reflect.ValueOf(target).Elem()
	to.SetZero() // the zero Result is a success, so Map calls the function
	failure := reflect.New(reflect.TypeFor[error]()).Elem()
	if err != nil {
		failure.Set(reflect.ValueOf(err))
	}
	out := []reflect.Value{reflect.ValueOf(value).Elem(), failure}
	to.Set(c.mapped.Call([]reflect.Value{to, reflect.MakeFunc(c.mapped.Type().In(1), func([]reflect.Value) []reflect.Value { return out })})[0])
	return nil
}
