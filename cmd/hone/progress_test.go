package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgress(t *testing.T) {
	for _, c := range []struct {
		terminal bool
		want     string
	}{
		{false, "hone: checking\nhone: 50 of 200 packages, 30s left\nhone: 100 of 200 packages, 20s left\nhone: writing\n"},
		{true, "hone: checking\n\r\033[K1 of 200 packages, 40s left\r\033[K50 of 200 packages, 30s left\r\033[K100 of 200 packages, 20s left\r\033[Khone: writing\n"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var b bytes.Buffer
			p := newProgress(&b)
			p.terminal = c.terminal
			p.step("%s", "checking")
			for _, x := range []struct {
				at   time.Duration
				done int
			}{{0, 0}, {200 * time.Millisecond, 1}, {10 * time.Second, 50}, {10100 * time.Millisecond, 51}, {20 * time.Second, 100}, {40 * time.Second, 200}} {
				time.Sleep(time.Until(p.start.Add(x.at)))
				p.count(x.done, 200, float64(x.done)/200)
			}
			p.step("writing")
			if b.String() != c.want {
				t.Errorf("terminal: %v: %q, want %q", c.terminal, b.String(), c.want)
			}
		})
	}
}
