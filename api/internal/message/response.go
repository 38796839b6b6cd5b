package message

import (
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire"
)

// Rules are the options of an operation that determine how its answers are sent.
type Rules struct {
	Status      int    // the status of a success; 0 for the default
	ContentType string // the media types of a stream of bytes, separated by commas; "" for the default
	JSON        []jsonv2.Options
	Formats     []Format
}

// A Response describes one variant of a successful answer: its statuses, its header and its body.
type Response struct {
	Shape    *shape.Shape // the type of the variant: Out, or one of the types in Out's union
	Statuses []int        // the first is the default
	None     int          // the status of an answer without content
	Empty    bool         // no value of the variant has content
	Codecs   []Codec      // the codecs of the body, the preferred one first; nil for a stream of bytes
	Bytes    []string     // the media types of a stream of bytes, the default first
	Elem     reflect.Type // the type of a stream's elements; nil if the body has none
	Streams  bool         // the body is a stream
	// Body is the shape of the body, nil without content.
	Body *shape.Shape
	// Fields are the header fields and cookies that the answer may have.
	Fields []shape.Param
	// Optional is set if a value may be nil, which is sent as an answer without content.
	Optional bool

	bare   bool         // the whole value is the body
	status *shape.Place // the field for the status; nil if there is none
	bodyAt []int        // the index of the field for the body
	fields []responseField
}

func newResponse(s *shape.Shape, rules Rules) (*Response, error) {
	tagged, err := s.Response()
	if err != nil {
		return nil, err
	}
	f := &Response{Shape: s, bare: !tagged.Envelope(), status: tagged.Status, Statuses: tagged.Statuses}
	body := s
	switch {
	case f.bare:
		f.Empty = s.Type.Kind() == reflect.Struct && s.Type.NumField() == 0
	case len(tagged.Bodies) > 1:
		return nil, fmt.Errorf("%v has more than one field for the body", s.Type)
	case len(tagged.Untagged) > 0:
		return nil, fmt.Errorf("field %s of %v is not a part of the answer: add one of the tags header, cookie, status and body", tagged.Untagged[0].GoPath(), s.Type)
	case len(tagged.Bodies) == 1:
		place := tagged.Bodies[0]
		if !place.Field.Exported || len(place.Through) > 0 {
			return nil, fmt.Errorf("field %s of %v cannot be the body: it is unexported or in an embedded pointer", place.GoPath(), s.Type)
		}
		f.bodyAt, body = place.Index, place.Field.Shape
		for _, t := range []*shape.Shape{body, body.Elem} { // a stream may be the body itself or the target of a pointer
			if t != nil && streamType(t.Type) != nil {
				body = t
			}
		}
	default:
		f.Empty = true
	}
	if rules.Status != 0 && (rules.Status < 200 || rules.Status > 399) {
		return nil, fmt.Errorf("status %d is not in 200..399", rules.Status)
	}
	f.Optional = f.bare || f.Statuses == nil
	if f.Statuses == nil {
		f.Statuses = []int{cmp.Or(rules.Status, http.StatusOK)}
		f.None = cmp.Or(rules.Status, http.StatusNoContent)
		if f.Empty {
			f.Statuses = []int{f.None}
		}
	} else {
		f.None = f.Statuses[0]
	}
	if !f.bare {
		f.Fields = tagged.Fields
	}
	if f.fields, err = responseFields(s, tagged); err != nil || f.Empty {
		return f, err
	}
	f.Body = body
	return f, f.addCodecs(rules)
}

// SendsBytes reports whether mediaType is one of f.Bytes or covered by a range among them, such as "image/*". Parameters
// are ignored. An empty mediaType stands for the default.
func (f *Response) SendsBytes(mediaType string) bool {
	if mediaType == "" {
		return true
	}
	name, _, err := mime.ParseMediaType(mediaType)
	return err == nil && slices.ContainsFunc(f.Bytes, func(listed string) bool {
		listed, _, _ = mime.ParseMediaType(listed) // addCodecs has checked it
		major, isRange := strings.CutSuffix(listed, "*")
		return listed == name || isRange && (major == "*/" || strings.HasPrefix(name, major) && name != major)
	})
}

