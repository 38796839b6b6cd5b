package api

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// A Scheme is a way in which callers prove who they are. Operations name the schemes that
// they take in [Operation.Security]; a typed handler of such an operation runs only for a
// request that one of them has let pass, and gets what the scheme has found out by [Value]:
//
//	session := api.Bearer("session", func(ctx context.Context, token string) (User, error) { … })
//	a.Defaults.Security = []api.Requirement{session.With()}
//
//	user, _ := api.Value[User](ctx, session)
//
// Its function is given the proof and returns what the handler is to know. An error becomes
// an answer of status 401 with a challenge, unless it has another status itself: a [*Problem]
// of status 403 for somebody who is known and may not. Other texts are not shown. Compare
// secrets in constant time (crypto/subtle).
//
// A Scheme without a function, nil, is for the API document alone: middleware of the router
// has to refuse such requests.
type Scheme struct {
	// Name of the scheme in the API document.
	Name string
	// Description is for the document.
	Description string

	kind      SchemeKind
	in, key   string // of an API key
	url       string // of OpenID Connect
	flows     Flows
	challenge string
	check     func(r *http.Request, scopes []string) (value any, present bool, err error)
}

// A SchemeKind is one of those that OpenAPI knows.
type SchemeKind uint8

// The kinds.
const (
	BearerScheme SchemeKind = iota
	BasicScheme
	APIKeyScheme
	OAuth2Scheme
	OpenIDConnectScheme
)

// Flows are the ways in which callers of an OAuth 2 scheme get a token, for the document.
type Flows struct {
	Implicit, Password, ClientCredentials, AuthorizationCode *Flow
}

// A Flow is one of them.
type Flow struct {
	AuthorizationURL, TokenURL, RefreshURL string            // those that the flow has
	Scopes                                 map[string]string // names and what they allow
}

// Bearer returns the scheme of tokens in the header field Authorization (RFC 6750).
func Bearer[T any](name string, check func(ctx context.Context, token string) (T, error)) *Scheme {
	return tokenScheme(name, BearerScheme, unscoped(check))
}

