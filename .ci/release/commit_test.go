package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommit makes a release in a clone: the release has the sums of Hone's own modules and every
// tag, and the tree after the release builds and requires the next release.
func TestCommit(t *testing.T) {
	t.Setenv("GOWORK", "") // the clone has its own
	ctx := t.Context()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	here, err := readTree(ctx, root)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := here.clone(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	in := func(command ...string) string {
		t.Helper()
		out, err := output(ctx, dir, command[0], command[1:]...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	// clone has already made a release. The test removes its tags and restores the go.sum files.
	in("git", "config", "user.name", "release")
	in("git", "config", "user.email", "release@example.org")
	for tag := range strings.FieldsSeq(in("git", "tag")) {
		in("git", "tag", "-d", tag)
	}
	for _, u := range here.modules {
		if text, err := os.ReadFile(filepath.Join(root, u.dir, "go.sum")); err == nil {
			if err := os.WriteFile(filepath.Join(dir, u.dir, "go.sum"), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	in("git", "commit", "-qam", "before")

	tree, err := readTree(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.commit(ctx, tree.version); err == nil {
		t.Error("a release that comes after itself is taken")
	}
	const next = "v0.999.0"
	if err := tree.commit(ctx, next); err != nil {
		t.Fatal(err)
	}
	if got := len(strings.Fields(in("git", "tag"))); got != len(tree.modules) {
		t.Errorf("%d tags for %d modules", got, len(tree.modules))
	}
	if sums := in("git", "show", here.version+":cmd/hone/go.sum"); !strings.Contains(sums, core+" "+here.version+" h1:") {
		t.Error("the release of cmd/hone has no sum of the core")
	}
	if sums := in("git", "show", "HEAD:cmd/hone/go.sum"); strings.Contains(sums, core+" ") {
		t.Error("the tree after the release has a sum of the core")
	}
	if after, err := readTree(ctx, dir); err != nil || after.version != next {
		t.Errorf("the tree after the release comes before %s: %v", after.version, err)
	}
	in("go", "build", "./cmd/hone", "./examples/pulse")
	if notes := in("git", "show", here.version+":CHANGELOG.md"); !strings.Contains(notes, "## "+here.version+" (") {
		t.Error("CHANGELOG.md has no heading for the release")
	}
}
