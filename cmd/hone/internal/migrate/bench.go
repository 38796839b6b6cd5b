package migrate

import (
	"bufio"
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Bench is the result of a benchmark before and after the change. Its figures are the medians of
// the rounds.
type Bench struct {
	Package string  `json:"package"`
	Name    string  `json:"name"`
	Before  Figures `json:"before"`
	After   Figures `json:"after"`
}

// Figures are the costs of one iteration of the benchmark's loop.
type Figures struct {
	Nanoseconds float64 `json:"ns"`
	Bytes       float64 `json:"bytes"`
	Allocs      float64 `json:"allocs"`
}

// rounds is the number of runs of the code before the change, and of the code after it. The runs
// alternate, so that other load on the machine affects both.
const rounds = 3

// bench runs the benchmarks of the packages in both copies.
func (c *Change) bench(before, after, pattern string, packages []string, progress func(string, ...any)) ([]Bench, error) {
	if _, err := regexp.Compile(pattern); err != nil {
		return nil, fmt.Errorf("-bench: %w", err)
	}
	if len(packages) == 0 {
		return nil, nil
	}
	samples := [2]map[testID][]Figures{{}, {}}
	for round := range rounds {
		for side, dir := range []string{before, after} {
			progress("running the benchmarks %s the change, round %d of %d", [2]string{"before", "after"}[side], round+1, rounds)
			args := []string{"test", "-run=^$", "-bench=" + pattern, "-benchmem", "-benchtime=200ms"}
			out, errs, err := c.m.start(dir, append(append(args, c.copyFlags()...), packages...)...)
			if c.m.ctx.Err() != nil {
				return nil, c.m.ctx.Err()
			}
			if err != nil && len(out) == 0 {
				return nil, fmt.Errorf("go test -bench: %s", words(errs, err))
			}
			readBench(out, samples[side])
		}
	}
	var list []Bench
	for id, a := range samples[0] {
		if b := samples[1][id]; len(b) > 0 {
			list = append(list, Bench{id.pkg, id.name, median(a), median(b)})
		}
	}
	slices.SortFunc(list, func(a, b Bench) int { return strings.Compare(a.Package+a.Name, b.Package+b.Name) })
	return list, nil
}

// readBench adds the lines of benchmarks to the samples.
func readBench(out []byte, samples map[testID][]Figures) {
	pkg := ""
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		if p, ok := strings.CutPrefix(s.Text(), "pkg: "); ok {
			pkg = p
			continue
		}
		f := strings.Fields(s.Text())
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		var x Figures
		for i := 2; i+1 < len(f); i += 2 {
			n, err := strconv.ParseFloat(f[i], 64)
			if err != nil {
				break
			}
			switch f[i+1] {
			case "ns/op":
				x.Nanoseconds = n
			case "B/op":
				x.Bytes = n
			case "allocs/op":
				x.Allocs = n
			}
		}
		name := f[0]
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			if _, err := strconv.Atoi(name[i+1:]); err == nil {
				name = name[:i]
			}
		}
		id := testID{pkg, name}
		samples[id] = append(samples[id], x)
	}
}

func median(list []Figures) Figures {
	of := func(get func(Figures) float64) float64 {
		v := make([]float64, len(list))
		for i, f := range list {
			v[i] = get(f)
		}
		slices.Sort(v)
		if n := len(v); n%2 == 0 {
			return (v[n/2-1] + v[n/2]) / 2
		}
		return v[len(v)/2]
	}
	return Figures{
		of(func(f Figures) float64 { return f.Nanoseconds }),
		of(func(f Figures) float64 { return f.Bytes }),
		of(func(f Figures) float64 { return f.Allocs }),
	}
}
