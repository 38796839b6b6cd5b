package web

import (
	"encoding"
	stdjson "encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:generate go run ./internal/generate

// A ValueBinder binds parameters one by one, and collects the errors until the
// end of the chain:
//
//	var limit int
//	var tags []string
//	err := web.QueryParamsBinder(c).Int("limit", &limit).Strings("tag", &tags).BindError()
//
// Each type has four methods. For an int, Int stores the first value of a parameter, if there
// is one. MustInt also reports an error if the value is missing or empty. Ints and MustInts
// do the same with all values of a parameter. A value that cannot be parsed leaves the
// destination unchanged.
type ValueBinder struct {
	// ValueFunc returns the first value of a parameter, or "".
	ValueFunc func(sourceParam string) string
	// ValuesFunc returns all values of a parameter, or nil.
	ValuesFunc func(sourceParam string) []string
	// ErrorFunc creates the errors; by default [NewBindingError].
	ErrorFunc func(sourceParam string, values []string, message string, internalError error) error

	errors   *[]error // a pointer: a slice would make each binder and its functions escape to the heap
	failFast bool
}

// QueryParamsBinder binds query parameters.
func QueryParamsBinder(c *Context) *ValueBinder {
	return newValueBinder(c.QueryParam, func(name string) []string { return c.QueryParams()[name] })
}

// PathValuesBinder binds path parameters.
func PathValuesBinder(c *Context) *ValueBinder {
	return newValueBinder(c.Param, func(name string) []string {
		if v := c.Param(name); v != "" {
			return []string{v}
		}
		return nil
	})
}

// FormFieldBinder binds form fields: the fields of the body, followed by the
// parameters of the query.
func FormFieldBinder(c *Context) *ValueBinder {
	return newValueBinder(c.FormValue, func(name string) []string {
		_, _ = c.FormValues() // without a form in the body, the fields are the query's parameters
		return c.request.Form[name]
	})
}

func newValueBinder(one func(string) string, all func(string) []string) *ValueBinder {
	return &ValueBinder{failFast: true, ValueFunc: one, ValuesFunc: all, ErrorFunc: NewBindingError}
}

// FailFast sets whether binding stops at the first error. By default it stops. Call
// FailFast before the first parameter is bound.
func (b *ValueBinder) FailFast(value bool) *ValueBinder {
	b.failFast = value
	return b
}

// BindError returns the first error collected so far, or nil, and removes all errors from the
// binder.
func (b *ValueBinder) BindError() error {
	if errs := b.BindErrors(); errs != nil {
		return errs[0]
	}
	return nil
}

// BindErrors returns the errors collected so far, or nil, and removes them from the binder.
func (b *ValueBinder) BindErrors() []error {
	if b.errors == nil {
		return nil
	}
	errs := *b.errors
	b.errors = nil
	return errs
}

func (b *ValueBinder) done() bool { return b.failFast && b.errors != nil }

func (b *ValueBinder) fail(param string, values []string, message string, err error) {
	b.note(b.ErrorFunc(param, values, message, err))
}

func (b *ValueBinder) note(errs ...error) {
	if len(errs) == 0 {
		return
	}
	if b.errors == nil {
		b.errors = new([]error)
	}
	*b.errors = append(*b.errors, errs...)
}

// value returns the first value of a parameter, and whether there is a value to
// bind. If required is set and the value is empty, it records an error.
func (b *ValueBinder) value(param string, required bool) (string, bool) {
	if b.done() {
		return "", false
	}
	v := b.ValueFunc(param)
	if v == "" && required {
		b.fail(param, []string{}, "required field value is empty", nil)
	}
	return v, v != ""
}

func (b *ValueBinder) values(param string, must bool) ([]string, bool) {
	if b.done() {
		return nil, false
	}
	v := b.ValuesFunc(param)
	if len(v) == 0 && must {
		b.fail(param, []string{}, "required field value is empty", nil)
	}
	return v, len(v) > 0
}

// A reader parses values of type T.
type reader[T any] struct {
	name string // the name of the type in messages
	read func(string) (T, error)
}

// readBasic returns the reader of a type that parseBasic supports.
func readBasic[T any](name string) reader[T] {
	return reader[T]{name, func(s string) (T, error) {
		v, err, _ := parseBasic[T](s)
		return v, err
	}}
}

func readTime(layout string) reader[time.Time] {
	return reader[time.Time]{"Time", func(s string) (time.Time, error) { return time.Parse(layout, s) }}
}

func readUnix(unit TimeLayout) reader[time.Time] {
	return reader[time.Time]{"Time", func(s string) (time.Time, error) {
		n, err := strconv.ParseInt(s, 10, 64)
		return unixTime(n, unit), err
	}}
}

var (
	boolReader     = readBasic[bool]("bool")
	durationReader = readBasic[time.Duration]("Duration")
	stringReader   = readBasic[string]("string")
	float32Reader  = readBasic[float32]("float32")
	float64Reader  = readBasic[float64]("float64")
	intReader      = readBasic[int]("int")
	int8Reader     = readBasic[int8]("int8")
	int16Reader    = readBasic[int16]("int16")
	int32Reader    = readBasic[int32]("int32")
	int64Reader    = readBasic[int64]("int64")
	uintReader     = readBasic[uint]("uint")
	uint8Reader    = readBasic[uint8]("uint8")
	uint16Reader   = readBasic[uint16]("uint16")
	uint32Reader   = readBasic[uint32]("uint32")
	uint64Reader   = readBasic[uint64]("uint64")
)

// readers are the readers of the element types that BindWithDelimiter supports.
var readers = []interface {
	readInto(b *ValueBinder, param string, values []string, dest any) bool
}{
	boolReader, durationReader, float32Reader, float64Reader, intReader, int8Reader, int16Reader, int32Reader, int64Reader,
	uintReader, uint8Reader, uint16Reader, uint32Reader, uint64Reader,
}

// readInto parses all values into dest, and reports whether dest is a *[]T.
func (r reader[T]) readInto(b *ValueBinder, param string, values []string, dest any) bool {
	d, ok := dest.(*[]T)
	if ok {
		readAll(b, param, values, d, r)
	}
	return ok
}

func bindOne[T any](b *ValueBinder, param string, dest *T, must bool, r reader[T]) *ValueBinder {
	s, ok := b.value(param, must)
	if !ok {
		return b
	}
	if v, err := r.read(s); err != nil {
		b.fail(param, []string{s}, "failed to bind field value to "+r.name, err)
	} else {
		*dest = v
	}
	return b
}

func bindMany[T any](b *ValueBinder, param string, dest *[]T, must bool, r reader[T]) *ValueBinder {
	if values, ok := b.values(param, must); ok {
		readAll(b, param, values, dest, r)
	}
	return b
}

// bindStrings stores the request's own slice of values, clipped to its length.
// So two callers that append to it do not overwrite each other's elements.
func bindStrings(b *ValueBinder, param string, dest *[]string, must bool) *ValueBinder {
	if values, ok := b.values(param, must); ok {
		*dest = slices.Clip(values)
	}
	return b
}

func readAll[T any](b *ValueBinder, param string, values []string, dest *[]T, r reader[T]) {
	all := make([]T, len(values))
	for i, s := range values {
		v, err := r.read(s)
		if err != nil {
			b.fail(param, []string{s}, "failed to bind field value to "+r.name, err)
			if b.failFast {
				return
			}
			continue
		}
		all[i] = v
	}
	if b.errors == nil {
		*dest = all
	}
}

func (b *ValueBinder) delimited(param string, dest any, delimiter string, must bool) *ValueBinder {
	values, ok := b.values(param, must)
	if !ok {
		return b
	}
	all := make([]string, 0, len(values))
	for _, v := range values {
		all = slices.AppendSeq(all, strings.SplitSeq(v, delimiter))
	}
	if d, ok := dest.(*[]string); ok {
		*d = all
		return b
	}
	for _, r := range readers {
		if r.readInto(b, param, all, dest) {
			return b
		}
	}
	b.fail(param, []string{}, "unsupported bind type", nil)
	return b
}

func (b *ValueBinder) custom(param string, f func(values []string) []error, must bool) *ValueBinder {
	if values, ok := b.values(param, must); ok {
		b.note(f(values)...)
	}
	return b
}

func (b *ValueBinder) unmarshal(param string, must bool, kind string, f func(string) error) *ValueBinder {
	if s, ok := b.value(param, must); ok {
		if err := f(s); err != nil {
			b.fail(param, []string{s}, "failed to bind field value to "+kind+" interface", err)
		}
	}
	return b
}

func (b *ValueBinder) param(name string, dest BindUnmarshaler, must bool) *ValueBinder {
	return b.unmarshal(name, must, "BindUnmarshaler", func(s string) error { return dest.UnmarshalParam(s) })
}

func (b *ValueBinder) json(name string, dest stdjson.Unmarshaler, must bool) *ValueBinder {
	return b.unmarshal(name, must, "json.Unmarshaler", func(s string) error { return dest.UnmarshalJSON([]byte(s)) })
}

func (b *ValueBinder) text(name string, dest encoding.TextUnmarshaler, must bool) *ValueBinder {
	return b.unmarshal(name, must, "encoding.TextUnmarshaler", func(s string) error { return dest.UnmarshalText([]byte(s)) })
}
