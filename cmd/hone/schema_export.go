package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

const exportHelp = `Prints the schema of a type or of a variable as JSON. The variable holds a
*wire.Codec or a registry of models, *layout.Models. PACKAGE is an import path or
a folder, as for the go command. The go command must be installed, because hone
builds and runs a small program that imports the package. NAME may be an instance of
a generic type whose arguments are basic types or types of the same package.

  hone schema export ./telemetry.Batch > batch.json
  hone schema export 'example.org/service/layouts.Page[User]'
`

func exportSchema(c *call) action {
	return func(args []string) error {
		head, _, _ := strings.Cut(args[0], "[")
		dot := strings.LastIndexByte(head, '.')
		if dot < 1 || !token.IsIdentifier(head[dot+1:]) {
			return fmt.Errorf("%q does not have the form PACKAGE.NAME: %w", args[0], errUsage)
		}
		pkg, name := args[0][:dot], args[0][dot+1:]
		if pkg == "." || strings.HasSuffix(pkg, "/.") { // "./.Batch" and "..Batch" name the package of the current folder
			pkg = strings.TrimSuffix(pkg, "/.")
		}
		p, err := onlyPackage(pkg)
		if err != nil {
			return err
		}
		is, err := p.named(name)
		if err != nil {
			return err
		}
		all, err := p.export([]codec{is})
		if err != nil {
			return err
		}
		if all[0].Error != "" {
			return fmt.Errorf("%s %s", name, all[0].Error)
		}
		var out bytes.Buffer
		if err := json.Indent(&out, all[0].Schema, "", "\t"); err != nil {
			return err
		}
		out.WriteByte('\n')
		_, err = c.stdout.Write(out.Bytes())
		return err
	}
}

// A codec is a type or a variable with a schema, as an expression in its package.
type codec struct {
	name    string
	expr    string
	isType  bool
	imports map[string]string // the packages that the expression uses: import path -> name
}

// An exportedSchema is the output of the added program for one codec.
type exportedSchema struct {
	Name   string
	Error  string // why the declaration has no schema
	Schema json.RawMessage
}

// exporter is a file that is added to a package to print the schemas of codecs.
const exporter = `package %s

import (
	hone_json "encoding/json"
	hone_fmt "fmt"
	hone_os "os"
	hone_reflect "reflect"

	hone_wire "github.com/hone-go/hone/wire"
	hone_schema "github.com/hone-go/hone/wire/schema"
%s)

func HoneExportSchemas() {
	type exported struct {
		Name, Error string
		Schema      any
	}
	var all []exported
	add := func(name string, get func() (any, error)) {
		one := exported{Name: name}
		defer func() {
			if fault := recover(); fault != nil {
				one.Error = hone_fmt.Sprint("has no schema: ", fault)
			}
			all = append(all, one)
		}()
		v, err := get()
		if err != nil {
			one.Error = "has no schema: " + err.Error()
			return
		}
		variable := hone_reflect.ValueOf(v)
		for _, is := range []any{v, variable.Elem().Interface()} {
			switch is := is.(type) {
			case *hone_schema.Schema:
				one.Schema = is
			case interface{ Schema() *hone_schema.Schema }:
				if s := is.Schema(); s != nil {
					one.Schema = s
				}
			case interface{ Schema() (*hone_schema.Models, error) }:
				if one.Schema, err = is.Schema(); err != nil {
					one.Error = "has no schema: " + err.Error()
				}
			default:
				continue
			}
			return
		}
		one.Error = "is a variable of the type " + variable.Type().Elem().String() + "; only a type, a *wire.Codec and a *layout.Models have a schema"
	}
	_, _ = add, hone_wire.SchemaOf[bool]
%s	text, err := hone_json.Marshal(all)
	if err != nil {
		hone_fmt.Fprintln(hone_os.Stderr, err)
		hone_os.Exit(1)
	}
	hone_fmt.Println(string(text))
	hone_os.Exit(0)
}
`

