package openapi

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// TypeScript returns a client of the API as one module: a type for each component, and a class
// with a method for each operation, which calls fetch. The module has no imports. The error
// reports a part of the document for which no client can be generated.
func (d *Document) TypeScript() ([]byte, error) {
	if err := d.complete(); err != nil {
		return nil, err
	}
	t := &typescript{types: map[string]string{}}
	taken := maps.Clone(reserved)
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		t.types[name] = unique(taken, typeIdent(name))
	}
	t.line("// A client of %s %s, made by `hone client -ts`; do not edit.", oneLine(d.Info.Title), oneLine(d.Info.Version))
	t.line("")
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		schema := d.Components.Schemas[name]
		t.doc("", schema.Description)
		t.line("export type %s = %s;", t.types[name], t.typeOf(schema, ""))
		t.line("")
	}
	t.raw(runtime)
	t.raw(clientHead)
	taken = map[string]bool{"constructor": true}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for method, op := range d.Paths[path].Operations() {
			t.line("")
			t.operation(unique(taken, typeIdent(op.OperationID)), path, method, op)
		}
	}
	t.line("}")
	return []byte(t.b.String()), t.err
}

// runtime is the code that sends the requests of the client's methods.
//
//go:embed runtime.ts
var runtime string

const clientHead = `
/** Calls the API at an address, such as "https://example.org". */
export class Client {
  readonly #http: Transport;

  constructor(base: string = "", options: Options = {}) {
    this.#http = new Transport(base, options);
  }
`

type typescript struct {
	b     strings.Builder
	types map[string]string // the TypeScript names of components
	err   error
}

// fail sets the error of the generator, unless it has one.
func (t *typescript) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf("openapi: "+format, args...)
	}
}

func (t *typescript) line(format string, args ...any) { fmt.Fprintf(&t.b, format+"\n", args...) }

func (t *typescript) raw(text string) { t.b.WriteString(text) }

func (t *typescript) doc(indent string, texts ...string) {
	text := strings.TrimSpace(strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n\n"))
	if text == "" {
		return
	}
	t.line("%s/**", indent)
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "*/", "*\u200b/"), "\n") {
		t.line("%s", strings.TrimRight(indent+" * "+line, " "))
	}
	t.line("%s */", indent)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// typeIdent converts a component's name to an identifier.
func typeIdent(name string) string {
	ident := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if ident == "" || ident[0] >= '0' && ident[0] <= '9' {
		return "_" + ident
	}
	return ident
}

// unique returns a name that is not in names, and adds it.
func unique(names map[string]bool, name string) string {
	if names[name] {
		name = "_" + name
	}
	for base, n := name, 2; names[name]; n++ {
		name = base + strconv.Itoa(n)
	}
	names[name] = true
	return name
}

// reserved contains the names that TypeScript reserves, and the names that the module declares or uses.
var reserved = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`
		any unknown never void null undefined string number boolean object symbol bigint
		class function enum delete default new in this typeof interface import export extends const let var return
		Options Fields Retry EventOptions ServerEvent ProblemDetails ApiError Client Transport Params Call
		Record Promise Array Set Error Blob Response Headers RequestInit RequestCredentials BodyInit AbortSignal
		AsyncGenerator Generator FormData URLSearchParams ReadableStream Uint8Array`) {
		names[name] = true
	}
	return names
}()

// property quotes a name that is not an identifier.
func property(name string) string {
	if typeIdent(name) == name {
		return name
	}
	return quoted(name)
}

func quoted(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return `""`
	}
	return string(text)
}

// typeOf returns the type of a schema's values.
func (t *typescript) typeOf(s *Schema, indent string) string {
	if s == nil {
		return "unknown"
	}
	if s.False {
		return "never"
	}
	if s.Ref != "" {
		name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		return cmp.Or(t.types[name], "unknown")
	}
	several := append(slices.Clone(s.AnyOf), s.OneOf...)
	var types []string
	switch {
	case s.Enum != nil:
		for _, v := range s.Enum {
			types = append(types, quoted(v))
		}
	case several != nil:
		for _, one := range several {
			types = append(types, t.typeOf(one, indent))
		}
	default:
		for _, name := range typeNames(s.Type) {
			types = append(types, t.plain(s, name, indent))
		}
	}
	return cmp.Or(strings.Join(types, " | "), "unknown")
}

// typeNames returns the names in the keyword type, which holds one name or several.
func typeNames(v any) (names []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		for _, name := range v {
			if s, ok := name.(string); ok {
				names = append(names, s)
			}
		}
	}
	return names
}

func (t *typescript) plain(s *Schema, name, indent string) string {
	switch name {
	case "null", "boolean":
		return name
	case "integer", "number":
		return "number"
	case "string":
		if s.Format == "binary" {
			return "Blob"
		}
		return "string"
	case "array":
		return "Array<" + t.typeOf(s.Items, indent) + ">"
	case "object":
		others := s.AdditionalProperties
		if others != nil && len(s.Properties) == 0 {
			return "Record<string, " + t.typeOf(others, indent) + ">"
		}
		if len(s.Properties) == 0 {
			return "Record<string, unknown>"
		}
		var b strings.Builder
		b.WriteString("{\n")
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			field := s.Properties[name]
			inner := &typescript{}
			inner.doc(indent+"  ", field.Description)
			b.WriteString(inner.b.String())
			mark := "?"
			if slices.Contains(s.Required, name) {
				mark = ""
			}
			fmt.Fprintf(&b, "%s  %s%s: %s;\n", indent, property(name), mark, t.typeOf(field, indent+"  "))
		}
		if others != nil && !others.False {
			fmt.Fprintf(&b, "%s  [name: string]: unknown;\n", indent)
		}
		return b.String() + indent + "}"
	}
	t.fail("%q is not a JSON type", name)
	return "unknown"
}
