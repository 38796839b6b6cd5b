package gen

import (
	"errors"
	"fmt"

	"github.com/hone-go/hone/wire/schema"
)

// zeros finds types without a finite zero value, and types that no runtime supports.
type zeros struct {
	m     *module
	state map[*schema.Type]int // 1 while a type is examined, then 2
}

var errEndless = errors.New("gen: the schema has a type whose zero value contains itself")

// check examines t and its parts. The parts that belong to the zero value of t must not contain
// t again.
func (z *zeros) check(t *schema.Type) error {
	t = z.m.schema.Resolve(t)
	switch z.state[t] {
	case 1:
		return errEndless
	case 2:
		return nil
	}
	z.state[t] = 1
	row, ok := primitives[t.Kind]
	switch {
	case !ok && !composites[t.Kind]:
		return fmt.Errorf("gen: a type of the kind %s is not supported", t.Kind)
	case row.uvarint && t.Length != "" && t.Length != "uvarint":
		return fmt.Errorf("gen: a %s with a length of the form %s; only uvarint is supported", t.Kind, t.Length)
	}
	var parts []*schema.Type
	switch t.Kind {
	case "struct":
		for i := range t.Fields {
			parts = append(parts, t.Fields[i].Type)
		}
	case "array":
		if t.Count > 0 {
			parts = append(parts, t.Elem)
		}
	case "union":
		if c := zeroCase(t); t.Tag == "byte" && c != nil && c.Type != nil {
			parts = append(parts, c.Type)
		}
	}
	for _, p := range parts {
		if err := z.check(p); err != nil {
			return err
		}
	}
	z.state[t] = 2
	// The other parts do not belong to the zero value of t, but their types need finite zero
	// values too.
	var err error
	z.m.parts(t, "", func(p *schema.Type, _ string) {
		if p = z.m.schema.Resolve(p); err == nil && z.m.of[p] == nil {
			err = z.check(p)
		}
	})
	return err
}

// zeroCase returns the case of the zero value of a union with the tag byte: the case with the
// id 0 if it exists, otherwise the first case. It returns nil for a union without cases.
func zeroCase(t *schema.Type) *schema.Case {
	for i := range t.Cases {
		if t.Cases[i].ID == 0 {
			return &t.Cases[i]
		}
	}
	if len(t.Cases) == 0 {
		return nil
	}
	return &t.Cases[0]
}
