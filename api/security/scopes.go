package security

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// Scopes is implemented by the values of check functions that say what the credentials permit:
//
//	type User struct {
//		Name  string
//		Roles []string
//	}
//
//	func (u User) Scopes() []string { return u.Roles }
//
//	session := security.Bearer("session", func(ctx context.Context, token string) (User, error) { … })
//	a.Defaults.Security = []security.Requirement{session.With("admin")}
//
// A gate admits the request only if the method returns every scope of the requirement. A request
// that lacks a scope is refused with status 403 and an [*InsufficientScope].
type Scopes interface{ Scopes() []string }

// A scopeCheck says who compares the scopes of a requirement with the scopes of the credentials.
type scopeCheck uint8

const (
	scopesUnchecked scopeCheck = iota // nobody
	scopesOfPointer                   // nobody, although pointers to the values implement Scopes
	scopesPassed                      // the check function, which gets the scopes of the requirement
	scopesCompared                    // the gate, because the values implement Scopes
)

// comparedScopes returns the scopeCheck of a check function that returns a T and gets no scopes.
func comparedScopes[T any]() scopeCheck {
	switch t, scopes := reflect.TypeFor[T](), reflect.TypeFor[Scopes](); {
	case t.Implements(scopes):
		return scopesCompared
	case t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(scopes):
		return scopesOfPointer
	}
	return scopesUnchecked
}

// passedScopes returns the scopeCheck of a check function that returns a T and gets the scopes.
func passedScopes[T any]() scopeCheck {
	if check := comparedScopes[T](); check != scopesUnchecked {
		return check
	}
	return scopesPassed
}

// checkScopes reports scopes of the need that no request could be checked for, or that the flows of
// the scheme do not declare.
func (n Need) checkScopes() error {
	if len(n.Scopes) == 0 {
		return nil
	}
	switch {
	case n.Scheme.check == nil:
	case n.Scheme.scopes == scopesOfPointer:
		return fmt.Errorf("the security scheme %q cannot check the scopes %q: the method Scopes has a pointer receiver, and the check function does not return a pointer", n.Scheme.Name, n.Scopes)
	case n.Scheme.scopes == scopesUnchecked:
		return fmt.Errorf("the security scheme %q cannot check the scopes %q: the type of its check function's value has no method Scopes() []string", n.Scheme.Name, n.Scopes)
	}
	declared := n.Scheme.declared()
	for _, scope := range n.Scopes {
		if scope == "" {
			return fmt.Errorf("the security scheme %q is required with an empty scope", n.Scheme.Name)
		}
		if _, ok := declared[scope]; !ok && len(declared) > 0 {
			return fmt.Errorf("the flows of the security scheme %q do not declare the scope %q", n.Scheme.Name, scope)
		}
	}
	return nil
}

// compareScopes returns an error if the value of the check function lacks a scope of the need.
func (n Need) compareScopes(value any) error {
	of, ok := value.(Scopes)
	if !ok && n.Scheme.scopes != scopesCompared || len(n.Scopes) == 0 {
		return nil
	}
	var granted []string
	if r := reflect.ValueOf(value); ok && !(r.Kind() == reflect.Pointer && r.IsNil()) { // nil grants nothing
		granted = of.Scopes()
	}
	missing := slices.DeleteFunc(slices.Clone(n.Scopes), func(scope string) bool { return slices.Contains(granted, scope) })
	if len(missing) == 0 {
		return nil
	}
	return &InsufficientScope{missing}
}

// An InsufficientScope error refuses a request with status 403: its credentials are valid, and do
// not grant all scopes of the requirement. Check functions of OAuth 2 may return it too.
type InsufficientScope struct {
	Missing []string // the scopes that the credentials lack
}

func (e *InsufficientScope) Error() string {
	return "the credentials lack the scope " + strings.Join(e.Missing, ", ")
}

// StatusCode returns 403.
func (e *InsufficientScope) StatusCode() int { return http.StatusForbidden }

// Detail returns the text of the error. The API document has the scopes of each operation, so the
// text tells the caller nothing new.
func (e *InsufficientScope) Detail() string { return e.Error() }

// A lackingScope is an error with an InsufficientScope in its chain, and the need that the credentials do not meet.
type lackingScope struct {
	error
	need Need
}

func (e lackingScope) Unwrap() error { return e.error }

// addChallenge adds the challenge of RFC 6750, 3.1, if the credentials are a bearer token.
func (e lackingScope) addChallenge(answer http.Header) {
	if e.need.Scheme.challenge == bearerChallenge {
		answer.Add("WWW-Authenticate", bearerChallenge+` error="insufficient_scope", scope="`+quotedText.Replace(strings.Join(e.need.Scopes, " "))+`"`)
	}
}
