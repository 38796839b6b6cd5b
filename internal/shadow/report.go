package shadow

import (
	"context"
	"fmt"
	"log/slog"
	"math/bits"
	"runtime"
	"strings"
)

// A kind groups differences that are alike. Only a limited number of each kind are logged.
type kind struct{ call, caller, typ, what, path string }

// maxKinds is the largest number of kinds, and of slow types, that are recorded.
const maxKinds = 1000

// report counts a difference, and passes it to Settings.Report and to the logger.
func (w *Watch) report(s *settings, d Difference) {
	k := kind{d.Call, d.Caller, d.Type, d.What, d.Path}
	w.mu.Lock()
	if _, known := w.counts[k]; !known && len(w.counts) >= maxKinds {
		k = kind{} // all later kinds share one count
	}
	w.counts[k]++
	n := w.counts[k]
	w.mu.Unlock()
	if s.Report != nil {
		_ = w.guarded(func() *Difference { s.Report(d); return nil })
	}
	if bits.OnesCount64(n) != 1 {
		return
	}
	logger := s.Logger
	if logger == nil {
		logger = slog.Default()
	}
	_ = w.guarded(func() *Difference {
		logger.LogAttrs(context.Background(), slog.LevelWarn, "shadow: the engines differ",
			slog.String("call", d.Call), slog.String("caller", d.Caller), slog.String("type", d.Type), slog.String("what", d.What),
			slog.String("path", d.Path), slog.Int("offset", d.Offset), slog.String("answered", d.Answered), slog.String("other", d.Other), slog.Uint64("times", n))
		return nil
	})
}

// caller returns the function outside of Hone's shadow packages that made the call.
func caller() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if !inside(f.Function) {
			return fmt.Sprintf("%s (%s:%d)", f.Function, f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		}
		if !more {
			return "?"
		}
	}
}

func inside(function string) bool {
	for _, pkg := range []string{"internal/shadow.", "json/shadow.", "json/v2/shadow.", "wire/shadow."} {
		if strings.HasPrefix(function, "github.com/hone-go/hone/"+pkg) {
			return true
		}
	}
	return false
}
