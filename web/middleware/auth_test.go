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
		{"/basic", 401, nil},
		{"/basic", 200, []string{"Authorization", "BASIC dTpwOnE="}},
		{"/basic", 401, []string{"Authorization", "Basic dTp4"}},
		{"/basic", 400, []string{"Authorization", "Basic %%%"}},
		{"/basic", 401, []string{"Authorization", "Basic dQ=="}},
		{"/basic", 500, []string{"Authorization", "Basic YnJva2VuOng="}},
		{"/basic", 200, []string{"Authorization", "Basic dTp4", "Authorization", "Basic dTpwOnE="}},
		{"/basic", 401, []string{"Authorization", "Basic dTp4", "Authorization", "Basic dTp4", "Authorization", "Basic dTpwOnE="}},
		{"/key", 401, nil},
		{"/key", 200, []string{"Authorization", "bearer k"}},
		{"/key", 401, []string{"Authorization", "Basic k"}},
		{"/key?key=k", 200, nil},
		{"/key?key=x", 401, nil},
		{"/key", 200, []string{"Cookie", "key=k"}},
		{"/key/k", 200, nil},
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
