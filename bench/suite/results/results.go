// Package results has the results of a run of the suite and reads and writes their files. All
// published pages are written from results.json.gz. results.txt has the same samples in the format
// of benchstat.
package results

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/hone-go/hone/bench/suite/contest"
)

// Results are the results of a run.
type Results struct {
	Date       time.Time
	Machine    Machine
	Conditions Conditions
	Revision   string            // of the repository, in git's notation; "" if unknown
	Sources    map[string]string // the hash of the sources in each element of Rooms, such as "json"
	Modules    map[string]string // version by the module path of a peer
	Contests   []contest.Outcome
}

// Conditions describe how a run was made.
type Conditions struct {
	Count       int           // samples of each contestant
	Duration    time.Duration // the duration of each sample
	Took        time.Duration // the duration of the whole run
	Pinning     string
	Short       bool    `json:",omitempty"`
	Run         string  `json:",omitempty"` // the value of the flag -run
	Peers       string  `json:",omitempty"` // the value of the flag -peers
	Interrupted bool    `json:",omitempty"` // contests are missing
	Others      *Others `json:",omitempty"` // nil in old runs, which did not record it
}

// Full returns nil if the run had all contests and contestants with enough samples.
func (r *Results) Full() error {
	c := r.Conditions
	var missing []string
	for _, m := range []struct {
		is   bool
		what string
	}{
		{c.Short, "it was short"}, {c.Run != "", "it was of some contests only (-run)"},
		{c.Peers != "", "it was of some peers only (-peers)"}, {c.Interrupted, "it was interrupted"},
		{c.Count < 6, "fewer than 6 samples make no interval"},
	} {
		if m.is {
			missing = append(missing, m.what)
		}
	}
	if missing != nil {
		return fmt.Errorf("this was not a full run: %s", strings.Join(missing, ", "))
	}
	return nil
}

// These are the names of the files.
const (
	jsonFile = "results.json.gz"
	textFile = "results.txt"
)

// Write writes results.json.gz to the folder, and creates the folder.
func (r *Results) Write(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := errors.Join(json.NewEncoder(w).Encode(r), w.Close()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, jsonFile), b.Bytes(), 0o644)
}

// WriteText writes results.txt to the folder, which must exist.
func (r *Results) WriteText(folder string) error {
	text, err := r.benchstat()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, textFile), text, 0o644)
}

// benchstat returns the samples in the format of Go's benchmarks. Contests are benchmarks and
// the contestant is a key, so `benchstat -col /by` compares contestants.
func (r *Results) benchstat() ([]byte, error) {
	var b bytes.Buffer
	w := benchfmt.NewWriter(&b)
	name := strings.NewReplacer(" ", "-", "/", "/")
	for _, c := range r.Contests {
		unit := "ns/op"
		if c.Unit != contest.Nanoseconds {
			unit = string(c.Unit)
		}
		for _, res := range c.Results {
			for _, v := range res.Samples {
				record := &benchfmt.Result{
					Name:  benchfmt.Name(name.Replace(c.Name) + "/by=" + name.Replace(res.Contestant)),
					Iters: 1,
					Values: []benchfmt.Value{
						{Value: v, Unit: unit}, {Value: res.Bytes, Unit: "B/op"}, {Value: res.Allocs, Unit: "allocs/op"},
					},
				}
				record.SetConfig("goos", r.Machine.OS)
				record.SetConfig("goarch", r.Machine.Arch)
				record.SetConfig("cpu", r.Machine.CPU)
				if err := w.Write(record); err != nil {
					return nil, err
				}
			}
		}
	}
	return b.Bytes(), nil
}

// Read reads results.json.gz from the folder.
func Read(folder string) (*Results, error) {
	path := filepath.Join(folder, jsonFile)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r := new(Results)
	if err := json.NewDecoder(text).Decode(r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
