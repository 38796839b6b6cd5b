// Package shadow compares the results of two engines for a fraction of the calls of a running
// program. The caller gets the results of the first engine. The second engine repeats the call within
// a limited time budget. Its errors and panics are counted and reported, and never reach the caller.
package shadow

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Settings are the fraction of calls that are compared, the limits of comparisons, and the receivers
// of reports.
type Settings struct {
	// Share is the fraction of calls that are compared: 0 for none, 1 for all.
	Share float64
	// MaxBytes is the length of the longest text that is compared. 0 means 1 MiB.
	MaxBytes int
	// Budget is the time per second that comparisons may take, in all goroutines together. 0 means
	// 50 ms.
	Budget time.Duration
	// Longest is the time that one comparison may take. 0 means Budget. A comparison is not
	// interrupted, because it reads values of the caller. A type whose comparison took longer is not
	// compared again until the next call of Set.
	Longest time.Duration
	// Without lists types that are not compared. Types that contain one of them are not compared
	// either, but values in interfaces are not searched. List types whose methods are slow, have side
	// effects, or return a different result in each call.
	Without []reflect.Type
	// Report is called for every difference, in the goroutine of the compared call. It may be nil.
	// Its panics are recovered.
	Report func(Difference)
	// Logger receives the first, second, fourth, eighth … difference of each kind. Nil means
	// slog.Default().
	Logger *slog.Logger
}

// A Difference is a call for which two engines had different results.
type Difference struct {
	Call   string // "Unmarshal"
	Caller string // "example.org/service.load (load.go:12)"
	Type   string // the type of the value
	What   string // "bytes", "value", "error" or "panic"
	Path   string // the path of the first difference between two values: ".Items[3].Price"
	Offset int    // the offset of the first difference between two texts
	// Answered and Other are the results of the two engines near the difference. Letters and digits
	// of data are masked.
	Answered, Other string
}

func (d Difference) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s by %s: different %s", d.Call, d.Type, d.Caller, d.What)
	if d.Path != "" {
		fmt.Fprintf(&b, " at %s", d.Path)
	}
	fmt.Fprintf(&b, ": %s; the other engine: %s", d.Answered, d.Other)
	return b.String()
}

// Counts are the numbers of calls since the program started.
type Counts struct {
	Calls     uint64 // the calls of the package
	Compared  uint64 // the calls that were compared
	Different uint64 // the comparisons that found a difference
	// Passed counts the calls that were chosen for a comparison but not compared: the text was too
	// long, the budget was spent, the type is excluded or slow, or the second engine does not
	// support the type.
	Passed      uint64
	Panics      uint64 // the panics of the other engine, or of methods that it called
	Nanoseconds uint64 // the time of all comparisons
}

// A Watch compares the calls of one package. [New] creates it.
type Watch struct {
	settings  atomic.Pointer[settings]
	calls     atomic.Uint64
	compared  atomic.Uint64
	different atomic.Uint64
	passed    atomic.Uint64
	panics    atomic.Uint64
	spent     atomic.Uint64 // nanoseconds

	mu     sync.Mutex
	second int64         // the Unix second of the last addition of the budget to left
	left   time.Duration // the unspent budget
	slow   map[reflect.Type]bool
	counts map[kind]uint64 // the number of differences of each kind
}

// settings are [Settings] with defaults instead of zero fields.
type settings struct {
	Settings
	without *exclusion
}

// New returns a Watch with the settings s.
func New(s Settings) *Watch {
	w := &Watch{slow: map[reflect.Type]bool{}, counts: map[kind]uint64{}}
	w.Set(s)
	return w
}

// Set replaces the settings. It may be called at any time.
func (w *Watch) Set(s Settings) {
	if s.MaxBytes == 0 {
		s.MaxBytes = 1 << 20
	}
	if s.Budget == 0 {
		s.Budget = 50 * time.Millisecond
	}
	if s.Longest == 0 {
		s.Longest = s.Budget
	}
	w.settings.Store(&settings{s, newExclusion(s.Without)})
	w.mu.Lock()
	clear(w.slow)
	w.mu.Unlock()
}

// MaxBytes is the length of the longest text that is compared.
func (w *Watch) MaxBytes() int { return w.settings.Load().MaxBytes }

// Counts returns the counts so far.
func (w *Watch) Counts() Counts {
	return Counts{w.calls.Load(), w.compared.Load(), w.different.Load(), w.passed.Load(), w.panics.Load(), w.spent.Load()}
}

// Chosen counts a call and reports whether to compare it.
func (w *Watch) Chosen() bool {
	w.calls.Add(1)
	share := w.settings.Load().Share
	return share > 0 && (share >= 1 || rand.Float64() < share)
}

// Pass counts a chosen call that is not compared.
func (w *Watch) Pass() { w.passed.Add(1) }

// Compare calls the function compare, which compares the engines for a value of type t. It does not
// call compare if t is excluded or slow, or if the budget has no time left. A panic of this function
// is a difference too.
func (w *Watch) Compare(call string, t reflect.Type, compare func() *Difference) {
	s := w.settings.Load()
	if s.without.excludes(t) || !w.affords(t, s.Budget) {
		w.Pass()
		return
	}
	start := time.Now()
	d := w.guarded(compare)
	took := time.Since(start)
	w.compared.Add(1)
	w.spent.Add(uint64(took))
	w.mu.Lock()
	w.left -= took
	if took > s.Longest && len(w.slow) < maxKinds {
		w.slow[t] = true
	}
	w.mu.Unlock()
	if d == nil {
		return
	}
	w.different.Add(1)
	d.Call, d.Type, d.Caller = call, fmt.Sprint(t), caller()
	w.report(s, *d)
}

// guarded calls the function compare. It recovers from a panic, and returns the panic as a
// difference.
func (w *Watch) guarded(compare func() *Difference) (d *Difference) {
	defer func() {
		if r := recover(); r != nil {
			w.panics.Add(1)
			d = &Difference{What: "panic", Answered: "a result", Other: fmt.Sprintf("a panic with %T", r)}
		}
	}()
	return compare()
}

// JSON returns the counts as JSON, as an expvar.Var does.
func (w *Watch) JSON() string {
	text, err := json.Marshal(w.Counts())
	if err != nil { // encoding numbers cannot fail
		return "{}"
	}
	return string(text)
}
