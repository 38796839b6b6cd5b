package urlpath

import (
	"io/fs"
	"runtime"
	"strings"
)

// FileName converts the end of a request's path to a name in a file system, "." for the root. ok is
// false if p is not the plain form of a valid name: "/admin/x" and "a/../admin/x" could bypass a
// guard that matches "admin/x". ok is also false for names that begin with a dot, unless dotFiles
// is set or the name is .well-known (RFC 8615).
func FileName(p string, dotFiles bool) (name string, ok bool) {
	if p == "" {
		return ".", true
	}
	name = strings.TrimSuffix(p, "/")
	if name == "." || !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") {
		return "", false
	}
	for element := range strings.SplitSeq(name, "/") {
		if !dotFiles && Hidden(element) || runtime.GOOS == "windows" && deviceName(element) {
			return "", false
		}
	}
	return name, true
}

// EscapedFileName is like FileName, for a path that has not been decoded. A path with escapes is
// refused: "admin%2Fx" could bypass a guard that matches "admin/x".
func EscapedFileName(p string, dotFiles bool) (name string, ok bool) {
	if strings.Contains(p, "%") {
		return "", false
	}
	return FileName(p, dotFiles)
}

// Hidden reports whether a file with the given name is not served by default.
func Hidden(name string) bool { return strings.HasPrefix(name, ".") && name != ".well-known" }

// deviceName reports whether an element of a name, without its extension, is the name of a device
// on Windows.
func deviceName(element string) bool {
	base, _, _ := strings.Cut(element, ".")
	base, _, _ = strings.Cut(base, ":")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	for _, port := range [...]string{"COM", "LPT"} {
		if n, ok := strings.CutPrefix(base, port); ok && len(n) > 0 && strings.Contains("0123456789¹²³", n) {
			return true
		}
	}
	return false
}
