package web

import (
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/http/body"
	"github.com/hone-go/hone/internal/http/header"
	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/json"
)

// A Binder fills a value from a request.
type Binder interface {
	Bind(c *Context, target any) error
}

// DefaultBinder fills a struct from the parameters of a request, with package bind, and
// from its body.
type DefaultBinder struct{}

// Bind fills target from the path parameters, from the query of a GET, DELETE,
// HEAD or QUERY request, and from the body; see [BindBody]. If several sources
// set a field, the body takes precedence over the path, and the path over the
// query. The error is an [*HTTPError] with the status 400, 413 or 415, which
// wraps the cause.
//
// target points to a struct or to a map with string keys. A map gets all parameters of
// the request, as strings, []string or any. A target of another kind is filled only
// from the body.
func (b *DefaultBinder) Bind(c *Context, target any) error {
	withQuery := false
	switch c.request.Method {
	case http.MethodGet, http.MethodDelete, http.MethodHead, QUERY:
		withQuery = true
	}
	switch kindOf(target) {
	case reflect.Struct:
		in := bind.Input{Path: (*foldedPath)(&c.pathValues)}
		if withQuery {
			in.Query = c.request.URL.RawQuery
		}
		if err := bindStruct(in, target); err != nil {
			return err
		}
	case reflect.Map:
		if err := BindPathValues(c, target); err != nil {
			return err
		}
		if withQuery {
			if err := BindQueryParams(c, target); err != nil {
				return err
			}
		}
	}
	return BindBody(c, target)
}

// foldedPath finds a path parameter by its exact name, or else by a name that differs only in case.
// Package bind finds query parameters in the same way.
type foldedPath PathValues

func (p *foldedPath) Get(name string) (string, bool) {
	if v, ok := (*PathValues)(p).Get(name); ok {
		return v, true
	}
	for _, v := range *p {
		if strings.EqualFold(v.Name, name) {
			return v.Value, true
		}
	}
	return "", false
}

// kindOf returns the kind of the value that target points to.
func kindOf(target any) reflect.Kind {
	if t := reflect.TypeOf(target); t != nil && t.Kind() == reflect.Pointer {
		return t.Elem().Kind()
	}
	return reflect.Invalid
}

// BindPathValues fills *target from the path parameters.
func BindPathValues(c *Context, target any) error {
	switch kindOf(target) {
	case reflect.Struct:
		return bindStruct(bind.Input{Path: (*foldedPath)(&c.pathValues)}, target)
	case reflect.Map:
		values := make(map[string][]string, len(c.pathValues))
		for _, v := range c.pathValues {
			values[v.Name] = []string{v.Value}
		}
		fillMap(values, target)
	}
	return nil
}

// BindQueryParams fills *target from the query.
func BindQueryParams(c *Context, target any) error {
	switch kindOf(target) {
	case reflect.Struct:
		return bindStruct(bind.Input{Query: c.request.URL.RawQuery}, target)
	case reflect.Map:
		fillMap(c.QueryParams(), target)
	}
	return nil
}

// BindHeaders fills *target from the header.
func BindHeaders(c *Context, target any) error {
	switch kindOf(target) {
	case reflect.Struct:
		return bindStruct(bind.Input{Header: c.request.Header, Cookies: c.request.Header[HeaderCookie]}, target)
	case reflect.Map:
		fillMap(c.request.Header, target)
	}
	return nil
}

