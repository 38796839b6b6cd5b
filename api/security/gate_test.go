package security_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	. "github.com/hone-go/hone/api/security"
)

// granted are the scopes of a caller.
type granted []string

func (g granted) Scopes() []string { return g }

type byPointer struct{}

func (*byPointer) Scopes() []string { return nil }

var errSecret = errors.New("secret: no row in table users")

func check(_ context.Context, token string) (string, error) {
	switch token {
	case "good":
		return "ada", nil
	case "banned":
		return "", api.NewProblem(http.StatusForbidden, "banned")
	case "told":
		return "", api.NewProblem(http.StatusUnauthorized, "the token has expired")
	}
	return "", errSecret
}

// TestGate sends every kind of credentials to gates, and checks which requests are refused.
func TestGate(t *testing.T) {
	bearer := Bearer("bearer", check)
	header := APIKey("header", "header", "X-Key", check)
	query := APIKey("query", "query", "key", check)
	cookie := APIKey("cookie", "cookie", "key", check)
	basic := Basic("basic", "r", func(ctx context.Context, user, password string) (string, error) { return check(ctx, user+password) })
	scoped := OAuth2("oauth", Flows{}, func(_ context.Context, _ string, scopes []string) ([]string, error) { return scopes, nil })
	scopesOf := func(_ context.Context, text string) (granted, error) {
		if text == "refused" {
			return nil, errSecret
		}
		return strings.Fields(text), nil
	}
	roles := APIKey("roles", "header", "X-Key", scopesOf)
	token := Bearer("token", scopesOf)
	password := Basic("password", "r", func(ctx context.Context, user, _ string) (*granted, error) { return &granted{user}, nil })
	nobody := Bearer("nobody", func(context.Context, string) (Scopes, error) { return nil, nil })
	dynamic := OAuth2("dynamic", Flows{}, func(_ context.Context, token string, _ []string) (any, error) { return granted{token}, nil })
	pointer := Bearer("pointer", func(context.Context, string) (*granted, error) { return nil, nil })
	checked := OpenIDConnect("checked", "", func(_ context.Context, _ string, scopes []string) (int, error) {
		return 0, fmt.Errorf("wrapped: %w", &InsufficientScope{Missing: scopes[1:]})
	})
	compared := OAuth2("compared", Flows{}, func(_ context.Context, token string, _ []string) (granted, error) { return granted{token}, nil })
	with := func(pairs ...string) *http.Request {
		r := httptest.NewRequest("GET", "/?"+pairs[0], nil)
		for _, pair := range pairs[1:] {
			name, value, _ := strings.Cut(pair, ": ")
			r.Header.Add(name, value)
		}
		return r
	}
	for name, test := range map[string]struct {
		requirements []Requirement
		request      *http.Request
		scheme       *Scheme
		found        any // nil if the scheme has found nothing
		status       int
		challenges   string
		detail       string
	}{
		"no requirements":          {nil, with(""), bearer, nil, 0, "", ""},
		"only an empty one":        {[]Requirement{{}}, with("", "Authorization: Bearer bad"), bearer, nil, 0, "", ""},
		"bearer":                   {[]Requirement{bearer.With()}, with("", "Authorization: bearer  good"), bearer, "ada", 0, "", ""},
		"no proof":                 {[]Requirement{bearer.With()}, with(""), nil, nil, 401, "Bearer", ""},
		"a proof without a token":  {[]Requirement{bearer.With()}, with("", "Authorization: Bearer"), nil, nil, 401, "Bearer", ""},
		"a bad token":              {[]Requirement{bearer.With()}, with("", "Authorization: Bearer bad"), nil, nil, 401, "Bearer", ""},
		"a refusal with a status":  {[]Requirement{bearer.With()}, with("", "Authorization: Bearer banned"), nil, nil, 403, "", "banned"},
		"a refusal with a problem": {[]Requirement{bearer.With()}, with("", "Authorization: Bearer told"), nil, nil, 401, "Bearer", "the token has expired"},
		"optional, no proof":       {[]Requirement{bearer.With(), {}}, with(""), bearer, nil, 0, "", ""},
		"optional, a bad proof":    {[]Requirement{{}, bearer.With()}, with("", "Authorization: Bearer bad"), nil, nil, 401, "Bearer", ""},
		"optional, not readable":   {[]Requirement{bearer.With(), {}}, with("", "Authorization: Digest x"), nil, nil, 401, "Bearer", ""},
		"optional, key alone":      {[]Requirement{header.With(), {}}, with("", "Authorization: Digest x"), header, nil, 0, "", ""},
		"header":                   {[]Requirement{header.With()}, with("", "X-Key: good"), header, "ada", 0, "", ""},
		"query":                    {[]Requirement{query.With()}, with("key=good"), query, "ada", 0, "", ""},
		"cookie":                   {[]Requirement{cookie.With()}, with("", "Cookie: key=good"), cookie, "ada", 0, "", ""},
		"basic":                    {[]Requirement{basic.With()}, with("", "Authorization: Basic Z286b2Q="), basic, "ada", 0, "", ""},
		"the second one":           {[]Requirement{query.With(), bearer.With()}, with("key=bad", "Authorization: Bearer good"), bearer, "ada", 0, "", ""},
		"both":                     {[]Requirement{All(query.With(), bearer.With())}, with("key=good", "Authorization: Bearer good"), query, "ada", 0, "", ""},
		"half of both":             {[]Requirement{All(query.With(), bearer.With()), basic.With()}, with("key=good"), nil, nil, 401, `ApiKey|Bearer|Basic realm="r", charset="UTF-8"`, ""},
		"scopes, compared":         {[]Requirement{roles.With("read", "admin")}, with("", "X-Key: read admin"), roles, granted{"read", "admin"}, 0, "", ""},
		"no scopes needed":         {[]Requirement{roles.With()}, with("", "X-Key: -"), roles, granted{"-"}, 0, "", ""},
		"a scope is missing":       {[]Requirement{roles.With("read", "admin")}, with("", "X-Key: read"), nil, nil, 403, "", "lack the scope admin"},
		"no scopes at all":         {[]Requirement{nobody.With("read")}, with("", "Authorization: Bearer x"), nil, nil, 403, `Bearer error="insufficient_scope", scope="read"`, "lack the scope read"},
		"a scope, of a token":      {[]Requirement{token.With("read", `a"b`)}, with("", "Authorization: Bearer read"), nil, nil, 403, `Bearer error="insufficient_scope", scope="read a\"b"`, "lack the scope"},
		"a scope, of any value":    {[]Requirement{dynamic.With("b")}, with("", "Authorization: Bearer a"), nil, nil, 403, `Bearer error="insufficient_scope", scope="b"`, "lack the scope b"},
		"a scope, of nil":          {[]Requirement{pointer.With("b")}, with("", "Authorization: Bearer a"), nil, nil, 403, `Bearer error="insufficient_scope", scope="b"`, "lack the scope b"},
		"a scope, by the check":    {[]Requirement{checked.With("b", "c")}, with("", "Authorization: Bearer a"), nil, nil, 403, `Bearer error="insufficient_scope", scope="b c"`, "lack the scope c"},
		"a scope, of a password":   {[]Requirement{password.With("admin")}, with("", "Authorization: Basic Z286b2Q="), nil, nil, 403, "", "lack the scope admin"},
		"a scope, of OAuth":        {[]Requirement{compared.With("b")}, with("", "Authorization: Bearer a"), nil, nil, 403, `Bearer error="insufficient_scope", scope="b"`, "lack the scope b"},
		"a scope, elsewhere":       {[]Requirement{roles.With("admin"), token.With("read")}, with("", "X-Key: read", "Authorization: Bearer read"), token, granted{"read"}, 0, "", ""},
		"scopes of two needs":      {[]Requirement{All(roles.With("read"), roles.With("admin"))}, with("", "X-Key: read"), nil, nil, 403, "", "lack the scope admin"},
		"optional, no scope":       {[]Requirement{{}, roles.With("admin")}, with("", "X-Key: read"), nil, nil, 403, "", "lack the scope admin"},
		"scopes, wrong token":      {[]Requirement{roles.With("read")}, with("", "X-Key: refused"), nil, nil, 401, "ApiKey", ""},
		"scopes":                   {[]Requirement{scoped.With("a", "b")}, with("", "Authorization: Bearer x"), scoped, []string{"a", "b"}, 0, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			gate, err := NewGate(test.requirements...)
			if err != nil {
				t.Fatal(err)
			}
			answer := httptest.NewRecorder()
			found, err := gate.Admit(answer.Header(), test.request)
			if got := strings.Join(answer.Header()["Www-Authenticate"], "|"); got != test.challenges {
				t.Errorf("challenges %q, want %q", got, test.challenges)
			}
			if test.status == 0 {
				if value, ok := found.Value(test.scheme); err != nil || ok != (test.found != nil) || !reflect.DeepEqual(value, test.found) {
					t.Errorf("got %v %v, %v", value, ok, err)
				}
				return
			}
			if err == nil || found != nil {
				t.Fatalf("got %v, %v", found, err)
			}
			api.WriteError(answer, test.request, err)
			if answer.Code != test.status || strings.Contains(answer.Body.String(), "secret") || !strings.Contains(answer.Body.String(), test.detail) {
				t.Errorf("got %d %s", answer.Code, answer.Body)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the text of the error is %q", err)
			}
		})
	}
}

