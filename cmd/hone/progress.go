package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// A progress prints the steps of a long run. Within a step it prints a count and the time that is left. On a
// terminal it rewrites one line; elsewhere it prints a line every ten seconds.
type progress struct {
	w        io.Writer
	unit     string // of the count
	terminal bool
	start    time.Time // of the step
	shown    time.Time // when the count was last printed
	open     bool      // the cursor is in the line of the count
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, unit: "packages"}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// step begins a step.
func (p *progress) step(format string, args ...any) {
	p.clear()
	p.start = time.Now()
	p.shown = p.start
	fmt.Fprintf(p.w, "hone: "+format+"\n", args...)
}

// count prints how many packages, or other units, of the step are done. part is the finished fraction of the step's work,
// from 0 to 1.
func (p *progress) count(done, total int, part float64) {
	if done >= total {
		p.clear()
		return
	}
	now := time.Now()
	every := 10 * time.Second
	if p.terminal {
		every = 200 * time.Millisecond
	}
	if now.Sub(p.shown) < every || part <= 0 {
		return
	}
	p.shown = now
	left := time.Duration(float64(now.Sub(p.start)) * (1 - part) / part)
	text := fmt.Sprintf("%d of %d %s, %s left", done, total, p.unit, left.Round(time.Second))
	if p.terminal {
		fmt.Fprintf(p.w, "\r\033[K%s", text)
		p.open = true
	} else {
		fmt.Fprintf(p.w, "hone: %s\n", text)
	}
}

// clear removes the line of the count.
func (p *progress) clear() {
	if p.open {
		fmt.Fprint(p.w, "\r\033[K")
		p.open = false
	}
}
