package message

import (
	"net/http"
	"strings"
	"testing"
)

func accepted(accept []string, mediaTypes ...string) string {
	var codecs []Codec
	for _, m := range mediaTypes {
		codecs = append(codecs, newCodec(m))
	}
	if c := ByAccept(accept, codecs); c != nil {
		return c.MediaType
	}
	return ""
}

func TestByAccept(t *testing.T) {
	const j, w, no = JSON, Wire, ""
	tests := []struct {
		accept []string
		want   string // the expected codec if the codecs are JSON and wire
		only   string // the expected codec if JSON is the only codec
	}{
		{want: j, only: j},
		{accept: []string{"*/*"}, want: j, only: j},
		{accept: []string{""}, want: j, only: j},
		{accept: []string{"application/json"}, want: j, only: j},
		{accept: []string{"application/vnd.hone.wire"}, want: w, only: no},
		{accept: []string{"APPLICATION/VND.HONE.WIRE"}, want: w, only: no},
		{accept: []string{"application/json, application/vnd.hone.wire"}, want: j, only: j},
		{accept: []string{"application/vnd.hone.wire, */*"}, want: w, only: j},
		{accept: []string{"application/vnd.hone.wire;q=0.9, application/json;q=0.8"}, want: w, only: j},
		{accept: []string{"application/json;q=0, */*"}, want: w, only: no},
		{accept: []string{"application/json;q=0, application/*;q=0.1"}, want: w, only: no},
		{accept: []string{"application/*;q=0.5", "application/json;q=0.4"}, want: w, only: j},
		{accept: []string{"text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8"}, want: j, only: j},
		{accept: []string{"text/html"}, want: no, only: no},
		{accept: []string{"application/json;q=0.000"}, want: no, only: no},
		{accept: []string{"application/json;q=2, text/html"}, want: no, only: no},
		{accept: []string{"application/json;q=abc"}, want: j, only: j},
		{accept: []string{`text/x;a="b,application/json"`}, want: no, only: no},
		{accept: []string{`text/x;a="\",";q=1, application/json`}, want: j, only: j},
		{accept: []string{"application/json ; charset=utf-8 ; Q=0.5"}, want: j, only: j},
		{accept: []string{", ,application/json,,"}, want: j, only: j},
		{accept: []string{"*/json"}, want: no, only: no},
	}
	for _, tt := range tests {
		if got := accepted(tt.accept, JSON, Wire); got != tt.want {
			t.Errorf("%q with wire: %q, want %q", tt.accept, got, tt.want)
		}
		if got := accepted(tt.accept, JSON); got != tt.only {
			t.Errorf("%q without wire: %q, want %q", tt.accept, got, tt.only)
		}
	}
}

func FuzzAccept(f *testing.F) {
	f.Add("application/json;q=0.5, */*;q=0.1", `application/vnd.hone.wire;a="\"`)
	f.Fuzz(func(t *testing.T, a, b string) {
		both, only := accepted([]string{a, b}, JSON, Wire), accepted([]string{a, b}, JSON)
		if only == JSON && both == "" {
			t.Errorf("%q %q: JSON is accepted only if wire is not offered", a, b)
		}
		codecs := []Codec{newCodec(JSON), newCodec(NDJSON), newCodec(Wire)}
		if c := ByContentType(http.Header{"Content-Type": {a}, "Content-Encoding": {b}}, codecs); c != nil && !strings.Contains(strings.ToLower(a), c.MediaType) {
			t.Errorf("%q is read as %s", a, c.MediaType)
		}
	})
}

func TestByContentType(t *testing.T) {
	codecs := []Codec{newCodec(JSON), newCodec(NDJSON), newCodec(Wire), newCodec("application/cbor")}
	for _, test := range []struct{ mediaType, coding, want string }{
		{"application/json", "", JSON},
		{"application/json", "identity", JSON},
		{"application/json", "gzip", ""},
		{"Application/JSON; charset=UTF-8", "", JSON},
		{"application/json;charset=latin1", "", ""},
		{"application/x-ndjson ; charset=latin1", "", ""},
		{"application/x-ndjson", "", NDJSON},
		{"APPLICATION/vnd.hone.wire;x=y", "", Wire},
		{"application/cbor;charset=latin1", "", "application/cbor"},
		{"text/plain", "", ""},
		{"", "", ""},
	} {
		h := http.Header{"Content-Type": {test.mediaType}, "Content-Encoding": {test.coding}}
		got := ""
		if c := ByContentType(h, codecs); c != nil {
			got = c.MediaType
		}
		if got != test.want {
			t.Errorf("%q, %q: got %q, want %q", test.mediaType, test.coding, got, test.want)
		}
	}
}
