package arch

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// archiveLimit is the maximum size in bytes of the files of the core module. Everyone who uses Hone has them in the
// module cache.
const archiveLimit = 5<<20 + 10<<16

// TestArchive adds up the files that a release of the core would contain: all files of the clone that git does not
// ignore, without nested modules.
func TestArchive(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	git := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	git.Dir = root
	out, err := git.Output()
	switch {
	case err != nil && os.Getenv("HONE_REQUIRE_SERVICES") != "":
		t.Fatalf("git cannot list the files: %v", err)
	case err != nil:
		t.Skipf("this is not a clone of the repository: %v", err)
	}
	sizes := map[string]int64{}
	for _, name := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		sizes[name] = info.Size()
	}
	if len(sizes) < 1000 {
		t.Fatalf("git lists %d files: is this the root of the repository?", len(sizes))
	}
	if err := checkArchive(folderSizes(sizes), archiveLimit); err != nil {
		t.Error(err)
	}
}

// TestArchiveLimit compares a small module with two limits. Files of nested modules do not count.
func TestArchiveLimit(t *testing.T) {
	folders := folderSizes(map[string]int64{"go.mod": 10, "a/x.go": 600, "b/y.go": 300, ".github/z.yml": 90, "nested/go.mod": 10, "nested/z.go": 5000, "nested/deep/z.go": 5000})
	if err := checkArchive(folders, 1000); err != nil {
		t.Error(err)
	}
	if err := checkArchive(folders, 999); err == nil || !strings.Contains(err.Error(), "1000 bytes, more than 999") || !strings.Contains(err.Error(), "600 a\n") {
		t.Errorf("a module that is too large: %v", err)
	}
}

// folderSizes adds up the sizes of files by folder. It leaves out nested modules: folders with a go.mod.
func folderSizes(files map[string]int64) map[string]int64 {
	folders := map[string]int64{}
	for name, size := range files {
		nested := false
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			_, module := files[dir+"/go.mod"]
			nested = nested || module
		}
		if !nested {
			folders[path.Dir(name)] += size
		}
	}
	return folders
}

// checkArchive reports an error with the largest folders if folders have more than limit bytes in total.
func checkArchive(folders map[string]int64, limit int64) error {
	var total int64
	for _, size := range folders {
		total += size
	}
	if total <= limit {
		return nil
	}
	largest := slices.SortedFunc(maps.Keys(folders), func(a, b string) int { return cmp.Compare(folders[b], folders[a]) })
	list := ""
	for _, name := range largest[:min(10, len(largest))] {
		list += fmt.Sprintf("\n%9d %s", folders[name], name)
	}
	return fmt.Errorf("the files of the core have %d bytes, more than %d: put data that programs do not need into a nested module. The largest folders are%s", total, limit, list)
}
