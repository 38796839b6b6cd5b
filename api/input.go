package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/http/body"
	"github.com/hone-go/hone/internal/http/header"
	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire"
)

// An input reads requests into values of type In.
type input[In any] struct {
	params   *bind.Binder[In] // nil if In has no parameters
	cookies  bool             // some of them are cookies
	form     bool             // some of them are in a form, which is the body
	files    bool             // and some of those are files
	limits   limits
	hasBody  bool
	stream   *streamedBody  // nil if the body is read as a whole
	optional bool           // a missing body leaves its field as it is
	field    []int          // of the body in In; nil if In is the body
	wire     *wire.AnyCodec // of the body; nil if it has no binary form
	limit    int64          // the operation's own, in bytes; 0 for none
	json     []jsonv2.Options
	formats  others
	known    bool     // unknown members and parameters are refused
	keys     []string // of the query, which security schemes read
	ask      func(ctx context.Context, in any) error
}

func newInput[In any](method string, known []string, op Operation) (*input[In], error) {
	in := &input[In]{limit: max(op.BodyLimit, 0), json: jsonByTags(op), formats: op.Formats, known: op.Unknown == UnknownRefused, keys: queryKeys(op.Security), ask: op.Validator}
	if err := in.formats.check(); err != nil {
		return nil, err
	}
	t := reflect.TypeFor[In]()
	if t.Kind() == reflect.Struct && t.NumField() == 0 {
		return in, unbound(nil, known, t)
	}
	s := shape.Of(t)
	from, err := fieldsOf(s, method)
	if err != nil {
		return nil, err
	}
	in.cookies, in.form, in.files = from.has(shape.FromCookie), from.has(shape.FromForm), from.files()
	var names []string
	if len(from.Params) > 0 {
		params, err := bind.For[In]()
		if err != nil {
			return nil, err
		}
		in.params = params
		names = params.PathNames()
		if err := knownParams(names, known); err != nil {
			return nil, fmt.Errorf("%v: %w", t, err)
		}
	}
	if err := unbound(names, known, t); err != nil {
		return nil, err
	}
	bodyType := t
	var body *shape.Place
	var mediaTypes []string
	if len(from.Bodies) == 1 {
		body = &from.Bodies[0]
		bodyType = body.Field.Shape.Type
		mediaTypes, _ = body.Field.BodyTypes()
	}
	if in.stream, err = newStreamedBody(bodyType, mediaTypes, op); err != nil {
		return nil, fmt.Errorf("%v: %w", t, err)
	}
	switch {
	case in.stream == nil && mediaTypes != nil:
		return nil, fmt.Errorf("the body of %v is read as a whole, and its tag lists media types", t)
	case body != nil:
		in.hasBody, in.field = true, body.Index
		if in.stream != nil {
			break
		}
		if err := noStreamWithin(shape.Of(bodyType)); err != nil {
			return nil, err
		}
		ft := bodyType
		in.optional = ft.Kind() == reflect.Pointer || shape.Of(ft).Kind == shape.Option
		if !in.optional { // an optional one would begin with a flag that no client expects
			in.wire, _ = wire.ForType(ft) // without a codec, JSON only
		}
	case from.tagged():
	case method == http.MethodGet || method == http.MethodHead:
		return nil, fmt.Errorf("no field of %v is tagged, and %s has no body to fill it from", t, method)
	default:
		in.hasBody = true
		if in.stream == nil {
			if err := noStreamWithin(s); err != nil {
				return nil, err
			}
			in.wire, _ = wire.ForType(t)
		}
	}
	if in.stream == nil && in.hasBody && keepsMembers(shape.Of(bodyType)) {
		in.wire, in.formats = nil, nil // only JSON tells what was sent
	}
	if in.stream != nil && in.field == nil {
		return in, nil
	}
	in.limits, err = limitsOf(s, body, in.hasBody && in.stream == nil)
	return in, err
}

