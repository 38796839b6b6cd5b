package schema

import "fmt"

// Models is the schema of a registry in package wire/layout: the schema of ids, and the schema of
// each model. It is stored as JSON, like a [Schema].
type Models struct {
	Version int     `json:"version"` // version of the JSON form: 1
	ID      *Schema `json:"id"`      // the schema of an id
	Models  []Model `json:"models"`
}

// A Model is an id and the schema of its values.
type Model struct {
	ID     string  `json:"id"` // the JSON of the id, such as 1 or "user"
	Schema *Schema `json:"schema"`
}

// Check calls [Schema.Check] for all schemas of m, and checks that the ids are different.
func (m *Models) Check() error {
	if m.Version != Version {
		return fmt.Errorf("wire: models of version %d; this program reads version %d", m.Version, Version)
	}
	if m.ID == nil {
		return fmt.Errorf("wire: models: the schema of the ids is missing")
	}
	if err := m.ID.Check(); err != nil {
		return fmt.Errorf("wire: models: the schema of the ids: %w", err)
	}
	seen := map[string]bool{}
	for _, one := range m.Models {
		switch {
		case one.Schema == nil:
			return fmt.Errorf("wire: models: model %s has no schema", one.ID)
		case seen[one.ID]:
			return fmt.Errorf("wire: models: model %s occurs twice", one.ID)
		}
		seen[one.ID] = true
		if _, err := m.ID.EncodeJSON(nil, []byte(one.ID)); err != nil {
			return fmt.Errorf("wire: models: id %s: %w", one.ID, err)
		}
		if err := one.Schema.Check(); err != nil {
			return fmt.Errorf("wire: models: model %s: %w", one.ID, err)
		}
	}
	return nil
}

// Reads is like [Schema.Reads], for registries. It returns the reasons why a program with m cannot
// read all values of a program with writer. The path of a problem begins with the id of the model,
// as in "model 1.Name". Reads returns only the first 100 problems.
func (m *Models) Reads(writer *Models) []Problem {
	out, _ := m.compare(writer)
	return out
}

// Renames returns the fields of m's schemas that have another name in the schemas of writer; see
// [Schema.Renames].
func (m *Models) Renames(writer *Models) []Problem {
	_, out := m.compare(writer)
	return out
}

// compare compares the schemas of two registries by the ids of their models.
func (m *Models) compare(written *Models) (problems, renames []Problem) {
	for _, p := range m.ID.Reads(written.ID) {
		problems = append(problems, Problem{"the id" + p.Path, p.Reason})
	}
	known := map[string]*Schema{}
	for _, one := range m.Models {
		known[one.ID] = one.Schema
	}
	for _, one := range written.Models {
		if len(problems) >= maxProblems && len(renames) >= maxProblems {
			break
		}
		at := "model " + shorten(one.ID)
		if known[one.ID] == nil {
			problems = append(problems, Problem{at, "is written and is not read: no model has this id"})
			continue
		}
		r := known[one.ID].reading(one.Schema)
		for _, p := range r.problems {
			problems = append(problems, Problem{at + p.Path, p.Reason})
		}
		for _, p := range r.renames {
			renames = append(renames, Problem{at + p.Path, p.Reason})
		}
	}
	return problems[:min(len(problems), maxProblems)], renames[:min(len(renames), maxProblems)]
}
