package migrate

import (
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/modfile"
)

// requireHone adds the requirement on Hone: a version, or a replacement by a folder.
func (m *module) requireHone(hone string) error {
	mod, err := modfile.Parse("go.mod", m.mod, nil)
	if err != nil {
		return err
	}
	has := false
	for _, r := range mod.Require {
		has = has || r.Mod.Path == Hone
	}
	if dir, is := honeDir(hone); is {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil || modfile.ModulePath(data) != Hone {
			return fmt.Errorf("-hone %s: there is no checkout of %s in this folder", hone, Hone)
		}
		their, err := modfile.ParseLax("go.mod", data, nil)
		if err != nil {
			return err
		}
		m.replaced = true
		return m.editMod(func(f *modfile.File) error {
			if !has && !requires(f, Hone) {
				f.AddNewRequire(Hone, unpublished, false)
			}
			if their.Go != nil && (f.Go == nil || older(f.Go.Version, their.Go.Version)) {
				if err := f.AddGoStmt(their.Go.Version); err != nil {
					return err
				}
			}
			place := filepath.ToSlash(hone)
			if !filepath.IsAbs(hone) {
				rel, err := filepath.Rel(m.root, dir)
				if err != nil {
					return err
				}
				place = filepath.ToSlash(rel)
				if !strings.HasPrefix(place, ".") {
					place = "./" + place
				}
			}
			return f.AddReplace(Hone, "", place, "")
		})
	}
	if has && hone == "" {
		return nil
	}
	if hone == "" && m.work != nil {
		// Another module of the workspace may replace Hone, or be Hone.
		data, err := os.ReadFile(m.modfile)
		if err != nil {
			return err
		}
		if f, err := modfile.Parse("go.mod", data, nil); err != nil || replaces(f, Hone) {
			return errors.Join(err, m.requireReplaced())
		}
	}
	if hone == "" {
		hone = ownVersion()
	}
	if _, err := m.withMod([]string{"get"}, Hone+"@"+hone); err != nil {
		if m.ctx.Err() != nil {
			return err
		}
		// The cause may be the module's own requirements, and not the one on Hone.
		if _, own := m.run(m.root, "list", "-mod=readonly", "-m", "all"); own != nil {
			return fmt.Errorf("the requirements of the module cannot be loaded, even without Hone: %w", own)
		}
		return fmt.Errorf("cannot get %s@%s; use -hone to select another version, or a folder with a checkout: %w", Hone, hone, err)
	}
	return nil
}

// requireReplaced adds the requirement on Hone if a folder already replaces it.
func (m *module) requireReplaced() error {
	return m.editMod(func(f *modfile.File) error {
		if !requires(f, Hone) {
			f.AddNewRequire(Hone, unpublished, false)
		}
		if f.Go == nil || older(f.Go.Version, "1.26.0") {
			return f.AddGoStmt("1.26.0")
		}
		return nil
	})
}

// older reports whether Go version a, as in a go.mod, is before b.
func older(a, b string) bool { return version.Compare("go"+a, "go"+b) < 0 }

// ownVersion is the version of Hone that this program was built with, or "latest".
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "latest"
	}
	for _, d := range info.Deps {
		if d.Path == Hone && d.Replace == nil && strings.HasPrefix(d.Version, "v") {
			return d.Version
		}
	}
	return "latest"
}

// honeDir returns the folder in -hone, and whether -hone is a folder. The folder may be relative to
// the current folder.
func honeDir(hone string) (string, bool) {
	if hone == "" {
		return "", false
	}
	if !strings.ContainsAny(hone, `/\`) && hone != "." && hone != ".." {
		return "", false
	}
	dir, err := filepath.Abs(hone)
	if err != nil {
		return "", false
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	_, err = os.Stat(dir)
	return dir, err == nil || filepath.IsAbs(hone) || strings.HasPrefix(hone, ".")
}
