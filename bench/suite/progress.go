package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// A progress is one line on a terminal that says how far the run is and how
// long the rest takes. Elsewhere it says nothing.
type progress struct {
	w     *os.File
	start time.Time
}

func newProgress(w *os.File) *progress {
	if info, err := w.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		w = nil
	}
	return &progress{w, time.Now()}
}

func (p *progress) show(contest string, done, of int) {
	if p.w == nil {
		return
	}
	const width = 24
	bar := strings.Repeat("█", width*done/of) + strings.Repeat("░", width-width*done/of)
	left := ""
	if done > 0 {
		left = ", " + (time.Since(p.start) / time.Duration(done) * time.Duration(of-done)).Round(time.Second).String() + " left"
	}
	fmt.Fprintf(p.w, "\r\033[K%s %d/%d%s  %s", bar, done, of, left, contest)
}

func (p *progress) clear() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\033[K")
	}
}
