package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hone-go/hone/internal/test/foreign"
)

const (
	hone   = "github.com/hone-go/hone"
	module = hone + "/json/gotests" // the path allows the module to import internal packages of json
)

// makeModule creates the module gotests: the packages under test, and copies of the internal
// packages that the tests import.
func makeModule(dir string) error {
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, "json/json.go")); err != nil {
		return fmt.Errorf("run it in the root of the repository: %w", err)
	}
	goRoot, err := foreign.Command("", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	source := filepath.Join(strings.TrimSpace(string(goRoot)), "src")
	version, _, _ := strings.Cut(strings.TrimPrefix(runtime.Version(), "go"), "-") // the names of experiments may follow the version
	text := fmt.Sprintf("module %s\n\ngo %s\n\nrequire %s v0.1.0\n\nreplace %s => %s\n", module, version, hone, hone, root)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644); err != nil {
		return err
	}
	for _, name := range packages {
		if err := makePackage(filepath.Join(dir, name), source, filepath.Join("encoding/json", name), filepath.Join(root, "json", name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(packages) == 1 {
		return writeFiles(filepath.Join(dir, "internal"), map[string]string{"private/private.go": internals["private/private.go"]})
	}
	for _, name := range []string{"internal/zstd", "encoding/json/internal"} {
		to := filepath.Join(dir, "internal", strings.TrimPrefix(strings.TrimPrefix(name, "internal/"), "encoding/json/internal"))
		wanted := func(path string) bool {
			return !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "jsonopts")
		}
		if err := foreign.CopyFiles(to, filepath.Join(source, name), wanted); err != nil {
			return err
		}
	}
	if err := writeFiles(filepath.Join(dir, "internal"), internals); err != nil {
		return err
	}
	return rewriteImports(filepath.Join(dir, "internal"))
}

func writeFiles(dir string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