// addCodecs finds the codecs of the body.
func (f *Response) addCodecs(rules Rules) error {
	t := f.Body.Type
	stream := streamType(t)
	if stream != nil && stream.Elem() == nil {
		f.Streams = true
		if slices.ContainsFunc(f.Fields, func(p shape.Param) bool {
			return p.Source == shape.FromHeader && strings.EqualFold(p.Name, "Content-Type")
		}) {
			return fmt.Errorf("%v has a header field Content-Type beside a Content, whose Type is its media type", f.Shape.Type)
		}
		for t := range strings.SplitSeq(cmp.Or(rules.ContentType, Bytes), ",") {
			t = strings.TrimSpace(t)
			if _, _, err := mime.ParseMediaType(t); err != nil {
				return fmt.Errorf("media type %q of a byte stream: %w", t, err)
			}
			if len(f.Bytes) == 0 && strings.Contains(t, "*") {
				return fmt.Errorf("the first media type of a byte stream is its default, and %q is a range", t)
			}
			f.Bytes = append(f.Bytes, t)
		}
		return nil
	}
	if err := cmp.Or(noStreamWithin(f.Body), Decodable(f.Body)); err != nil {
		return err
	}
	if stream != nil {
		f.Streams, f.Elem = true, stream.Elem()
		if err := cmp.Or(noStreamWithin(shape.Of(f.Elem)), Decodable(shape.Of(f.Elem))); err != nil {
			return err
		}
		f.Codecs = elementCodecs(f.Elem, HidesMembers)
		f.Codecs[0].Append, f.Codecs[1].Append = appendAnswer(f.Elem, rules.JSON), appendAnswer(f.Elem, lines(rules.JSON))
		return nil
	}
	f.Codecs = []Codec{answerCodec(t, rules.JSON)}
	if !HidesMembers(f.Body) { // only JSON can omit members
		if c, err := wire.ForType(t); err == nil { // a type that wire cannot encode has only JSON
			f.Codecs = append(f.Codecs, wireCodec(c))
		}
		f.Codecs = append(f.Codecs, formatCodecs(rules.Formats)...)
	}
	if len(f.Codecs) > MaxCodecs {
		return fmt.Errorf("there are more than %d formats", MaxCodecs)
	}
	return nil
}

// answerCodec returns the codec of JSON answers of type t.
func answerCodec(t reflect.Type, options []jsonv2.Options) Codec {
	c, text := newCodec(JSON), appendAnswer(t, options)
	c.Append = func(dst []byte, v any) ([]byte, error) {
		out, err := text(dst, v)
		if err != nil {
			return dst, err
		}
		return append(out, '\n'), nil
	}
	c.Decode = json.Unmarshal
	if options != nil {
		joined := jsonv2.JoinOptions(options...)
		c.Decode = func(data []byte, v any) error { return jsonv2.Unmarshal(data, v, joined) }
	}
	return c
}

// appendAnswer returns the function that appends the JSON of values of type t to an answer. On
// error it returns dst.
func appendAnswer(t reflect.Type, options []jsonv2.Options) func(dst []byte, v any) ([]byte, error) {
	config := AnswerJSON(t)
	if options == nil {
		return config.Append
	}
	joined := jsonv2.JoinOptions(append(slices.Clone(options), jsonv2.OmitWriteOnly(config.OmitWriteOnly))...)
	return func(dst []byte, v any) ([]byte, error) {
		out, err := jsonv2.Append(dst, v, joined)
		if err != nil {
			return dst, err
		}
		return out, nil
	}
}

// lines returns options that write each value on one line. If options is nil, it returns nil.
func lines(options []jsonv2.Options) []jsonv2.Options {
	if options == nil {
		return nil
	}
	return append(slices.Clone(options), jsontext.Multiline(false))
}

func wireCodec(of *wire.AnyCodec) Codec {
	c := newCodec(Wire)
	c.Append, c.Decode = of.Append, of.Unmarshal
	return c
}

