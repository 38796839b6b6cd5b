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

// An answerField is a field of an Out that becomes a field of the header, or a cookie.
type answerField struct {
	shape.Param
	layout string // of a time
}

var (
	cookieType    = reflect.TypeFor[http.Cookie]()
	durationType  = reflect.TypeFor[time.Duration]()
	timeType      = reflect.TypeFor[time.Time]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// answerFieldsOf returns the fields of s that are not the body. The error is that of one
// whose type has no text.
func answerFieldsOf(s *shape.Shape, response *shape.Response) (list []answerField, err error) {
	for _, p := range response.Fields {
		f := answerField{Param: p, layout: p.Field.Format()}
		if f.layout == "" {
			f.layout = http.TimeFormat
		}
		t := p.Field.Shape
		for t.Held() != nil {
			t = t.Held()
		}
		switch {
		case !p.Field.Exported || p.Closed():
			err = errors.New("it is not exported")
		case p.Source == shape.FromCookie && (t.Type != cookieType || p.Field.Shape.Kind != shape.Pointer && t != p.Field.Shape):
			err = errors.New("a cookie is an http.Cookie, or a pointer to one")
		case p.Source == shape.FromHeader && !hasText(t) && (t.Kind != shape.Slice || !hasText(t.Elem)):
			err = fmt.Errorf("no text form is known for %v", t.Type)
		}
		if err != nil {
			return nil, fmt.Errorf("field %s of %v, which is tagged %s: %w", p.GoPath(), s.Type, p.Source, err)
		}
		list = append(list, f)
	}
	return list, nil
}

// hasText reports whether appendText can write values of s.
func hasText(s *shape.Shape) bool {
	return s.Kind == shape.String || s.Kind >= shape.Bool && s.Kind <= shape.Float64 || s.Kind == shape.Time ||
		s.Type.Implements(textMarshaler) || reflect.PointerTo(s.Type).Implements(textMarshaler)
}

// set sets the field or the cookie by what v, the struct, holds. A zero value, an empty
// option and one behind an embedded pointer that is nil set nothing.
func (f *answerField) set(h http.Header, v reflect.Value) {
	at, err := v.FieldByIndexErr(f.Index)
	if err != nil {
		return
	}
	if f.Source == shape.FromCookie {
		f.setCookie(h, at)
		return
	}
	var values []string
	inOptions(f.Field.Shape, at, func(s *shape.Shape, at reflect.Value) {
		if s.Kind != shape.Slice || hasText(s) {
			values = appendText(values, at, f.layout)
			return
		}
		for i := range at.Len() {
			values = appendText(values, at.Index(i), f.layout)
		}
	})
	if len(values) > 0 {
		h[f.Name] = values
	}
}

func (f *answerField) setCookie(h http.Header, at reflect.Value) {
	inOptions(f.Field.Shape, at, func(_ *shape.Shape, at reflect.Value) {
		cookie := at.Interface().(http.Cookie)
		if cookie.Name == "" && cookie.Value == "" && cookie.MaxAge == 0 {
			return
		}
		if cookie.Name == "" {
			cookie.Name = f.Name
		}
		if text := cookie.String(); text != "" {
			h.Add("Set-Cookie", text)
		}
	})
}

// inOptions calls yield with what is in an optional value, if there is something.
func inOptions(s *shape.Shape, v reflect.Value, yield func(s *shape.Shape, v reflect.Value)) {
	for s.Held() != nil {
		switch {
		case s.Kind == shape.Pointer:
			if v.IsNil() {
				return
			}
			v = v.Elem()
		default: // of mo: a method Get returns the value and whether there is one
			got := v.MethodByName("Get").Call(nil)
			if !got[1].Bool() {
				return
			}
			v = got[0]
		}
		s = s.Held()
	}
	yield(s, v)
}

// appendText appends the text of v, unless that is empty or v is a time without a date.
func appendText(values []string, v reflect.Value, layout string) []string {
	text := ""
	switch {
	case v.Type() == timeType:
		if t := v.Interface().(time.Time); !t.IsZero() {
			if layout == http.TimeFormat {
				t = t.UTC()
			}
			text = t.Format(layout)
		}
	case v.Type() == durationType:
		text = time.Duration(v.Int()).String()
	default:
		text = plainText(v)
	}
	if text == "" {
		return values
	}
	return append(values, text)
}

func plainText(v reflect.Value) string {
	if !v.CanAddr() {
		addressable := reflect.New(v.Type()).Elem()
		addressable.Set(v)
		v = addressable
	}
	if m, ok := v.Addr().Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		if err != nil {
			return ""
		}
		return string(text)
	}
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	}
	if v.CanInt() {
		return strconv.FormatInt(v.Int(), 10)
	}
	return strconv.FormatUint(v.Uint(), 10)
}
