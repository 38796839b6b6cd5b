package mo

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"
)

// Value implements driver.Valuer. It returns NULL for None, and the value for Some. If T or *T is a
// Valuer, it calls the value's own method. Converting the value to an interface allocates, except
// for small integers.
func (o Option[T]) Value() (driver.Value, error) {
	if !o.isPresent {
		return nil, nil
	}
	switch v := any(&o.value).(type) {
	case *int64:
		return *v, nil
	case *string:
		return *v, nil
	}
	return driverValue(o.value)
}

//go:noinline
func driverValue[T any](value T) (driver.Value, error) {
	if _, ok := any(value).(driver.Valuer); !ok {
		if valuer, ok := any(&value).(driver.Valuer); ok {
			return driver.DefaultParameterConverter.ConvertValue(valuer)
		}
	}
	return driver.DefaultParameterConverter.ConvertValue(value)
}

// A ScanError reports a column value that cannot be converted to the Option's type.
type ScanError struct {
	Source any          // a copy of the driver's value
	Target reflect.Type // the type to which it could not be converted
	Err    error        // the cause; never nil
}

func (e *ScanError) Error() string {
	return fmt.Sprintf("mo: cannot scan a %T into an Option of %v: %v", e.Source, e.Target, e.Err)
}

// Unwrap returns the cause.
func (e *ScanError) Unwrap() error { return e.Err }

// Scan implements sql.Scanner. It sets the Option to None for NULL, and otherwise to Some with the
// value, converted to T by the rules of database/sql. A value of a type T that is not a type of
// drivers, such as []string, is stored as it is. Scan copies bytes from the driver's buffer. On error
// it returns a [*ScanError], and the Option is unchanged.
func (o *Option[T]) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		*o = Option[T]{}
		return nil
	case int64:
		switch p := any(&o.value).(type) {
		case *int64:
			*p, o.isPresent = src, true
			return nil
		case *int:
			if int64(int(src)) == src {
				*p, o.isPresent = int(src), true
				return nil
			}
		}
	case string:
		if p, ok := any(&o.value).(*string); ok {
			*p, o.isPresent = src, true
			return nil
		}
	case float64:
		if p, ok := any(&o.value).(*float64); ok {
			*p, o.isPresent = src, true
			return nil
		}
	case bool:
		if p, ok := any(&o.value).(*bool); ok {
			*p, o.isPresent = src, true
			return nil
		}
	}
	return o.scanOther(src)
}

//go:noinline
func (o *Option[T]) scanOther(src any) error {
	if v, ok := src.(T); ok && !driver.IsValue(src) {
		*o = Some(v)
		return nil
	}
	var column sql.Null[T]
	if err := column.Scan(src); err != nil {
		if b, ok := src.([]byte); ok {
			src = append([]byte(nil), b...)
		}
		return &ScanError{src, reflect.TypeFor[T](), err}
	}
	*o = Some(column.V)
	return nil
}