// Basic returns the scheme of a user's name and password in the header field Authorization
// (RFC 7617). The realm is shown to the user.
func Basic[T any](name, realm string, check func(ctx context.Context, user, password string) (T, error)) *Scheme {
	s := &Scheme{Name: name, kind: BasicScheme, challenge: `Basic realm="` + quotedText.Replace(realm) + `", charset="UTF-8"`}
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

// APIKey returns the scheme of a key in the given part of the request, "header", "query" or
// "cookie", under the name of key. It panics for another part.
func APIKey[T any](name, in, key string, check func(ctx context.Context, key string) (T, error)) *Scheme {
	if !slices.Contains([]string{"header", "query", "cookie"}, in) {
		panic("api: an API key is in the header, the query or a cookie, not in " + in)
	}
	s := &Scheme{Name: name, kind: APIKeyScheme, in: in, key: key, challenge: "ApiKey"}
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

// OAuth2 returns the scheme of OAuth 2 tokens. The function is given the scopes that the
// operation asks for, and returns an error, of status 403 as a rule, for a token without them.
func OAuth2[T any](name string, flows Flows, check func(ctx context.Context, token string, scopes []string) (T, error)) *Scheme {
	s := tokenScheme(name, OAuth2Scheme, check)
	s.flows = flows
	return s
}

// OpenIDConnect returns the scheme of tokens of a provider, whose configuration is at the
// URL; see [OAuth2] for the scopes.
func OpenIDConnect[T any](name, url string, check func(ctx context.Context, token string, scopes []string) (T, error)) *Scheme {
	s := tokenScheme(name, OpenIDConnectScheme, check)
	s.url = url
	return s
}

func unscoped[T any](check func(ctx context.Context, token string) (T, error)) func(context.Context, string, []string) (T, error) {
	if check == nil {
		return nil
	}
	return func(ctx context.Context, token string, _ []string) (T, error) { return check(ctx, token) }
}

func tokenScheme[T any](name string, kind SchemeKind, check func(ctx context.Context, token string, scopes []string) (T, error)) *Scheme {
	s := &Scheme{Name: name, kind: kind, challenge: "Bearer"}
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

// About returns what the document says of the scheme: its kind, the part of the request and
// the name of an API key, the flows of OAuth 2, the URL of OpenID Connect.
func (s *Scheme) About() (kind SchemeKind, in, key string, flows Flows, url string) {
	return s.kind, s.in, s.key, s.flows, s.url
}

// reads reports whether the document says the same of both schemes.
func (s *Scheme) reads(other *Scheme) bool {
	return s == other || s.kind == other.kind && s.Description == other.Description && s.in == other.in &&
		s.key == other.key && s.url == other.url && reflect.DeepEqual(s.flows, other.flows)
}

// With returns the requirement of the scheme with scopes, which those of OAuth 2 and OpenID
// Connect have.
func (s *Scheme) With(scopes ...string) Requirement { return Requirement{{s, scopes}} }

// A Requirement is met by a request that meets all of its needs. One without needs is met by
// any request that proves nothing: beside others it makes proof optional.
type Requirement []Need

// A Need is a scheme and the scopes that it has to grant.
type Need struct {
	Scheme *Scheme
	Scopes []string
}

// All returns the requirement of several at once.
func All(several ...Requirement) Requirement { return slices.Concat(several...) }

// security checks requests for an operation.
type security []Requirement

// secured returns what checks requests, or nil if anyone may call. The error is that of a
// requirement that cannot be.
func secured(all []Requirement) (security, error) {
	checked, elsewhere := false, false
	for _, requirement := range all {
		for _, need := range requirement {
			if need.Scheme == nil || need.Scheme.Name == "" {
				return nil, errors.New("a security scheme has no name")
			}
			checked = checked || need.Scheme.check != nil
			elsewhere = elsewhere || need.Scheme.check == nil
		}
	}
	switch {
	case checked && elsewhere:
		return nil, errors.New("some of the security schemes have a function and some have none")
	case !checked:
		return nil, nil // middleware does it, or anyone may call
	}
	return all, nil
}

// admit lets a request pass, with what its schemes have found, or returns the answer. A
// proof that is refused counts more than one that is not there: it never passes as anonymous.
func (s security) admit(x *exchange, c *call) error {
	var refused error
	anonymous := false
	for _, requirement := range s {
		if len(requirement) == 0 {
			anonymous = true
			continue
		}
		all, err := requirement.met(x.r)
		if all != nil {
			c.found = all
			return nil
		}
		if refused == nil {
			refused = err
		}
	}
	if refused == nil && anonymous && !(s.usesHeader() && x.r.Header.Get("Authorization") != "") {
		return nil
	}
	var coder interface{ StatusCode() int }
	if refused != nil && errors.As(refused, &coder) && coder.StatusCode() != http.StatusUnauthorized {
		return refused
	}
	for _, requirement := range s {
		for _, need := range requirement {
			if challenge := need.Scheme.challenge; !slices.Contains(x.w.Header()["Www-Authenticate"], challenge) {
				x.w.Header().Add("WWW-Authenticate", challenge)
			}
		}
	}
	if refused != nil && errors.As(refused, new(*Problem)) {
		return refused
	}
	return NewProblem(http.StatusUnauthorized, "").Wrap(refused)
}

// usesHeader reports whether one of the schemes reads the header field Authorization: what is
// there and none of them can read is no proof, and does not pass for none.
func (s security) usesHeader() bool {
	return slices.ContainsFunc(s, func(r Requirement) bool {
		return slices.ContainsFunc(r, func(n Need) bool { return n.Scheme.kind != APIKeyScheme })
	})
}

// queryKeys returns the names of the parameters that the schemes read.
func queryKeys(all []Requirement) (names []string) {
	for _, requirement := range all {
		for _, need := range requirement {
			if need.Scheme.kind == APIKeyScheme && need.Scheme.in == "query" {
				names = append(names, need.Scheme.key)
			}
		}
	}
	return names
}

// met returns what the schemes have found, or nil with the first error of one that has seen a
// proof.
func (r Requirement) met(request *http.Request) (all []found, err error) {
	met := true
	for _, need := range r {
		value, present, refused := need.Scheme.check(request, need.Scopes)
		if refused != nil && err == nil {
			err = refused
		}
		met = met && present && refused == nil
		all = append(all, found{need.Scheme, value})
	}
	if !met {
		return nil, err
	}
	return all, nil
}
