package publication

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hone-go/hone/bench/suite/cli"
	"github.com/hone-go/hone/bench/suite/results"
)

// Publish copies the results of the last run to docs/benchmarks. It returns an error unless the run was a
// full run of the current code.
func Publish(args []string) error {
	root, err := results.Root()
	if err != nil {
		return err
	}
	flags := cli.NewFlags("publish", "Copies the results of a full run to docs/benchmarks/DATE-RELEASE, and writes the docs from them.\n\n")
	force := flags.Bool("force", false, "publish the results even if the machine was busy; the report and the docs note it")
	from := flags.String("from", filepath.Join(root, "bench", "report"), "`folder` that holds results.json")
	if err := cli.Parse(flags, args); err != nil {
		return err
	}
	r, err := results.Read(*from)
	if err != nil {
		return err
	}
	if err := r.Full(); err != nil {
		return err
	}
	if signs := r.Busy(); signs != nil && !*force {
		return fmt.Errorf("the machine was busy during the run: %s.\n`go run ./bench again -from %s` repeats the contests with wide intervals. If that is not enough, start another run on a quiet machine (-wait 10m waits until it is quiet), or use -force", strings.Join(signs, "; "), *from)
	}
	now, err := results.Sources(root)
	if err != nil {
		return err
	}
	for room, hash := range now {
		if r.Sources[room] != hash {
			return fmt.Errorf("%s has changed since the run: start another run", room)
		}
	}
	folder := filepath.Join(benchmarks(root), r.Date.Format("2006-01-02")+"-"+r.Machine.Release())
	if err := r.Write(folder); err != nil {
		return err
	}
	return Docs(nil)
}
