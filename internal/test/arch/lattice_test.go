package arch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A rule lists the packages of the core module that a package may import.
type rule struct {
	pkg    string // "web/..." stands for web and all below it
	may    []string
	reason string // printed when the rule is broken
}

// lattice has a rule for each package. Imports run from the later to the
// earlier, and docs/architecture.md is drawn from it.
var lattice = []rule{
	{pkg: "internal/memory/mem", reason: "memory access is the floor of the house: it must be readable alone"},
	{pkg: "internal/memory/buffer", reason: "bodies and text that is being encoded use the same memory again"},
	{pkg: "internal/memory/vector", reason: "assembly knows bytes alone; its callers know their meaning"},
	{pkg: "internal/syntax", may: []string{"internal/memory/vector"}, reason: "JSON's syntax serves mo and json alike, and knows no Go types"},
	{pkg: "internal/memory/optional", reason: "how mo's types lie in memory is said once, for mo and for shape, which do not know each other"},
	{pkg: "mo/...", may: []string{"internal/memory/mem", "internal/syntax", "internal/memory/optional"},
		reason: "mo is a drop-in that people adopt alone, so it must not pull in engines"},
	{pkg: "internal/release", reason: "the releases whose rules hold are said once, for shapes and for the engines of JSON"},
	{pkg: "shape", may: []string{"internal/memory/mem", "internal/memory/optional", "internal/release"},
		reason: "a shape describes types for every engine, so it knows none of them, nor mo, which links gob and database/sql"},
	{pkg: "internal/literal", may: []string{"shape"},
		reason: "values that tags give mean the same to the engine, to limits and to documents"},
	{pkg: "internal/plan", may: []string{"internal/memory/mem"},
		reason: "the cache keeps any engine's programs, so it knows none of them"},
	{pkg: "json/internal/option", may: []string{"internal/release"}, reason: "the options of a call are declared once, for texts and for types"},
	{pkg: "json/internal/option/generate", reason: "it writes source, and runs in no program"},
	{pkg: "json/internal/stream", may: []string{"internal/syntax", "json/internal/option"},
		reason: "streams of tokens know JSON's syntax and no Go types"},
	{pkg: "json/internal/export", may: []string{"json/internal/stream"},
		reason: "it gives the streams inside of jsontext's types to the engine alone"},
	{pkg: "json/jsontext", may: []string{"internal/syntax", "json/internal/export", "json/internal/option", "json/internal/stream"},
		reason: "a drop-in for encoding/json/jsontext, which knows no Go types"},
	{pkg: "json/internal/rules", may: []string{"internal/memory/mem", "internal/syntax", "json/internal/export", "json/internal/option", "json/internal/stream", "json/jsontext", "shape"},
		reason: "errors, methods and options mean the same to both directions, so they know neither"},
	{pkg: "json/internal/encode", may: []string{"internal/memory/mem", "internal/memory/optional", "internal/plan", "internal/syntax", "json/internal/option", "json/internal/rules", "json/internal/stream", "shape"},
		reason: "encoding knows nothing of decoding, and reaches methods with streams through rules"},
	{pkg: "json/internal/encode/call", may: []string{"internal/memory/mem", "internal/syntax", "json/internal/encode", "json/internal/export", "json/internal/option", "json/internal/rules", "json/internal/stream", "json/jsontext", "shape"},
		reason: "a program that encodes by version 1 alone links none of it"},
	{pkg: "json/internal/decode", may: []string{"internal/literal", "internal/memory/buffer", "internal/memory/mem", "internal/plan", "internal/syntax", "json/internal/option", "json/internal/rules", "shape"},
		reason: "decoding knows nothing of encoding, and reaches methods with streams through rules"},
	{pkg: "json/internal/decode/call", may: []string{"internal/memory/mem", "internal/syntax", "json/internal/decode", "json/internal/export", "json/internal/option", "json/internal/rules", "json/internal/stream", "json/jsontext", "shape"},
		reason: "a program that decodes by version 1 alone links none of it"},
	{pkg: "json/internal/locate", may: []string{"internal/syntax", "json/internal/decode", "json/internal/option", "json/internal/rules", "json/internal/stream"},
		reason: "it finds the place of an error of the engine, and knows the errors alone"},
	{pkg: "json", may: []string{"internal/memory/buffer", "internal/memory/mem", "internal/release", "json/internal/decode", "json/internal/encode", "json/internal/locate", "json/internal/option", "json/internal/rules", "json/internal/stream", "internal/syntax"},
		reason: "a drop-in for encoding/json, which is an option set over the engine and does not know version 2"},
	{pkg: "internal/shadow", reason: "it compares two results and two errors of any two engines"},
	{pkg: "json/shadow", may: []string{"internal/shadow", "json", "json/internal/rules"}, reason: "it compares the engines of package json from outside"},
	{pkg: "json/v2", may: []string{"internal/memory/buffer", "internal/memory/mem", "json/internal/decode", "json/internal/decode/call", "json/internal/encode", "json/internal/encode/call", "json/internal/export", "json/internal/locate", "json/internal/option", "json/internal/rules", "json/internal/stream", "json/jsontext"},
		reason: "a drop-in for encoding/json/v2, which is an option set over the engine and does not know version 1"},
	{pkg: "json/v2/shadow", may: []string{"internal/shadow", "json/jsontext", "json/v2"}, reason: "it compares the engines of package json/v2 from outside"},
	{pkg: "json/format", reason: "forms of durations, times and bytes are for any package that takes text or JSON, so they know none"},
	{pkg: "bind", may: []string{"internal/memory/mem", "internal/plan", "shape"},
		reason: "engines never see one another"},
	{pkg: "wire/internal/fault", reason: "programs, schemas and layouts report the same causes of errors, and a cause knows none of them"},
	{pkg: "wire/internal/budget", reason: "memory is counted alike by encoding, decoding and measuring, whatever is counted"},
	{pkg: "wire/internal/scalar", may: []string{"internal/memory/mem", "wire/internal/fault"},
		reason: "numbers, lengths and times have one encoding for programs and for schemas, so it knows neither"},
	{pkg: "wire/internal/spec", may: []string{"internal/memory/mem", "shape", "wire/internal/fault", "wire/internal/scalar"},
		reason: "a spec is data: it knows neither the codecs that make it nor the programs made from it, and of shape only how a union lies in memory"},
	{pkg: "wire/internal/measure", may: []string{"wire/internal/budget", "wire/internal/fault", "wire/internal/scalar", "wire/internal/spec"},
		reason: "the end of a value is found from its spec, without a program and without memory for the value"},
	{pkg: "wire/internal/program", may: []string{"internal/memory/mem", "shape", "wire/internal/budget", "wire/internal/fault", "wire/internal/measure", "wire/internal/scalar", "wire/internal/spec"},
		reason: "programs are made of specs and do not know who made those"},
	{pkg: "wire/schema", may: []string{"internal/syntax", "wire/internal/budget", "wire/internal/fault", "wire/internal/scalar"},
		reason: "a schema stands for bytes without the Go type, so it knows no types: only how numbers, lengths and times are written"},
	{pkg: "wire/schema/gen", may: []string{"wire/schema"},
		reason: "code in other languages is made from a schema alone, so whatever has a schema can have it"},
	{pkg: "wire", may: []string{"internal/memory/mem", "internal/plan", "shape", "wire/internal/budget", "wire/internal/fault", "wire/internal/measure", "wire/internal/program", "wire/internal/scalar", "wire/internal/spec", "wire/schema"},
		reason: "derived codecs come from shapes, which describe mo's types, and engines never see one another"},
	{pkg: "wire/shadow", may: []string{"internal/shadow"}, reason: "it compares any two formats, so it knows none"},
	{pkg: "wire/layout", may: []string{"internal/memory/mem", "mo", "shape", "wire", "wire/internal/budget", "wire/internal/fault", "wire/internal/measure", "wire/internal/program", "wire/internal/scalar", "wire/internal/spec", "wire/schema"},
		reason: "a layout is declared: shapes only name the fields that it points to; its Option takes an mo.Option"},
	{pkg: "internal/limit", may: []string{"internal/literal", "internal/memory/mem", "shape"}, reason: "limits know values, not how they came in"},
	{pkg: "internal/http/route", reason: "the tree of routes knows neither requests nor handlers"},
	{pkg: "internal/http/body", may: []string{"internal/memory/buffer"}, reason: "web and api read bodies alike, and know nothing of each other"},
	{pkg: "internal/http/header", reason: "web and api read header fields alike, and know nothing of each other"},
	{pkg: "internal/http/problem", reason: "an api.Problem is one of web's errors, and they know nothing of each other"},
	{pkg: "internal/http/urlpath", reason: "the forms of a request's path have one meaning, for routing and for files"},
	{pkg: "internal/http/drain", reason: "web tells api's streams that the server shuts down, and they know nothing of each other"},
	{pkg: "api/internal/message", may: []string{"bind", "json", "json/v2", "wire", "shape", "internal/limit", "internal/http/route", "internal/http/header"},
		reason: "servers and clients read one description of an operation's messages; it knows neither of them"},
	{pkg: "api/security", reason: "plain routes check callers by the same schemes, so it knows no typed handlers"},
	{pkg: "api", may: []string{"api/internal/message", "api/security", "bind", "json", "json/jsontext", "json/v2", "wire", "shape", "internal/limit", "internal/http/route", "internal/http/body", "internal/memory/buffer", "internal/http/header", "internal/http/drain", "internal/http/problem"},
		reason: "api joins the engines for any router, so it knows none of them; raw memory is the engines' to touch"},
	{pkg: "api/client", may: []string{"api", "api/internal/message", "bind", "json", "json/v2", "wire", "shape", "internal/http/route", "internal/http/header"},
		reason: "a client sends the input of a typed handler; no server links it"},
	{pkg: "api/apitest", may: []string{"api", "api/client", "api/openapi"}, reason: "a test of an API knows as much as its clients: the document and the types"},
	{pkg: "api/openapi", may: []string{"api", "api/security", "internal/limit", "internal/literal", "shape"},
		reason: "a document is made from the descriptions of handlers and from shapes alone"},
	{pkg: "web", may: []string{"bind", "json", "internal/http/route", "internal/http/body", "internal/memory/buffer", "internal/http/header", "internal/http/drain", "internal/http/problem", "internal/http/urlpath"},
		reason: "a program that uses web like Echo must not link the binary codec or typed handlers"},
	{pkg: "web/middleware", may: []string{"web", "internal/http/body", "internal/http/urlpath"},
		reason: "middleware uses web as a program would"},
	{pkg: "web/echotest", may: []string{"web"}, reason: "the test kit uses web as a program would"},
}

