package middleware

import (
	"errors"
	"testing"

	"github.com/hone-go/hone/web"
)

func TestAuth(t *testing.T) {
	e, _ := logged()
	e.GET("/basic", func(c *web.Context) error { return c.NoContent(200) }, BasicAuthWithConfig(BasicAuthConfig{
		Realm: "a\"b", AllowedCheckLimit: 2,
		Validator: func(_ *web.Context, user, password string) (bool, error) {
			if user == "broken" {
				return false, errors.New("inner")
			}
			return user == "u" && password == "p:q", nil
		},
	}))
	key := KeyAuthWithConfig(KeyAuthConfig{
		KeyLookup: "header:Authorization:Bearer ,query:key,cookie:key,form:key,param:key",
		Validator: func(_ *web.Context, key string, source ExtractorSource) (bool, error) { return key == "k", nil },
	})
	e.GET("/key", func(c *web.Context) error { return c.NoContent(200) }, key)
	e.GET("/key/:key", func(c *web.Context) error { return c.NoContent(200) }, key)
	for _, tt := range []struct {
		target string
		want   int
		header []string
	}{
		{target: "/basic", want: 401},
		{target: "/basic", want: 200, header: []string{"Authorization", "BASIC dTpwOnE="}},
		{target: "/basic", want: 401, header: []string{"Authorization", "Basic dTp4"}},
		{target: "/basic", want: 400, header: []string{"Authorization", "Basic %%%"}},
		{target: "/basic", want: 401, header: []string{"Authorization", "Basic dQ=="}},
		{target: "/basic", want: 500, header: []string{"Authorization", "Basic YnJva2VuOng="}},
		{target: "/basic", want: 200, header: []string{"Authorization", "Basic dTp4", "Authorization", "Basic dTpwOnE="}},
		{target: "/basic", want: 401, header: []string{"Authorization", "Basic dTp4", "Authorization", "Basic dTp4", "Authorization", "Basic dTpwOnE="}},
		{target: "/key", want: 401},
		{target: "/key", want: 200, header: []string{"Authorization", "bearer k"}},
		{target: "/key", want: 401, header: []string{"Authorization", "Basic k"}},
		{target: "/key?key=k", want: 200},
		{target: "/key?key=x", want: 401},
		{target: "/key", want: 200, header: []string{"Cookie", "key=k"}},
		{target: "/key/k", want: 200},
	} {
		if w := serve(e, "GET", tt.target, "", tt.header...); w.Code != tt.want {
			t.Errorf("%s %q: %d, want %d", tt.target, tt.header, w.Code, tt.want)
		}
	}
	if got := serve(e, "GET", "/basic", "").Header().Get("WWW-Authenticate"); got != `basic realm="a\"b"` {
		t.Errorf("challenge: %s", got)
	}
	if _, err := (BasicAuthConfig{}).ToMiddleware(); err == nil {
		t.Error("BasicAuth without a validator: no error")
	}
	for _, config := range []KeyAuthConfig{{}, {KeyLookup: "nope", Validator: func(*web.Context, string, ExtractorSource) (bool, error) { return true, nil }}} {
		if _, err := config.ToMiddleware(); err == nil {
			t.Errorf("KeyAuth %+v: no error", config.KeyLookup)
		}
	}
}
