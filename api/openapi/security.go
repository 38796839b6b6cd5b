package openapi

import (
	"slices"

	"github.com/hone-go/hone/api/security"
)

// A SecurityScheme describes how callers authenticate.
type SecurityScheme struct {
	Type             string `json:"type"`
	Description      string `json:"description,omitempty"`
	Scheme           string `json:"scheme,omitempty"` // the scheme of HTTP authentication, such as "bearer", if Type is http
	In               string `json:"in,omitempty"`     // the part of the request that has an API key
	Name             string `json:"name,omitempty"`   // the name of the header field, parameter or cookie with an API key
	Flows            *Flows `json:"flows,omitempty"`  // the flows of OAuth 2
	OpenIDConnectURL string `json:"openIdConnectUrl,omitempty"`
}

// Flows are the ways to obtain a token of OAuth 2.
type Flows struct {
	Implicit          *Flow `json:"implicit,omitempty"`
	Password          *Flow `json:"password,omitempty"`
	ClientCredentials *Flow `json:"clientCredentials,omitempty"`
	AuthorizationCode *Flow `json:"authorizationCode,omitempty"`
	// The flow for devices is DeviceAuthorization in OpenAPI 3.2, and an extension in older versions.
	DeviceAuthorization  *Flow `json:"deviceAuthorization,omitempty"`
	XDeviceAuthorization *Flow `json:"x-deviceAuthorization,omitempty"`
}

// A Flow is a way to obtain a token of OAuth 2.
type Flow struct {
	AuthorizationURL string            `json:"authorizationUrl,omitempty"`
	TokenURL         string            `json:"tokenUrl,omitempty"`
	RefreshURL       string            `json:"refreshUrl,omitempty"`
	DeviceURL        string            `json:"deviceAuthorizationUrl,omitempty"`
	Scopes           map[string]string `json:"scopes"`
}

// requirements describes the requirements of an operation, and adds their schemes.
func (c *schemas) requirements(all []security.Requirement) (out []Requirement) {
	for _, requirement := range all {
		r := Requirement{}
		for _, need := range requirement {
			name := need.Scheme.Name
			scopes := append([]string{}, r[name]...)
			for _, scope := range need.Scopes {
				if !slices.Contains(scopes, scope) {
					scopes = append(scopes, scope)
				}
			}
			r[name] = scopes
			c.security[name] = securityScheme(need.Scheme)
		}
		out = append(out, r)
	}
	return out
}

func securityScheme(s *security.Scheme) *SecurityScheme {
	out := &SecurityScheme{Description: s.Description}
	kind, in, key, flows, url := s.About()
	switch kind {
	case security.KindBearer:
		out.Type, out.Scheme = "http", "bearer"
	case security.KindBasic:
		out.Type, out.Scheme = "http", "basic"
	case security.KindAPIKey:
		out.Type, out.In, out.Name = "apiKey", in, key
	case security.KindOAuth2:
		out.Type = "oauth2"
		out.Flows = &Flows{
			Implicit: flowOf(flows.Implicit), Password: flowOf(flows.Password), ClientCredentials: flowOf(flows.ClientCredentials),
			AuthorizationCode: flowOf(flows.AuthorizationCode), XDeviceAuthorization: flowOf(flows.DeviceAuthorization),
		}
	case security.KindOpenIDConnect:
		out.Type, out.OpenIDConnectURL = "openIdConnect", url
	}
	return out
}

func flowOf(f *security.Flow) *Flow {
	if f == nil {
		return nil
	}
	scopes := f.Scopes
	if scopes == nil {
		scopes = map[string]string{}
	}
	return &Flow{f.AuthorizationURL, f.TokenURL, f.RefreshURL, f.DeviceURL, scopes}
}