// fillMap sets the entries of the map that target points to, if its keys are strings and
// its elements are of the type string, []string or any. A []string gets all values of a
// name. A string and, as in Echo, an any get the first value, if there is one. Any other map is
// unchanged.
func fillMap(values map[string][]string, target any) {
	m := reflect.ValueOf(target).Elem()
	t := m.Type()
	if t.Key().Kind() != reflect.String {
		return
	}
	elem := t.Elem()
	lists := elem.Kind() == reflect.Slice && elem.Elem().Kind() == reflect.String
	if !lists && elem.Kind() != reflect.String && elem.Kind() != reflect.Interface || elem.Kind() == reflect.Interface && elem.NumMethod() > 0 {
		return
	}
	if len(values) > 0 && m.IsNil() {
		m.Set(reflect.MakeMap(t))
	}
	for name, list := range values {
		var v reflect.Value
		switch {
		case lists && list == nil:
			v = reflect.Zero(elem)
		case lists:
			v = reflect.MakeSlice(elem, len(list), len(list))
			for i, s := range list {
				v.Index(i).SetString(s)
			}
		case len(list) == 0:
			continue
		default:
			if v = reflect.ValueOf(list[0]); elem.Kind() == reflect.String {
				v = v.Convert(elem)
			}
		}
		m.SetMapIndex(reflect.ValueOf(name).Convert(t.Key()), v)
	}
}

// bindStruct fills the struct that target points to. The error has status 400 if a value cannot be bound.
func bindStruct(in bind.Input, target any) error {
	in.SkipNil = true
	err := bind.All(in, target)
	if _, ok := err.(bind.Errors); !ok {
		return err
	}
	if errors.Is(err, bind.ErrFile) {
		err = fileStructError{err}
	}
	return ErrBadRequest.Wrap(err)
}

// A fileStructError has Echo's text for a field of type multipart.FileHeader.
type fileStructError struct{ error }

func (fileStructError) Error() string {
	return "binding to multipart.FileHeader struct is not supported, use pointer to struct"
}

func (e fileStructError) Unwrap() error { return e.error }

// BindBody fills *target from the request body: JSON, XML, an URL-encoded form
// or a multipart form. The fields of a form go to the fields tagged form. As in
// net/http, the query's parameters are fields of an URL-encoded form too, after
// the fields of the body. A request without a body leaves target unchanged.
//
// The length of the body is limited; see [Context.SetBodyLimit].
func BindBody(c *Context, target any) (err error) {
	r := c.request
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	switch mediaType := header.MediaType(r.Header.Get(HeaderContentType)); {
	case strings.EqualFold(mediaType, MIMEApplicationJSON):
		err := c.echo.JSONSerializer.Deserialize(c, target)
		if err != nil && StatusCode(err) == 0 {
			return ErrBadRequest.Wrap(err)
		}
		return err
	case strings.EqualFold(mediaType, MIMEApplicationXML), strings.EqualFold(mediaType, MIMETextXML):
		buf := buffer.Take()
		defer buf.Release()
		if err := c.readBody(buf); err != nil {
			return err
		}
		if err := xml.Unmarshal(buf.B, target); err != nil {
			return ErrBadRequest.Wrap(err)
		}
		return nil
	case strings.EqualFold(mediaType, MIMEApplicationForm):
		in, err := c.formInput(kindOf(target) == reflect.Struct)
		if err != nil {
			return err
		}
		return bindForm(in, target)
	case strings.EqualFold(mediaType, MIMEMultipartForm):
		form, err := c.MultipartForm()
		if err != nil {
			return badForm(err)
		}
		return bindForm(bind.Input{Values: form.Value, Files: form.File}, target)
	}
	return NewHTTPError(http.StatusUnsupportedMediaType, "")
}

var errNoFormStruct = errors.New("binding element must be a struct")

func bindForm(in bind.Input, target any) error {
	switch kindOf(target) {
	case reflect.Struct:
		return bindStruct(in, target)
	case reflect.Map:
		fillMap(in.Values, target)
		return nil
	}
	return ErrBadRequest.Wrap(errNoFormStruct)
}

func badForm(err error) error {
	if StatusCode(err) != 0 {
		return err
	}
	return ErrBadRequest.Wrap(err)
}

