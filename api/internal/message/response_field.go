package message

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/hone-go/hone/internal/http/header"
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
		case (&http.Cookie{Name: p.Name}).Valid() != nil: // net/http leaves out such a field
			err = fmt.Errorf("the name %q is not a token (RFC 9110, 5.6.2)", p.Name)
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
	if k := s.Type.Kind(); k == reflect.Interface || k == reflect.Pointer {
		return false
	}
	return s.Kind == shape.String || s.Kind >= shape.Bool && s.Kind <= shape.Float64 || s.Kind == shape.Time ||
		s.Type.Implements(textMarshaler) || reflect.PointerTo(s.Type).Implements(textMarshaler)
}

func (f *responseField) headerName() string {
	if f.Source == shape.FromCookie {
		return setCookie
	}
	return f.Name
}

// texts returns the values of the header field, or of Set-Cookie, for the field in the struct v. It returns
// none for a zero value, for an empty option, and for a field of an embedded struct if the pointer to
// this struct is nil.
func (f *responseField) texts(v reflect.Value) (values []string, err error) {
	at, err := v.FieldByIndexErr(f.Index)
	if err != nil {
		return nil, nil
	}
	err = inOptions(f.Field.Shape, at, func(s *shape.Shape, at reflect.Value) (err error) {
		switch {
		case f.Source == shape.FromCookie:
			values, err = f.cookie(at.Interface().(http.Cookie))
		case s.Kind != shape.Slice || hasText(s):
			values, err = appendText(values, at, f.layout)
		default:
			for i := 0; i < at.Len() && err == nil; i++ {
				values, err = appendText(values, at.Index(i), f.layout)
			}
		}
		return err
	})
	return values, err
}

func (f *responseField) cookie(cookie http.Cookie) ([]string, error) {
	if cookie.Name == "" && cookie.Value == "" && cookie.MaxAge == 0 {
		return nil, nil
	}
	cookie.Name = cmp.Or(cookie.Name, f.Name)
	if err := cookie.Valid(); err != nil { // String would leave out the invalid parts
		return nil, err
	}
	return []string{cookie.String()}, nil
}

// inOptions calls yield with the value inside the options and pointers of v, and returns its error. If
// one of them is empty, it returns nil.
func inOptions(s *shape.Shape, v reflect.Value, yield func(s *shape.Shape, v reflect.Value) error) error {
	for s.Held() != nil {
		switch {
		case s.Kind == shape.Pointer:
			if v.IsNil() {
				return nil
			}
			v = v.Elem()
		default: // an option of mo: its method Get returns the value and whether there is one
			got := v.MethodByName("Get").Call(nil)
			if !got[1].Bool() {
				return nil
			}
			v = got[0]
		}
		s = s.Held()
	}
	return yield(s, v)
}

// appendText appends the text of v to values, unless the text is empty or v is the zero time. The
// layout is for times.
func appendText(values []string, v reflect.Value, layout string) ([]string, error) {
	text, err := textOf(v, layout)
	switch {
	case err != nil:
		return nil, err
	case !header.IsValue(text):
		return nil, errControlCharacter
	case text == "":
		return values, nil
	}
	return append(values, text), nil
}

var (
	errControlCharacter = errors.New("the text has a control character")
	errYear             = errors.New("the year of a time is not in 0..9999")
	errNotFinite        = errors.New("a number is not finite")
)

func textOf(v reflect.Value, layout string) (string, error) {
	switch v.Type() {
	case timeType:
		t := v.Interface().(time.Time)
		if t.IsZero() {
			return "", nil
		}
		if layout == http.TimeFormat {
			t = t.UTC()
		}
		if y := t.Year(); y < 0 || y > 9999 {
			return "", errYear
		}
		return t.Format(layout), nil
	case durationType:
		return time.Duration(v.Int()).String(), nil
	}
	if !v.CanAddr() {
		addressable := reflect.New(v.Type()).Elem()
		addressable.Set(v)
		v = addressable
	}
	if m, ok := v.Addr().Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		return string(text), err
	}
	switch {
	case v.Kind() == reflect.String:
		return v.String(), nil
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool()), nil
	case v.CanFloat():
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return "", errNotFinite
		}
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()), nil
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10), nil
	}
	return strconv.FormatUint(v.Uint(), 10), nil
}

// receive is the inverse of texts: it sets the field of the struct v from an answer.
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