// TestGateCause finds the error of a check function in the chain of a refusal.
func TestGateCause(t *testing.T) {
	gate, err := NewGate(Bearer("bearer", check).With())
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Authorization", "Bearer bad")
	if _, err = gate.Admit(http.Header{}, r); !errors.Is(err, errSecret) || !errors.As(err, new(*Unauthorized)) {
		t.Errorf("got %v", err)
	}
}

// TestNewGate has lists of requirements for which NewGate returns an error or nil.
func TestNewGate(t *testing.T) {
	bearer, documented := Bearer("a", check), Bearer[int]("b", nil)
	flows := Flows{ClientCredentials: &Flow{Scopes: map[string]string{"read": "Read all"}}, DeviceAuthorization: &Flow{Scopes: map[string]string{"watch": ""}}}
	for _, test := range []struct {
		list []Requirement
		err  string
	}{
		{nil, ""},
		{[]Requirement{{}}, ""},
		{[]Requirement{documented.With()}, ""},
		{[]Requirement{{{}}}, "a security scheme has no name"},
		{[]Requirement{Bearer("", check).With()}, "a security scheme has no name"},
		{[]Requirement{documented.With(), bearer.With()}, "either all or none"},
		{[]Requirement{documented.With("admin")}, ""},
		{[]Requirement{bearer.With("admin")}, `"a" cannot check the scopes ["admin"]`},
		{[]Requirement{{}, All(bearer.With(), bearer.With("admin"))}, `"a" cannot check the scopes ["admin"]`},
		{[]Requirement{{{bearer, []string{"admin"}}}}, `"a" cannot check the scopes ["admin"]`},
		{[]Requirement{APIKey("k", "query", "key", check).With("admin")}, `"k" cannot check the scopes ["admin"]`},
		{[]Requirement{Basic("p", "r", func(context.Context, string, string) (any, error) { return granted{"admin"}, nil }).With("admin")}, `"p" cannot check the scopes ["admin"]`},
		{[]Requirement{OAuth2[int]("o", flows, nil).With("red")}, `"o" do not declare the scope "red"`},
		{[]Requirement{OAuth2[int]("o", flows, nil).With("read")}, ""},
		{[]Requirement{OAuth2[int]("o", flows, nil).With("watch")}, ""},
		{[]Requirement{OAuth2[int]("o", Flows{DeviceAuthorization: flows.DeviceAuthorization}, nil).With("read")}, `"o" do not declare the scope "read"`},
		{[]Requirement{OAuth2("o", Flows{}, func(context.Context, string, []string) (byPointer, error) { return byPointer{}, nil }).With("read")}, "pointer receiver"},
		{[]Requirement{Bearer("o", func(context.Context, string) (byPointer, error) { return byPointer{}, nil }).With("read")}, "pointer receiver"},
		{[]Requirement{OAuth2[int]("o", Flows{}, nil).With("")}, `"o" is required with an empty scope`},
	} {
		gate, err := NewGate(test.list...)
		if gate != nil || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%v: %v, %v", test.list, gate, err)
		}
	}
}

// TestSame: two schemes that differ only in their names are the same. Schemes of different kinds,
// and API keys in different parts or with different names, are not.
func TestSame(t *testing.T) {
	a := Bearer("a", check)
	if b := Bearer("b", check); !a.Same(b) {
		t.Error("two bearer schemes differ")
	}
	if b := APIKey("a", "query", "k", check); a.Same(b) || b.Same(APIKey("a", "query", "l", check)) || !b.Same(APIKey("a", "query", "k", check)) {
		t.Error("Same ignores the kind, the part or the name of an API key")
	}
	if got := QueryKeys([]Requirement{a.With(), APIKey("a", "query", "k", check).With(), APIKey("a", "header", "h", check).With()}); !reflect.DeepEqual(got, []string{"k"}) {
		t.Errorf("got %v", got)
	}
}
