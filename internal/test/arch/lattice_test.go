package arch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A rule lists the packages of the core module that a package may import.
type rule struct {
	pkg    string // "web/..." means web and all packages below it
	may    []string
	reason string // printed when the rule is broken
}

// lattice has a rule for each package. A package may import only packages that are earlier in
// the list. docs/architecture.md has a picture of it.
var lattice = []rule{
	{pkg: "internal/variadic", reason: "every package treats options that are given twice in the same way"},
	{pkg: "internal/memory/mem", reason: "every access to raw memory goes through it, so it must be readable by itself"},
	{pkg: "internal/memory/buffer", reason: "bodies and encoders share reused memory"},
	{pkg: "internal/memory/vector", reason: "assembly works on bytes; its callers give them a meaning"},
	{pkg: "internal/syntax", may: []string{"internal/memory/vector"}, reason: "both mo and json need JSON's syntax, which has no Go types"},
	{pkg: "internal/memory/optional", reason: "the memory layout of mo's types is defined once, for mo and for shape, which do not import each other"},
	{pkg: "mo/...", may: []string{"internal/memory/mem", "internal/syntax", "internal/memory/optional"},
		reason: "programs may use mo without the other packages, so it must not import engines"},
	{pkg: "internal/path", reason: "the paths in errors have one syntax, whatever package decodes or checks the value"},
	{pkg: "internal/release", reason: "the releases whose rules apply are defined once, for shapes and for the engines of JSON"},
	{pkg: "shape", may: []string{"internal/memory/mem", "internal/memory/optional", "internal/release"},
		reason: "a shape describes types for every engine, so it imports none of them, and not mo, which links gob and database/sql"},
	{pkg: "union", may: []string{"internal/memory/optional", "shape"}, reason: "a declaration is a fact about a type, which every engine reads from its shape"},
	{pkg: "internal/literal", may: []string{"shape"},
		reason: "values in tags have the same meaning for the engine, for limits and for documents"},
	{pkg: "internal/zero", may: []string{"shape"},
		reason: "decoders know which members the input has, and limits know which values are allowed, and neither links the other"},
	{pkg: "internal/plan", may: []string{"internal/memory/mem"},
		reason: "the cache has the programs of every engine, so it imports none of them"},
	{pkg: "json/internal/option", may: []string{"internal/release"}, reason: "the options of a call are declared once, for texts and for types"},
	{pkg: "json/internal/option/generate", reason: "it generates source, and no program imports it"},
	{pkg: "json/internal/stream", may: []string{"internal/syntax", "json/internal/option"},
		reason: "streams of tokens need JSON's syntax, but no Go types"},
	{pkg: "json/internal/export", may: []string{"json/internal/stream"},
		reason: "only the engine may use the streams inside jsontext's types"},
	{pkg: "json/jsontext", may: []string{"internal/syntax", "json/internal/export", "json/internal/option", "json/internal/stream"},
		reason: "a drop-in for encoding/json/jsontext, which has no Go types"},
	{pkg: "json/internal/rules", may: []string{"internal/memory/mem", "internal/syntax", "json/internal/export", "json/internal/option", "json/internal/stream", "json/jsontext", "shape"},
		reason: "errors, methods and options are the same for both directions, so they import neither"},
	{pkg: "json/internal/encode", may: []string{"internal/memory/mem", "internal/memory/optional", "internal/plan", "internal/syntax", "json/internal/option", "json/internal/rules", "json/internal/stream", "shape"},
		reason: "encoding does not need decoding, and calls methods that take streams through package rules"},
	{pkg: "json/internal/rules/v2/encoding", may: []string{"internal/memory/mem", "internal/syntax", "json/internal/encode", "json/internal/export", "json/internal/option", "json/internal/rules", "json/internal/stream", "json/jsontext", "shape"},
		reason: "a program that encodes only by version 1 does not link it"},
	{pkg: "json/internal/decode", may: []string{"internal/literal", "internal/memory/buffer", "internal/memory/mem", "internal/path", "internal/plan", "internal/syntax", "internal/zero", "json/internal/option", "json/internal/rules", "shape"},
		reason: "decoding does not need encoding, and calls methods that take streams through package rules"},
	{pkg: "json/internal/rules/v1", may: []string{"internal/memory/buffer", "internal/memory/mem", "internal/syntax", "json/internal/decode", "json/internal/encode", "json/internal/option", "json/internal/rules", "json/internal/stream", "shape"},
		reason: "it has what the releases of version 1 share, so it knows none of them"},
	{pkg: "json/internal/rules/go126", may: []string{"internal/memory/mem", "internal/syntax", "json/internal/decode", "json/internal/encode", "json/internal/option", "json/internal/rules", "json/internal/rules/v1", "shape"},
		reason: "the rules of a release are one folder, which is deleted with the release, so the rooms of releases do not import each other"},
	{pkg: "json/internal/rules/go127", may: []string{"internal/memory/mem", "internal/syntax", "json/internal/decode", "json/internal/encode", "json/internal/option", "json/internal/rules", "json/internal/rules/v1", "json/internal/stream", "shape"},
		reason: "the rules of a release are one folder, which is deleted with the release, so the rooms of releases do not import each other"},
	{pkg: "json/internal/rules/v2/decoding", may: []string{"internal/memory/mem", "internal/syntax", "json/internal/decode", "json/internal/export", "json/internal/option", "json/internal/rules", "json/internal/stream", "json/jsontext", "shape"},
		reason: "a program that decodes only by version 1 does not link it"},
	{pkg: "json/internal/locate", may: []string{"internal/path", "internal/syntax", "json/internal/option", "json/internal/rules", "json/internal/stream"},
		reason: "it finds the position of an error that the engine has returned, and needs only the types of these errors"},
	{pkg: "json", may: []string{"internal/variadic", "internal/memory/buffer", "internal/memory/mem", "internal/release", "json/internal/decode", "json/internal/encode", "json/internal/locate", "json/internal/option", "json/internal/rules", "json/internal/rules/go126", "json/internal/rules/go127", "json/internal/rules/v1", "json/internal/stream", "internal/syntax"},
		reason: "a drop-in for encoding/json: it passes the rules of a release to the engine, and does not import version 2"},
	{pkg: "json/document/internal/jsonpath", may: []string{"internal/syntax"}, reason: "it reads queries, and knows no documents"},
	{pkg: "json/document", may: []string{"internal/memory/mem", "internal/syntax", "internal/variadic", "json", "json/document/internal/jsonpath", "json/internal/option", "json/internal/rules", "json/jsontext"},
		reason: "a document is the index of a text; it decodes a value as any program does, and package json does not link it"},
	{pkg: "internal/shadow", reason: "it compares the results and errors of any two engines"},
	{pkg: "json/shadow", may: []string{"internal/shadow", "json", "json/internal/rules"}, reason: "it compares the engines of package json from outside"},
	{pkg: "json/v2", may: []string{"internal/memory/buffer", "internal/memory/mem", "json/internal/decode", "json/internal/rules/v2/decoding", "json/internal/encode", "json/internal/rules/v2/encoding", "json/internal/export", "json/internal/locate", "json/internal/option", "json/internal/rules", "json/internal/stream", "json/jsontext"},
		reason: "a drop-in for encoding/json/v2: it sets the engine's options, and does not import version 1"},
	{pkg: "json/v2/shadow", may: []string{"internal/shadow", "json/internal/rules", "json/jsontext", "json/v2"}, reason: "it compares the engines of package json/v2 from outside"},
	{pkg: "json/format", reason: "forms of durations, times and bytes work with any package for text or JSON, so they import none"},
	{pkg: "bind", may: []string{"internal/memory/mem", "internal/path", "internal/plan", "internal/zero", "shape"},
		reason: "engines do not import each other"},
	{pkg: "internal/gosource", may: []string{"shape"}, reason: "it writes Go files for any engine, so it imports none"},
	{pkg: "wire/internal/fault", reason: "programs, schemas and layouts share these causes of errors, so the package imports none of them"},
	{pkg: "wire/internal/budget", reason: "encoding, decoding and measuring count memory in the same way"},
	{pkg: "wire/internal/scalar", may: []string{"internal/memory/mem", "wire/internal/fault"},
		reason: "numbers, lengths and times have the same encoding for programs and for schemas, so it imports neither"},
	{pkg: "wire/internal/spec", may: []string{"internal/memory/mem", "shape", "wire/internal/fault", "wire/internal/scalar"},
		reason: "a spec is data: it needs neither the codecs that make it nor the programs made from it, and from shape only the memory layout of unions"},
	{pkg: "wire/internal/measure", may: []string{"wire/internal/budget", "wire/internal/fault", "wire/internal/scalar", "wire/internal/spec"},
		reason: "the end of a value is found from its spec, without a program and without memory for the value"},
	{pkg: "wire/internal/program", may: []string{"internal/memory/mem", "internal/path", "shape", "wire/internal/budget", "wire/internal/fault", "wire/internal/measure", "wire/internal/scalar", "wire/internal/spec"},
		reason: "programs are made from specs, whatever package has made the specs"},
	{pkg: "wire/schema", may: []string{"internal/path", "internal/syntax", "wire/internal/budget", "wire/internal/fault", "wire/internal/scalar"},
		reason: "a schema describes bytes without Go types, so it only needs the encoding of numbers, lengths and times"},
	{pkg: "wire/schema/gen", may: []string{"wire/schema"},
		reason: "code in other languages is made only from a schema, so it can be made for every schema"},
	{pkg: "wire/code", may: []string{"internal/memory/mem", "wire/internal/fault", "wire/internal/program", "wire/internal/scalar"},
		reason: "generated code calls the engine, which does not link it"},
	{pkg: "wire/code/print", may: []string{"internal/gosource", "shape", "wire/internal/program", "wire/internal/scalar", "wire/internal/spec"},
		reason: "generated code is printed from the spec of a type; the printer does not import wire, so that the tests of wire can have generated code"},
	{pkg: "wire", may: []string{"internal/variadic", "internal/memory/mem", "internal/plan", "shape", "wire/internal/budget", "wire/internal/fault", "wire/internal/measure", "wire/internal/program", "wire/internal/scalar", "wire/internal/spec", "wire/schema"},
		reason: "derived codecs come from shapes, which describe mo's types, and engines do not import each other"},
	{pkg: "wire/container", may: []string{"wire", "wire/internal/measure", "wire/internal/scalar", "wire/schema"},
		reason: "a container has records of any codec, which package wire encodes, so it needs no description of types"},
	{pkg: "wire/shadow", may: []string{"internal/shadow"}, reason: "it compares any two formats, so it imports none"},
	{pkg: "wire/layout", may: []string{"internal/memory/mem", "mo", "shape", "wire", "wire/internal/budget", "wire/internal/fault", "wire/internal/measure", "wire/internal/program", "wire/internal/scalar", "wire/internal/spec", "wire/schema"},
		reason: "a layout is declared: it uses shapes only for the names of fields, and mo for its type Option"},
	{pkg: "internal/limit", may: []string{"internal/literal", "internal/memory/mem", "internal/path", "internal/zero", "shape"}, reason: "limits check values, whatever part of a request they are from"},
	{pkg: "internal/http/route", reason: "the tree of routes needs neither requests nor handlers"},
	{pkg: "internal/http/problem", reason: "web handles an api.Problem as an error, and web and api do not import each other"},
	{pkg: "internal/http/routed", reason: "the methods by which web and api call each other are named once, and web and api do not import each other"},
	{pkg: "internal/http/body", may: []string{"internal/http/problem", "internal/memory/buffer"}, reason: "web and api read bodies in the same way, and do not import each other"},
	{pkg: "internal/http/header", reason: "web and api read header fields in the same way, and do not import each other"},
	{pkg: "internal/http/urlpath", reason: "routing and the serving of files must interpret the forms of a path in the same way"},
	{pkg: "internal/http/drain", reason: "web tells api's streams that the server shuts down, and web and api do not import each other"},
	{pkg: "api/internal/message", may: []string{"json", "json/jsontext", "json/v2", "wire", "shape", "internal/limit", "internal/http/route", "internal/http/header"},
		reason: "servers and clients use the same description of an operation's messages, so it imports neither"},
	{pkg: "api/security", may: []string{"internal/http/problem"}, reason: "plain routes use security schemes too, so the package needs no typed handlers"},
	{pkg: "api", may: []string{"internal/variadic", "api/internal/message", "internal/path", "api/security", "bind", "json", "json/jsontext", "json/v2", "wire", "shape", "internal/limit", "internal/http/route", "internal/http/body", "internal/memory/buffer", "internal/http/header", "internal/http/drain", "internal/http/problem", "internal/http/routed"},
		reason: "api connects the engines with any router, so it imports no router; only the engines access raw memory"},
	{pkg: "api/client", may: []string{"internal/variadic", "api", "api/internal/message", "bind", "json", "json/v2", "wire", "shape", "internal/http/route", "internal/http/header"},
		reason: "a client sends the input of a typed handler; servers do not link the client"},
	{pkg: "api/apitest", may: []string{"internal/variadic", "api", "api/client", "api/openapi"}, reason: "a test of an API uses the same things as its clients: the document and the types"},
	{pkg: "api/openapi", may: []string{"api", "api/security", "internal/limit", "internal/literal", "shape"},
		reason: "a document is made only from the descriptions of handlers and from shapes"},
	{pkg: "web", may: []string{"bind", "json", "internal/http/route", "internal/http/body", "internal/memory/buffer", "internal/http/header", "internal/http/drain", "internal/http/problem", "internal/http/routed", "internal/http/urlpath"},
		reason: "a program that uses web like Echo must not link the binary codec or typed handlers"},
	{pkg: "web/middleware", may: []string{"web", "internal/http/body", "internal/http/urlpath"},
		reason: "middleware uses web as a program would"},
	{pkg: "web/echotest", may: []string{"web"}, reason: "the test kit uses web as a program would"},
}

