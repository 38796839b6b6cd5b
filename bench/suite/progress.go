package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// A progress is a line on a terminal with the progress of the run and the expected remaining
// time. If the output is not a terminal, it prints nothing.
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

// show prints the progress. The arguments behind and ahead are the expected times of the
// finished and the remaining part. show multiplies ahead by the ratio of the real to the
// expected time of the finished part.
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

// wait prints the number of cores that other processes use, and the remaining time of the wait.
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
