package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/http/body"
	"github.com/hone-go/hone/internal/http/header"
	"github.com/hone-go/hone/internal/http/route"
	"github.com/hone-go/hone/internal/http/routed"
	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/shape"
)

// A reader reads requests into values of type In. It has only the code that depends on In, because the
// compiler compiles this code again for each In. The input is not embedded, for the same reason.
type reader[In any] struct {
	input  *input
	params *bind.Binder[In] // nil if In has no parameters
}

// readerOf returns the reader of a handler's In, and describes the input in the description.
func readerOf[In any](t *handler) *reader[In] {
	in := &reader[In]{}
	var lists []string
	in.input = t.newInput(reflect.TypeFor[In](), func() (names []string, err error) {
		if in.params, err = bind.ForDocument[In](); err != nil {
			return nil, err
		}
		lists = in.params.PathLists()
		return in.params.PathNames(), nil
	})
	if lists != nil {
		var err error
		in.input.slashesAfter, err = message.SlashesAfter(t.parts, lists)
		t.need(err == nil, err)
	}
	return in
}

// read sets *v from the request. The context is for Validate methods.
func (in *reader[In]) read(ctx context.Context, x *exchange, v *In) error {
	var bound error
	if in.params != nil {
		var from bind.Input
		if err := in.input.parameters(x, &from); err != nil {
			return err
		}
		bound = in.params.Bind(&from, v)
	}
	return in.input.finish(ctx, x, v, bound)
}

// An input describes how requests of an operation are read.
type input struct {
	*message.Request
	hasParams bool            // In has parameters
	codecs    []message.Codec // the codecs of a body that is read as a whole
	binary    *limit.Program  // the limits of a body in another format than JSON
	limit     int64           // Operation.BodyLimit: bytes; 0 if not set; negative for a stream without a limit
	unchecked bool            // Operation.Unchecked: the limits of the body are not checked
	known     bool            // unknown members and parameters are refused
	keys      []string        // query parameters that security schemes read
	// slashesAfter has the number of slashes in the path after each of its parameters that is a list; nil for none.
	slashesAfter map[string]int
	validator    func(ctx context.Context, in any) error // Operation.Validator; may be nil

	elements elementRules // the rules for a body that is a sequence of elements

	timeout time.Duration // Operation.StreamTimeout or its default
	rate    int64         // Operation.StreamRate or its default
}

// newInput returns the input of a handler with the given type In, and describes the input in the
// description. The function pathNames is called if In has parameters. It returns the names of the
// path's parameters.
func (t *handler) newInput(typ reflect.Type, pathNames func() ([]string, error)) *input {
	op := t.description.Operation
	in := &input{limit: op.BodyLimit, known: op.Unknown == UnknownRefused, keys: security.QueryKeys(op.Security), validator: op.Validator}
	in.timeout, in.rate = op.patience()
	formats, err := message.Formats(op.Formats)
	t.need(err == nil, err)
	in.Request, err = message.NewRequest(typ, t.description.Method, route.Names(t.parts), func() ([]string, error) {
		in.hasParams = true
		return pathNames()
	})
	t.need(err == nil, err)
	switch {
	case in.Stream != nil && in.Stream.Elem != nil:
		in.elements = elementRules{
			elem:    in.Stream.Elem,
			config:  json.Config{CheckMembers: true, DisallowUnknownFields: in.known},
			options: checkedOptions(op),
			limits:  in.Stream.Limits,
		}
		in.elements.records, err = limit.Binary(shape.Of(in.Stream.Elem), op.JSON != nil)
	case in.HasBody && in.Stream == nil:
		in.codecs = in.Codecs(message.Codec{Decode: jsonBody(op)}, formats)
		for i, c := range in.codecs {
			if !c.AsJSON {
				in.codecs[i].Decode = withProblems(c)
			}
		}
		in.binary, err = limit.Binary(shape.Of(reflect.TypeOf(in.Target(reflect.New(typ).Interface())).Elem()), op.JSON != nil)
		if op.Unchecked {
			in.Body, in.binary, in.unchecked = nil, nil, true
		}
	}
	t.need(err == nil, err)
	d := &t.description
	d.In, d.Takes = typ, in.mediaTypes()
	if s := in.Stream; s != nil {
		d.TakesElements, d.TakesBytes = s.Elem, s.Elem == nil
	}
	return in
}

// jsonBody returns the function that decodes JSON bodies. The function checks the members as the
// tags require. Its errors are problems for the client, except a [*json.MembersError].
func jsonBody(op Operation) func(data []byte, v any) error {
	config := json.Config{CopyInput: true, CheckMembers: true, DisallowUnknownFields: op.Unknown == UnknownRefused}
	unmarshal := config.Unmarshal
	if joined := checkedOptions(op); joined != nil {
		// Methods may retain parts of the text, but its buffer is reused.
		unmarshal = func(data []byte, v any) error { return jsonv2.Unmarshal(slices.Clone(data), v, joined) }
	}
	return func(data []byte, v any) error {
		if len(data) == 0 {
			return NewProblem(http.StatusBadRequest, "the request body is empty")
		}
		err := unmarshal(data, v)
		if _, ok := err.(*json.MembersError); ok {
			return err
		}
		return badBody(err, reflect.TypeOf(v), data)
	}
}

// withProblems returns a function that calls the Decode of a codec, and converts its errors to problems for the client.
func withProblems(c message.Codec) func(data []byte, v any) error {
	if c.MediaType == MediaTypeWire {
		return func(data []byte, v any) error { return badBody(c.Decode(data, v), reflect.TypeOf(v), nil) }
	}
	return func(data []byte, v any) error {
		if len(data) == 0 {
			return NewProblem(http.StatusBadRequest, "the request body is empty")
		}
		if err := c.Decode(data, v); err != nil {
			return unreadable(err, FieldProblem{In: "body", Detail: "not " + c.MediaType + " of the expected type"})
		}
		return nil
	}
}

