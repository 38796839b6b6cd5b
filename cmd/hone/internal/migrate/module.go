package migrate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/hone-go/hone/cmd/hone/internal/process"
)

// A module is the user's module. The plan changes a copy of go.mod, which the go command reads
// instead (-modfile), so that planning changes nothing in the module.
type module struct {
	ctx      context.Context
	root     string
	path     string
	tmp      string // a temporary folder
	modfile  string // the copy of go.mod; go.sum is in the same folder
	mod, sum []byte // go.mod and go.sum before the change
	vendored bool
	goos     string
	goarch   string
	cgo      bool     // the builds of this platform use cgo
	release  string   // the release of the go command, such as go1.27.4
	env      []string // added to the environment of the go command
	work     *workspace
	needs    []string // modules that the module must require again after a revert
	replaced bool     // -hone is a folder
}

// open finds the module of a folder. The error says why the module cannot be migrated.
func open(ctx context.Context, dir, tmp string) (*module, error) {
	m := &module{ctx: ctx, tmp: tmp}
	var env struct{ GOMOD, GOWORK, GO111MODULE, GOOS, GOARCH, GOVERSION, CGO_ENABLED string }
	out, err := m.run(dir, "env", "-json", "GOMOD", "GOWORK", "GO111MODULE", "GOOS", "GOARCH", "GOVERSION", "CGO_ENABLED")
	if err == nil {
		err = json.Unmarshal(out, &env)
	}
	switch {
	case err != nil:
		return nil, err
	case env.GO111MODULE == "off":
		return nil, errors.New("GO111MODULE=off: hone migrate works on modules only")
	case env.GOMOD == "" || env.GOMOD == os.DevNull:
		if env.GOWORK != "" && env.GOWORK != "off" {
			w, err := readWorkspace(env.GOWORK, "")
			if err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("there is no go.mod here or above: run hone migrate in each module of %s: %s", env.GOWORK, w.names())
		}
		return nil, errors.New("there is no go.mod here or above: hone migrate works on modules only")
	case env.GOWORK != "" && env.GOWORK != "off":
		if m.work, err = readWorkspace(env.GOWORK, filepath.Dir(env.GOMOD)); err != nil {
			return nil, err
		}
		m.env = append(m.env, "GOWORK=off")
	}
	mod, err := os.ReadFile(env.GOMOD)
	if err != nil {
		return nil, err
	}
	if err := readable(mod, runtime.Version()); err != nil {
		return nil, err
	}
	m.mod, m.root, m.goos, m.goarch, m.release, m.cgo = mod, filepath.Dir(env.GOMOD), env.GOOS, env.GOARCH, env.GOVERSION, env.CGO_ENABLED == "1"
	if m.sum, err = os.ReadFile(filepath.Join(m.root, "go.sum")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if m.path = modfile.ModulePath(m.mod); m.path == Hone || strings.HasPrefix(m.path, Hone+"/") {
		return nil, fmt.Errorf("module %s is Hone itself", m.path)
	}
	_, err = os.Stat(filepath.Join(m.root, "vendor", "modules.txt"))
	m.vendored = err == nil
	m.modfile = filepath.Join(tmp, "go.mod")
	joined, sums, err := m.work.joined(m.mod, m.sum)
	if err != nil {
		return nil, err
	}
	return m, m.setMod(joined, sums)
}

// readable returns an error if the go line of a module names a newer Go release than own, the
// release that built this program. The type checker of this program would refuse every package of
// the module.
func readable(mod []byte, own string) error {
	f, err := modfile.ParseLax("go.mod", mod, nil)
	if err != nil || f.Go == nil || version.Lang(own) == "" || version.Compare(version.Lang("go"+f.Go.Version), version.Lang(own)) <= 0 {
		return nil
	}
	return fmt.Errorf("go.mod requires Go %s, and this hone was built with %s, which cannot check the module. Build hone with the newer release: %s", f.Go.Version, own, installCommand(toolchain(f)))
}

// toolchain returns the name of the first toolchain of a go line.
func toolchain(f *modfile.File) string {
	if name := "go" + f.Go.Version; version.Lang(name) != name {
		return name
	}
	return "go" + f.Go.Version + ".0"
}

// installCommand returns the command that builds this program again with a toolchain. A program that was not built
// from a release is built again in its clone.
func installCommand(toolchain string) string {
	info, ok := debug.ReadBuildInfo()
	if ok && semver.IsValid(info.Main.Version) && semver.Prerelease(info.Main.Version) == "" && semver.Build(info.Main.Version) == "" {
		return "GOTOOLCHAIN=" + toolchain + " go install github.com/hone-go/hone/cmd/hone@" + info.Main.Version
	}
	return "GOTOOLCHAIN=" + toolchain + " go install . in the folder cmd/hone of the clone of Hone"
}

// run runs the go command in a folder and returns its output.
func (m *module) run(dir string, args ...string) ([]byte, error) {
	out, errs, err := m.start(dir, args...)
	if err != nil && m.ctx.Err() == nil {
		return out, fmt.Errorf("go %s: %s", args[0], words(errs, err))
	}
	return out, err
}

func (m *module) start(dir string, args ...string) (stdout, stderr []byte, err error) {
	cmd := process.Command(m.ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), m.env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if m.ctx.Err() != nil {
		err = m.ctx.Err()
	}
	return out.Bytes(), errs.Bytes(), err
}

// words returns the go command's description of an error.
func words(stderr []byte, err error) string {
	text := strings.TrimSpace(string(stderr))
	if text == "" {
		return err.Error()
	}
	return strings.ReplaceAll(text, "\n", "\n\t")
}

// buildFlags returns the flags that make the go command use the copy of go.mod.
func (m *module) buildFlags() []string {
	return []string{"-mod=mod", "-modfile=" + m.modfile}
}