// helpers are packages that no production code imports.
var helpers = []rule{
	{pkg: "internal/test/arch/...", reason: "the tests of the house look at its files, not through its code"},
	{pkg: "internal/test/foreign", reason: "it runs tests by the go tool, and knows none of the packages"},
	{pkg: "internal/test/gotests", may: []string{"internal/test/foreign"}, reason: "the code under test is built from text, at run time"},
	{pkg: "internal/test/testkit/...", may: []string{"mo"}, reason: "shared code of tests must be usable in every room's tests"},
	{pkg: "wire/internal/vectors", may: []string{"wire/schema"}, reason: "vectors are bytes by a schema, and nothing else is needed to read them"},
	{pkg: "internal/syntax/internal/generate", reason: "a generator stands alone"},
	{pkg: "web/internal/generate", reason: "a generator stands alone"},
}

// testsMay lists the imports that tests may have beyond their package's own rule.
var testsMay = []string{"internal/test/testkit/...", "internal/memory/mem", "mo", "shape"}

// together lists packages that a package's tests use and that it meets in programs only.
var together = map[string][]string{
	"api": {"web"}, "api/client": {"web"}, "api/security": {"api"}, "api/apitest": {"api/security", "mo", "web"}, "api/openapi": {"mo", "web", "json", "json/format"}, "json/shadow": {"json/jsontext"}, "web": {"api", "web/middleware"}, "web/middleware": {"api"},
	"json": {"json/internal/rules", "json/jsontext", "json/v2"}, "json/v2": {"json"}, "json/format": {"bind", "json", "json/jsontext", "json/v2"},
	"wire": {"wire/layout", "wire/internal/vectors"}, "wire/schema": {"wire", "wire/layout", "wire/schema/gen"}, "wire/schema/gen": {"wire"}, "wire/shadow": {"wire"}, "wire/layout": {"wire/internal/vectors"},
}

