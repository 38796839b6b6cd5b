package openapi

import (
	"cmp"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/shape"
)

func problems(s *Schema) map[string]Media {
	return map[string]Media{api.MediaTypeProblem: {Schema: s}}
}

// failures describes the operation's declared errors, the errors of its security schemes, and
// all other errors.
func (c *schemas) failures(op *Operation, d api.Description, problem *Schema) {
	if len(op.Security) > 0 {
		op.Responses["401"] = &Response{
			Description: "The request has no valid credentials.", Content: problems(problem),
			Headers: challenges("The accepted authentication schemes."),
		}
	}
	if needsScopes(op.Security) {
		op.Responses["403"] = &Response{
			Description: "The credentials lack a scope.", Content: problems(problem),
			Headers: challenges("The scopes that the operation needs, for bearer tokens."),
		}
	}
	for _, err := range d.Errors {
		p := api.ProblemOf(err)
		schema := problem
		if t := typeOfProblem(err); t != nil {
			schema = c.of(t)
		}
		key := strconv.Itoa(p.Status)
		about := cmp.Or(p.Title, http.StatusText(p.Status), "An error")
		if p.Detail != "" {
			about += ": " + p.Detail
		}
		known := op.Responses[key]
		if known == nil {
			op.Responses[key] = &Response{Description: about, Content: problems(schema)}
			continue
		}
		if known.Description != about {
			known.Description += "\n\n" + about
		}
		known.Content = problems(either(known.Content[api.MediaTypeProblem].Schema, schema))
	}
	op.Responses["default"] = &Response{Description: "An error as a problem document (RFC 9457).", Content: problems(problem)}
}

func challenges(about string) map[string]*Header {
	return map[string]*Header{"WWW-Authenticate": {Description: about, Schema: &Schema{Type: "string"}}}
}

func needsScopes(security []Requirement) bool {
	return slices.ContainsFunc(security, func(r Requirement) bool {
		return slices.ContainsFunc(slices.Collect(maps.Values(r)), func(scopes []string) bool { return len(scopes) > 0 })
	})
}

// typeOfProblem returns the type of an error that is sent as its own JSON, or nil.
func typeOfProblem(err error) reflect.Type {
	t := reflect.TypeOf(err)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[api.Problem]() || t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range shape.Of(t).Fields {
		if of := f.Shape.Type; f.Embedded && (of == reflect.TypeFor[api.Problem]() || of == reflect.TypeFor[*api.Problem]()) {
			return t
		}
	}
	return nil
}
