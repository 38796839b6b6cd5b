package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// A check is a part of the slow checks that passes or fails by itself: the tests of one package in one variant, one fuzz
// test, or one package with one patch of Go.
type check struct {
	name      string // the key of its record
	dir       string // relative to the root
	env       []string
	args      []string
	toolchain string // the release of Go; "" is the running one
	fuzz      bool
}

const (
	raceSlices = 3
	fuzzSlices = 5
)

// sliceNames has what each slice runs.
var sliceNames = []string{
	"race detector, first third of the packages",
	"race detector, second third",
	"race detector, last third",
	"checkptr",
	"purego",
	"386",
	"GOGC=1",
	"fuzzing, 60 s for each test, first fifth",
	"fuzzing, second fifth",
	"fuzzing, third fifth",
	"fuzzing, fourth fifth",
	"fuzzing, last fifth",
	"each patch of Go",
	"Echo's own tests, hone migrate on other modules, a year of pulse's data",
}

// A tested package is a package with tests.
type tested struct {
	ImportPath, Dir           string
	TestGoFiles, XTestGoFiles []string
}

// slowChecks returns the checks of each slice.
func (r *repository) slowChecks(ctx context.Context) ([][]check, error) {
	packages, err := r.tested(ctx)
	if err != nil {
		return nil, err
	}
	all := make([][]check, len(sliceNames))
	variant := func(name string, env []string, args ...string) (list []check) {
		for _, p := range packages {
			list = append(list, check{name: name + " " + p.ImportPath, env: append([]string{"HONE_VARIANT=1"}, env...), args: append(slices.Clip(args), p.ImportPath)})
		}
		return list
	}
	for i, c := range variant("race", []string{"HONE_SLOW=1"}, "go", "test", "-race", "-timeout", "30m") {
		all[i%raceSlices] = append(all[i%raceSlices], c)
	}
	n := raceSlices
	all[n] = variant("checkptr", nil, "go", "test", "-gcflags=github.com/hone-go/hone/...=-d=checkptr")
	all[n+1] = variant("purego", nil, "go", "test", "-tags", "purego")
	all[n+2] = r.on386(ctx, variant)
	all[n+3] = variant("GOGC=1", []string{"GOGC=1"}, "go", "test")
	n += 4
	fuzz, err := fuzzChecks(packages)
	if err != nil {
		return nil, err
	}
	for i, c := range fuzz {
		all[n+i%fuzzSlices] = append(all[n+i%fuzzSlices], c)
	}
	n += fuzzSlices
	all[n] = r.patchChecks(ctx)
	all[n+1] = []check{
		{name: "Echo's own tests", dir: "integrations/echoshim/conformance", env: []string{"GOWORK=off"}, args: []string{"go", "run", "./echotests"}},
		{name: "hone migrate on other modules", env: []string{"HONE_NIGHTLY=1"}, args: []string{"go", "test", "-run", "Nightly", "-timeout", "60m", "./cmd/hone/internal/migrate"}},
		{name: "a year of pulse's data", env: []string{"HONE_NIGHTLY=1"}, args: []string{"go", "test", "-run", "Year", "-timeout", "20m", "./examples/pulse/store"}},
	}
	return all, nil
}

// tested returns the packages of the workspace that have tests.
func (r *repository) tested(ctx context.Context) (list []tested, err error) {
	out, err := output(ctx, r.root, "go", "list", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles", "work")
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		var p tested
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			list = append(list, p)
		}
	}
}

// emulated lists the packages that are tested on an emulated 386, which is slow.
var emulated = []string{"internal/memory/mem", "internal/memory/optional", "internal/syntax", "json", "json/jsontext", "json/v2", "mo", "union", "wire", "wire/schema"}

