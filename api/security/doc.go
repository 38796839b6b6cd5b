// Package security checks who sends a request, by the schemes that OpenAPI can describe.
//
//	session := security.Bearer("session", func(ctx context.Context, token string) (User, error) { … })
//
// Typed handlers name requirements in Operation.Security of package api. Such a handler runs only for
// a request that meets one of the requirements, and reads the value of the scheme by api.Value:
//
//	a.Defaults.Security = []security.Requirement{session.With()}
//	…
//	user, _ := api.Value[User](ctx, session)
//
// Plain handlers use a [Gate]:
//
//	gate, err := security.NewGate(session.With())
//	…
//	found, err := gate.Admit(w.Header(), r)
//
// # Stability
//
// Names may change until v1.
package security
