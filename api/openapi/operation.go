package openapi

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/shape"
)

// operation describes the operation of a typed handler. It also describes a route without a
// typed handler: d.In is then nil.
func (c *schemas) operation(d api.Description, problem *Schema) *Operation {
	op := &Operation{
		Description: d.Operation.Description, Tags: d.Tags, Deprecated: d.Deprecated,
		Responses: map[string]*Response{}, Security: c.requirements(d.Security),
	}
	in := input{schemas: c}
	if d.In != nil {
		in.read(d.In)
	}
	op.Parameters = in.params
	// Parameters of the path that are not fields of In are listed too.
	segments, _ := api.Segments(d.Path)
	for _, s := range segments {
		if s.Name != "" && !in.has("path", s.Name) {
			op.Parameters = append(op.Parameters, &Parameter{Name: s.Name, In: "path", Required: true, Schema: &Schema{Type: "string"}})
		}
	}
	if d.In == nil {
		op.Responses["default"] = &Response{Description: "A response in the service's own format.", Content: text(d.Sends)}
		return op
	}
	if d.Unknown == api.UnknownRefused && !in.others {
		op.UnknownParameters = "refused"
	}
	op.RequestBody = c.requestBody(d, &in)
	c.successes(op, d)
	c.ranges(op, d, &in, problem)
	c.conditions(op, d, &in, problem)
	c.failures(op, d, problem)
	return op
}

// requestBody describes the body of a handler's requests, or returns nil if there is no body.
// If the operation refuses unknown members, the schemas do not allow them.
func (c *schemas) requestBody(d api.Description, in *input) *RequestBody {
	strict := *c
	strict.strict, strict.request = d.Unknown == api.UnknownRefused, true
	switch {
	case len(d.Takes) == 0:
		return nil
	case in.form != nil:
		if strict.strict && in.form.AdditionalProperties == nil {
			in.form.AdditionalProperties = &Schema{False: true}
		}
		return &RequestBody{Required: len(in.form.Required) > 0, Content: media(d.Takes, in.form, true)}
	case d.TakesBytes:
		return &RequestBody{Required: d.Takes[0] != "*/*", Content: media(d.Takes, nil, false)}
	case d.TakesElements != nil:
		return &RequestBody{Required: true, Content: media(d.Takes, strict.array(d.TakesElements), false)}
	case in.body != nil:
		return &RequestBody{Required: in.required, Content: media(d.Takes, strict.of(in.body), in.oneForm)}
	}
	return &RequestBody{Required: true, Content: media(d.Takes, strict.of(d.In), false)}
}

// successes describes the successful answers of a handler.
func (c *schemas) successes(op *Operation, d api.Description) {
	if d.Out == nil {
		op.Responses["200"] = &Response{Description: "A stream of events.", Content: map[string]Media{api.MediaTypeEvents: c.events(d.Events)}}
		return
	}
	for _, answer := range d.Answers {
		for _, status := range answer.Statuses {
			op.Responses[strconv.Itoa(status)] = c.success(d, answer, status)
		}
	}
}

// ranges describes requests for parts of a Content (RFC 9110, 14), whose answer has status 200.
func (c *schemas) ranges(op *Operation, d api.Description, in *input, problem *Schema) {
	i := slices.IndexFunc(d.Answers, func(a api.Answer) bool {
		return a.Body == contentType && slices.Contains(a.Statuses, http.StatusOK)
	})
	if i < 0 || d.Method != http.MethodGet && d.Method != http.MethodHead {
		return
	}
	op.header(in, "Range", "The ranges of the content to send, if the server can send parts of it.", json.RawMessage(`"bytes=0-99"`), json.RawMessage(`"bytes=0-0,-1"`))
	op.header(in, "If-Range", "The entity tag or the time of change of the content whose ranges are requested. The whole content is sent if it has changed.")
	op.header(in, "If-None-Match", "Entity tags of content that the client has.")
	about := &Header{Description: "The range that the body has, and the length of the whole content.", Schema: &Schema{Type: "string"}}
	part := *op.Responses["200"]
	part.Description, part.Headers = "The ranges that the header Range requests.", maps.Clone(part.Headers)
	part.setHeader("Content-Range", about)
	part.Content = maps.Clone(part.Content)
	part.Content["multipart/byteranges"] = Media{} // several ranges
	op.Responses["206"] = &part
	op.Responses["304"] = &Response{Description: "The client has the content already."}
	none := &Response{Description: "The content has none of the ranges.", Content: problems(problem)}
	none.setHeader("Content-Range", &Header{Description: "The length of the whole content.", Schema: &Schema{Type: "string"}})
	op.Responses["416"] = none
}

