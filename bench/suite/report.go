package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hone-go/hone/bench/suite/contest"
)

// A Report is what a run of the suite found out.
type Report struct {
	Machine Machine
	Date    time.Time
	Results []contest.Result
}

// A Machine is what the suite ran on.
type Machine struct {
	CPU     string
	Cores   int
	OS      string
	Arch    string
	Go      string
	Modules map[string]string // versions of the peers
}

func describeMachine() Machine {
	m := Machine{Cores: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), Modules: map[string]string{}}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			m.Modules[d.Path] = d.Version
		}
	}
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			if name, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
				m.CPU = strings.TrimSpace(value)
				break
			}
		}
	}
	return m
}

// printTable prints each contest with Hone first and the others as ratios to
// it: 2.0 x takes twice as long.
func printTable(w io.Writer, r Report) {
	fmt.Fprintf(w, "%s, %d cores, %s/%s, %s, %s\n\n", r.Machine.CPU, r.Machine.Cores, r.Machine.OS, r.Machine.Arch, r.Machine.Go, r.Date.Format("2006-01-02"))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\ttime\t±\tto Hone\tallocs\t")
	last, base := "", contest.Result{}
	for _, res := range r.Results {
		if res.Contest != last {
			fmt.Fprintf(t, "%s\t\t\t\t\t\n", res.Contest)
			last, base = res.Contest, res
		}
		if res.Error != "" {
			fmt.Fprintf(t, "  %s\tfails: %s\t\t\t\t\n", res.Contestant, shorten(res.Error))
			continue
		}
		fmt.Fprintf(t, "  %s\t%s\t%.0f %%\t%s\t%s\t%s\n", res.Contestant, nanoseconds(res.NsPerOp),
			100*(res.High-res.Low)/2/res.NsPerOp, ratio(res, base), count(res.Allocs), strings.Join(res.Notes, ", "))
	}
	t.Flush()
}

// shorten keeps an error on the line; results.json has all of it.
func shorten(s string) string {
	const most = 60
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// ratio says how res compares with base. Where their intervals overlap no
// difference has been shown.
func ratio(res, base contest.Result) string {
	switch {
	case base.Error != "" || res.Contestant == base.Contestant:
		return ""
	case res.Low <= base.High && base.Low <= res.High:
		return "~"
	}
	return fmt.Sprintf("%.2f x", res.NsPerOp/base.NsPerOp)
}

func nanoseconds(ns float64) string {
	switch {
	case ns < 100:
		return fmt.Sprintf("%.1f ns", ns)
	case ns < 10_000:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 10_000_000:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	}
	return fmt.Sprintf("%.1f ms", ns/1e6)
}

// count rounds what the runtime allocated by the way out of a mean.
func count(n float64) string {
	if n < 0.01 {
		return "0"
	}
	return fmt.Sprintf("%.3g", n)
}
