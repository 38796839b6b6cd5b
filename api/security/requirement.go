package security

import "slices"

// A Requirement is a list of needs. A request meets the Requirement if it meets all of its
// needs. An empty Requirement in a list makes credentials optional: every request without
// credentials meets it.
type Requirement []Need

// A Need is a scheme, and the scopes that the credentials have to grant.
type Need struct {
	Scheme *Scheme
	Scopes []string
}

// With returns the requirement that needs only the scheme, with all of the scopes. [NewGate] refuses
// the scopes if nothing would check them: see [Scopes].
func (s *Scheme) With(scopes ...string) Requirement { return Requirement{{s, scopes}} }

// All returns a requirement that is met by meeting all given requirements. If several of them need
// the same scheme, the scheme is checked once, for the scopes of all of them.
func All(several ...Requirement) (all Requirement) {
	for _, need := range slices.Concat(several...) {
		i := slices.IndexFunc(all, func(n Need) bool { return n.Scheme == need.Scheme })
		if i < 0 {
			all = append(all, Need{need.Scheme, slices.Clone(need.Scopes)})
			continue
		}
		for _, scope := range need.Scopes {
			if !slices.Contains(all[i].Scopes, scope) {
				all[i].Scopes = append(all[i].Scopes, scope)
			}
		}
	}
	return all
}

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
