package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"slices"
	"strings"
)

const openapiExportHelp = `Prints the OpenAPI document of an API without running a server. NAME is a variable or
a function of PACKAGE, of one of these types:

  *api.API              func() *api.API, func() (*api.API, error)
  *openapi.Document     func() *openapi.Document, func() (*openapi.Document, error)
  func(api.Router), func(api.Router) error     which registers the handlers
  func(*api.API), func(*api.API) error

PACKAGE is an import path or a folder, as for the go command. The go command must be
installed, because hone builds and runs a small program that imports the package. The
package may be a command. Its functions main and init are not called, but its
variables are initialized.

  hone openapi export -title Shop -version 1.2 -o openapi.json ./server.Document
  hone openapi export -yaml ./server.Routes > openapi.yaml
  hone openapi export -openapi 3.0 -o openapi30.json ./server.Document

OpenAPI 3.1 and 3.0 have no place for methods such as QUERY. Their documents have these
operations in an extension, and the command lists them on the standard error.
`

func exportDocument(c *call) action {
	out := c.flags.String("o", "", "write to this `file` rather than to the standard output")
	release := c.flags.String("openapi", "", "the `version` of OpenAPI: 3.1, 3.2, or 3.0 for tools that do not know 3.1; by default the version of the document, which is 3.1 for an API")
	asYAML := c.flags.Bool("yaml", false, "in YAML rather than in JSON")
	title := c.flags.String("title", "", "the title of the API")
	version := c.flags.String("version", "", "the version of the API")
	return func(args []string) error {
		if !slices.Contains([]string{"", "3.0", "3.1", "3.2"}, *release) {
			return fmt.Errorf("-openapi must be 3.0, 3.1 or 3.2, not %s", *release)
		}
		p, name, err := packageAndName(args[0])
		if err != nil {
			return err
		}
		declared, err := p.declarations()
		if err != nil {
			return err
		}
		switch d := declared[name]; d.what {
		case "variable", "function":
		case "":
			return fmt.Errorf("package %s has no variable or function %s", p.ImportPath, name)
		default:
			return fmt.Errorf("%s is a %s; only variables and functions can be an API", name, d.what)
		}
		text, extended, err := p.document(name, *title, *version, *release, *asYAML)
		if err != nil {
			return err
		}
		for _, operation := range extended {
			fmt.Fprintf(c.stderr, "%s: only OpenAPI 3.2 has a place for this method; the document has it in x-additional-operations\n", operation)
		}
		if *out != "" {
			return os.WriteFile(*out, []byte(text), 0o644)
		}
		_, err = c.stdout.Write([]byte(text))
		return err
	}
}

// packageAndName splits PACKAGE.NAME, and finds the package.
func packageAndName(arg string) (p *goPackage, name string, err error) {
	dot := strings.LastIndexByte(arg, '.')
	if dot < 1 || !token.IsIdentifier(arg[dot+1:]) {
		return nil, "", fmt.Errorf("%q does not have the form PACKAGE.NAME: %w", arg, errUsage)
	}
	pkg := arg[:dot]
	if pkg == "." || strings.HasSuffix(pkg, "/.") { // "./.Routes" names the package of the current folder
		pkg = strings.TrimSuffix(pkg, "/.")
	}
	p, err = onlyPackage(pkg)
	return p, arg[dot+1:], err
}

// documenter is a file that is added to a package to print a document.
const documenter = `package %s

import (
	hone_json "encoding/json"
	hone_fmt "fmt"
	hone_http "net/http"
	hone_os "os"

	hone_api "github.com/hone-go/hone/api"
	hone_openapi "github.com/hone-go/hone/api/openapi"
)

type honeNoRouter struct{}

func (honeNoRouter) AddHandler(method, path string, h hone_http.Handler) error { return nil }

func HoneExportSchemas() {
	text, extended, err := honeDocument(%s)
	said := map[string]any{"Text": text, "Extended": extended}
	if err != nil {
		said["Error"] = err.Error()
	}
	line, _ := hone_json.Marshal(said)
	hone_fmt.Println()
	hone_fmt.Println(string(line))
	hone_os.Exit(0)
}

func honeDocument(of any) (text string, extended []string, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = hone_fmt.Errorf("%%v", fault)
		}
	}()
	var a *hone_api.API
	var doc *hone_openapi.Document
	routes := hone_api.New(honeNoRouter{})
	switch of := of.(type) {
	case *hone_api.API:
		a = of
	case func() *hone_api.API:
		a = of()
	case func() (*hone_api.API, error):
		a, err = of()
	case *hone_openapi.Document:
		doc = of
	case func() *hone_openapi.Document:
		doc = of()
	case func() (*hone_openapi.Document, error):
		doc, err = of()
	case func(hone_api.Router):
		of(routes)
		a = routes
	case func(hone_api.Router) error:
		err, a = of(routes), routes
	case func(*hone_api.API):
		of(routes)
		a = routes
	case func(*hone_api.API) error:
		err, a = of(routes), routes
	default:
		return "", nil, hone_fmt.Errorf("a value of type %%T does not provide an API; see hone openapi export -h", of)
	}
	if err != nil {
		return "", nil, err
	}
	if doc == nil {
		if a == nil {
			return "", nil, hone_fmt.Errorf("the API is nil")
		}
		doc = hone_openapi.Describe(a, hone_openapi.Config{})
	}
	if title := %q; title != "" {
		doc.Info.Title = title
	}
	if version := %q; version != "" {
		doc.Info.Version = version
	}
	switch release := %q; {
	case release == "3.0":
		doc = doc.Version30()
	case release == "3.2":
		doc = doc.Version32()
	case release == "3.1" && doc.OpenAPI != "3.1.1":
		return "", nil, hone_fmt.Errorf("the document has version %%s of OpenAPI, which cannot be converted to 3.1", doc.OpenAPI)
	}
	out, err := doc.%s()
	return string(out), doc.Extended(), err
}
`

// document returns the document for a name in the package.
func (p *goPackage) document(name, title, version, release string, asYAML bool) (text string, extended []string, err error) {
	method := "JSON"
	if asYAML {
		method = "YAML"
	}
	out, err := p.run(fmt.Sprintf(documenter, p.Name, name, title, version, release, method), nil)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", p.ImportPath, err)
	}
	// The package may print other output when it is initialized. The result is the last line.
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var said struct {
		Text, Error string
		Extended    []string
	}
	if err := json.Unmarshal(lines[len(lines)-1], &said); err != nil {
		return "", nil, fmt.Errorf("%s: unexpected output of the program that prints the document: %.100q", p.ImportPath, out)
	}
	if said.Error != "" {
		return "", nil, fmt.Errorf("%s.%s: %s", p.ImportPath, name, said.Error)
	}
	return said.Text, said.Extended, nil
}
