package security

import (
	"net/http"
	"slices"

	"github.com/hone-go/hone/internal/http/problem"
)

// readsAuthorization reports whether a scheme reads the header field Authorization.
func (g *Gate) readsAuthorization() bool {
	return slices.ContainsFunc(g.requirements, func(q Requirement) bool {
		return slices.ContainsFunc(q, func(n Need) bool { return n.Scheme.kind != KindAPIKey })
	})
}

// addChallenges adds each scheme's challenge once.
func (g *Gate) addChallenges(answer http.Header) {
	for _, requirement := range g.requirements {
		for _, need := range requirement {
			if challenge := need.Scheme.challenge; !slices.Contains(answer["Www-Authenticate"], challenge) {
				answer.Add("WWW-Authenticate", challenge)
			}
		}
	}
}

// An Unauthorized error refuses a request without valid credentials, with status 401. Its
// text and detail say nothing about the cause.
type Unauthorized struct {
	err error // the error of a check function; nil if the request has no credentials
}

var _, _ interface {
	problem.StatusCoder
	problem.Detailer
} = (*Unauthorized)(nil), (*InsufficientScope)(nil)

func (e *Unauthorized) Error() string { return "unauthorized" }

// StatusCode returns 401.
func (e *Unauthorized) StatusCode() int { return http.StatusUnauthorized }

// Detail returns the text of the status. It does not tell the caller the cause.
func (e *Unauthorized) Detail() string { return http.StatusText(http.StatusUnauthorized) }

// Unwrap returns the error of the check function, or nil if the request has no credentials.
func (e *Unauthorized) Unwrap() error { return e.err }
