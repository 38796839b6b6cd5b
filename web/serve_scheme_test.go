package web

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http/httptest"
	"testing"
)

// TestSchemeExtractors passes each extractor the fields that clients and proxies send.
func TestSchemeExtractors(t *testing.T) {
	_, public, err := net.ParseCIDR("203.0.113.0/24")
	if err != nil {
		t.Fatal(err)
	}
	byHeader, direct, legacy := ExtractSchemeFromHeaders(), ExtractSchemeDirect(), LegacySchemeExtractor()
	wide, strict := ExtractSchemeFromHeaders(TrustIPRange(public)), ExtractSchemeFromHeaders(TrustLoopback(false))
	for _, test := range []struct {
		extract SchemeExtractor
		peer    string
		header  []string // names and values, alternately
		want    string
	}{
		{byHeader, "10.0.0.1:1", nil, "http"},
		{byHeader, "10.0.0.1:1", []string{"X-Forwarded-Proto", "https"}, "https"},
		{byHeader, "10.0.0.1:1", []string{"X-Forwarded-Proto", "HTTPS"}, "https"},
		{byHeader, "10.0.0.1:1", []string{"X-Forwarded-Proto", "https, http"}, "http"},
		{byHeader, "10.0.0.1:1", []string{"X-Forwarded-Proto", "http", "X-Forwarded-Proto", "https"}, "https"},
		{byHeader, "10.0.0.1:1", []string{"X-Forwarded-Proto", "gopher", "X-Forwarded-Ssl", "on"}, "http"},
		{byHeader, "10.0.0.1:1", []string{"X-Forwarded-Proto", "", "X-Forwarded-Ssl", "on"}, "https"},
		{byHeader, "10.0.0.1:1", []string{"X-Forwarded-Proto", "wss"}, "wss"},
		{byHeader, "10.0.0.1:1", []string{"X-Forwarded-Protocol", "x", "X-Url-Scheme", "https"}, "https"},
		{byHeader, "10.0.0.1:1", []string{"Forwarded", "for=1.2.3.4;proto=https"}, "https"},
		{byHeader, "10.0.0.1:1", []string{"Forwarded", "proto=https, for=1.2.3.4;proto=http"}, "http"}, // the client has sent the first element
		{byHeader, "10.0.0.1:1", []string{"Forwarded", "for=1.2.3.4;proto=http, for=10.0.0.2;proto=https"}, "http"},
		{byHeader, "10.0.0.1:1", []string{"Forwarded", "for=1.2.3.4;proto=http, for=203.0.113.5;proto=https"}, "https"},
		{byHeader, "10.0.0.1:1", []string{"Forwarded", "proto=https, for=unknown;proto=http"}, "http"},
		{legacy, "203.0.113.9:1", []string{"Forwarded", "for=1.2.3.4;proto=https, for=203.0.113.5;proto=http"}, "https"},
		{byHeader, "10.0.0.1:1", []string{"Forwarded", "proto=https", "Forwarded", "for=1.2.3.4;proto=http"}, "http"},
		{byHeader, "10.0.0.1:1", []string{"Forwarded", `proto=https, for="1.2.3.4,proto=https"`}, "http"},
		{byHeader, "10.0.0.1:1", []string{"X-Forwarded-Ssl", "on", "X-Forwarded-Ssl", "off"}, "http"},
		{byHeader, "10.0.0.1:1", []string{"X-Forwarded-Protocol", "https", "X-Forwarded-Protocol", "http"}, "http"},
		{byHeader, "10.0.0.1:1", []string{"X-Url-Scheme", "https", "X-Url-Scheme", "http"}, "http"},
		{byHeader, "203.0.113.9:1", []string{"X-Forwarded-Proto", "https"}, "http"},
		{byHeader, "[fe80::1%eth0]:1", []string{"X-Forwarded-Proto", "https"}, "https"},
		{byHeader, "[2001:db8::1%eth0]:1", []string{"X-Forwarded-Proto", "https"}, "http"},
		{byHeader, "@", []string{"X-Forwarded-Proto", "https"}, "https"},
		{byHeader, "/run/x.sock", []string{"X-Forwarded-Proto", "https"}, "https"},
		{strict, "@", []string{"X-Forwarded-Proto", "https"}, "http"},
		{strict, "127.0.0.1:1", []string{"X-Forwarded-Proto", "https"}, "http"},
		{wide, "203.0.113.9:1", []string{"X-Forwarded-Proto", "https"}, "https"},
		{legacy, "203.0.113.9:1", []string{"X-Forwarded-Proto", "https"}, "https"},
		{direct, "10.0.0.1:1", []string{"X-Forwarded-Proto", "https"}, "http"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = test.peer
		for i := 0; i < len(test.header); i += 2 {
			r.Header.Add(test.header[i], test.header[i+1])
		}
		if got := test.extract(r); got != test.want {
			t.Errorf("%s %q: %s, want %s", test.peer, test.header, got, test.want)
		}
		e := NewWithConfig(Config{SchemeExtractor: test.extract})
		if got := e.NewContext(r, nil).Scheme(); got != test.want {
			t.Errorf("Scheme, %s %q: %s, want %s", test.peer, test.header, got, test.want)
		}
		r.TLS = &tls.ConnectionState{}
		if got := test.extract(r); got != "https" {
			t.Errorf("encrypted, %s %q: %s", test.peer, test.header, got)
		}
	}
}

type contextKey struct{}

var errInvalid = errors.New("invalid")

// The method of a plainValidator takes no context. A contextValidator also has a method that takes one.
type (
	plainValidator   struct{}
	contextValidator struct{ plainValidator }
)

func (plainValidator) Validate(any) error { return errInvalid }
func (contextValidator) ValidateCtx(ctx context.Context, i any) error {
	if ctx.Value(contextKey{}) != i {
		return errOtherContext
	}
	return nil
}

var errOtherContext = errors.New("another context")

func TestValidateCtx(t *testing.T) {
	r := httptest.NewRequest("GET", "/", nil)
	r = r.WithContext(context.WithValue(r.Context(), contextKey{}, 7))
	for _, test := range []struct {
		validator Validator
		want      error
	}{{nil, ErrValidatorNotRegistered}, {plainValidator{}, errInvalid}, {contextValidator{}, nil}} {
		e := quiet()
		e.Validator = test.validator
		if err := e.NewContext(r, nil).ValidateCtx(7); err != test.want {
			t.Errorf("%T: %v", test.validator, err)
		}
	}
	e := quiet()
	e.Validator = contextValidator{}
	if err := e.NewContext(nil, nil).ValidateCtx(7); err != errOtherContext {
		t.Errorf("without a request: %v", err)
	}
}
