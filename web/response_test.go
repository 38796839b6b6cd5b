package web

import (
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

type member struct {
	Name string `json:"name" xml:"name"`
	Age  int    `json:"age" xml:"age,attr"`
}

// An XML response allocates the same as encoding/xml's encoder and its writer do. A
// JSONP response allocates nothing.
func TestAnswerAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	value := &member{"some name", 36}
	encoded := []byte(`{"name":"some name"}`)
	encoder := func(indent string) float64 {
		return testing.AllocsPerRun(100, func() {
			enc := xml.NewEncoder(io.Discard)
			enc.Indent("", indent)
			if err := enc.Encode(value); err != nil {
				t.Fatal(err)
			}
		})
	}
	e := quiet()
	for _, test := range []struct {
		path   string
		answer HandlerFunc
		budget float64
	}{
		{"/xml", func(c *Context) error { return c.XML(http.StatusOK, value) }, encoder("") + 1},
		{"/xml/pretty", func(c *Context) error { return c.XMLPretty(http.StatusOK, value, "  ") }, encoder("  ") + 1},
		{"/xml/blob", func(c *Context) error { return c.XMLBlob(http.StatusOK, encoded) }, 0},
		{"/jsonp", func(c *Context) error { return c.JSONP(http.StatusOK, "app.show", value) }, 0},
		{"/jsonp/blob", func(c *Context) error { return c.JSONPBlob(http.StatusOK, "app.show", encoded) }, 0},
	} {
		e.GET(test.path, test.answer)
		w, r := &discard{header: http.Header{}}, httptest.NewRequest("GET", test.path, nil)
		if n := testing.AllocsPerRun(200, func() { e.ServeHTTP(w, r) }); n > test.budget {
			t.Errorf("%s: %v allocs, budget %v", test.path, n, test.budget)
		}
	}
}

// keeper retains the encoder that encodes it.
type keeper struct{ encoder *xml.Encoder }

func (k *keeper) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	k.encoder = e
	return e.EncodeElement("own", start)
}

// keepingSerializer retains the response that is passed to it.
type keepingSerializer struct {
	DefaultJSONSerializer
	response http.ResponseWriter
}

func (s *keepingSerializer) Serialize(c *Context, v any, indent string) error {
	s.response = c.Response()
	return s.DefaultJSONSerializer.Serialize(c, v, indent)
}

// A value or a serializer that retains its writer cannot write to another response,
// although buffers are reused.
func TestKeptWriters(t *testing.T) {
	e := quiet()
	kept, serializer := &keeper{}, &keepingSerializer{}
	e.JSONSerializer = serializer
	e.GET("/xml", func(c *Context) error { return c.XML(http.StatusOK, kept) })
	e.GET("/jsonp", func(c *Context) error { return c.JSONP(http.StatusOK, "f", "own") })
	get(e, "GET", "/xml")
	get(e, "GET", "/jsonp")
	if _, err := serializer.response.Write([]byte("late")); err == nil {
		t.Error("a late write to a kept response succeeded")
	}
	_ = kept.encoder.EncodeToken(xml.CharData("late"))
	if err := kept.encoder.Flush(); err == nil {
		t.Error("a late write by a kept encoder succeeded")
	}
}

// TestFlushUnsupported: Flush panics if a writer cannot flush, as in Echo. FlushError, and the Flush of a response whose
// request has ended, do not.
func TestFlushUnsupported(t *testing.T) {
	type onlyWriter struct{ http.ResponseWriter }
	cannot := onlyWriter{httptest.NewRecorder()}
	flush := func(r *Response) (panicked any) {
		defer func() { panicked = recover() }()
		r.Flush()
		return nil
	}
	if r := NewResponse(cannot, nil); flush(r) == nil || !errors.Is(r.FlushError(), http.ErrNotSupported) {
		t.Error("no panic or another error")
	}
	if r := NewResponse(httptest.NewRecorder(), nil); flush(r) != nil || r.FlushError() != nil {
		t.Error("a writer that can flush")
	}
	if r := NewResponse(ended{}, nil); flush(r) != nil || r.FlushError() != errEnded {
		t.Error("a response whose request has ended")
	}
}
