package security

import "slices"

// A Requirement is a list of needs. A request meets the Requirement if it meets all of its
// needs. An empty Requirement in a list makes credentials optional: every request without
// credentials meets it.
type Requirement []Need

// A Need is a scheme, and the scopes that the scheme has to grant.
type Need struct {
	Scheme *Scheme
	Scopes []string
}

// With returns the requirement that needs only the scheme. Only schemes of OAuth 2 and OpenID
// Connect have scopes.
func (s *Scheme) With(scopes ...string) Requirement { return Requirement{{s, scopes}} }

// All returns a requirement that is met by meeting all given requirements.
func All(several ...Requirement) Requirement { return slices.Concat(several...) }

// QueryKeys returns the names of the query parameters that hold API keys of the requirements.
func QueryKeys(list []Requirement) (names []string) {
	for _, requirement := range list {
		for _, need := range requirement {
			if need.Scheme.kind == KindAPIKey && need.Scheme.in == "query" {
				names = append(names, need.Scheme.key)
			}
		}
	}
	return names
}
