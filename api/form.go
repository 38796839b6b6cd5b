package api

import (
	"cmp"
	"fmt"
	"net/http"
	"reflect"
	"slices"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire"
)

// A form is one kind of success: its statuses, its header and its body.
type form struct {
	shape    *shape.Shape
	bare     bool // all of the type is the body
	response *shape.Response
	bodyAt   []int // index of the field for the body; nil if there is none, or the form is bare

	statuses []int // the first is the default
	none     int   // of an answer without content
	empty    bool  // there is no content, whatever the value
	streams  bool  // the body is sent while it is made: Content or Elements
	fields   []answerField
	offers   []offer // what the body may be sent as; none for Content
	content  []string
	elem     reflect.Type // of the Elements
	of       *shape.Shape // of the body; nil if there is none
	json     json.Config  // by which the body is encoded, unless the operation has options
	wire     *wire.AnyCodec
}

// newForm returns the form that values of s are.
func newForm(s *shape.Shape, op Operation) (*form, error) {
	response, err := s.Response()
	if err != nil {
		return nil, err
	}
	f := &form{shape: s, bare: !response.Envelope(), response: response}
	body := s
	switch {
	case f.bare:
		f.empty = s.Type.Kind() == reflect.Struct && s.Type.NumField() == 0
	case len(response.Bodies) > 1:
		return nil, fmt.Errorf("%v has more than one field for the body", s.Type)
	case len(response.Untagged) > 0:
		return nil, fmt.Errorf("field %s of %v goes nowhere: tag it header, cookie, status or body", response.Untagged[0].GoPath(), s.Type)
	case len(response.Bodies) == 1:
		place := response.Bodies[0]
		if !place.Field.Exported || len(place.Through) > 0 {
			return nil, fmt.Errorf("field %s of %v cannot be the body: it may be out of reach", place.GoPath(), s.Type)
		}
		f.bodyAt, body = place.Index, place.Field.Shape
		for _, t := range []*shape.Shape{body, body.Elem} { // a pointer to a stream, which may be nil
			if t != nil && isStream(t.Type) {
				body = t
			}
		}
	default:
		f.empty = true
	}
	if op.Status != 0 && (op.Status < 200 || op.Status > 399) {
		return nil, fmt.Errorf("the status %d is none of a success, 200 to 399", op.Status)
	}
	f.statuses, f.none = response.Statuses, 0
	if f.statuses == nil {
		f.statuses = []int{cmp.Or(op.Status, http.StatusOK)}
		f.none = cmp.Or(op.Status, http.StatusNoContent)
		if f.empty {
			f.statuses = []int{f.none}
		}
	} else {
		f.none = f.statuses[0]
	}
	if f.fields, err = answerFieldsOf(s, response); err != nil || f.empty {
		return f, err
	}
	f.of = body
	return f, f.offer(op)
}

func isStream(t reflect.Type) bool {
	if t == contentType {
		return true
	}
	_, ok := reflect.Zero(reflect.PointerTo(t)).Interface().(elements)
	return ok
}

var contentType = reflect.TypeFor[Content]()

// offer finds what the body may be sent as.
func (f *form) offer(op Operation) error {
	t := f.of.Type
	if t == contentType {
		f.streams, f.content = true, []string{cmp.Or(op.ContentType, mediaTypeBytes)}
		return nil
	}
	if err := noStreamWithin(f.of); err != nil {
		return err
	}
	f.json = answerJSON(t)
	names := others(op.Formats)
	formats := []format{formatJSON}
	if e, ok := reflect.Zero(reflect.PointerTo(t)).Interface().(elements); ok {
		f.streams, f.elem = true, e.elem()
		if err := noStreamWithin(shape.Of(f.elem)); err != nil {
			return err
		}
		formats = append(formats, formatNDJSON)
		if _, err := wire.ForType(f.elem); err == nil && !hidesMembers(shape.Of(f.elem)) {
			formats = append(formats, formatWireStream)
		}
	} else if !hidesMembers(f.of) { // only JSON leaves members out
		if codec, err := wire.ForType(t); err == nil { // without a codec, JSON only
			f.wire = codec
			formats = append(formats, formatWire)
		}
		formats = append(formats, names.list()...)
	}
	if len(formats) > maxOffers {
		return fmt.Errorf("there are more than %d formats", maxOffers)
	}
	for _, format := range formats {
		name := names.mediaType(format)
		f.offers = append(f.offers, offer{format, name, []string{name}})
	}
	return nil
}

// body returns a pointer to what of *target is the body; nil if there is nothing to send.
func (f *form) body(target any) any {
	switch {
	case f.empty:
		return nil
	case f.bare:
		return target
	}
	v := reflect.ValueOf(target).Elem().FieldByIndex(f.bodyAt)
	if f.streams && v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		return v.Interface()
	}
	return v.Addr().Interface()
}

// status returns the status that v asks for.
func (f *form) status(v any) (status int, err error) {
	status = f.statuses[0]
	if f.bare {
		return status, nil
	}
	at := reflect.ValueOf(v).Elem()
	if place := f.response.Status; place != nil {
		if own := int(at.FieldByIndex(place.Index).Int()); own != 0 {
			status = own
		}
		if !slices.Contains(f.statuses, status) {
			return 0, fmt.Errorf("api: %v has the status %d, which the tag of its field does not list", f.shape.Type, status)
		}
	}
	return status, nil
}

// setHeader sets the fields and the cookies that v asks for.
func (f *form) setHeader(h http.Header, v any) {
	if f.fields == nil {
		return
	}
	at := reflect.ValueOf(v).Elem()
	for i := range f.fields {
		f.fields[i].set(h, at)
	}
}

// noContent reports whether an answer of the status has none (RFC 9110, 15).
func noContent(status int) bool {
	return status == http.StatusNoContent || status == http.StatusResetContent || status == http.StatusNotModified
}

// An Answer describes one form of success.
type Answer struct {
	Statuses []int
	// Type is what the answer is made of: Out, or what a union of forms may hold.
	Type reflect.Type
	// Body is the type of the content; nil if there is none.
	Body reflect.Type
	// Sends are the media types of the content, the first the default.
	Sends []string
	// Elements is the type of the elements if the content is [Elements].
	Elements reflect.Type
	// Fields are the fields of the header, and the cookies, that the answer may have.
	Fields []shape.Param
}

func (f *form) describe() Answer {
	a := Answer{Statuses: f.statuses, Type: f.shape.Type, Elements: f.elem, Fields: f.response.Fields}
	if f.bare {
		a.Fields = nil
	}
	if f.of != nil {
		a.Body = f.of.Type
	}
	for _, o := range f.offers {
		a.Sends = append(a.Sends, o.mediaType)
	}
	if f.content != nil {
		a.Sends = f.content
	}
	return a
}