// helpers are packages that no production code imports.
var helpers = []rule{
	{pkg: ".", reason: "it has only the package comment"},
	{pkg: "examples/cookbook/...", may: []string{"api", "api/apitest", "api/client", "api/openapi", "api/security", "json", "json/shadow", "mo", "union", "web", "web/middleware", "wire", "wire/container"},
		reason: "a program of the cookbook uses Hone as any program would"},
	{pkg: "internal/test/docs", may: []string{"api", "bind", "json", "json/format", "json/v2", "mo", "web", "web/middleware"}, reason: "it reads pages, tries their answers, and runs the go command"},
	{pkg: "internal/test/foreign", reason: "it runs tests with the go tool, and imports none of the packages"},
	{pkg: "internal/test/gotests", may: []string{"internal/test/foreign"}, reason: "the code under test is built from text, at run time"},
	{pkg: "internal/test/testkit/...", may: []string{"mo"}, reason: "shared code of tests must be usable in the tests of every package"},
	{pkg: "wire/internal/vectors", may: []string{"wire/schema"}, reason: "vectors are bytes and their schema, and reading them needs nothing else"},
	{pkg: "internal/syntax/internal/generate", reason: "a generator needs no other package"},
	{pkg: "internal/gofile", reason: "tests and generators of any package read Go files"},
	{pkg: "mo/internal/generate", may: []string{"internal/gofile"}, reason: "it generates source, and no program imports it"},
	{pkg: "web/internal/generate", reason: "a generator needs no other package"},
}

