package web

import (
	"encoding"
	stdjson "encoding/json"
	"fmt"
	"strconv"
	"time"
)

// A TimeLayout is the format of a time in a parameter: a layout of package time, or one of the
// constants for numbers. As an option of [ParseValue] it means TimeOpts with this Layout.
type TimeLayout string

// Layouts of times written as a count since 1970.
const (
	TimeLayoutUnixTime      = TimeLayout("UnixTime")      // seconds
	TimeLayoutUnixTimeMilli = TimeLayout("UnixTimeMilli") // milliseconds
	TimeLayoutUnixTimeNano  = TimeLayout("UnixTimeNano")  // nanoseconds
)

// TimeOpts configure how [ParseValue] parses a time.Time.
type TimeOpts struct {
	// Layout is the format; by default RFC 3339 with fractions of a second.
	Layout TimeLayout
	// ParseInLocation is the location of a time without a zone; UTC by default.
	ParseInLocation *time.Location
	// ToInLocation is the location of the result; UTC by default.
	ToInLocation *time.Location
}

// ParseValue parses a value of type T: a bool, number, string, time.Duration,
// time.Time, or a type whose pointer is a [BindUnmarshaler], an
// encoding.TextUnmarshaler or a json.Unmarshaler. The empty string yields T's
// zero value. Options are [TimeOpts] and [TimeLayout], for a time.Time only.
//
// For the basic types and time.Duration it allocates nothing.
func ParseValue[T any](value string, opts ...any) (T, error) {
	var zero T
	return ParseValueOr(value, zero, opts...)
}

// ParseValueOr is ParseValue with a default for the empty string.
func ParseValueOr[T any](value string, defaultValue T, opts ...any) (T, error) {
	if value == "" {
		return defaultValue, nil
	}
	if len(opts) == 0 {
		if v, err, ok := parseBasic[T](value); ok {
			if err != nil {
				return v, parseFailed(err)
			}
			return v, nil
		}
	}
	return parseOther[T](value, opts)
}

// ParseValues parses each of the values as [ParseValue] does.
func ParseValues[T any](values []string, opts ...any) ([]T, error) {
	return ParseValuesOr[T](values, nil, opts...)
}

// ParseValuesOr is ParseValues with a default for an empty list.
func ParseValuesOr[T any](values []string, defaultValue []T, opts ...any) ([]T, error) {
	if len(values) == 0 {
		return defaultValue, nil
	}
	result := make([]T, len(values))
	for i, s := range values {
		v, err := ParseValue[T](s, opts...)
		if err != nil {
			return nil, err
		}
		result[i] = v
	}
	return result, nil
}

func parseFailed(err error) error { return fmt.Errorf("failed to parse value, err: %w", err) }

// parseBasic parses the basic types and time.Duration. parseOther is a separate
// function because it passes the result's address to a method, which makes the
// result escape to the heap.
func parseBasic[T any](value string) (v T, err error, ok bool) { //nolint:revive // the error is not the last result
	ok = true
	switch p := any(&v).(type) {
	case *string:
		*p = value
	case *bool:
		*p, err = parseAs(strconv.ParseBool(value))
	case *int:
		*p, err = parseInt[int](value, 0)
	case *int8:
		*p, err = parseInt[int8](value, 8)
	case *int16:
		*p, err = parseInt[int16](value, 16)
	case *int32:
		*p, err = parseInt[int32](value, 32)
	case *int64:
		*p, err = parseInt[int64](value, 64)
	case *uint:
		*p, err = parseUint[uint](value, 0)
	case *uint8:
		*p, err = parseUint[uint8](value, 8)
	case *uint16:
		*p, err = parseUint[uint16](value, 16)
	case *uint32:
		*p, err = parseUint[uint32](value, 32)
	case *uint64:
		*p, err = parseUint[uint64](value, 64)
	case *float32:
		*p, err = parseFloat[float32](value, 32)
	case *float64:
		*p, err = parseFloat[float64](value, 64)
	case *time.Duration:
		*p, err = parseAs(time.ParseDuration(value))
	default:
		ok = false
	}
	return v, err, ok
}

// parseAs replaces v by the zero value if there is an error.
func parseAs[T any](v T, err error) (T, error) {
	if err != nil {
		var zero T
		return zero, err
	}
	return v, nil
}

func parseInt[T int | int8 | int16 | int32 | int64](s string, bits int) (T, error) {
	n, err := parseAs(strconv.ParseInt(s, 10, bits))
	return T(n), err
}

func parseUint[T uint | uint8 | uint16 | uint32 | uint64](s string, bits int) (T, error) {
	n, err := parseAs(strconv.ParseUint(s, 10, bits))
	return T(n), err
}

func parseFloat[T float32 | float64](s string, bits int) (T, error) {
	f, err := parseAs(strconv.ParseFloat(s, bits))
	return T(f), err
}

func parseOther[T any](value string, opts []any) (T, error) {
	v := new(T)
	var err error
	if p, ok := any(v).(*time.Time); ok {
		*p, err = parseTime(value, opts)
	} else if len(opts) > 0 {
		err = fmt.Errorf("options are only supported for time.Time, got %T", v)
	} else {
		switch p := any(v).(type) {
		case BindUnmarshaler:
			err = p.UnmarshalParam(value)
		case encoding.TextUnmarshaler:
			err = p.UnmarshalText([]byte(value))
		case stdjson.Unmarshaler:
			err = p.UnmarshalJSON([]byte(value))
		default:
			err = fmt.Errorf("unsupported value type: %T", v)
		}
	}
	if err != nil {
		var zero T
		return zero, parseFailed(err)
	}
	return *v, nil
}

func parseTime(value string, opts []any) (time.Time, error) {
	o := TimeOpts{Layout: time.RFC3339Nano, ParseInLocation: time.UTC, ToInLocation: time.UTC}
	for _, opt := range opts {
		switch opt := opt.(type) {
		case TimeLayout:
			o.Layout = opt
		case TimeOpts:
			if opt.Layout != "" {
				o.Layout = opt.Layout
			}
			if opt.ParseInLocation != nil {
				o.ParseInLocation = opt.ParseInLocation
			}
			if opt.ToInLocation != nil {
				o.ToInLocation = opt.ToInLocation
			}
		}
	}
	var t time.Time
	switch o.Layout {
	case TimeLayoutUnixTime, TimeLayoutUnixTimeMilli, TimeLayoutUnixTimeNano:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return t, err
		}
		t = unixTime(n, o.Layout)
	default:
		var err error
		if t, err = time.ParseInLocation(string(o.Layout), value, o.ParseInLocation); err != nil {
			return t, err
		}
	}
	return t.In(o.ToInLocation), nil
}

func unixTime(n int64, unit TimeLayout) time.Time {
	switch unit {
	case TimeLayoutUnixTimeMilli:
		return time.UnixMilli(n)
	case TimeLayoutUnixTimeNano:
		return time.Unix(0, n)
	}
	return time.Unix(n, 0)
}