// parameters sets from to the parts of the request that package bind reads.
func (in *input) parameters(x *exchange, from *bind.Input) error {
	r := x.r
	*from = bind.Input{Path: x.pathValues(), Query: r.URL.RawQuery, Header: r.Header, ByTags: true, Known: in.known}
	if in.slashesAfter != nil {
		from.Path = rawPath{from.Path, r, in.slashesAfter}
	}
	if in.Cookies {
		from.Cookies = r.Header["Cookie"]
	}
	if in.Form {
		return in.readForm(x, from)
	}
	return nil
}

// finish reads the body into v, an *In, and checks v. bound is the error of binding the parameters. The
// context is for Validate methods.
func (in *input) finish(ctx context.Context, x *exchange, v any, bound error) error {
	var faults []FieldProblem
	budget := limit.NewBudget(x.bodyLimit(max(in.limit, 0), DefaultBodyLimit))
	if bound != nil {
		found, ok := readable(bound)
		if !ok {
			return badParams(bound, in.Params.Check(v, &budget))
		}
		faults = found
	} else if in.known && !in.hasParams {
		faults = unknownQuery(x.r.URL.RawQuery)
	}
	if faults != nil && in.keys != nil {
		faults = slices.DeleteFunc(faults, func(f FieldProblem) bool {
			return f.In == string(bind.FromQuery) && f.Detail == bind.ErrUnknown.Error() && slices.Contains(in.keys, f.Name)
		})
	}
	target, limits := in.Target(v), in.Body
	if in.HasBody && in.Stream == nil {
		var err error
		if limits, err = in.readBody(x, target); err != nil {
			found, ok := memberFaults(err, in.unchecked)
			if !ok {
				return err
			}
			faults = append(faults, found...)
		}
	}
	if err := notAllowed("", append(in.Params.Check(v, &budget), limits.Check(target, &budget)...), faults); err != nil {
		return err
	}
	if err := invalid("", append(in.Params.Validate(ctx, v), in.Body.Validate(ctx, target)...)); err != nil {
		return err
	}
	if in.validator != nil {
		if err := in.validator(ctx, v); err != nil {
			return invalid("", []limit.Invalid{{Err: err}})
		}
	}
	if in.Stream == nil {
		return nil
	}
	return in.openStream(ctx, x, target)
}

// readForm sets the values and files of target from the form in the body. It returns a problem of
// status 415 for a body that is not a form.
func (in *input) readForm(x *exchange, target *bind.Input) error {
	r := x.r
	switch mediaType := header.MediaType(r.Header.Get("Content-Type")); {
	case r.Header.Get("Content-Encoding") != "" && !strings.EqualFold(r.Header.Get("Content-Encoding"), "identity"):
		return NewProblem(http.StatusUnsupportedMediaType, "")
	case strings.EqualFold(mediaType, message.Form):
		buf := buffer.Take()
		defer buf.Release()
		if err := body.Read(buf, x.w, r, x.bodyLimit(max(in.limit, 0), DefaultBodyLimit)); err != nil {
			return err
		}
		target.Form = string(buf.B)
	case strings.EqualFold(mediaType, message.Multipart):
		if err := in.parseForm(x); err != nil {
			return err
		}
		target.Values, target.Files = r.MultipartForm.Value, r.MultipartForm.File
	case mediaType == "" && r.ContentLength == 0: // the form has no fields
	default:
		return NewProblem(http.StatusUnsupportedMediaType, "")
	}
	return nil
}

// readBody decodes the body into the value that target points to. It returns the limits of the value.
func (in *input) readBody(x *exchange, target any) (limits *limit.Program, err error) {
	r := x.r
	if in.Optional && (r.Body == nil || r.Body == http.NoBody) {
		return in.Body, nil
	}
	codec := message.ByContentType(r.Header, in.codecs)
	if codec == nil {
		return nil, unsupported(r)
	}
	buf := buffer.Take()
	defer buf.Release()
	if err := body.Read(buf, x.w, r, x.bodyLimit(max(in.limit, 0), DefaultBodyLimit)); err != nil {
		return nil, err
	}
	if len(buf.B) == 0 && in.Optional {
		return in.Body, nil
	}
	if limits = in.binary; codec.AsJSON {
		limits = in.Body
	}
	return limits, codec.Decode(buf.B, target)
}

// parseForm parses a multipart form, unless middleware has already done so.
func (in *input) parseForm(x *exchange) error {
	r := x.r
	if r.MultipartForm == nil {
		r.Body = body.Bound(r.Body, x.bodyLimit(max(in.limit, 0), DefaultMultipartLimit))
	}
	memory := int64(body.FormMemory)
	if path, ok := x.path.(routed.FormMemory); ok {
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

// removeFiles removes the files of a multipart form. net/http removes only the files of the
// request that it created.
func removeFiles(r *http.Request) {
	if r.MultipartForm != nil {
		_ = r.MultipartForm.RemoveAll()
	}
}

// mediaTypes lists the media types of the body, for the description.
func (in *input) mediaTypes() (list []string) {
	codecs := in.codecs
	switch {
	case in.Files:
		return []string{message.Multipart}
	case in.Form:
		return []string{message.Form, message.Multipart}
	case in.Stream != nil && in.Stream.Elem == nil && in.Stream.Types == nil:
		return []string{"*/*"}
	case in.Stream != nil && in.Stream.Elem == nil:
		return in.Stream.Types
	case in.Stream != nil:
		codecs = in.Stream.Codecs
	}
	for _, c := range codecs {
		list = append(list, c.MediaType)
	}
	return list
}