// testsMay lists the imports that tests may have beyond their package's own rule.
var testsMay = []string{"internal/test/testkit/...", "internal/memory/mem", "mo", "shape"}

// together lists packages that the tests of a package may import and the package itself may not.
// Programs use these packages together.
var together = map[string][]string{
	"api": {"union", "web"}, "api/client": {"json/jsontext", "web"}, "api/security": {"api"}, "api/apitest": {"api/security", "json", "json/v2", "mo", "union", "web", "wire", "wire/container"}, "api/openapi": {"internal/path", "mo", "web", "json", "json/format"}, "json/shadow": {"json/jsontext"}, "web": {"api", "web/middleware"}, "web/middleware": {"api"},
	"json": {"json/internal/rules", "json/jsontext", "json/v2"}, "json/v2": {"json"}, "json/format": {"bind", "json", "json/jsontext", "json/v2"},
	"internal/test/docs": {"wire", "wire/container"},
	"union":              {"json", "json/jsontext", "json/v2", "json/v2/shadow", "mo", "wire"},
	"wire":               {"wire/layout", "wire/internal/vectors"}, "wire/schema": {"wire", "wire/layout", "wire/schema/gen"}, "wire/schema/gen": {"wire"}, "wire/container": {"wire/layout", "wire/internal/vectors"}, "wire/shadow": {"wire"}, "wire/code": {"wire"}, "wire/internal/spec": {"wire", "wire/internal/program"}, "wire/code/print": {"wire"}, "wire/layout": {"wire/internal/vectors"},
}

// matches reports whether a pattern of a rule includes the package.
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
			t.Errorf("%s: package %s has no rule; add a rule with a reason", f.path, f.pkg())
			continue
		}
		isTest := strings.HasSuffix(f.path, "_test.go")
		for _, name := range f.imports {
			pkg, own := strings.CutPrefix(name, module+"/")
			if !own {
				if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
					t.Errorf("%s imports %s: the core module may only depend on the standard library", f.path, name)
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
				t.Errorf("%s does not import %s: remove it from the rule", r.pkg, may)
			}
		}
	}
}

// drawing writes the lattice for docs/architecture.md: a picture without the arrows that a path
// of other arrows implies, and a table of all arrows.
func drawing() string {
	reaches := map[string]map[string]bool{} // directly or through other packages
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
		imports := "no package of Hone"
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

// TestDrawing fails if the picture in docs/architecture.md differs from the rules. With
// HONE_UPDATE=1 it writes the picture.
func TestDrawing(t *testing.T) { comparePart(t, "architecture.md", "lattice", drawing()) }
