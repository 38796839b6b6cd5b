package schema

import (
	"fmt"
	"math"

	"github.com/hone-go/hone/wire/internal/scalar"
)

// Check returns an error if s is not a valid schema of this version: a kind, a length or the
// target of a ref does not exist, or a part is missing. It is for schemas from outside the
// program.
func (s *Schema) Check() error {
	if s.Version != Version {
		return fmt.Errorf("wire: schema of version %d; this program reads version %d", s.Version, Version)
	}
	if s.Mode != "" && s.Mode != Canonical {
		return fmt.Errorf("wire: schema: unknown mode %q", s.Mode)
	}
	seen := map[*Type]bool{}
	var structs []*Type
	var path typePath
	var check func(t *Type, depth int) error
	check = func(t *Type, depth int) error {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("wire: schema: the value%s: %s", path.text(), fmt.Sprintf(format, args...))
		}
		switch {
		case t == nil:
			return fail("no type")
		case depth > maxSchemaDepth:
			return fail("nested too deeply")
		case seen[t]:
			return nil
		}
		seen[t] = true
		part := func(t *Type, step typeStep) error {
			path = append(path, step)
			err := check(t, depth+1)
			path = path[:len(path)-1]
			return err
		}
		if _, ok := scalar.ParseLen(t.Length); t.Length != "" && !ok {
			return fail("unknown length %q", t.Length)
		}
		row := kindOf(t.Kind)
		if t.Length == "" && row != nil && row.length {
			return fail("no length")
		}
		if t.Count < 0 {
			return fail("negative count")
		}
		switch t.Kind {
		case "slice", "array", "optional", "raw":
			return part(t.Elem, elemStep)
		case "map":
			if err := part(t.Key, mapKeyStep); err != nil {
				return err
			}
			return part(t.Elem, elemStep)
		case "struct":
			structs = append(structs, t)
			if reason := t.badField(); reason != "" {
				return fail("%s", reason)
			}
			for i, f := range t.Fields {
				if err := part(f.Type, fieldStep(f, i)); err != nil {
					return err
				}
			}
		case "union":
			if t.Tag != "byte" && t.Tag != "uvarint" {
				return fail("unknown tag %q", t.Tag)
			}
			if err := t.checkIDs(); err != nil {
				return fail("%v", err)
			}
			ids := map[uint32]bool{}
			for _, c := range t.Cases {
				if ids[c.ID] {
					return fail("the case %d occurs twice", c.ID)
				}
				ids[c.ID] = true
				if c.Type == nil {
					continue
				}
				if err := part(c.Type, caseStep(c)); err != nil {
					return err
				}
			}
		case "ref":
			named := s.Types[t.Name]
			if named == nil {
				return fail("unknown type %q", t.Name)
			}
			if named.Kind == "ref" {
				return fail("%q is a ref to a ref", t.Name)
			}
			return check(named, depth+1)
		default:
			if row == nil {
				return fail("unknown kind %q", t.Kind)
			}
			if row.check == nil {
				return nil
			}
			if reason := row.check(t); reason != "" {
				return fail("%s", reason)
			}
		}
		return nil
	}
	if err := check(s.Type, 0); err != nil {
		return err
	}
	if err := s.checkTypes(); err != nil {
		return err
	}
	return s.checkRemoved(structs)
}

// checkIDs returns an error if the id of a case cannot be encoded.
func (t *Type) checkIDs() error {
	for _, c := range t.Cases {
		switch {
		case t.Tag == "byte" && c.ID > math.MaxUint8:
			return fmt.Errorf("the id %d of a case does not fit in a byte", c.ID)
		case t.Tag == "uvarint" && c.ID == 0:
			return fmt.Errorf("a case has the id 0, which represents nil")
		}
	}
	return nil
}

// checkKeys returns an error if one of the types of map keys cannot be the type of a key in Go, which
// compares keys by ==. A big.Int, a slice and a map cannot be compared. The target of a pointer is
// not compared, and a value in an interface is checked when it is decoded.
func (s *Schema) checkKeys(keys []*Type) error {
	type part struct {
		t        *Type
		compared bool // Go compares the part by ==; false if the part occurs only after a pointer or in an interface
	}
	var todo []part
	for _, t := range keys {
		todo = append(todo, part{t, true})
	}
	seen := map[part]bool{}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		t := s.Resolve(p.t)
		if p.t = t; seen[p] {
			continue
		}
		seen[p] = true
		if t.Kind == "struct" && t.Evolving {
			return fmt.Errorf("wire: schema: an evolving struct cannot be a map key or a part of one")
		}
		for i := range t.Fields {
			if t.Fields[i].Removed != "" {
				return fmt.Errorf("wire: schema: a struct with a removed field cannot be a map key or a part of one")
			}
		}
		if row := kindOf(t.Kind); p.compared && row != nil && row.key == nil {
			return fmt.Errorf("wire: schema: a %s cannot be a map key or a part of one: Go cannot compare its values with ==", t.Kind)
		}
		compared := p.compared && t.Kind != "optional" && (t.Kind != "union" || t.Tag == "byte")
		for _, of := range t.parts() {
			todo = append(todo, part{of, compared})
		}
	}
	return nil
}

// Resolve returns t, or the target of t if t is a ref.
func (s *Schema) Resolve(t *Type) *Type {
	if t != nil && t.Kind == "ref" {
		return s.Types[t.Name]
	}
	return t
}

// maxFixed is greater than any number of bytes that a layout skips. The sum of two such numbers
// does not overflow.
const maxFixed = math.MaxInt / 2
