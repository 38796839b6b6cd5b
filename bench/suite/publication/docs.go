package publication

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hone-go/hone/bench/suite/cli"
	"github.com/hone-go/hone/bench/suite/report"
	"github.com/hone-go/hone/bench/suite/results"
)

// Docs writes the pages that are generated from results, or checks that they are up to date. docs/performance.md
// and the figures of README.md come from the last results. The folder of each results.json.gz under docs/benchmarks
// gets a page with its contests.
func Docs(args []string) error {
	flags := cli.NewFlags("docs", "Writes docs/performance.md, the figures in README.md and the tables under docs/benchmarks from the results there.\n\n")
	check := flags.Bool("check", false, "write nothing, and fail if a file is out of date")
	root, err := results.Root()
	if err != nil {
		return err
	}
	flags.StringVar(&root, "root", root, "`folder` of the repository")
	if err := cli.Parse(flags, args); err != nil {
		return err
	}
	wanted, err := docs(root)
	if err != nil {
		return err
	}
	var differ []string
	for name, text := range wanted {
		path := filepath.Join(root, filepath.FromSlash(name))
		if is, err := os.ReadFile(path); err == nil && bytes.Equal(is, text) {
			continue
		}
		if *check {
			differ = append(differ, name)
			continue
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
		fmt.Println("written:", name)
	}
	if differ != nil {
		return fmt.Errorf("%s: out of date. Either the file was edited by hand, or the code has changed since the run and the file does not note it.\n"+
			"`go run ./bench docs` fixes both in seconds. For new figures, do a full run: `go run ./bench` and `go run ./bench publish`", strings.Join(differ, " and "))
	}
	return nil
}

// docs returns the files by their names.
func docs(root string) (map[string][]byte, error) {
	r, folder, earlier, err := lastPublished(root)
	if err != nil {
		return nil, err
	}
	now, err := results.Sources(root)
	if err != nil {
		return nil, err
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"docs/performance.md": report.Performance(r, now, folder, earlier)}
	if r != nil {
		files["docs/benchmarks/"+folder+"/README.md"] = report.Contests(r, folder)
	}
	for _, name := range earlier {
		run, err := results.Read(filepath.Join(benchmarks(root), name))
		if err != nil {
			return nil, err
		}
		files["docs/benchmarks/"+name+"/README.md"] = report.Contests(run, name)
	}
	files["README.md"], err = report.Readme(readme, r, now, folder)
	return files, err
}

func benchmarks(root string) string { return filepath.Join(root, "docs", "benchmarks") }

// lastPublished returns the results of the last run under docs/benchmarks, its folder, and the
// folders of earlier runs; nil results mean that no run has been published. A folder is named by
// its date, its release of Go and its processor, so if two runs have the same date, the run of the
// newer release is the last.
func lastPublished(root string) (r *results.Results, folder string, earlier []string, err error) {
	entries, err := os.ReadDir(benchmarks(root)) // sorted by name
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil, err
	}
	for _, e := range entries {
		if e.IsDir() {
			earlier = append(earlier, e.Name())
		}
	}
	last := len(earlier) - 1
	if last < 0 {
		return nil, "", nil, nil
	}
	folder, earlier = earlier[last], earlier[:last]
	if r, err = results.Read(filepath.Join(benchmarks(root), folder)); err != nil {
		return nil, "", nil, err
	}
	return r, folder, earlier, r.Full()
}
