package migrate

import (
	"go/version"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

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
