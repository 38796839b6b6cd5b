package api

import (
	"cmp"
	"net/http"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/buffer"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/wire"
)

// An output sends values of type Out.
type output[Out any] struct {
	empty   bool // Out has no content, whatever its value
	status  int
	none    int    // status of an answer without content
	other   format // offered beside JSON
	wire    *wire.Codec[Out]
	etag    bool         // answers have an entity tag
	streams bool         // Out is sent while it is made: Content or Elements
	elem    reflect.Type // of the Elements
	duplex  bool         // while the body is still read
	content []string     // the media type of Content
	timeout time.Duration
	rate    int64
	json    []jsonv2.Options
}

func newOutput[Out any](op Operation) *output[Out] {
	out := &output[Out]{status: op.Status, none: op.Status, json: op.JSON}
	out.timeout, out.rate = op.patience()
	if op.Status == 0 {
		out.status, out.none = http.StatusOK, http.StatusNoContent
	}
	switch v := any((*Out)(nil)).(type) {
	case *Content:
		out.streams, out.content = true, []string{cmp.Or(op.ContentType, mediaTypeBytes)}
		return out
	case elements:
		out.streams, out.elem, out.other = true, v.elem(), formatNDJSON
		return out
	}
	if t := reflect.TypeFor[Out](); t.Kind() == reflect.Struct && t.NumField() == 0 {
		out.empty = true
		return out
	}
	var err error
	if out.wire, err = wire.For[Out](); err == nil { // without a codec, JSON only
		out.other = formatWire
	}
	return out
}

func (o *output[Out]) negotiate(x *exchange) (format, error) {
	if o.empty || o.content != nil {
		return formatJSON, nil
	}
	f := acceptedFormat(x.r.Header["Accept"], o.other)
	if f == formatUnknown {
		return f, NewProblem(http.StatusNotAcceptable, "")
	}
	return f, nil
}

func (o *output[Out]) send(x *exchange, f format, v *Out, begun *bool) error {
	if o.empty || v == nil {
		*begun = true
		x.w.WriteHeader(o.none)
		return nil
	}
	if o.streams {
		return o.stream(x, f, v, begun)
	}
	buf := buffer.Take()
	defer buf.Release()
	mediaType := jsonType
	var err error
	if f == formatWire {
		mediaType = wireType
		buf.B, err = o.wire.Append(buf.B, v)
	} else {
		if o.json != nil {
			buf.B, err = jsonv2.Append(buf.B, v, o.json...)
		} else {
			buf.B, err = json.Append(buf.B, v)
		}
		if err == nil {
			buf.B = append(buf.B, '\n')
		}
	}
	if err != nil {
		return err
	}
	if o.other != formatUnknown {
		addVaryAccept(x.w.Header())
	}
	if o.etag && o.status == http.StatusOK {
		if tag := entityTag(buf.B); tagged(x, tag) {
			*begun = true
			x.w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	*begun = true
	x.begin(o.status, mediaType)
	_, err = x.w.Write(buf.B)
	return err
}

// stream sends an answer while it is made.
func (o *output[Out]) stream(x *exchange, f format, v *Out, begun *bool) error {
	w := newStreamWriter(x, o.status, o.content, o.timeout, o.rate)
	if w.duplex = o.duplex; w.duplex {
		_ = w.control.EnableFullDuplex() // HTTP/2 always is
		// The rest of the body is read here: net/http fails when it reads it after the
		// handler.
		defer x.r.Body.Close()
	}
	head := x.r.Method == http.MethodHead
	var write func() error
	switch v := any(v).(type) {
	case *Content:
		defer v.close()
		if v.ETag != "" && o.status == http.StatusOK && (head || x.r.Method == http.MethodGet) && clientHas(x.r, v.ETag) {
			v.header(x.w.Header())
			delete(x.w.Header(), "Content-Length")
			*begun = true
			x.w.WriteHeader(http.StatusNotModified)
			return nil
		}
		if v.Type != "" {
			w.mediaType = []string{v.Type}
		}
		w.header = v.header
		write = func() error { return v.writeTo(w) }
	case elements:
		addVaryAccept(x.w.Header())
		w.mediaType = jsonType
		if f == formatNDJSON {
			w.mediaType = ndjsonType
		}
		write = func() error { return v.writeTo(w, f) }
	}
	if head {
		w.head()
		return nil
	}
	return w.run(write)
}

// mediaTypes are those of the answer, for the description.
func (o *output[Out]) mediaTypes() []string {
	switch {
	case o.empty:
		return nil
	case o.content != nil:
		return o.content
	case o.elem != nil:
		return []string{mediaTypeJSON, MediaTypeNDJSON}
	case o.wire != nil && o.other == formatWire:
		return []string{mediaTypeJSON, MediaTypeWire}
	}
	return []string{mediaTypeJSON}
}

// Values of Content-Type, rendered once. All answers share them: net/http only
// reads them.
var (
	jsonType    = []string{mediaTypeJSON}
	wireType    = []string{MediaTypeWire}
	ndjsonType  = []string{MediaTypeNDJSON}
	problemType = []string{MediaTypeProblem}

	nosniff = []string{"nosniff"}
)