// matches reports whether a pattern of a rule stands for the package.
func matches(pattern, pkg string) bool {
	base, all := strings.CutSuffix(pattern, "/...")
	return pkg == base || all && strings.HasPrefix(pkg, base+"/")
}

// ruleOf returns the rule for a package.
func ruleOf(pkg string) (rule, bool) {
	for _, r := range slices.Concat(helpers, lattice) {
		if matches(r.pkg, pkg) {
			return r, true
		}
	}
	return rule{}, false
}

func TestImports(t *testing.T) {
	used := map[[2]string]bool{}
	for _, f := range coreFiles(t) {
		r, ok := ruleOf(f.pkg())
		if !ok {
			t.Errorf("%s: package %s has no rule; add one, with its reason", f.path, f.pkg())
			continue
		}
		isTest := strings.HasSuffix(f.path, "_test.go")
		for _, name := range f.imports {
			pkg, own := strings.CutPrefix(name, module+"/")
			if !own {
				if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
					t.Errorf("%s imports %s: the core module has no dependency but the standard library", f.path, name)
				}
				continue
			}
			allowed := func(patterns []string) bool {
				return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, pkg) })
			}
			if !isTest {
				used[[2]string{r.pkg, pkg}] = true
			}
			ok := matches(r.pkg, pkg) || allowed(r.may) || isTest && (allowed(testsMay) || allowed(together[f.pkg()]))
			if !ok {
				t.Errorf("%s imports %s: %s", f.path, pkg, r.reason)
			}
		}
	}
	for _, r := range lattice {
		for _, may := range r.may {
			if !used[[2]string{r.pkg, may}] {
				t.Errorf("%s does not import %s: take it out of its rule", r.pkg, may)
			}
		}
	}
}