// export returns the schemas of codecs of the package.
func (p *goPackage) export(codecs []codec) ([]exportedSchema, error) {
	var calls, imports strings.Builder
	paths := map[string]string{}
	for _, c := range codecs {
		get := "return &" + c.expr + ", nil"
		if c.isType {
			get = "return hone_wire.SchemaOf[" + c.expr + "]()"
		}
		fmt.Fprintf(&calls, "\tadd(%q, func() (any, error) { %s })\n", c.name, get)
		for path, name := range c.imports {
			paths[path] = name
		}
	}
	for path, name := range paths {
		fmt.Fprintf(&imports, "\t%s %q\n", name, path)
	}
	out, err := p.run(fmt.Sprintf(exporter, p.Name, imports.String(), calls.String()), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.ImportPath, err)
	}
	// The package may print other output when it is initialized. The result is the last line.
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var all []exportedSchema
	if err := json.Unmarshal(lines[len(lines)-1], &all); err != nil || len(all) != len(codecs) {
		return nil, fmt.Errorf("%s: unexpected output of the program that prints schemas: %.100q", p.ImportPath, out)
	}
	return all, nil
}

// named returns the codec for the type or the variable called name, which may have type arguments.
func (p *goPackage) named(name string) (codec, error) {
	expr, err := parser.ParseExpr(name)
	if err != nil {
		return codec{}, fmt.Errorf("%q is not the name of a type or a variable: %w", name, errUsage)
	}
	base, arguments := expr, []ast.Expr(nil)
	switch e := expr.(type) {
	case *ast.IndexExpr:
		base, arguments = e.X, []ast.Expr{e.Index}
	case *ast.IndexListExpr:
		base, arguments = e.X, e.Indices
	}
	ident, ok := base.(*ast.Ident)
	if !ok {
		return codec{}, fmt.Errorf("%q is not the name of a type or a variable: %w", name, errUsage)
	}
	declared, err := p.declarations()
	if err != nil {
		return codec{}, err
	}
	for _, a := range arguments {
		if err := p.argument(a, declared); err != nil {
			return codec{}, err
		}
	}
	d := declared[ident.Name]
	switch {
	case d.what == "":
		return codec{}, fmt.Errorf("package %s has no type and no variable %s", p.ImportPath, ident.Name)
	case d.what != "type" && d.what != "variable":
		return codec{}, fmt.Errorf("%s is a %s; only types and variables have a schema", ident.Name, d.what)
	case len(arguments) == 0 && d.parameters > 0:
		return codec{}, fmt.Errorf("%s has type parameters: add type arguments, as in %[1]s[%s]", ident.Name, strings.Join(slices.Repeat([]string{"int"}, d.parameters), ", "))
	case len(arguments) != d.parameters:
		return codec{}, fmt.Errorf("%s has %d type parameters, not %d", ident.Name, d.parameters, len(arguments))
	}
	return codec{name: name, expr: name, isType: d.what == "type"}, nil
}

// argument returns an error for a type argument that would not compile.
func (p *goPackage) argument(a ast.Expr, declared map[string]declaration) (err error) {
	ast.Inspect(a, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr, *ast.FuncLit, *ast.CallExpr:
			err = fmt.Errorf("the type arguments of %s must be basic types or types of the package; for other arguments, declare a type in the package", p.ImportPath)
			return false
		case *ast.Ident:
			_, basic := types.Universe.Lookup(n.Name).(*types.TypeName)
			if !basic && declared[n.Name].what != "type" && err == nil {
				err = fmt.Errorf("there is no type %s in package %s", n.Name, p.ImportPath)
			}
		}
		return err == nil
	})
	return err
}

// A declaration describes a name that a package declares.
type declaration struct {
	what       string // type, variable, constant or function
	parameters int    // the number of type parameters of a type
}

func (p *goPackage) declarations() (map[string]declaration, error) {
	out := map[string]declaration{}
	for _, file := range slices.Concat(p.GoFiles, p.CgoFiles) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					out[d.Name.Name] = declaration{what: "function"}
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						out[s.Name.Name] = declaration{"type", s.TypeParams.NumFields()}
					case *ast.ValueSpec:
						what := "variable"
						if d.Tok == token.CONST {
							what = "constant"
						}
						for _, n := range s.Names {
							out[n.Name] = declaration{what: what}
						}
					}
				}
			}
		}
	}
	delete(out, "_")
	return out, nil
}