// unbound finds a parameter of the pattern that no field takes.
func unbound(names, known []string, t reflect.Type) error {
	for _, name := range known {
		if !slices.Contains(names, name) {
			return fmt.Errorf("no field of %v takes the path parameter %q: tag one path:%q", t, name, name)
		}
	}
	return nil
}

// knownParams finds a path parameter that the pattern does not have.
func knownParams(names, known []string) error {
	for _, name := range names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("the pattern has no parameter %q", name)
		}
	}
	return nil
}

// read fills *v from the request. The context is for methods Validate.
func (in *input[In]) read(ctx context.Context, x *exchange, v *In) error {
	var faults []FieldProblem
	if in.params != nil {
		r := x.r
		from := bind.Input{Path: x.pathValues(), Query: r.URL.RawQuery, Header: r.Header, ByTags: true, Known: in.known}
		if in.cookies {
			from.Cookies = r.Header["Cookie"]
		}
		if in.form {
			if err := in.readForm(x, &from); err != nil {
				return err
			}
		}
		if err := in.params.Bind(&from, v); err != nil {
			found, ok := readable(err)
			if !ok {
				return badParams(err)
			}
			faults = found
		}
	} else if in.known {
		faults = unknownQuery(x.r.URL.RawQuery)
	}
	if faults != nil && in.keys != nil {
		faults = slices.DeleteFunc(faults, func(f FieldProblem) bool {
			return f.In == string(bind.FromQuery) && f.Detail == bind.ErrUnknown.Error() && slices.Contains(in.keys, f.Name)
		})
	}
	target := in.body(v)
	if in.hasBody && in.stream == nil {
		if err := in.readBody(x, target); err != nil {
			found, ok := memberFaults(err)
			if !ok {
				return err
			}
			faults = append(faults, found...)
		}
	}
	if err := in.limits.check(v, target, faults); err != nil {
		return err
	}
	if err := in.limits.validate(ctx, v, target); err != nil {
		return err
	}
	if in.ask != nil {
		if err := in.ask(ctx, v); err != nil {
			return invalid("", []limit.Invalid{{Err: err}})
		}
	}
	if in.stream == nil {
		return nil
	}
	return in.stream.open(ctx, x, target)
}

// unknownQuery lists the parameters of a query of which none is known.
func unknownQuery(query string) (faults []FieldProblem) {
	if query == "" {
		return nil
	}
	var none struct{}
	err := bind.All(bind.Input{Query: query, Known: true}, &none)
	var errs bind.Errors
	if errors.As(err, &errs) {
		faults = faultsOf(errs)
	}
	return faults
}

// readForm reads a body that is a form.
func (in *input[In]) readForm(x *exchange, from *bind.Input) error {
	r := x.r
	switch mediaType := header.MediaType(r.Header.Get("Content-Type")); {
	case r.Header.Get("Content-Encoding") != "" && !strings.EqualFold(r.Header.Get("Content-Encoding"), "identity"):
		return NewProblem(http.StatusUnsupportedMediaType, "")
	case strings.EqualFold(mediaType, mediaTypeForm):
		buf := buffer.Take()
		defer buf.Release()
		if err := body.Read(buf, x.w, r, x.bodyLimit(in.limit, DefaultBodyLimit)); err != nil {
			return err
		}
		from.Form = string(buf.B)
	case strings.EqualFold(mediaType, mediaTypeMultipart):
		if err := in.parseForm(x); err != nil {
			return err
		}
		from.Values, from.Files = r.MultipartForm.Value, r.MultipartForm.File
	case mediaType == "" && r.ContentLength == 0: // a form without fields
	default:
		return NewProblem(http.StatusUnsupportedMediaType, "")
	}
	return nil
}

// jsonByTags returns the operation's options of version 2, with those that hold objects to
// the tags of their fields, and nil if it has none.
func jsonByTags(op Operation) []jsonv2.Options {
	if op.JSON == nil {
		return nil
	}
	all := append(slices.Clone(op.JSON), jsonv2.CheckMembers(true))
	if op.Unknown != UnknownDefault {
		all = append(all, jsonv2.RejectUnknownMembers(op.Unknown == UnknownRefused))
	}
	return []jsonv2.Options{jsonv2.JoinOptions(all...)}
}

