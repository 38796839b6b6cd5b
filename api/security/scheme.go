package security

import (
	"context"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// A Scheme describes how callers authenticate. Its check function gets the credentials of the
// request and returns the value that handlers read, such as a user. If the function returns an
// error, the request is refused. The status is 401, unless the error has a method StatusCode: it
// may return 403 for a known caller without permission. Compare secrets in constant time
// (crypto/subtle). If the value implements [Scopes], the gate compares its scopes with those that
// the requirement needs.
//
// A Scheme whose function is nil is only for the API document: middleware of the router has
// to refuse such requests, and has to check the scopes.
type Scheme struct {
	// Name identifies the scheme in the API document.
	Name string
	// Description is for the document.
	Description string

	kind      Kind
	in, key   string // the part of the request that has the API key, and its name there
	url       string // the address of an OpenID provider's configuration
	flows     Flows
	challenge string
	check     func(r *http.Request, scopes []string) (value any, present bool, err error)
	scopes    scopeCheck
}

// A Kind is a kind of scheme of OpenAPI.
type Kind uint8

// These are the kinds of schemes that OpenAPI can describe.
const (
	KindBearer Kind = iota
	KindBasic
	KindAPIKey
	KindOAuth2
	KindOpenIDConnect
)

// Flows are the flows of an OAuth 2 scheme, for the API document.
type Flows struct {
	Implicit, Password, ClientCredentials, AuthorizationCode *Flow
	// DeviceAuthorization is the flow for devices without a browser (RFC 8628). OpenAPI describes it since 3.2;
	// documents of older versions have it as an extension.
	DeviceAuthorization *Flow
}

// A Flow describes how callers get a token.
type Flow struct {
	AuthorizationURL, TokenURL, RefreshURL string            // the URLs that the flow has, else ""
	DeviceURL                              string            // where a device begins the flow DeviceAuthorization
	Scopes                                 map[string]string // descriptions by name
}

// Bearer returns a scheme of tokens in the header field Authorization (RFC 6750).
func Bearer[T any](name string, check func(ctx context.Context, token string) (T, error)) *Scheme {
	return tokenScheme(name, KindBearer, comparedScopes[T](), unscoped(check))
}

// Basic returns a scheme of user names and passwords in the header field Authorization
// (RFC 7617). Browsers show the realm to the user.
func Basic[T any](name, realm string, check func(ctx context.Context, user, password string) (T, error)) *Scheme {
	s := &Scheme{Name: name, kind: KindBasic, scopes: comparedScopes[T](), challenge: `Basic realm="` + quotedText.Replace(realm) + `", charset="UTF-8"`}
	if check != nil {
		s.check = func(r *http.Request, _ []string) (any, bool, error) {
			user, password, ok := r.BasicAuth()
			if !ok {
				return nil, false, nil
			}
			value, err := check(r.Context(), user, password)
			return value, true, err
		}
	}
	return s
}

var quotedText = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", " ", "\n", " ")

// APIKey returns a scheme of secret keys. A request has the secret in the header field, the query
// parameter or the cookie with the name key. The argument in is "header", "query" or "cookie"; APIKey
// panics if in has any other value.
func APIKey[T any](name, in, key string, check func(ctx context.Context, key string) (T, error)) *Scheme {
	if !slices.Contains([]string{"header", "query", "cookie"}, in) {
		panic("security: an API key is in the header, the query or a cookie, not in " + in)
	}
	s := &Scheme{Name: name, kind: KindAPIKey, in: in, key: key, scopes: comparedScopes[T](), challenge: "ApiKey"}
	if check != nil {
		s.check = func(r *http.Request, _ []string) (any, bool, error) {
			value := keyOf(r, in, key)
			if value == "" {
				return nil, false, nil
			}
			found, err := check(r.Context(), value)
			return found, true, err
		}
	}
	return s
}

func keyOf(r *http.Request, in, key string) string {
	switch in {
	case "header":
		return r.Header.Get(key)
	case "query":
		return r.URL.Query().Get(key)
	}
	cookie, err := r.Cookie(key)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// OAuth2 returns a scheme of OAuth 2 tokens. The function gets the scopes of the requirement,
// and returns an error, usually of status 403, for a token without them. If T implements [Scopes],
// the gate compares the scopes too, and the function need not. If the flows declare scopes, [NewGate]
// refuses requirements with other scopes.
func OAuth2[T any](name string, flows Flows, check func(ctx context.Context, token string, scopes []string) (T, error)) *Scheme {
	s := tokenScheme(name, KindOAuth2, passedScopes[T](), check)
	s.flows = flows
	return s
}

// OpenIDConnect returns a scheme of tokens of an OpenID provider. The url is the address of
// the provider's configuration. The function gets scopes as it does for [OAuth2].
func OpenIDConnect[T any](name, url string, check func(ctx context.Context, token string, scopes []string) (T, error)) *Scheme {
	s := tokenScheme(name, KindOpenIDConnect, passedScopes[T](), check)
	s.url = url
	return s
}

func unscoped[T any](check func(ctx context.Context, token string) (T, error)) func(context.Context, string, []string) (T, error) {
	if check == nil {
		return nil
	}
	return func(ctx context.Context, token string, _ []string) (T, error) { return check(ctx, token) }
}

const bearerChallenge = "Bearer"

func tokenScheme[T any](name string, kind Kind, scopes scopeCheck, check func(ctx context.Context, token string, scopes []string) (T, error)) *Scheme {
	s := &Scheme{Name: name, kind: kind, scopes: scopes, challenge: bearerChallenge}
	if check != nil {
		s.check = func(r *http.Request, scopes []string) (any, bool, error) {
			const prefix = "Bearer "
			text := r.Header.Get("Authorization")
			if len(text) <= len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
				return nil, false, nil
			}
			value, err := check(r.Context(), strings.TrimLeft(text[len(prefix):], " "), scopes)
			return value, true, err
		}
	}
	return s
}

// declared returns the scopes that the flows of the scheme declare.
func (s *Scheme) declared() map[string]string {
	all := map[string]string{}
	for _, flow := range []*Flow{s.flows.Implicit, s.flows.Password, s.flows.ClientCredentials, s.flows.AuthorizationCode, s.flows.DeviceAuthorization} {
		if flow != nil {
			maps.Copy(all, flow.Scopes)
		}
	}
	return all
}

// About returns the parts of the scheme that an API document shows: the kind, the part of the request
// and the name of an API key, the flows of OAuth 2, the URL of OpenID Connect.
func (s *Scheme) About() (kind Kind, in, key string, flows Flows, url string) {
	return s.kind, s.in, s.key, s.flows, s.url
}

// Same reports whether an API document describes both schemes in the same way, apart from their
// names.
func (s *Scheme) Same(other *Scheme) bool {
	return s == other || s.kind == other.kind && s.Description == other.Description && s.in == other.in &&
		s.key == other.key && s.url == other.url && reflect.DeepEqual(s.flows, other.flows)
}
