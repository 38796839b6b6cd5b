package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A goreleaser has the part of .goreleaser.yaml that decides the bytes of the command.
type goreleaser struct {
	Builds []struct {
		Main                string
		Env, Flags, Ldflags []string
	}
}

// TestReproducible builds the command twice as .goreleaser.yaml does, in different folders, and compares
// the bytes. The program knows its version.
func TestReproducible(t *testing.T) {
	t.Setenv("GOWORK", "") // the clones have their own
	ctx := t.Context()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var settings goreleaser
	if err := yaml.Unmarshal(text, &settings); err != nil || len(settings.Builds) != 1 {
		t.Fatalf("%d builds: %v", len(settings.Builds), err)
	}
	here, err := readTree(ctx, root)
	if err != nil {
		t.Fatal(err)
	}
	first, err := here.clone(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(first)
	second := filepath.Join(t.TempDir(), "a", "second")
	if err := runQuietly(ctx, "", nil, "git", "clone", "-q", first, second); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"linux/amd64", "windows/arm64"} {
		one := settings.build(ctx, t, first, target)
		two := settings.build(ctx, t, second, target)
		if !sameBytes(t, one, two) {
			t.Errorf("%s: two builds of one tag differ", target)
		}
		if target != runtime.GOOS+"/"+runtime.GOARCH {
			continue
		}
		out, err := output(ctx, "", one, "version")
		if err != nil || !strings.HasPrefix(out, "hone "+here.version+" ") {
			t.Errorf("hone version prints %q (%v), want %s", out, err, here.version)
		}
	}
}

// sameBytes reports whether two files have the same bytes.
func sameBytes(t *testing.T, one, two string) bool {
	t.Helper()
	a, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(two)
	if err != nil {
		t.Fatal(err)
	}
	return len(a) > 0 && bytes.Equal(a, b)
}

// build builds the command for a target in a clone and returns the path of the program.
func (g *goreleaser) build(ctx context.Context, t *testing.T, dir, target string) string {
	t.Helper()
	system, arch, _ := strings.Cut(target, "/")
	// The program is written outside of the clone: git reports a clone with an additional file as modified.
	name := filepath.Join(t.TempDir(), "hone")
	b := g.Builds[0]
	args := append([]string{"build", "-o", name, "-ldflags=" + strings.Join(b.Ldflags, " ")}, b.Flags...)
	env := append(slices.Clip(b.Env), "GOOS="+system, "GOARCH="+arch)
	if err := runQuietly(ctx, dir, env, "go", append(args, b.Main)...); err != nil {
		t.Fatal(err)
	}
	return name
}
