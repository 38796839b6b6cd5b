package migrate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
)

// A real module is a public module with tests.
type realModule struct {
	path, version string
	stays         int      // the expected number of imports that stay
	pass          int      // the minimum number of tests that pass
	deps          []string // the modules for -deps
	from          string   // the value of -from
	vendor        bool     // go mod vendor runs before the change
	work          bool     // a go.work above the module uses it
	long          bool     // its tests take too long: the changed module is built, and no test runs
}

// download copies a module to a folder, or skips the test if the proxy does not have the module.
func download(t *testing.T, path, version string) string {
	t.Helper()
	out, errs, err := (&module{ctx: t.Context(), env: []string{"GOFLAGS=-mod=mod"}}).start(t.TempDir(), "mod", "download", "-json", path+"@"+version)
	if err != nil {
		if os.Getenv("HONE_REQUIRE_SERVICES") != "" {
			t.Fatalf("%s%s%v", out, errs, err)
		}
		t.Skipf("%s@%s cannot be downloaded: %s%s", path, version, out, errs)
	}
	var info struct{ Dir string }
	if err := json.Unmarshal(out, &info); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "module")
	if err := copyTree(t.Context(), treeCopy{from: info.Dir, to: dir}); err != nil {
		t.Fatal(err)
	}
	// The archive has no vendored packages: its folder vendor has at most the list of modules.
	if err := os.RemoveAll(filepath.Join(dir, "vendor")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// tryReal migrates a public module, compares its tests, and reverts.
func tryReal(t *testing.T, r realModule) {
	start := time.Now()
	dir := download(t, r.path, r.version)
	if r.vendor {
		if out, errs, err := (&module{ctx: t.Context()}).start(dir, "mod", "vendor"); err != nil {
			t.Fatalf("%s%s%v", out, errs, err)
		}
	}
	if r.work {
		file := filepath.Join(filepath.Dir(dir), "go.work")
		t.Setenv("GOWORK", file)
		if err := os.WriteFile(file, []byte("go 1.26.0\n\nuse ./module\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := read(t, dir)
	c := prepare(t, Options{Dir: dir, Deps: r.deps, From: r.from})
	trial := &Trial{}
	if !r.long {
		var err error
		if trial, err = c.Try(t.Context(), func(string, ...any) {}); err != nil {
			t.Fatal(err)
		}
	}
	stays, files := 0, 0
	for _, f := range c.Files {
		for _, s := range f.Stays {
			stays++
			t.Logf("%s: %s stays: %s", f.Name, s.Import, s.Reason)
		}
		if len(f.Changes) > 0 {
			files++
		}
	}
	for _, w := range c.Warnings {
		t.Logf("%s: %s", w.Where, w.Text)
	}
	for _, d := range trial.Differences {
		if d.GoLine {
			t.Logf("%s %s: %q before, %q after, by the go line", d.Package, d.Test, d.Before, d.After)
			continue
		}
		t.Errorf("%s %s: %q before, %q after\n%s", d.Package, d.Test, d.Before, d.After, d.Output)
	}
	for _, n := range trial.NotBuilt {
		if n.GoLine {
			t.Logf("%s does not build %s the change, by the go line", n.Package, n.When)
			continue
		}
		t.Errorf("%s does not build %s the change\n%s", n.Package, n.When, n.Output)
	}
	if stays != r.stays || trial.Before.Pass < r.pass || c.moves() == 0 {
		t.Errorf("%d imports stay, %d change, %d tests pass", stays, c.moves(), trial.Before.Pass)
	}
	writeChange(t, c)
	if r.long {
		if out, errs, err := c.m.start(dir, "build", "./..."); err != nil {
			t.Errorf("after the change: %s%s%v", out, errs, err)
		}
	}
	if again := prepare(t, Options{Dir: dir, From: r.from}); !again.Nothing() {
		t.Errorf("a second run changes\n%s", again.Diff())
	}
	writeChange(t, prepare(t, Options{Dir: dir, Revert: true}))
	requireSame(t, "a revert", before, read(t, dir))
	t.Logf("| %s %s | %d in %d | %d | %d | %d, %d, %d | %d, %d, %d | %d | %.0f s |", r.path, r.version, c.moves(), files, stays, len(c.Warnings),
		trial.Before.Pass, trial.Before.Fail, trial.Before.Skip, trial.After.Pass, trial.After.Fail, trial.After.Skip, len(trial.Unsteady), time.Since(start).Seconds())
}

// TestRealModule migrates one public module. The other tests migrate modules of their own.
func TestRealModule(t *testing.T) {
	testkit.SkipInVariant(t)
	testkit.SkipUnlessSlow(t)
	tryReal(t, realModule{path: "github.com/hashicorp/terraform-json", version: "v0.29.0", pass: 100})
}

// Modules of different kinds. docs/migrating/migrate.md has the results.
func TestNightly(t *testing.T) {
	if os.Getenv("HONE_NIGHTLY") == "" {
		t.Skip("HONE_NIGHTLY=1 tries public modules, which takes minutes")
	}
	for _, r := range []realModule{
		{path: "github.com/hashicorp/terraform-json", version: "v0.29.0", pass: 100},
		{path: "github.com/golang-jwt/jwt/v5", version: "v5.3.1", pass: 100}, // go 1.21
		{path: "github.com/CycloneDX/cyclonedx-go", version: "v0.12.0"},
		{path: "github.com/wI2L/jsondiff", version: "v0.7.1"},
		{path: "github.com/go-openapi/spec", version: "v1.0.1"},
		{path: "github.com/paulmach/orb", version: "v0.14.0"},
		{path: "github.com/labstack/echo-jwt/v5", version: "v5.0.0"},
		{path: "github.com/labstack/echo-contrib/v5", version: "v5.0.1"},
		{path: "github.com/labstack/echo-contrib", version: "v0.17.4", pass: 81, from: "echo/v4"},
		{path: "github.com/swaggo/echo-swagger", version: "v1.4.1", pass: 14, from: "echo/v4"},
		{path: "k8s.io/apimachinery", version: "v0.37.2", stays: 1, pass: 10000},
		{path: "github.com/hashicorp/terraform-json", version: "v0.29.0", pass: 100, vendor: true},
		{path: "github.com/hashicorp/terraform-json", version: "v0.29.0", pass: 100, work: true},
		{path: "github.com/opencontainers/runc", version: "v1.2.6", pass: 100},                 // cgo and build tags
		{path: "github.com/sirupsen/logrus", version: "v1.9.3", pass: 50},                      // go 1.13
		{path: "gvisor.dev/gvisor", version: "v0.0.0-20250205023644-9414b50a5633", long: true}, // over 500,000 lines
		{path: "tailscale.com", version: "v1.86.5", from: "go-json-experiment", long: true},    // methods of json/v2
	} {
		name := filepath.Base(r.path)
		if r.vendor {
			name += " with a vendor folder"
		}
		if r.work {
			name += " in a workspace"
		}
		t.Run(name, func(t *testing.T) { tryReal(t, r) })
	}
}

// TestNightlyFormatters changes all imports of modules whose linters have settings for imports. A file that was clean
// under the formatters of the module stays clean.
func TestNightlyFormatters(t *testing.T) {
	if os.Getenv("HONE_NIGHTLY") == "" {
		t.Skip("HONE_NIGHTLY is not set: the test downloads modules")
	}
	golangci := testkit.Tool(t, "golangci-lint") // .ci/run tools installs it
	for _, module := range strings.Fields(cmp.Or(os.Getenv("HONE_MODULES"), `
		github.com/prometheus/common@v0.74.0
		github.com/prometheus/alertmanager@v0.35.0
		github.com/grafana/dskit@v0.0.0-20260703122047-de1ec7541c44
		github.com/aquasecurity/trivy-db@v0.0.0-20260813095258-0e0340a01b57
		connectrpc.com/connect@v1.21.1`)) {
		t.Run(module, func(t *testing.T) {
			path, version, _ := strings.Cut(module, "@")
			dir := download(t, path, version)
			before := unformatted(t, golangci, dir)
			tree, err := walk(dir, "", Rules(false, ""))
			if err != nil {
				t.Fatal(err)
			}
			if err := tree.arrange(dir, path); err != nil {
				t.Fatal(err)
			}
			files := 0
			for _, s := range tree.sources {
				if s.generated || s.keep != "" {
					continue
				}
				for _, u := range s.units {
					u.change = true
				}
				files++
				if err := os.WriteFile(s.path, s.rewritten(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for name, diff := range unformatted(t, golangci, dir) {
				if before[name] == "" {
					t.Errorf("%s is not clean any more:\n%s", name, diff)
				}
			}
			t.Logf("%d files changed, %d were not clean before", files, len(before))
		})
	}
}

// unformatted returns the changes that the formatters of a module would make, by the names of the files.
func unformatted(t *testing.T, golangci, dir string) map[string]string {
	cmd := exec.CommandContext(t.Context(), golangci, "fmt", "--diff")
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1 || len(out) == 0) {
		t.Fatalf("%v\n%s", err, &errs)
	}
	diffs := map[string]string{}
	for diff := range strings.SplitSeq("\n"+string(out), "\ndiff ") {
		if name, _, _ := strings.Cut(diff, "\n"); name != "" {
			diffs[name] = diff
		}
	}
	return diffs
}