func formatCodecs(formats []Format) []Codec {
	codecs := make([]Codec, len(formats))
	for i, f := range formats {
		codecs[i] = newCodec(f.MediaType())
		codecs[i].Append, codecs[i].Decode = f.Append, f.Unmarshal
	}
	return codecs
}

// elementCodecs returns the codecs of a stream of elements. If jsonOnly returns true for the shape of the
// elements, the result has no codec of the binary format.
func elementCodecs(elem reflect.Type, jsonOnly func(*shape.Shape) bool) []Codec {
	codecs := []Codec{newCodec(JSON), newCodec(NDJSON)}
	if _, err := wire.ForType(elem); err == nil && !jsonOnly(shape.Of(elem)) {
		codecs = append(codecs, newCodec(WireStream))
	}
	return codecs
}

// BodyOf returns a pointer to the body of the value that v points to, or nil if the answer
// has no content.
func (f *Response) BodyOf(v any) any {
	switch {
	case f.Empty:
		return nil
	case f.bare:
		return v
	}
	at := reflect.ValueOf(v).Elem().FieldByIndex(f.bodyAt)
	if f.Streams && at.Kind() == reflect.Pointer {
		if at.IsNil() {
			return nil
		}
		return at.Interface()
	}
	return at.Addr().Interface()
}

// StatusOf returns the status of the answer that v points to. It is an error if the tag of
// the field does not list the status.
func (f *Response) StatusOf(v any) (status int, err error) {
	status = f.Statuses[0]
	if f.bare || f.status == nil {
		return status, nil
	}
	if own := int(reflect.ValueOf(v).Elem().FieldByIndex(f.status.Index).Int()); own != 0 {
		status = own
	}
	if !slices.Contains(f.Statuses, status) {
		return 0, fmt.Errorf("api: %v has the status %d, which the tag of its field does not list", f.Shape.Type, status)
	}
	return status, nil
}

// Header returns the header fields and the cookies of the answer that v points to. It is an error if one of them
// has no valid text.
func (f *Response) Header(v any) (Header, error) {
	if f.fields == nil {
		return nil, nil
	}
	all, at := make(Header, 0, len(f.fields)), reflect.ValueOf(v).Elem()
	for i := range f.fields {
		field := &f.fields[i]
		values, err := field.texts(at)
		if err != nil {
			return nil, fmt.Errorf("api: the %s %s of the answer: %w", field.Source, field.Name, err)
		}
		if len(values) > 0 {
			all = append(all, headerField{field.headerName(), values})
		}
	}
	return all, nil
}

// A Header has the header fields of an answer.
type Header []headerField

type headerField struct {
	name   string
	values []string
}

// Set sets the fields in h. It adds cookies to those that h has.
func (all Header) Set(h http.Header) {
	for _, f := range all {
		if f.name == setCookie {
			f.values = append(h[setCookie], f.values...)
		}
		h[f.name] = f.values
	}
}

const setCookie = "Set-Cookie"

// Target is the inverse of BodyOf: it returns a pointer to the body in the value that v points to, or nil if the
// answer has no content. If the field for the body is a pointer to a stream, Target allocates the stream.
func (f *Response) Target(v any) any {
	switch {
	case f.Empty:
		return nil
	case f.bare:
		return v
	}
	at := reflect.ValueOf(v).Elem().FieldByIndex(f.bodyAt)
	if f.Streams && at.Kind() == reflect.Pointer {
		at.Set(reflect.New(at.Type().Elem()))
		return at.Interface()
	}
	return at.Addr().Interface()
}

// Receive is the inverse of StatusOf and Header: it stores the status, the header fields and the
// cookies of an answer in the value that v points to.
func (f *Response) Receive(resp *http.Response, v any) error {
	if f.bare {
		return nil
	}
	at := reflect.ValueOf(v).Elem()
	if f.status != nil {
		at.FieldByIndex(f.status.Index).SetInt(int64(resp.StatusCode))
	}
	for i := range f.fields {
		if err := f.fields[i].receive(resp, at); err != nil {
			return fmt.Errorf("%s %q: %w", f.fields[i].Source, f.fields[i].Name, err)
		}
	}
	return nil
}
