package web

import "fmt"

// PathParam parses a path parameter as [ParseValue] does. If the route has no
// such parameter, the error is [ErrNonExistentKey]. If the value is not a valid
// T, the error is a [*BindingError].
func PathParam[T any](c *Context, paramName string, opts ...any) (T, error) {
	value, ok := c.pathValues.Get(paramName)
	var zero T
	return single(paramName, value, ok, zero, ErrNonExistentKey, "path value", opts)
}

// PathParamOr is PathParam with a default for a parameter that is missing or
// empty.
func PathParamOr[T any](c *Context, paramName string, defaultValue T, opts ...any) (T, error) {
	value, ok := c.pathValues.Get(paramName)
	return single(paramName, value, ok, defaultValue, nil, "path value", opts)
}

// QueryParam parses the first value of a query parameter as [ParseValue] does.
// If the query has no such parameter, the error is [ErrNonExistentKey]. If the
// value is not a valid T, the error is a [*BindingError].
//
// QueryParam finds the parameter as [Context.QueryParam] does. It allocates nothing
// beyond the allocations of Context.QueryParam and ParseValue.
func QueryParam[T any](c *Context, key string, opts ...any) (T, error) {
	value, ok := c.lookupQuery(key)
	var zero T
	return single(key, value, ok, zero, ErrNonExistentKey, "query param", opts)
}

// QueryParamOr is QueryParam with a default for a parameter that is missing or
// empty.
func QueryParamOr[T any](c *Context, key string, defaultValue T, opts ...any) (T, error) {
	value, ok := c.lookupQuery(key)
	return single(key, value, ok, defaultValue, nil, "query param", opts)
}

// QueryParams parses all values of a query parameter; see [QueryParam].
func QueryParams[T any](c *Context, key string, opts ...any) ([]T, error) {
	values, ok := c.QueryParams()[key]
	return multiple[T](key, values, ok, nil, ErrNonExistentKey, "query params", opts)
}

// QueryParamsOr is QueryParams with a default for a parameter that is missing.
func QueryParamsOr[T any](c *Context, key string, defaultValue []T, opts ...any) ([]T, error) {
	values, ok := c.QueryParams()[key]
	return multiple(key, values, ok, defaultValue, nil, "query params", opts)
}

// FormValue parses the first value of a form field, as [QueryParam] does for a
// query parameter. The fields come from [Context.FormValues].
func FormValue[T any](c *Context, key string, opts ...any) (T, error) {
	var zero T
	values, ok, err := formField(c, key, "value")
	if err != nil {
		return zero, err
	}
	return single(key, first(values), ok, zero, ErrNonExistentKey, "form value", opts)
}

// FormValueOr is FormValue with a default for a field that is missing or empty.
func FormValueOr[T any](c *Context, key string, defaultValue T, opts ...any) (T, error) {
	values, ok, err := formField(c, key, "value")
	if err != nil {
		var zero T
		return zero, err
	}
	return single(key, first(values), ok, defaultValue, nil, "form value", opts)
}

// FormValues parses all values of a form field; see [FormValue].
func FormValues[T any](c *Context, key string, opts ...any) ([]T, error) {
	values, ok, err := formField(c, key, "values")
	if err != nil {
		return nil, err
	}
	return multiple[T](key, values, ok, nil, ErrNonExistentKey, "form values", opts)
}

// FormValuesOr is FormValues with a default for a field that is missing.
func FormValuesOr[T any](c *Context, key string, defaultValue []T, opts ...any) ([]T, error) {
	values, ok, err := formField(c, key, "values")
	if err != nil {
		return nil, err
	}
	return multiple(key, values, ok, defaultValue, nil, "form values", opts)
}

func formField(c *Context, key, what string) (values []string, ok bool, err error) {
	form, err := c.FormValues()
	if err != nil {
		return nil, false, fmt.Errorf("failed to parse form %s, key: %s, err: %w", what, key, err)
	}
	values, ok = form[key]
	return values, ok, nil
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// single parses value, or returns orElse and the error missing if ok is false. source
// names the kind of the parameter in errors.
func single[T any](name, value string, ok bool, orElse T, missing error, source string, opts []any) (T, error) {
	if !ok {
		return orElse, missing
	}
	v, err := ParseValueOr(value, orElse, opts...)
	if err != nil {
		return v, NewBindingError(name, []string{value}, source, err)
	}
	return v, nil
}

// multiple is single for all values of a parameter.
func multiple[T any](name string, values []string, ok bool, orElse []T, missing error, source string, opts []any) ([]T, error) {
	if !ok {
		return orElse, missing
	}
	v, err := ParseValuesOr(values, orElse, opts...)
	if err != nil {
		return nil, NewBindingError(name, values, source, err)
	}
	return v, nil
}
