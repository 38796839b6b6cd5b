package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRecipes looks for the files and folders that CONTRIBUTING.md names by a path from the
// root. It fails if a recipe names a file that has moved.
func TestRecipes(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, match := range recipePath.FindAllStringSubmatch(string(text), -1) {
		if strings.HasPrefix(match[1], "encoding/") { // the standard library's
			continue
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(match[1]))); err != nil {
			t.Errorf("CONTRIBUTING.md names %s: %v", match[1], err)
		}
		found++
	}
	if found < 15 {
		t.Errorf("CONTRIBUTING.md names %d paths: has the format of the paths changed?", found)
	}
}

var (
	recipePath    = regexp.MustCompile("`((?:[a-z][a-z0-9_]*/)+[A-Za-z0-9_.]*)`")
	recipeExample = regexp.MustCompile("Example: `([A-Za-z]+)`")
)

// TestRecipeExamples looks for the example of each recipe in all production code. The recipe must
// name each file that contains the example, or its folder.
func TestRecipeExamples(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for recipe := range strings.SplitSeq(string(text), "\n**… ") {
		match := recipeExample.FindStringSubmatch(recipe)
		if match == nil {
			continue
		}
		examples++
		var paths []string
		for _, p := range recipePath.FindAllStringSubmatch(recipe, -1) {
			paths = append(paths, p[1])
		}
		title, _, _ := strings.Cut(recipe, "**")
		files := filesWith(t, root, match[1])
		if len(files) == 0 {
			t.Errorf("… %s: no code contains the example %s", title, match[1])
		}
		for _, file := range files {
			if !slices.ContainsFunc(paths, func(p string) bool { return p == file || strings.HasSuffix(p, "/") && strings.HasPrefix(file, p) }) {
				t.Errorf("… %s: the example %s is in %s, which the recipe does not name", title, match[1], file)
			}
		}
	}
	if examples < 3 {
		t.Errorf("CONTRIBUTING.md names %d examples: has the format of the examples changed?", examples)
	}
}

// filesWith returns the Go files that contain the word, without tests and testdata.
func filesWith(t *testing.T, root, word string) (files []string) {
	t.Helper()
	re := regexp.MustCompile(`\b` + word + `\b`)
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && file != root) {
			return filepath.SkipDir
		}
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil || !re.Match(data) {
			return err
		}
		rel, err := filepath.Rel(root, file)
		files = append(files, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
