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

// show takes the parts of the run that are expected to be over and left, and goes by
// how long the part that is over really took.
func (p *progress) show(contest string, behind, ahead time.Duration) {
	if p.w == nil {
		return
	}
	const width = 24
	filled := int(width * behind / max(1, behind+ahead))
	bar := strings.Repeat("█", filled) + strings.Repeat("░", width-filled)
	if behind > 0 {
		ahead = time.Duration(float64(ahead) * float64(time.Since(p.start)) / float64(behind))
	}
	fmt.Fprintf(p.w, "\r\033[K%s %s left  %s", bar, ahead.Round(time.Second), contest)
}

// wait is told what other processes use and how long they may go on.
func (p *progress) wait(others float64, left time.Duration) {
	if p.w != nil {
		fmt.Fprintf(p.w, "\r\033[Kwaiting: other processes use %.2f cores; %s left", others, left.Round(time.Second))
	}
}

func (p *progress) clear() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\033[K")
	}
}