// header lists a field of the request's header that the server reads, unless In has a field for it.
func (op *Operation) header(in *input, name, description string, examples ...json.RawMessage) {
	if !in.has("header", name) {
		op.Parameters = append(op.Parameters, &Parameter{Name: name, In: "header", Description: description, Schema: &Schema{Type: "string", Examples: examples}})
	}
}

// setHeader describes a field of the answer's header, unless r describes it already.
func (r *Response) setHeader(name string, h *Header) {
	for known := range r.Headers {
		if strings.EqualFold(known, name) {
			return
		}
	}
	if r.Headers == nil {
		r.Headers = map[string]*Header{}
	}
	r.Headers[name] = h
}

func (c *schemas) success(d api.Description, answer api.Answer, status int) *Response {
	r := &Response{Description: cmp.Or(http.StatusText(status), "A success."), Headers: c.headers(answer.Fields)}
	switch {
	case answer.Body == nil, status == http.StatusNoContent, status == http.StatusResetContent, status == http.StatusNotModified:
	case answer.Body == contentType:
		r.Description, r.Content = "A stream of bytes.", media(answer.Sends, nil, false)
	case answer.Elements != nil:
		r.Description = "A stream of elements: an array, or one element per line."
		r.Content = media(answer.Sends, c.array(answer.Elements), false)
	default:
		r.Content = media(answer.Sends, c.of(answer.Body), false)
	}
	return r
}

// headers describes the header fields that an answer may have.
func (c *schemas) headers(fields []shape.Param) map[string]*Header {
	out := map[string]*Header{}
	for _, f := range fields {
		if f.Source == shape.FromCookie {
			out["Set-Cookie"] = &Header{Description: "Sets the cookie " + f.Name + ".", Schema: &Schema{Type: "string"}}
			continue
		}
		in := input{schemas: c}
		schema := in.parameter(f.Field)
		h := &Header{Description: schema.Description, Schema: schema}
		if schema.Format == "date-time" && f.Field.Format() == "" {
			schema.Format = "" // HTTP has its own format for times
		}
		schema.Description = ""
		out[f.Spelling()] = h
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// events describes a stream of events.
func (c *schemas) events(types map[string]any) Media {
	if len(types) == 0 {
		return Media{Schema: &Schema{Type: "string"}}
	}
	described := map[string]*Schema{}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		t := reflect.TypeOf(types[name])
		for t != nil && t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		schema := &Schema{}
		if t != nil {
			schema = c.of(t)
		}
		described[name] = schema
	}
	return eventMedia(described)
}

// conditions describes conditional requests.
func (c *schemas) conditions(op *Operation, d api.Description, in *input, problem *Schema) {
	if d.ETag && (d.Method == http.MethodGet || d.Method == http.MethodHead) {
		op.header(in, "If-None-Match", "Entity tags of content that the client has.")
		tag := &Header{Description: "The entity tag of the content.", Schema: &Schema{Type: "string"}}
		if ok := op.Responses["200"]; ok != nil {
			ok.setHeader("ETag", tag)
		}
		op.Responses["304"] = &Response{Description: "The client has the content already.", Headers: map[string]*Header{"ETag": tag}}
	}
	if in.has("header", "If-Match") || in.has("header", "If-Unmodified-Since") {
		op.Responses["412"] = &Response{Description: "The content has changed since the client received it.", Content: problems(problem)}
	}
}

// either returns a schema for the values that match one of two schemas.
func either(a, b *Schema) *Schema {
	all := []*Schema{a}
	if a != nil && a.AnyOf != nil {
		all = slices.Clone(a.AnyOf)
	}
	if a == nil || slices.ContainsFunc(all, func(s *Schema) bool { return s == b || s.Ref != "" && s.Ref == b.Ref }) {
		return cmp.Or(a, b)
	}
	return &Schema{AnyOf: append(all, b)}
}

var contentType = reflect.TypeFor[api.Content]()

// media lists media types. The schema s describes the first media type, which is JSON. If the
// argument all is set, the body is a form or has several media types of JSON, and s describes all media types.
func media(types []string, s *Schema, all bool) map[string]Media {
	out := map[string]Media{}
	for i, t := range types {
		out[t] = Media{}
		if all || i == 0 {
			out[t] = Media{Schema: s}
		}
	}
	return out
}

// text lists the media type of an answer in text, if there is one.
func text(types []string) map[string]Media {
	if types[0] == "" {
		return nil
	}
	return map[string]Media{types[0]: {Schema: &Schema{Type: "string"}}}
}

func (c *schemas) array(elem reflect.Type) *Schema {
	return &Schema{Type: "array", Items: c.of(elem)}
}
