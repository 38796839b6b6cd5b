// Package gen makes types with a reader and a writer from a schema, in other languages.
//
//	code, err := gen.TypeScript(s) // a module that imports TypeScriptRuntime
//	code, err := gen.Python(s)     // a module that imports PythonRuntime
//
// The command hone gen does the same. docs/wire-languages.md says what becomes of each
// kind of type, and what a language cannot hold exactly.
//
// # Guarantees
//
//   - The same schema makes the same code, byte for byte.
//   - What the code reads and writes agrees with package wire: the vectors in
//     wire/testdata are read and written by it in the tests of this package.
//   - The code reads any bytes within bounded memory and recursion, or fails with an
//     error that says where and why.
package gen

import (
	_ "embed"
	"errors"
	"fmt"

	"github.com/hone-go/hone/wire/schema"
)

// The runtimes that generated modules import, and the names of the files that they
// import them from.
var (
	//go:embed runtime.ts
	typeScriptRuntime []byte
	//go:embed runtime.py
	pythonRuntime []byte
)

const (
	TypeScriptRuntimeName = "hone-wire.ts"
	PythonRuntimeName     = "hone_wire.py"
)

// TypeScriptRuntime returns the module that modules made by [TypeScript] import. It is to
// be stored as [TypeScriptRuntimeName] beside them.
func TypeScriptRuntime() []byte { return append([]byte(nil), typeScriptRuntime...) }

// PythonRuntime returns the module that modules made by [Python] import. It is to be
// stored as [PythonRuntimeName] beside them.
func PythonRuntime() []byte { return append([]byte(nil), pythonRuntime...) }

// A declaration is a type that a module has under a name of its own: what a ref of the
// schema names, a struct, or the whole value.
type declaration struct {
	name string
	typ  *schema.Type
}

// A module is a schema with the names that are given to its types.
type module struct {
	schema   *schema.Schema
	language *language
	list     []*declaration                // in the order in which they are met
	of       map[*schema.Type]*declaration // by what refs resolve to
	root     *declaration
}

// A language says how names are made in it.
type language struct {
	name     string
	reserved func(typeName string) bool // that no type may have
	property func(words []string) string
	letter   func(r rune) bool // that is kept in a name
}

// newModule names the types of s, which must pass Check and have a value of zero.
func newModule(s *schema.Schema, l *language) (*module, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	m := &module{schema: s, language: l, of: map[*schema.Type]*declaration{}}
	m.root = m.declare(s.Type, "Value")
	m.visit(m.root.typ, m.root)
	m.disambiguate()
	z := zeros{m: m, state: map[*schema.Type]int{}}
	for _, d := range m.list {
		if err := z.check(d.typ); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// declare gives what t resolves to a name: that of the ref, or the given one. It returns
// the declaration, which may have been made before.
func (m *module) declare(t *schema.Type, name string) *declaration {
	if t.Kind == "ref" {
		name = t.Name
	}
	to := m.schema.Resolve(t)
	d := m.of[to]
	if d == nil {
		d = &declaration{name: name, typ: to}
		m.of[to] = d
		m.list = append(m.list, d)
	}
	return d
}

// visit declares the parts of t, which is within d.
func (m *module) visit(t *schema.Type, within *declaration) {
	part := func(p *schema.Type, name string) {
		to := m.schema.Resolve(p)
		if p.Kind != "ref" && to.Kind != "struct" {
			m.visitNamed(p, within, name)
			return
		}
		known := m.of[to] != nil
		if d := m.declare(p, within.name+" "+name); !known {
			m.visit(d.typ, d)
		}
	}
	m.parts(t, "", part)
}

// visitNamed is visit for a part that has no name of its own.
func (m *module) visitNamed(t *schema.Type, within *declaration, name string) {
	m.parts(t, name, func(p *schema.Type, more string) {
		to := m.schema.Resolve(p)
		if p.Kind != "ref" && to.Kind != "struct" {
			m.visitNamed(p, within, more)
			return
		}
		known := m.of[to] != nil
		if d := m.declare(p, within.name+" "+more); !known {
			m.visit(d.typ, d)
		}
	})
}

// parts calls part with what t is made of, and with words that name it.
func (m *module) parts(t *schema.Type, name string, part func(p *schema.Type, name string)) {
	switch t.Kind {
	case "slice", "array", "optional", "raw":
		part(t.Elem, name+" item")
	case "map":
		part(t.Key, name+" key")
		part(t.Elem, name+" item")
	case "struct":
		for i := range t.Fields {
			f := &t.Fields[i]
			label := f.Name
			if label == "" {
				label = fmt.Sprintf("field %d", i)
			}
			part(f.Type, name+" "+label)
		}
	case "union":
		for i := range t.Cases {
			if c := &t.Cases[i]; c.Type != nil {
				part(c.Type, name+" "+caseName(t, c))
			}
		}
	}
}

// nullable reports whether null stands for a value of t, so that an optional t needs more
// to say that it is there.
func (m *module) nullable(t *schema.Type) bool {
	t = m.schema.Resolve(t)
	return t.Kind == "optional" || t.Kind == "skip" || t.Kind == "union" && t.Tag == "uvarint"
}

// textual reports whether both languages compare values of t as Go does, so that a map
// with such keys is one of the language.
func (m *module) textual(t *schema.Type) bool {
	switch m.schema.Resolve(t).Kind {
	case "bool", "int", "uint", "bigint", "string", "text":
		return true
	}
	return false
}

// zeros looks for types without a value of zero, and for what no runtime has.
type zeros struct {
	m     *module
	state map[*schema.Type]int // 1 while it is looked at, then 2
}

var errEndless = errors.New("gen: the schema has a type whose zero value contains itself")

func (z *zeros) check(t *schema.Type) error {
	t = z.m.schema.Resolve(t)
	switch z.state[t] {
	case 1:
		return errEndless
	case 2:
		return nil
	}
	z.state[t] = 1
	var parts []*schema.Type
	switch t.Kind {
	case "bigint", "binary", "text":
		if t.Length != "" && t.Length != "uvarint" {
			return fmt.Errorf("gen: a %s with a length of the form %s; only uvarint is supported", t.Kind, t.Length)
		}
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
	// The others are not part of the zero value, but are types of their own.
	var err error
	z.m.parts(t, "", func(p *schema.Type, _ string) {
		if p = z.m.schema.Resolve(p); err == nil && z.m.of[p] == nil {
			err = z.check(p)
		}
	})
	return err
}

// zeroCase returns the case that the zero value of a union with the tag byte is: the one
// whose id is 0, or the first; nil if there is none.
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