// drawing writes the lattice for docs/architecture.md: a picture of the arrows
// that no other path of arrows stands for, and a table of all of them.
func drawing() string {
	reaches := map[string]map[string]bool{} // through one package or more
	base := func(pkg string) string { return strings.TrimSuffix(pkg, "/...") }
	for _, r := range lattice {
		all := map[string]bool{}
		for _, may := range r.may {
			all[may] = true
			for far := range reaches[may] {
				all[far] = true
			}
		}
		reaches[base(r.pkg)] = all
	}
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TD\n")
	for _, r := range slices.Backward(lattice) {
		fmt.Fprintf(&b, "    %s[\"%s\"]\n", id(r.pkg), base(r.pkg))
		for _, may := range r.may {
			if !slices.ContainsFunc(r.may, func(other string) bool { return reaches[other][may] }) {
				fmt.Fprintf(&b, "    %s --> %s\n", id(r.pkg), id(may))
			}
		}
	}
	b.WriteString("```\n\n| package | may import | because |\n|---|---|---|\n")
	for _, r := range slices.Backward(lattice) {
		imports := "nothing of ours"
		if r.may != nil {
			imports = "`" + strings.Join(r.may, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.pkg, imports, r.reason)
	}
	return b.String()
}

func id(pkg string) string {
	return strings.NewReplacer("/", "_", ".", "").Replace(strings.TrimSuffix(pkg, "/..."))
}

// TestDrawing compares the picture in docs/architecture.md with the rules. With
// HONE_UPDATE=1 it draws it.
func TestDrawing(t *testing.T) { comparePart(t, "lattice", drawing()) }
