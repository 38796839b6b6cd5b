package security

import (
	"errors"
	"net/http"

	"github.com/hone-go/hone/internal/http/problem"
)

// A Gate admits the requests that meet one of its requirements. It is safe for concurrent use.
// A nil Gate admits every request.
type Gate struct{ requirements []Requirement }

// NewGate returns a gate for a list of requirements. A request has to meet one of them. It returns
// nil if no scheme in the list has a check function: middleware then has to check requests, or the
// operation is public. It is an error if a scheme has no name, if only some schemes have a check
// function, or if a requirement needs scopes that its scheme cannot check or does not declare: see
// [Scopes]. The gate keeps the list.
func NewGate(requirements ...Requirement) (*Gate, error) {
	checked, unchecked := false, false
	for _, requirement := range requirements {
		for _, need := range requirement {
			if need.Scheme == nil || need.Scheme.Name == "" {
				return nil, errors.New("a security scheme has no name")
			}
			if err := need.checkScopes(); err != nil {
				return nil, err
			}
			checked = checked || need.Scheme.check != nil
			unchecked = unchecked || need.Scheme.check == nil
		}
	}
	switch {
	case checked && unchecked:
		return nil, errors.New("either all or none of the security schemes of an operation must have a check function")
	case !checked:
		return nil, nil
	}
	return &Gate{requirements}, nil
}

// Admit checks a request against the requirements in order, until the request meets one of them. It
// returns the values that the schemes of this requirement have returned. Where credentials are
// optional, the result is empty for a request without any.
//
// If Admit returns an error, the request must be refused. If a check function returns an error with
// a method StatusCode() int and a status other than 401, Admit returns that error itself. If valid
// credentials lack a scope, the error is an [*InsufficientScope]. In all other cases the error is an
// [*Unauthorized], and Admit adds the challenges of all schemes to the header of the answer
// (WWW-Authenticate, RFC 9110, 11.6.1).
//
// Where credentials are optional, Admit still refuses a request whose credentials a scheme refuses.
// If a scheme reads the Authorization field, Admit also refuses a request that has this field but
// meets no requirement.
//
// With net/http:
//
//	found, err := gate.Admit(w.Header(), r)
//	if err != nil {
//		api.WriteError(w, r, err)
//		return
//	}
func (g *Gate) Admit(answer http.Header, r *http.Request) (Found, error) {
	if g == nil {
		return nil, nil
	}
	var refused error
	optional := false
	for _, requirement := range g.requirements {
		if len(requirement) == 0 {
			optional = true
			continue
		}
		found, err := requirement.check(r)
		if found != nil {
			return found, nil
		}
		if refused == nil {
			refused = err
		}
	}
	if refused == nil && optional && !(g.readsAuthorization() && r.Header.Get("Authorization") != "") {
		return nil, nil
	}
	var lacks lackingScope
	if errors.As(refused, &lacks) {
		lacks.addChallenge(answer)
		return nil, lacks.error
	}
	var coder problem.StatusCoder
	if errors.As(refused, &coder) && coder.StatusCode() != http.StatusUnauthorized {
		return nil, refused
	}
	g.addChallenges(answer)
	return nil, &Unauthorized{refused}
}

// check returns the values of the schemes if r meets all needs. Otherwise it returns the
// first error of a scheme that has found credentials, if there is one.
func (q Requirement) check(r *http.Request) (all Found, err error) {
	met := true
	for _, need := range q {
		value, present, refused := need.Scheme.check(r, need.Scopes)
		if present && refused == nil {
			refused = need.compareScopes(value)
		}
		if errors.As(refused, new(*InsufficientScope)) {
			refused = lackingScope{refused, need}
		}
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

// Found holds the values that the check functions of schemes have returned for a request.
type Found []found

type found struct {
	scheme *Scheme
	value  any
}

// Value returns the value that s has returned. ok is false if s is not part of the requirement that
// the request has met.
func (f Found) Value(s *Scheme) (value any, ok bool) {
	for _, one := range f {
		if one.scheme == s {
			return one.value, true
		}
	}
	return nil, false
}
