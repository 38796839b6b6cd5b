package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// added is the name of the function that run adds to a package.
const added = "HoneExportSchemas"

// run compiles the package together with source, a file that must declare a function named by the
// constant added. It runs a program that calls the function, and returns the output of the program.
// It does not write to the package's folder. The package may be internal or a command; main of a
// command is not called.
//
// instead maps the paths of files to the sources that replace these files in this build.
func (p *goPackage) run(source string, instead map[string]string) ([]byte, error) {
	target := "./hone-export-schemas"
	files := maps.Clone(instead)
	if files == nil {
		files = map[string]string{}
	}
	if p.Name == "main" {
		target = "."
		source += callAdded
	} else {
		files[filepath.Join(p.Dir, target, "main.go")] = fmt.Sprintf("package main\n\nimport of %q\n\nfunc main() { of.%s() }\n", p.ImportPath, added)
	}
	// The file's name sorts first, so that its init function runs before the init functions of other files.
	files[filepath.Join(p.Dir, "0_hone_export_schemas.go")] = source
	// The program is built and then run, since "go run" would use another folder.
	return p.buildAndRun(files, "build", target)
}

// runInTests is like run, but adds source to the test files of the package, so that it can use types that only
// test files declare. The test program calls the added function and runs no test.
func (p *goPackage) runInTests(source string, instead map[string]string) ([]byte, error) {
	files := map[string]string{filepath.Join(p.Dir, "0_hone_export_schemas_test.go"): source + callAdded}
	maps.Copy(files, instead)
	return p.buildAndRun(files, "test", "-c", "-vet=off", ".")
}

// callAdded is code that calls the added function when the program starts.
const callAdded = "\nfunc init() { " + added + "() }\n"

// buildAndRun builds a program with the go command, runs the program and returns its output. files
// maps the paths of files to the sources that the build uses for them. The last element of args is
// the package of the program.
func (p *goPackage) buildAndRun(files map[string]string, args ...string) ([]byte, error) {
	tmp, err := os.MkdirTemp("", "hone-export-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	replace := map[string]string{}
	for place, source := range files {
		file := filepath.Join(tmp, fmt.Sprint(len(replace), ".go"))
		replace[place] = file
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			return nil, err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	config := filepath.Join(tmp, "overlay.json")
	if err := os.WriteFile(config, overlay, 0o600); err != nil {
		return nil, err
	}
	bin := filepath.Join(tmp, "export.exe")
	last := len(args) - 1
	if _, err := goCommand(p.Dir, append(slices.Clone(args[:last]), "-overlay", config, "-o", bin, args[last])...); err != nil {
		return nil, err
	}
	cmd := exec.Command(bin)
	cmd.Dir = p.Dir
	return output(cmd)
}
