package message

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire"
)

// A Request describes how the fields of an In become a request: the parameters, and the place
// of the body.
type Request struct {
	Cookies  bool           // some parameters are cookies
	Form     bool           // the body is a form, and some parameters are its fields
	Files    bool           // some fields of the form are files
	HasBody  bool           // the body is JSON or another encoding of a Go value, or a stream
	Optional bool           // a missing body leaves its field unchanged
	Stream   *RequestStream // nil if the body is read as a whole
	Wire     *wire.AnyCodec // the codec of the body in the binary format; nil if it has none
	// JSONTypes are the media types of a JSON body that the tag of its field lists; nil for
	// application/json.
	JSONTypes []string
	// OnlyJSON is set if the tag lists media types, and if the body has readOnly members, because only
	// a JSON body shows which members were sent.
	OnlyJSON bool
	// Params and Body are the limits that the tags of parameters and of the body set; nil for
	// none. A stream has separate limits.
	Params, Body *limit.Program

	field []int // index of the body in In; nil if In is the body
}

// A RequestStream is a body that is an io.Reader or [Elements].
type RequestStream struct {
	Elem   reflect.Type   // the type of the elements; nil for bytes
	Limits *limit.Program // the limits of an element
	Codecs []Codec        // the codecs of an element
	Types  []string       // media types of bytes, in lower case; nil for any
}

// NewRequest returns the description of the requests of the type t. known are the names of the
// pattern's parameters. If t has parameters, NewRequest calls the function pathNames, which returns
// the names of the parameters in the path. NewRequest returns an error if fields exclude each other or
// do not fit the pattern.
func NewRequest(t reflect.Type, method string, known []string, pathNames func() ([]string, error)) (*Request, error) {
	in := new(Request)
	if t.Kind() == reflect.Struct && t.NumField() == 0 {
		return in, unbound(nil, known, t)
	}
	s := shape.Of(t)
	from, err := fieldsOf(s, method)
	if err != nil {
		return nil, err
	}
	in.Cookies, in.Form, in.Files = from.has(shape.FromCookie), from.has(shape.FromForm), from.files()
	var names []string
	if len(from.Params) > 0 {
		if names, err = pathNames(); err != nil {
			return nil, err
		}
		for _, name := range names {
			if !slices.Contains(known, name) {
				return nil, fmt.Errorf("%v has a field for the path parameter %q, but the pattern has no such parameter", t, name)
			}
		}
	}
	if err := unbound(names, known, t); err != nil {
		return nil, err
	}
	return in, in.setBody(s, from, method)
}

// setBody finds the body of requests of the shape s, and sets the fields of the Request that describe
// the body.
func (in *Request) setBody(s *shape.Shape, from requestFields, method string) (err error) {
	body := s
	var place *shape.Place
	var mediaTypes []string
	if len(from.Bodies) == 1 {
		place = &from.Bodies[0]
		body = place.Field.Shape
		mediaTypes, _ = place.Field.BodyTypes()
	}
	if in.Stream, err = newRequestStream(body.Type, mediaTypes); err != nil {
		return fmt.Errorf("%v: %w", s.Type, err)
	}
	if body.Type != readerType {
		if in.JSONTypes, err = jsonTypes(mediaTypes, in.Stream != nil); err != nil {
			return fmt.Errorf("%v: %w", s.Type, err)
		}
	}
	switch {
	case place != nil:
		in.HasBody, in.field = true, place.Index
		in.Optional = in.Stream == nil && (body.Type.Kind() == reflect.Pointer || body.Kind == shape.Option)
	case from.tagged():
	case method == http.MethodGet || method == http.MethodHead:
		return fmt.Errorf("no field of %v has a tag for its source, and %s requests have no body", s.Type, method)
	default:
		in.HasBody = true
	}
	whole := in.HasBody && in.Stream == nil
	if whole {
		if err := cmp.Or(noStreamWithin(body), Decodable(body)); err != nil {
			return err
		}
		in.OnlyJSON = in.JSONTypes != nil || KeepsMembers(body)
		// An optional body has no binary form: the form would begin with a flag that clients do not
		// expect.
		if !in.Optional && !in.OnlyJSON {
			in.Wire, _ = wire.ForType(body.Type)
		}
		if in.Body, err = limit.Body(body); err != nil {
			return err
		}
	}
	if whole && place == nil || in.Stream != nil && place == nil {
		return nil
	}
	in.Params, err = limit.Params(s)
	return err
}

// jsonTypes returns the media types that the tag of a body lists, if a body of JSON can have them. Streams of
// elements cannot.
func jsonTypes(types []string, stream bool) ([]string, error) {
	for i, mediaType := range types {
		switch {
		case stream:
			return nil, errors.New("the tag of the body lists media types, but a stream of elements has its own")
		case !IsJSON(mediaType):
			return nil, fmt.Errorf("the tag of the body lists %q, but this body is JSON: only application/json and media types that end in +json fit, unless the field is an io.Reader", mediaType)
		case slices.Contains(types[:i], mediaType):
			return nil, fmt.Errorf("the tag of the body lists %s twice", mediaType)
		}
	}
	return types, nil
}

var readerType = reflect.TypeFor[io.Reader]()

// newRequestStream returns the description of a body of type t that is a stream, or nil if t is
// not the type of a stream. types are the media types that the tag of the body lists.
func newRequestStream(t reflect.Type, types []string) (*RequestStream, error) {
	if t == readerType {
		for _, mediaType := range types {
			if _, _, err := mime.ParseMediaType(mediaType); err != nil || !strings.Contains(mediaType, "/") {
				return nil, errors.New("the tag of the body lists " + mediaType + ", which is not a media type")
			}
		}
		return &RequestStream{Types: types}, nil
	}
	stream := streamType(t)
	if stream == nil || stream.Elem() == nil {
		return nil, nil
	}
	elem := stream.Elem()
	if err := Decodable(shape.Of(elem)); err != nil {
		return nil, err
	}
	limits, err := limit.Body(shape.Of(elem))
	return &RequestStream{Elem: elem, Limits: limits, Codecs: elementCodecs(elem, KeepsMembers)}, err
}

// Codecs returns the codecs of a body that is read as a whole, the preferred one first.
// asJSON has the functions of JSON bodies.
func (in *Request) Codecs(asJSON Codec, formats []Format) []Codec {
	types := in.JSONTypes
	if types == nil {
		types = []string{JSON}
	}
	var codecs []Codec
	for _, mediaType := range types {
		codecs = append(codecs, Codec{MediaType: mediaType, Header: []string{mediaType}, AsJSON: true, Append: asJSON.Append, Decode: asJSON.Decode})
	}
	if in.Wire != nil {
		codecs = append(codecs, requestCodec(in.Wire))
	}
	if in.OnlyJSON {
		return codecs
	}
	return append(codecs, formatCodecs(formats)...)
}

// Target returns a pointer to the body in the In that v points to.
func (in *Request) Target(v any) any {
	if in.field == nil {
		return v
	}
	return reflect.ValueOf(v).Elem().FieldByIndex(in.field).Addr().Interface()
}
