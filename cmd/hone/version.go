package main

import (
	"fmt"
	"runtime/debug"
)

const versionHelp = `Prints the version of hone and the Go version that built it. If hone was built in a
repository, it also prints the revision.

  hone version
`

func printVersion(c *call) action {
	return func(args []string) error {
		info, ok := debug.ReadBuildInfo()
		if !ok {
			fmt.Fprintln(c.stdout, "hone, version unknown")
			return nil
		}
		line := "hone " + info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				line += " " + s.Value
			}
		}
		fmt.Fprintln(c.stdout, line, info.GoVersion)
		return nil
	}
}
