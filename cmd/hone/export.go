package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

const exportHelp = `Prints the schema of NAME, a type or a variable that holds a *wire.Codec, of a
package, as JSON. PACKAGE is an import path or a folder, as for the go command,
which must be there: a small program is made and run in the package's module.

  hone schema export ./telemetry.Batch
  hone schema export example.org/service/layouts.User
`

func exportSchema(c *call) error {
	args, err := c.parse(1, 1)
	if err != nil {
		return err
	}
	dot := strings.LastIndexByte(args[0], '.')
	if dot < 1 || !token.IsIdentifier(args[0][dot+1:]) {
		return fmt.Errorf("%q is not PACKAGE.NAME: %w", args[0], errAsked)
	}
	pkg, name := args[0][:dot], args[0][dot+1:]
	if pkg == "." || strings.HasSuffix(pkg, "/.") { // "./.Batch" or "..Batch" is the package here
		pkg = strings.TrimSuffix(pkg, "/.")
	}
	if !token.IsExported(name) {
		return fmt.Errorf("%s is not exported, so no other package may use it", name)
	}
	p, err := list(pkg)
	if err != nil {
		return err
	}
	if p.Name == "main" {
		return fmt.Errorf("%s is a command: its types cannot be imported", p.ImportPath)
	}
	expr, err := p.expression(name)
	if err != nil {
		return err
	}
	out, err := p.run(fmt.Sprintf(exporter, strconv.Quote(p.ImportPath), expr))
	if err != nil {
		return err
	}
	_, err = c.stdout.Write(out)
	return err
}

// exporter is the program that prints a schema.
const exporter = `package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
	of %s
)

func schemaOf[T any]() *schema.Schema {
	s, err := wire.SchemaOf[T]()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return s
}

func main() {
	_ = schemaOf[bool]
	out, err := json.MarshalIndent(%s, "", "\t")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(string(out))
}
`

// A goPackage is what the go command says about a package.
type goPackage struct {
	Dir, ImportPath, Name string
	GoFiles, CgoFiles     []string
	Module                *struct{ Dir string }
}

func list(pkg string) (*goPackage, error) {
	out, err := goCommand("", "list", "-json=Dir,ImportPath,Name,GoFiles,CgoFiles,Module", pkg)
	if err != nil {
		return nil, err
	}
	p := new(goPackage)
	d := json.NewDecoder(bytes.NewReader(out))
	if err := d.Decode(p); err != nil {
		return nil, fmt.Errorf("go list %s: %w", pkg, err)
	}
	if d.More() {
		return nil, fmt.Errorf("%s is more than one package", pkg)
	}
	if p.Module == nil || p.Module.Dir == "" {
		return nil, fmt.Errorf("%s is in no module", p.ImportPath)
	}
	return p, nil
}

// expression returns what evaluates to the schema of name.
func (p *goPackage) expression(name string) (string, error) {
	for _, file := range append(p.GoFiles, p.CgoFiles...) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			return "", err
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.Name == name && s.TypeParams != nil {
						return "", fmt.Errorf("%s has type parameters: give an instance of it a name", name)
					}
					if s.Name.Name == name {
						return "schemaOf[of." + name + "]()", nil
					}
				case *ast.ValueSpec:
					for _, n := range s.Names {
						if n.Name == name {
							return "of." + name + ".Schema()", nil
						}
					}
				}
			}
		}
	}
	return "", fmt.Errorf("package %s has no type and no variable %s", p.ImportPath, name)
}

// run runs a program as if it stood in the package's folder, so that it may
// import whatever the package may. Nothing is written there.
func (p *goPackage) run(source string) ([]byte, error) {
	tmp, err := os.MkdirTemp("", "hone-export-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	file := filepath.Join(tmp, "main.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		return nil, err
	}
	place := filepath.Join(p.Dir, "hone-export")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(place, "main.go"): file}})
	if err != nil {
		return nil, err
	}
	config := filepath.Join(tmp, "overlay.json")
	if err := os.WriteFile(config, overlay, 0o600); err != nil {
		return nil, err
	}
	// Built and run apart, since "go run" would look for the folder.
	bin := filepath.Join(tmp, "export.exe")
	if _, err := goCommand(p.Dir, "build", "-overlay", config, "-o", bin, "./hone-export"); err != nil {
		return nil, err
	}
	return output(exec.Command(bin))
}

func goCommand(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	return output(cmd)
}

// output returns what cmd prints, or what it complains of.
func output(cmd *exec.Cmd) ([]byte, error) {
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return nil, errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return out, err
}
