package openapi_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/hone-go/hone/api"
	. "github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/web"
)

// TestScopes describes requirements with scopes in both versions of OpenAPI. Version 3.0 allows scopes only
// for OAuth 2 and OpenID Connect.
func TestScopes(t *testing.T) {
	bearer := security.Bearer[int]("bearer", nil)
	key := security.APIKey[int]("key", "header", "X-Key", nil)
	oauth := security.OAuth2[int]("oauth", security.Flows{ClientCredentials: &security.Flow{TokenURL: "/token"}}, nil)
	oidc := security.OpenIDConnect[int]("oidc", "https://example.org/", nil)
	for name, test := range map[string]struct {
		requirements []security.Requirement
		v31, v30     []Requirement
		forbidden    bool // the operation has the answer 403
	}{
		"no scopes":  {[]security.Requirement{bearer.With()}, []Requirement{{"bearer": {}}}, []Requirement{{"bearer": {}}}, false},
		"a token":    {[]security.Requirement{bearer.With("a", "b")}, []Requirement{{"bearer": {"a", "b"}}}, []Requirement{{"bearer": {}}}, true},
		"a key":      {[]security.Requirement{key.With("a"), {}}, []Requirement{{"key": {"a"}}, {}}, []Requirement{{"key": {}}, {}}, true},
		"OAuth 2":    {[]security.Requirement{oauth.With("a")}, []Requirement{{"oauth": {"a"}}}, []Requirement{{"oauth": {"a"}}}, true},
		"OpenID":     {[]security.Requirement{oidc.With("a")}, []Requirement{{"oidc": {"a"}}}, []Requirement{{"oidc": {"a"}}}, true},
		"twice":      {[]security.Requirement{{{Scheme: oauth, Scopes: []string{"b"}}, {Scheme: oauth, Scopes: []string{"a", "b"}}}}, []Requirement{{"oauth": {"b", "a"}}}, []Requirement{{"oauth": {"b", "a"}}}, true},
		"all of two": {[]security.Requirement{security.All(oauth.With("a"), oauth.With("b"), key.With("c"))}, []Requirement{{"oauth": {"a", "b"}, "key": {"c"}}}, []Requirement{{"oauth": {"a", "b"}, "key": {}}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			a := api.New(web.New())
			api.Handle(a, "GET /a", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }, api.Operation{Security: test.requirements})
			doc := Describe(a, Config{})
			op := doc.Paths["/a"]["get"]
			if !reflect.DeepEqual(op.Security, test.v31) {
				t.Errorf("3.1: got %v, want %v", op.Security, test.v31)
			}
			if got := doc.Version30().Paths["/a"]["get"].Security; !reflect.DeepEqual(got, test.v30) {
				t.Errorf("3.0: got %v, want %v", got, test.v30)
			}
			if got := op.Responses["403"] != nil; got != test.forbidden {
				t.Errorf("the operation has an answer 403: %v", got)
			}
		})
	}
}
