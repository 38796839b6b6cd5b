// Command corpus saves the inputs that fuzzing has found, so that every run of the tests uses them:
//
//	go run ./internal/test/testkit/corpus ./wire FuzzDecode
//
// writes wire/testdata/corpus/FuzzDecode.txt from the fuzzer's cache and the lines that the file
// already has. Inputs of more than 400 bytes are omitted: the fuzzer derives similar inputs from
// shorter ones.
package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const longest = 400

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: corpus FOLDER FUZZTEST")
		os.Exit(2)
	}
	if err := keep(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func keep(folder, test string) error {
	command := exec.Command("go", "list", "-f", "{{.ImportPath}}")
	command.Dir = folder
	path, err := command.Output()
	if err != nil {
		return fmt.Errorf("no package in %s: %w", folder, err)
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return err
	}
	found := filepath.Join(strings.TrimSpace(string(cache)), "fuzz", strings.TrimSpace(string(path)), test)
	inputs, err := os.ReadDir(found)
	if err != nil {
		return fmt.Errorf("no inputs in the fuzzing cache: %w", err)
	}
	target := filepath.Join(folder, "testdata", "corpus", test+".txt")
	lines := map[string]bool{}
	if old, err := os.ReadFile(target); err == nil {
		for line := range strings.Lines(string(old)) {
			lines[line] = true
		}
	}
	for _, input := range inputs {
		text, err := os.ReadFile(filepath.Join(found, input.Name()))
		if err != nil {
			return err
		}
		if args, ok := strings.CutPrefix(string(text), "go test fuzz v1\n"); ok && len(text) <= longest {
			lines[strings.ReplaceAll(strings.TrimSpace(args), "\n", "\t")+"\n"] = true
		}
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.WriteFile(target, []byte(strings.Join(slices.Sorted(maps.Keys(lines)), "")), 0o644)
}
