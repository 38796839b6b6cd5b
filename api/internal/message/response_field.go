package message

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

// A responseField is a field of an Out that becomes a field of the header, or a cookie.
type responseField struct {
	shape.Param
	layout string // the layout of a time
}

var (
	cookieType    = reflect.TypeFor[http.Cookie]()
	durationType  = reflect.TypeFor[time.Duration]()
	timeType      = reflect.TypeFor[time.Time]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// responseFields returns the fields of s that are not the body. It returns an error for a field if
// its type cannot be written as text.
func responseFields(s *shape.Shape, response *shape.Response) (list []responseField, err error) {
	for _, p := range response.Fields {
		f := responseField{Param: p, layout: p.Field.TimeLayout()}
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
			err = errors.New("its type must be http.Cookie or *http.Cookie")
		case p.Source == shape.FromHeader && !hasText(t) && (t.Kind != shape.Slice || !hasText(t.Elem)):
			err = fmt.Errorf("%v cannot be converted to text", t.Type)
		}
		if err != nil {
			return nil, fmt.Errorf("field %s of %v cannot have the tag %s: %w", p.GoPath(), s.Type, p.Source, err)
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

// set sets the header field or the cookie to the value in the struct v. It sets nothing for a zero
// value, for an empty option, and for a field of an embedded struct if the pointer to this struct
// is nil.
func (f *responseField) set(h http.Header, v reflect.Value) {
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

func (f *responseField) setCookie(h http.Header, at reflect.Value) {
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

// inOptions calls yield with the value inside the options and pointers of v, unless one of them
// is empty.
func inOptions(s *shape.Shape, v reflect.Value, yield func(s *shape.Shape, v reflect.Value)) {
	for s.Held() != nil {
		switch {
		case s.Kind == shape.Pointer:
			if v.IsNil() {
				return
			}
			v = v.Elem()
		default: // an option of mo: its method Get returns the value and whether there is one
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

// appendText appends the text of v to values, unless the text is empty or v is the zero time. The
// layout is for times.
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

// receive is the inverse of set: it sets the field of the struct v from an answer.
func (f *responseField) receive(resp *http.Response, v reflect.Value) error {
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

// reachable returns a field of v. It allocates the embedded structs that lead to it.
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

// setText sets v from text, which appendText has written with the same layout.
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
			err = errors.New(v.Type().String() + " cannot be converted from text")
		}
	}
	return err
}
