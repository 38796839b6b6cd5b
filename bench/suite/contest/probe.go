package contest

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ProbeFlag is the flag for starting a measuring program as a process that probes a contestant. Its
// value is CONTEST|CONTESTANT|FIRST, and the program must call ServeProbes.
const ProbeFlag = "-probe"

// Probes find out whether a contestant breaks promises of the original library, such as
// encoding/json. Callers rely on these promises. Probes run the function that is timed. Contestants
// that share their Probes are probed once.
type Probes struct{ List []Probe }

// A Probe is a small piece of work with the result that the original gives.
type Probe struct {
	Fewer string      // the behaviour of a contestant that fails the probe, such as "does not sort the keys of maps"
	Kept  func() bool // reports whether the promise is kept; a panic means that it is not
}

// A contestant with one of these notes is shown but not ranked.
const (
	ByHand      = "hand-written code"   // code for one type, which is not a library
	OtherEngine = "another HTTP engine" // fiber uses fasthttp instead of net/http
)

// Apart returns the reason in notes why a contestant is not ranked, or "".
func Apart(notes []string) string {
	for _, why := range []string{ByHand, OtherEngine} {
		if slices.Contains(notes, why) {
			return why
		}
	}
	return ""
}

// A finding is one line of the output of a probing process.
type finding struct {
	Probe int
	Done  bool // whether the probe has ended; each probe prints a line when it starts, and one when it ends
	Fewer string
}

// ServeProbes runs a contestant's probes, beginning with the probe first. It prints a line before
// and after each probe. If a probe ends the process, the last line shows which one.
func ServeProbes(who Contestant, first string, w io.Writer) error {
	from, err := strconv.Atoi(first)
	if err != nil || who.Probes == nil {
		return fmt.Errorf("%s has no probe %q", who.Name, first)
	}
	debug.SetMaxStack(64 << 20) // infinite recursion must fail soon
	limitMemory()
	out := json.NewEncoder(w)
	for i := from; i < len(who.Probes.List); i++ {
		if err := out.Encode(finding{Probe: i}); err != nil {
			return err
		}
		if err := out.Encode(finding{i, true, who.Probes.List[i].run()}); err != nil {
			return err
		}
	}
	return nil
}

// run returns "" if the promise is kept, and otherwise p.Fewer, with a suffix if the probe panics.
func (p Probe) run() (fewer string) {
	defer func() {
		if recover() != nil {
			fewer = p.Fewer + endSuffixes[0]
		}
	}()
	if p.Kept() {
		return ""
	}
	return p.Fewer
}

// endSuffixes are the suffixes of a finding for probes that do not return.
var endSuffixes = []string{" (panics)", " (the process dies)", " (does not end)"}

// WithoutEnd returns a finding without its suffix from endSuffixes.
func WithoutEnd(fewer string) string {
	for _, end := range endSuffixes {
		fewer = strings.TrimSuffix(fewer, end)
	}
	return fewer
}

// patience is the maximum time of one probe.
const patience = time.Minute

// Probed returns the promises of the original that a contestant breaks, or nil. Program is the
// executable of the suite, which runs the probes in a separate process. If a probe ends the
// process, the remaining probes run in a new one.
func Probed(ctx context.Context, program string, c Contest, who Contestant) ([]string, error) {
	if who.Probes == nil {
		return nil, nil
	}
	var fewer []string
	for next := 0; next < len(who.Probes.List); {
		found, err := probe(ctx, program, c, who, next)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if f.Fewer != "" && !slices.Contains(fewer, f.Fewer) {
				fewer = append(fewer, f.Fewer)
			}
			next = f.Probe + 1
		}
	}
	return fewer, nil
}

// probe runs the probes of a contestant in a process, beginning with the probe first, until a probe
// ends the process. It returns at least one finding, or an error.
func probe(ctx context.Context, program string, c Contest, who Contestant, first int) ([]finding, error) {
	cmd := exec.CommandContext(ctx, program, ProbeFlag, fmt.Sprintf("%s|%s|%d", c.Name, who.Name, first))
	cmd.Env = append(os.Environ(), "GOTRACEBACK=none")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var found []finding
	begun := -1
	why := endSuffixes[1]
	lines := make(chan finding)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			var f finding
			if json.Unmarshal(s.Bytes(), &f) != nil {
				return
			}
			lines <- f
		}
	}()
	for open := true; open; {
		select {
		case f, ok := <-lines:
			if open = ok; !ok {
				break
			}
			if begun = f.Probe; f.Done {
				found, begun = append(found, f), -1
			}
		case <-time.After(patience):
			why = endSuffixes[2]
			_ = cmd.Process.Kill()
			for range lines { // drain lines until it is closed
			}
			open = false
		}
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case begun >= 0:
		return append(found, finding{begun, true, who.Probes.List[begun].Fewer + why}), nil
	case len(found) == 0:
		return nil, fmt.Errorf("the probes of %s in %s did not start: %w", who.Name, c.Name, cmp.Or(err, errNoFinding))
	}
	return found, nil
}

var errNoFinding = errors.New("the process ended without a finding")

// A Prober caches the findings for each contestant.
type Prober struct {
	Program string
	known   map[*Probes]promise
}

type promise struct {
	fewer []string
	err   error
}

// Probed is like the function [Probed], but probes contestants with the same Probes only once.
func (p *Prober) Probed(ctx context.Context, c Contest, who Contestant) ([]string, error) {
	k, ok := p.known[who.Probes]
	if !ok {
		k.fewer, k.err = Probed(ctx, p.Program, c, who)
		if p.known == nil {
			p.known = map[*Probes]promise{}
		}
		p.known[who.Probes] = k
	}
	return k.fewer, k.err
}
