package apitest

import (
	"net/http"

	"github.com/hone-go/hone/api/openapi"
)

// prepare calls Options.Prepare with a request. If the operation requires credentials, it calls
// Options.PrepareUnscoped instead for one request in ten, or leaves the request without credentials.
// The server has to refuse such a request.
func (p *runner) prepare(sent *http.Request, op *openapi.Operation, r *request) {
	prepare := p.options.Prepare
	if prepare == nil {
		return
	}
	if needsCredentials(op) && p.IntN(10) == 0 {
		prepare, r.wrong = func(*http.Request) {}, "it has no credentials"
		if p.options.PrepareUnscoped != nil && needsScopes(op) && p.IntN(2) == 0 {
			prepare, r.wrong = p.options.PrepareUnscoped, "its credentials grant no scopes"
		}
		r.unsure = false
	}
	prepare(sent)
}

// needsCredentials reports whether each alternative of the operation's requirements needs a scheme.
func needsCredentials(op *openapi.Operation) bool {
	for _, requirement := range op.Security {
		if len(requirement) == 0 {
			return false
		}
	}
	return len(op.Security) > 0
}

// needsScopes reports whether each alternative of the operation's requirements needs a scope.
func needsScopes(op *openapi.Operation) bool {
	for _, requirement := range op.Security {
		needed := 0
		for _, scopes := range requirement {
			needed += len(scopes)
		}
		if needed == 0 {
			return false
		}
	}
	return len(op.Security) > 0
}
