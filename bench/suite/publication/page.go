package publication

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hone-go/hone/bench/suite/cli"
	"github.com/hone-go/hone/bench/suite/report"
	"github.com/hone-go/hone/bench/suite/results"
)

// WritePage writes index.html into the folder.
func WritePage(root, folder string, r *results.Results, sources map[string]string) error {
	path, err := filepath.Abs(filepath.Join(folder, "index.html"))
	if err != nil {
		return err
	}
	up, err := filepath.Rel(filepath.Dir(path), root)
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := report.Page(f, r, sources, filepath.ToSlash(up)+"/"); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	fmt.Println("\nThe report is", path)
	return nil
}

// Page writes the page again, from results.json.gz.
func Page(args []string) error {
	root, err := results.Root()
	if err != nil {
		return err
	}
	flags := cli.NewFlags("page", "Writes index.html again, from the results.json.gz beside it.\n\n")
	folder := flags.String("in", filepath.Join(root, "bench", "report"), "`folder` that holds results.json.gz")
	if err := cli.Parse(flags, args); err != nil {
		return err
	}
	r, err := results.Read(*folder)
	if err != nil {
		return err
	}
	sources := r.Sources // a published page describes its own revision
	if abs, err := filepath.Abs(*folder); err != nil || filepath.Dir(abs) != benchmarks(root) {
		if sources, err = results.Sources(root); err != nil {
			return err
		}
	}
	return WritePage(root, *folder, r, sources)
}
