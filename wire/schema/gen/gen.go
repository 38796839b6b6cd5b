// Package gen generates types with a reader and a writer from a schema, in other languages.
//
//	code, err := gen.TypeScript(s) // a module that imports TypeScriptRuntime
//	code, err := gen.Python(s)     // a module that imports PythonRuntime
//
// The command hone gen does the same. docs/wire-languages.md has the type of each kind in the
// languages, and the values that a language cannot represent exactly.
//
// # Guarantees
//
//   - The same schema yields the same code, byte for byte.
//   - The code reads and writes the same bytes as package wire. The tests of this package run it
//     on the vectors in wire/testdata.
//   - The code reads any bytes within bounded memory and recursion, or fails with an error that
//     contains the path and the reason.
//
// # Reading the code
//
// kind.go has the table of the kinds without parts, for all languages. gen.go finds the types that
// a module declares, names.go names them, and typescript.go and python.go write the modules, with the types and
// codecs of expression.go.
package gen

import (
	_ "embed"
	"fmt"

	"github.com/hone-go/hone/wire/schema"
)

// The runtimes, which generated modules import.
var (
	//go:embed runtime.ts
	typeScriptRuntime []byte
	//go:embed runtime.py
	pythonRuntime []byte
	//go:embed streams.ts
	typeScriptStreams []byte
	//go:embed streams.py
	pythonStreams []byte
)

// The names of the files with the runtimes.
const (
	TypeScriptRuntimeName = "hone-wire.ts"
	PythonRuntimeName     = "hone_wire.py"
	TypeScriptStreamsName = "hone-stream.ts"
	PythonStreamsName     = "hone_stream.py"
)

// TypeScriptRuntime returns the module that the modules of [TypeScript] import. It must be stored
// in their directory as [TypeScriptRuntimeName].
func TypeScriptRuntime() []byte { return append([]byte(nil), typeScriptRuntime...) }

// PythonRuntime returns the module that the modules of [Python] import. It must be stored in
// their directory as [PythonRuntimeName].
func PythonRuntime() []byte { return append([]byte(nil), pythonRuntime...) }

// TypeScriptStreams returns a module that reads and writes streams and containers of records, for
// programs with a module of [TypeScript]. It imports nothing. Its usual name is
// [TypeScriptStreamsName].
func TypeScriptStreams() []byte { return append([]byte(nil), typeScriptStreams...) }

// PythonStreams is [TypeScriptStreams] for Python. Its name is [PythonStreamsName].
func PythonStreams() []byte { return append([]byte(nil), pythonStreams...) }

// A declaration is a type with its own name in a module: the target of a ref, a struct, or the
// type of the top-level value.
type declaration struct {
	name string
	typ  *schema.Type
}

// A module is a schema with the names of its types in one language.
type module struct {
	schema   *schema.Schema
	language *language
	names    Names                         // of properties
	list     []*declaration                // in the order in which the walk over the schema meets them
	of       map[*schema.Type]*declaration // declarations by resolved type
	root     *declaration
	// caseNames has, for each union, the number of cases with each name.
	caseNames map[*schema.Type]map[string]int
}

// A language describes names, types and codecs in a target language.
type language struct {
	name     string
	reserved func(typeName string) bool // reports whether a type must not have the name
	property func(words []string) string
	letter   func(r rune) bool // reports whether a letter may be part of a name

	primitive     func(p primitive) expressions
	types, codecs formats
	null, never   string // the type of null, and the type without values
	caseType      func(w *writer, t *schema.Type, c *schema.Case) string
	codecName     func(d *declaration) string
	lazy          string // the format of a codec that is declared later
	union         func(w *writer, t *schema.Type, later bool, indent string) string
}

// newModule returns a module with a name for each type of s. It returns an error if s does not
// pass Check, if two names in it are the same, if a zero value would contain itself, or if the
// runtimes do not support a type.
func newModule(s *schema.Schema, l *language, names Names) (*module, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	m := &module{schema: s, language: l, names: names, of: map[*schema.Type]*declaration{}, caseNames: map[*schema.Type]map[string]int{}}
	m.root = m.declare(s.Type, "Value")
	m.visit(m.root.typ, m.root, "")
	m.disambiguate()
	if err := m.check(names); err != nil {
		return nil, err
	}
	z := zeros{m: m, state: map[*schema.Type]int{}}
	for _, d := range m.list {
		if err := z.check(d.typ); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// declare returns the declaration of t. If there is none yet, declare adds one. The declaration
// has the name of the ref if t is a ref, and otherwise the given name.
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

// visit declares the types of the parts of t. enclosing is the declaration that contains t, and name the place
// of t in it. The names of the new declarations consist of both.
func (m *module) visit(t *schema.Type, enclosing *declaration, name string) {
	m.parts(t, name, func(p *schema.Type, more string) {
		to := m.schema.Resolve(p)
		if p.Kind != "ref" && to.Kind != "struct" {
			m.visit(p, enclosing, more)
			return
		}
		known := m.of[to] != nil
		if d := m.declare(p, joinNames(enclosing.name, more)); !known {
			m.visit(d.typ, d, "")
		}
	})
}

// parts calls yield for each part of t. The second argument of yield is a name for the part, which
// begins with name.
func (m *module) parts(t *schema.Type, name string, yield func(p *schema.Type, name string)) {
	switch t.Kind {
	case "slice", "array", "optional", "raw":
		yield(t.Elem, joinNames(name, "item"))
	case "map":
		yield(t.Key, joinNames(name, "key"))
		yield(t.Elem, joinNames(name, "item"))
	case "struct":
		for i := range t.Fields {
			f := &t.Fields[i]
			label := f.Name
			if label == "" {
				label = fmt.Sprintf("field %d", i)
			}
			yield(f.Type, joinNames(name, label))
		}
	case "union":
		for i := range t.Cases {
			if c := &t.Cases[i]; c.Type != nil {
				yield(c.Type, joinNames(name, m.caseName(t, c)))
			}
		}
	}
}

// nullable reports whether null is a value of t. If it is, an optional t must wrap its values
// to distinguish them from null.
func (m *module) nullable(t *schema.Type) bool {
	t = m.schema.Resolve(t)
	return t.Kind == "optional" || t.Kind == "skip" || t.Kind == "union" && t.Tag == "uvarint"
}

// textual reports whether both languages compare values of t as Go does. A Go map with such keys
// becomes a map of the language.
func (m *module) textual(t *schema.Type) bool {
	return primitives[m.schema.Resolve(t).Kind].textual
}

// deeper returns the indent of the next level. The indent is limited, so that the text of deeply
// nested unions is not mostly white space.
func deeper(indent, step string) string {
	if len(indent) >= 80 {
		return indent
	}
	return indent + step
}
