package api

import (
	"encoding"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/hone-go/hone/shape"
)

// target returns a pointer to what the body is read into; nil if there is nothing.
func (f *form) target(v any) any {
	switch {
	case f.empty:
		return nil
	case f.bare:
		return v
	}
	at := reflect.ValueOf(v).Elem().FieldByIndex(f.bodyAt)
	if f.streams && at.Kind() == reflect.Pointer {
		at.Set(reflect.New(at.Type().Elem()))
		return at.Interface()
	}
	return at.Addr().Interface()
}

// receive is the inverse of prepare: it sets what of *v is not the body.
func (f *form) receive(resp *http.Response, v any) error {
	if f.bare {
		return nil
	}
	at := reflect.ValueOf(v).Elem()
	if place := f.response.Status; place != nil {
		at.FieldByIndex(place.Index).SetInt(int64(resp.StatusCode))
	}
	for i := range f.fields {
		if err := f.fields[i].receive(resp, at); err != nil {
			return fmt.Errorf("its %s %q: %w", f.fields[i].Source, f.fields[i].Name, err)
		}
	}
	return nil
}

// receive is the inverse of set.
func (f *answerField) receive(resp *http.Response, v reflect.Value) error {
	var values []string
	var cookie *http.Cookie
	if f.Source == shape.FromCookie {
		for _, c := range resp.Cookies() {
			if c.Name == f.Name {
				cookie = c
			}
		}
		if cookie == nil {
			return nil
		}
	} else if values = resp.Header[f.Name]; len(values) == 0 {
		return nil
	}
	return f.Field.Shape.Fill(reachable(v, f.Index), func(s *shape.Shape, at reflect.Value) error {
		if cookie != nil {
			at.Set(reflect.ValueOf(*cookie))
			return nil
		}
		if s.Kind != shape.Slice || hasText(s) {
			return setText(at, values[0], f.layout)
		}
		list := reflect.MakeSlice(s.Type, len(values), len(values))
		for i, text := range values {
			if err := setText(list.Index(i), text, f.layout); err != nil {
				return err
			}
		}
		at.Set(list)
		return nil
	})
}

// reachable returns a field, and sets embedded pointers on the way that are nil.
func reachable(v reflect.Value, index []int) reflect.Value {
	for i, n := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	return v
}

// setText is the inverse of appendText.
func setText(v reflect.Value, text, layout string) error {
	switch v.Type() {
	case timeType:
		t, err := time.Parse(layout, text)
		v.Set(reflect.ValueOf(t))
		return err
	case durationType:
		d, err := time.ParseDuration(text)
		v.SetInt(int64(d))
		return err
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	var err error
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		v.SetBool(b)
	case reflect.Float32, reflect.Float64:
		var f float64
		f, err = strconv.ParseFloat(text, v.Type().Bits())
		v.SetFloat(f)
	default:
		switch {
		case v.CanInt():
			var n int64
			n, err = strconv.ParseInt(text, 10, v.Type().Bits())
			v.SetInt(n)
		case v.CanUint():
			var n uint64
			n, err = strconv.ParseUint(text, 10, v.Type().Bits())
			v.SetUint(n)
		default:
			err = errors.New("no way to read it is known")
		}
	}
	return err
}