// readBody reads the body into what target points to.
func (in *input[In]) readBody(x *exchange, target any) error {
	r := x.r
	if in.optional && (r.Body == nil || r.Body == http.NoBody) {
		return nil
	}
	format := requestFormat(r.Header, in.formats)
	if format != formatJSON && format < formatOther && (format != formatWire || in.wire == nil) {
		return unsupported(r)
	}
	buf := buffer.Take()
	defer buf.Release()
	err := body.Read(buf, x.w, r, x.bodyLimit(in.limit, DefaultBodyLimit))
	if err != nil {
		return err
	}
	if len(buf.B) == 0 && in.optional {
		return nil
	}
	if format == formatWire {
		return badBody(in.wire.Unmarshal(buf.B, target), reflect.TypeOf(target))
	}
	if len(buf.B) == 0 {
		return NewProblem(http.StatusBadRequest, "the request body is empty")
	}
	if format >= formatOther {
		if err := in.formats[format-formatOther].Unmarshal(buf.B, target); err != nil {
			return unreadable(err, FieldProblem{In: "body", Detail: "not " + in.formats.mediaType(format) + " of this kind"})
		}
		return nil
	}
	if in.json != nil {
		// Methods are given parts of the text, so that it is not that of a buffer which is used again.
		err = jsonv2.Unmarshal(slices.Clone(buf.B), target, in.json...)
	} else {
		err = json.Config{CopyInput: true, CheckMembers: true, DisallowUnknownFields: in.known}.Unmarshal(buf.B, target)
	}
	if _, ok := err.(*json.MembersError); ok {
		return err
	}
	return badBody(err, reflect.TypeOf(target))
}

// body returns a pointer to where the body goes in *v.
func (in *input[In]) body(v *In) any {
	if in.field == nil {
		return v
	}
	return reflect.ValueOf(v).Elem().FieldByIndex(in.field).Addr().Interface()
}

// parseForm reads a multipart form, unless middleware has done so.
func (in *input[In]) parseForm(x *exchange) error {
	r := x.r
	if r.MultipartForm == nil {
		r.Body = body.Bound(x.w, r.Body, x.bodyLimit(in.limit, DefaultMultipartLimit))
	}
	memory := int64(body.FormMemory)
	if path, ok := x.path.(interface{ FormMemory() int64 }); ok {
		memory = path.FormMemory()
	}
	err := r.ParseMultipartForm(memory)
	if err == nil {
		return nil
	}
	if status := body.StatusOf(err); status != http.StatusBadRequest {
		return NewProblem(status, "").Wrap(err)
	}
	return NewProblem(http.StatusBadRequest, "the form cannot be read").Wrap(err)
}

// removeFiles removes those of a multipart form. net/http would only do so for
// the request that it made.
func removeFiles(r *http.Request) {
	if r.MultipartForm != nil {
		_ = r.MultipartForm.RemoveAll()
	}
}

// mediaTypes are those of the body, for the description.
func (in *input[In]) mediaTypes() []string {
	switch {
	case in.files:
		return []string{mediaTypeMultipart}
	case in.form:
		return []string{mediaTypeForm, mediaTypeMultipart}
	case !in.hasBody:
		return nil
	case in.stream != nil && in.stream.elem != nil:
		types := []string{mediaTypeJSON, MediaTypeNDJSON}
		if in.stream.wire {
			types = append(types, MediaTypeWireStream)
		}
		return types
	case in.stream != nil && in.stream.types == nil:
		return []string{"*/*"}
	case in.stream != nil:
		return in.stream.types
	}
	types := []string{mediaTypeJSON}
	if in.wire != nil {
		types = append(types, MediaTypeWire)
	}
	for _, f := range in.formats {
		types = append(types, f.MediaType())
	}
	return types
}