// formInput returns the fields of a URL-encoded form. If raw is set and the form has not been parsed
// before, formInput returns the text of the form, and package bind parses it.
func (c *Context) formInput(raw bool) (bind.Input, error) {
	r := c.request
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
	default:
		raw = false // net/http does not read a form from the bodies of other methods
	}
	if !raw || r.Form != nil {
		form, err := c.FormValues()
		if err != nil {
			return bind.Input{}, badForm(err)
		}
		return bind.Input{Values: form}, nil
	}
	form, err := c.readForm()
	if err != nil {
		return bind.Input{}, err
	}
	r.Body = &formBody{rest: form}
	return bind.Input{Form: form, FormQuery: r.URL.RawQuery}, nil
}

func (c *Context) readForm() (string, error) {
	buf := buffer.Take()
	defer buf.Release()
	if err := c.readBody(buf); err != nil {
		return "", err
	}
	return string(buf.B), nil
}

// A formBody replaces the body of a form that Bind has read. Reading the formBody returns the same
// text again, so that a handler can still call FormValues after Bind.
type formBody struct{ rest string }

func (b *formBody) Read(p []byte) (int, error) {
	if b.rest == "" {
		return 0, io.EOF
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

func (b *formBody) Close() error { return nil }

// Default limits of the request body, in bytes; see [Context.SetBodyLimit].
const (
	// DefaultBodyLimit is the limit of bodies that are read into memory.
	DefaultBodyLimit = 4 << 20
	// DefaultMultipartLimit is the limit of multipart forms. Their files are stored on disk.
	DefaultMultipartLimit = 32 << 20
)

// SetBodyLimit sets the number of bytes of the request body that Bind, the form methods and the
// handlers of package api read. A longer body is an error of status 413. 0 means the defaults
// ([DefaultBodyLimit], [DefaultMultipartLimit]); a negative number means no limit. Middleware
// that limits the body itself calls SetBodyLimit.
func (c *Context) SetBodyLimit(limit int64) { c.live().bodyLimit = limit }

// readBody appends the request body, up to its limit, to buf. The error has a status.
func (c *Context) readBody(buf *buffer.Buffer) error {
	err := body.Read(buf, c.response, c.request, body.Limit(c.bodyLimit, DefaultBodyLimit))
	e, ok := err.(*body.Error)
	switch {
	case !ok:
		return err
	case e == body.TooLarge:
		return ErrStatusRequestEntityTooLarge
	}
	return httpError{e.Status}.Wrap(e.Err)
}

// limitBody makes reading the request's body fail past the limit.
func (c *Context) limitBody(byDefault int64) {
	c.request.Body = body.Bound(c.request.Body, body.Limit(c.bodyLimit, byDefault))
}

// tooLarge returns ErrStatusRequestEntityTooLarge (413) if err is about a body past its limit, and err
// itself otherwise.
func tooLarge(err error) error {
	if err != nil && body.StatusOf(err) == http.StatusRequestEntityTooLarge {
		return ErrStatusRequestEntityTooLarge.Wrap(err)
	}
	return err
}

// A BindUnmarshaler decodes itself from one value of a path, query, header or
// form parameter. It takes precedence over encoding.TextUnmarshaler.
type BindUnmarshaler interface {
	UnmarshalParam(param string) error
}

// A BindingError reports one parameter that could not be bound. Its JSON is
// the field and the message. The cause is for the log only.
type BindingError struct {
	// Field is the name of the parameter.
	Field string `json:"field"`
	*HTTPError
	// Values are the parameter's values in the request.
	Values []string `json:"-"`
}

// NewBindingError returns a [*BindingError] with status 400.
func NewBindingError(sourceParam string, values []string, message string, err error) error {
	return &BindingError{
		Field:     sourceParam,
		Values:    values,
		HTTPError: &HTTPError{Code: http.StatusBadRequest, Message: message, err: err},
	}
}

func (be *BindingError) Error() string {
	return be.HTTPError.Error() + ", field=" + be.Field
}

// MarshalJSON returns the field and the message.
func (be *BindingError) MarshalJSON() ([]byte, error) {
	message := be.Message
	if message == "" {
		message = http.StatusText(be.Code)
	}
	return json.Marshal(struct {
		Field   string `json:"field"`
		Message string `json:"message"`
	}{be.Field, message})
}
