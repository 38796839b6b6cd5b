package publication

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hone-go/hone/bench/suite/cli"
	"github.com/hone-go/hone/bench/suite/results"
)

// Publish copies the results of the last run to docs/benchmarks. It returns an error unless the run was a
// full run of the current code. An earlier report of the same processor and the same release of Go is
// removed.
func Publish(args []string) error {
	root, err := results.Root()
	if err != nil {
		return err
	}
	flags := cli.NewFlags("publish", "Copies the results of a full run to docs/benchmarks/DATE-RELEASE-PROCESSOR, removes the earlier report of that\nrelease and processor, and writes the docs from the reports that are there.\n\n")
	force := flags.Bool("force", false, "publish the results even if the machine was busy; the report and the docs note it")
	from := flags.String("from", filepath.Join(root, "bench", "report"), "`folder` that holds results.json.gz")
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
	folder := r.Date.Format("2006-01-02") + "-" + r.Machine.Release() + "-" + slug(r.Machine.Processor())
	if err := r.Write(filepath.Join(benchmarks(root), folder)); err != nil {
		return err
	}
	if err := removeEarlier(root, folder, r.Machine); err != nil {
		return err
	}
	return Docs(nil)
}

// slug returns a part of a file name for a processor, such as amd-epyc-7763-avx2.
func slug(cpu string) string {
	words := strings.FieldsFunc(strings.ToLower(cpu), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	words = slices.DeleteFunc(words, func(word string) bool {
		return word == "r" || word == "tm" || word == "processor" || word == "cpu" || word == "with"
	})
	return strings.Join(words, "-")
}

// removeEarlier removes earlier reports with the processor and the release of Go of m. It keeps the
// report in folder.
func removeEarlier(root, folder string, m results.Machine) error {
	entries, err := os.ReadDir(benchmarks(root))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() || e.Name() == folder {
			continue
		}
		other, err := results.Read(filepath.Join(benchmarks(root), e.Name()))
		if err != nil {
			return err
		}
		if other.Machine.Processor() != m.Processor() || other.Machine.Release() != m.Release() {
			continue
		}
		if err := os.RemoveAll(filepath.Join(benchmarks(root), e.Name())); err != nil {
			return err
		}
		fmt.Println("removed:", e.Name())
	}
	return nil
}
