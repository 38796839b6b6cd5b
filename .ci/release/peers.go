package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// patience is the time within which Hone must follow a new release of Go or of a library that
// Hone replaces.
const patience = 14 * 24 * time.Hour

// replaced lists the libraries that Hone replaces. Hone follows the versions that its modules require.
var replaced = []string{"github.com/labstack/echo/v5", "github.com/samber/mo"}

// A followed release is a release that Hone is tested with, and the later releases that are
// available.
type followed struct {
	name, held string
	replaced   bool
	since      []published // newer releases, the newest last
	refused    []string    // newer releases that are listed but cannot be downloaded
}

type published struct {
	version string
	at      time.Time
}

// behind reports whether the release after the tested release has been available for too long.
func (f *followed) behind(now time.Time) bool {
	return f.replaced && len(f.since) > 0 && now.Sub(f.since[0].at) > patience
}

// peers prints the tested version and the newest version of each library that Hone replaces or is
// compared with. The error names the libraries whose newest version Hone has not been tested with for too long.
func (t *tree) peers(ctx context.Context) error {
	list, err := t.goReleases(ctx)
	if err != nil {
		return err
	}
	held, err := t.required()
	if err != nil {
		return err
	}
	found := make([]*followed, len(held))
	var group sync.WaitGroup
	asking := make(chan struct{}, 8)
	for i, m := range held {
		group.Go(func() {
			asking <- struct{}{}
			defer func() { <-asking }()
			found[i] = newerModules(ctx, m)
			found[i].replaced = slices.Contains(replaced, m.Path)
		})
	}
	group.Wait()
	list = append(list, found...)
	slices.SortStableFunc(list, func(a, b *followed) int { return cmp.Compare(b2i(b.replaced), b2i(a.replaced)) })
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "library\ttested with\tnewest\tsince\tcannot be downloaded")
	var late []error
	for _, f := range list {
		newest, since := f.held, ""
		if n := len(f.since); n > 0 {
			newest, since = f.since[n-1].version, f.since[0].at.Format(time.DateOnly)
		}
		name := f.name
		if f.replaced {
			name += " (replaced)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", name, f.held, newest, since, strings.Join(f.refused, " "))
		if f.behind(time.Now()) {
			late = append(late, fmt.Errorf("%s %s has been out since %s, but Hone follows %s", f.name, f.since[0].version, since, f.held))
		}
	}
	return errors.Join(w.Flush(), errors.Join(late...))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// required returns the modules, other than Hone's, that a module of the repository requires
// directly, each with its highest version.
func (t *tree) required() (list []module.Version, err error) {
	highest := map[string]string{}
	folders := slices.Clone(t.apart)
	for _, u := range t.modules {
		folders = append(folders, u.dir)
	}
	for _, dir := range folders {
		text, err := os.ReadFile(filepath.Join(t.root, dir, "go.mod"))
		if err != nil {
			return nil, err
		}
		f, err := modfile.Parse("go.mod", text, nil)
		if err != nil {
			return nil, err
		}
		for _, r := range f.Require {
			if !r.Indirect && !strings.HasPrefix(r.Mod.Path, "github.com/hone-go/hone") && semver.Compare(r.Mod.Version, highest[r.Mod.Path]) > 0 {
				highest[r.Mod.Path] = r.Mod.Version
			}
		}
	}
	for path, v := range highest {
		list = append(list, module.Version{Path: path, Version: v})
	}
	slices.SortFunc(list, func(a, b module.Version) int { return cmp.Compare(a.Path, b.Path) })
	return list, nil
}

// newerModules finds the releases after a version. A proxy may have versions that it does not
// list, so newerModules also requests the next few versions.
func newerModules(ctx context.Context, m module.Version) *followed {
	f := &followed{name: m.Path, held: m.Version}
	if module.IsPseudoVersion(m.Version) {
		return f // there is no release
	}
	var listed struct{ Versions []string }
	out, err := output(ctx, os.TempDir(), "go", "list", "-m", "-versions", "-json", m.Path)
	if err == nil {
		err = json.Unmarshal([]byte(out), &listed)
	}
	if err != nil {
		f.refused = append(f.refused, "(the list)")
	}
	versions := map[string]bool{} // true if it is listed
	for _, v := range next(m.Version) {
		versions[v] = false
	}
	for _, v := range listed.Versions {
		if semver.Prerelease(v) == "" && semver.Compare(v, m.Version) > 0 {
			versions[v] = true
		}
	}
	for v, known := range versions {
		info, err := moduleInfo(ctx, m.Path+"@"+v)
		switch {
		case err == nil:
			f.since = append(f.since, *info)
		case known:
			f.refused = append(f.refused, v)
		}
	}
	slices.SortFunc(f.since, func(a, b published) int { return semver.Compare(a.version, b.version) })
	slices.SortFunc(f.refused, semver.Compare)
	return f
}

