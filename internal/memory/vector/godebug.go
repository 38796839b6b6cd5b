//go:build (amd64 || arm64) && !purego

package vector

import (
	"os"
	"strings"
)

// allowed reports whether the environment variable GODEBUG leaves all of the named features of the
// processor on. As in the runtime, cpu.NAME=off turns a feature off, cpu.all=off turns all off, and
// a later setting overrides an earlier one.
func allowed(names ...string) bool { return allowedBy(os.Getenv("GODEBUG"), names) }

func allowedBy(settings string, names []string) bool {
	for _, name := range names {
		on := true
		for setting := range strings.SplitSeq(settings, ",") {
			key, value, _ := strings.Cut(setting, "=")
			if (key == "cpu."+name || key == "cpu.all") && (value == "on" || value == "off") {
				on = value == "on"
			}
		}
		if !on {
			return false
		}
	}
	return true
}
