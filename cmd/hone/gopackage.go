package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A goPackage is a package as go list describes it.
type goPackage struct {
	Dir, ImportPath, Name string
	GoFiles, CgoFiles     []string
	Module                *struct{ Dir string }

	Export    string // the file with its export data
	DepOnly   bool   // it is only imported by the listed packages
	ImportMap map[string]string
}

// list returns the packages that match the arguments of go list in a folder.
func list(dir string, args ...string) ([]*goPackage, error) {
	fields := "-json=Dir,ImportPath,Name,GoFiles,CgoFiles,Module,Export,DepOnly,ImportMap"
	out, err := goCommand(dir, append([]string{"list", fields}, args...)...)
	if err != nil {
		return nil, err
	}
	var all []*goPackage
	d := json.NewDecoder(bytes.NewReader(out))
	for {
		p := new(goPackage)
		if err := d.Decode(p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, p)
	}
}

// one returns the only package that the pattern pkg matches.
func one(pkg string) (*goPackage, error) {
	all, err := list("", "--", pkg)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, fmt.Errorf("there is no package %s", pkg)
	case len(all) > 1:
		return nil, fmt.Errorf("%s matches more than one package", pkg)
	case all[0].Module == nil || all[0].Module.Dir == "":
		return nil, fmt.Errorf("%s is not part of a module", all[0].ImportPath)
	}
	return all[0], nil
}

// added is the name of the function that run adds to a package.
const added = "HoneExportSchemas"

// run adds a file to the package, which declares the function added. It builds a program that calls
// the function, runs the program and returns its output. It does not write to the package's folder.
// The package may be internal or a command; main of a command is not called.
func (p *goPackage) run(source string) ([]byte, error) {
	tmp, err := os.MkdirTemp("", "hone-export-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	replace := map[string]string{}
	add := func(place, source string) error {
		file := filepath.Join(tmp, fmt.Sprint(len(replace), ".go"))
		replace[place] = file
		return os.WriteFile(file, []byte(source), 0o600)
	}
	target := "./hone-export-schemas"
	if p.Name == "main" {
		target = "."
		source += "\nfunc init() { " + added + "() }\n"
	} else {
		call := fmt.Sprintf("package main\n\nimport of %q\n\nfunc main() { of.%s() }\n", p.ImportPath, added)
		if err := add(filepath.Join(p.Dir, target, "main.go"), call); err != nil {
			return nil, err
		}
	}
	// The name sorts first, so that the init function of the file runs before the others.
	if err := add(filepath.Join(p.Dir, "0_hone_export_schemas.go"), source); err != nil {
		return nil, err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	config := filepath.Join(tmp, "overlay.json")
	if err := os.WriteFile(config, overlay, 0o600); err != nil {
		return nil, err
	}
	// The program is built and then run, since "go run" would use another folder.
	bin := filepath.Join(tmp, "export.exe")
	if _, err := goCommand(p.Dir, "build", "-overlay", config, "-o", bin, target); err != nil {
		return nil, err
	}
	return output(exec.Command(bin))
}

func goCommand(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	return output(cmd)
}

// output runs cmd and returns its output. If cmd fails, the error contains its error output.
func output(cmd *exec.Cmd) ([]byte, error) {
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return nil, errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return out, err
}