// next returns the versions that may follow a version.
func next(v string) (list []string) {
	var major, minor, patch int
	if _, err := fmt.Sscanf(semver.Canonical(v), "v%d.%d.%d", &major, &minor, &patch); err != nil {
		return nil
	}
	for i := 1; i <= 2; i++ {
		list = append(list, fmt.Sprintf("v%d.%d.%d", major, minor, patch+i), fmt.Sprintf("v%d.%d.0", major, minor+i))
	}
	return list
}

// moduleInfo downloads a version of a module.
func moduleInfo(ctx context.Context, at string) (*published, error) {
	out, err := output(ctx, os.TempDir(), "go", "mod", "download", "-json", at)
	if err != nil {
		return nil, err
	}
	var found struct{ Info, Version string }
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(found.Info)
	if err != nil {
		return nil, err
	}
	var info struct{ Time time.Time }
	err = json.Unmarshal(text, &info)
	return &published{found.Version, info.Time}, err
}

var pinned = regexp.MustCompile(`(?m)^\tnewest (go[0-9.]+) (go[0-9.]+)$`)

// goReleases returns the supported releases of Go, each with the patch that .ci/run names, and
// the newest release if .ci/run does not name it.
func (t *tree) goReleases(ctx context.Context) (list []*followed, err error) {
	script, err := os.ReadFile(filepath.Join(t.root, ".ci/run"))
	if err != nil {
		return nil, err
	}
	out, err := output(ctx, os.TempDir(), "go", "list", "-m", "-versions", "-json", "golang.org/toolchain")
	if err != nil {
		return nil, err
	}
	var listed struct{ Versions []string }
	if err := json.Unmarshal([]byte(out), &listed); err != nil {
		return nil, err
	}
	platform, err := output(ctx, "", "go", "env", "GOHOSTOS", "GOHOSTARCH")
	if err != nil {
		return nil, err
	}
	suffix := "." + strings.Join(strings.Fields(platform), "-")
	last := ""
	for _, m := range pinned.FindAllStringSubmatch(string(script), -1) {
		f := &followed{name: m[1], held: m[2], replaced: true}
		if err := f.patches(ctx, listed.Versions, suffix); err != nil {
			return nil, err
		}
		list, last = append(list, f), m[1]
	}
	if last == "" {
		return nil, errors.New(".ci/run names no release of Go")
	}
	_, minor, _ := strings.Cut(last, ".")
	n, err := strconv.Atoi(minor)
	if err != nil {
		return nil, err
	}
	f := &followed{name: fmt.Sprintf("go1.%d", n+1), held: last, replaced: true}
	return append(list, f), f.patches(ctx, listed.Versions, suffix)
}

// patches finds the patches of the release after the tested one.
func (f *followed) patches(ctx context.Context, toolchains []string, suffix string) error {
	for _, v := range toolchains {
		name, ok := strings.CutSuffix(v, suffix)
		name = strings.TrimPrefix(name, "v0.0.1-")
		if !ok || version.Lang(name) != f.name || strings.Contains(name, "rc") || strings.Contains(name, "beta") || version.Compare(name, f.held) <= 0 {
			continue
		}
		out, err := output(ctx, os.TempDir(), "go", "list", "-m", "-json", "golang.org/toolchain@"+v)
		if err != nil {
			f.refused = append(f.refused, name)
			continue
		}
		var info struct{ Time time.Time }
		if err := json.Unmarshal([]byte(out), &info); err != nil {
			return err
		}
		f.since = append(f.since, published{name, info.Time})
	}
	slices.SortFunc(f.since, func(a, b published) int { return version.Compare(a.version, b.version) })
	return nil
}