// on386 returns the checks of 32-bit programs. Some kernels cannot run them; the emulator can, but it does not support the
// signals by which Go preempts goroutines.
func (r *repository) on386(ctx context.Context, variant func(string, []string, ...string) []check) []check {
	env := []string{"CGO_ENABLED=0", "GOARCH=386"}
	native := check{args: []string{"go", "test", "-run", "^$", "./internal/memory/mem"}, env: env}
	if _, err := native.run(ctx, r.root); err == nil {
		return variant("386", env, "go", "test")
	}
	list := variant("386", append(env, "GODEBUG=asyncpreemptoff=1"), "go", "test", "-short", "-exec", "qemu-i386")
	return slices.DeleteFunc(list, func(c check) bool {
		return !slices.ContainsFunc(emulated, func(p string) bool { return strings.HasSuffix(c.name, "/hone/"+p) })
	})
}

var fuzzTest = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// fuzzChecks returns a check for each fuzz test.
func fuzzChecks(packages []tested) (list []check, err error) {
	for _, p := range packages {
		for _, file := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			text, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				return nil, err
			}
			for _, m := range fuzzTest.FindAllStringSubmatch(string(text), -1) {
				list = append(list, check{
					name: "fuzz " + p.ImportPath + " " + m[1], fuzz: true,
					args: []string{"go", "test", "-run", "^$", "-fuzz", "^" + m[1] + "$", "-fuzztime", "60s", "-fuzzminimizetime", "5s", "-parallel", "1", p.ImportPath},
				})
			}
		}
	}
	return list, nil
}

// patchChecks returns the checks with each patch of Go 1.27, and with the first and the last one of Go 1.26. Patches change
// encoding/json, and package json behaves like the linked one.
func (r *repository) patchChecks(ctx context.Context) (list []check) {
	toolchains := []string{"go1.27.4", "go1.26.11"} // if the module proxy lists none
	if out, err := output(ctx, "/", "go", "list", "-m", "-versions", "golang.org/toolchain"); err == nil {
		old := patches(out, "go1.26")
		if new := patches(out, "go1.27"); len(new) > 0 && len(old) > 0 {
			toolchains = slices.Compact(append(new, old[0], old[len(old)-1]))
		}
	}
	for _, toolchain := range toolchains {
		for _, args := range [][]string{
			{"test", "./json/..."}, {"test", "./mo/...", "./union"}, {"test", "./wire/..."}, {"test", "./web/..."}, {"test", "./api/..."}, {"run", "./internal/test/gotests"},
		} {
			name := toolchain + " " + strings.Join(args, " ")
			list = append(list, check{name: name, toolchain: toolchain, env: []string{"HONE_SLOW=1"}, args: append([]string{"go"}, args...)})
		}
	}
	for _, toolchain := range slices.Backward(toolchains) {
		if strings.HasPrefix(toolchain, "go1.27") {
			return append(list, simdChecks(toolchain)...)
		}
	}
	return list
}

// simdChecks compares the loops in assembly with loops that package simd/archsimd has compiled.
func simdChecks(toolchain string) []check {
	amd64 := check{name: "archsimd amd64", toolchain: toolchain, env: []string{"GOEXPERIMENT=simd"}, args: []string{"go", "test", "./internal/memory/vector"}}
	arm64 := check{name: "archsimd arm64", toolchain: toolchain}
	arm64.env = append(slices.Clip(amd64.env), "HONE_VARIANT=1", "CGO_ENABLED=0", "GOARCH=arm64")
	arm64.args = []string{"go", "test", "-short", "-exec", "qemu-aarch64", "./internal/memory/vector"}
	return []check{amd64, arm64}
}

// patches returns the patches of a release of Go in the module proxy's list of toolchains, the oldest first.
func patches(list, release string) (toolchains []string) {
	suffix := "." + runtime.GOOS + "-" + runtime.GOARCH
	for version := range strings.FieldsSeq(list) {
		name, ok := strings.CutPrefix(version, "v0.0.1-")
		if !ok || !strings.HasSuffix(name, suffix) {
			continue
		}
		name = strings.TrimSuffix(name, suffix)
		if patch, ok := strings.CutPrefix(name, release+"."); ok && strings.Trim(patch, "0123456789") == "" || name == release {
			toolchains = append(toolchains, name)
		}
	}
	slices.SortFunc(toolchains, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return toolchains
}
