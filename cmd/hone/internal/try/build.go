package try

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/cmd/hone/internal/migrate"
	"github.com/hone-go/hone/cmd/hone/internal/process"
)

// A side is one of the two copies of the module.
type side struct {
	dir string // the folder of the copy
	bin string // the folder of its binaries
}

// A suite is a package whose tests have benchmarks, built in both copies.
type suite struct {
	pkg    string
	dir    string // relative to the copy
	binary string // the name of the binary in both folders of binaries
	names  []string
	// written is set if Run has written the benchmarks.
	written bool
}

// A listed is a package in the output of go list.
type listed struct {
	ImportPath, Dir, Name     string
	ForTest                   string
	TestGoFiles, XTestGoFiles []string
	Deps                      []string
}

// list lists the packages of a copy, with their tests.
func list(c *migrate.Change, dir string) ([]listed, error) {
	out, err := c.Go(dir, "list", "-e", "-test", "-json=ImportPath,Dir,Name,ForTest,TestGoFiles,XTestGoFiles,Deps", "./...")
	if err != nil {
		return nil, err
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

var benchmark = regexp.MustCompile(`(?m)^func Benchmark`)

// suites returns the packages that have benchmarks and link a package whose imports change, and the number of
// packages that have benchmarks and link none.
func suites(all []listed, root string, changed []string) (list []suite, apart int) {
	links := map[string]bool{}
	for _, p := range all {
		tested, isTest := strings.CutSuffix(p.ImportPath, ".test")
		if !isTest {
			continue
		}
		links[tested] = slices.ContainsFunc(p.Deps, func(d string) bool {
			d, _, _ = strings.Cut(d, " ")
			return slices.Contains(changed, strings.TrimSuffix(d, "_test"))
		})
	}
	for _, p := range all {
		if p.ForTest != "" || strings.HasSuffix(p.ImportPath, ".test") || !slices.ContainsFunc(slices.Concat(p.TestGoFiles, p.XTestGoFiles), func(name string) bool {
			data, err := os.ReadFile(filepath.Join(p.Dir, name))
			return err == nil && benchmark.Match(data)
		}) {
			continue
		}
		if !links[p.ImportPath] {
			apart++
			continue
		}
		rel, err := filepath.Rel(root, p.Dir)
		if err == nil {
			list = append(list, suite{pkg: p.ImportPath, dir: rel})
		}
	}
	return list, apart
}

// build builds the tests of a package in both copies, without go vet: the tests have been run with it, and a fault
// that it finds does not change the time of a benchmark.
func (r *runner) build(s *suite) error {
	r.binaries++
	s.binary = fmt.Sprintf("%d.test.exe", r.binaries)
	for _, x := range r.sides {
		if _, err := r.change.Go(x.dir, "test", "-c", "-vet=off", "-o", filepath.Join(x.bin, s.binary), "./"+filepath.ToSlash(s.dir)); err != nil {
			return err
		}
	}
	return nil
}

// command is a binary of a side, which runs in the package's folder as under go test.
func (r *runner) command(ctx context.Context, x side, s *suite, args ...string) *process.Cmd {
	cmd := process.Command(ctx, filepath.Join(x.bin, s.binary), append(args, fmt.Sprintf("-test.cpu=%d", processors))...)
	cmd.Dir = filepath.Join(x.dir, s.dir)
	cmd.Env = append(append(os.Environ(), r.change.Environ()...), "PWD="+cmd.Dir)
	return cmd
}

// listBenchmarks sets the names of the top-level benchmarks of a built package.
func (r *runner) listBenchmarks(s *suite) error {
	ctx, cancel := context.WithTimeout(r.ctx, time.Minute)
	defer cancel()
	out, err := r.command(ctx, r.sides[0], s, "-test.list=^Benchmark").Output()
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		if name := strings.TrimSpace(line); strings.HasPrefix(name, "Benchmark") && (r.pattern == nil || r.pattern.MatchString(name)) {
			s.names = append(s.names, name)
		}
	}
	return nil
}
