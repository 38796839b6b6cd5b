package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// A goPackage is a package as go list describes it.
type goPackage struct {
	Dir, ImportPath, Name string
	GoFiles, CgoFiles     []string
	Module                *struct{ Dir string }

	Export    string // the file with its export data
	DepOnly   bool   // it was not listed by the pattern, but a listed package imports it
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

// onlyPackage returns the only package that the pattern pkg matches.
func onlyPackage(pkg string) (*goPackage, error) {
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
