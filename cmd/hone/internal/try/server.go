package try

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/cmd/hone/internal/process"
)

// A Server compares a program of the module under load. Its figures are medians of the runs. A figure that the
// load command does not print, or that the system does not tell, has no samples.
type Server struct {
	Program string `json:"program"`
	Load    string `json:"load"`
	Rounds  int    `json:"rounds"`

	Requests Quantity `json:"requests"` // per second
	CPU      Quantity `json:"cpu"`      // seconds for one request, or for the whole run if PerRun is set
	PerRun   bool     `json:"perRun,omitempty"`
	P50      Quantity `json:"p50"`    // seconds
	P99      Quantity `json:"p99"`    // seconds
	Memory   Quantity `json:"memory"` // the largest resident set, in bytes
	// Control is the CPU time of the old program in the control divided by its time.
	Control float64 `json:"control"`
	Noisy   bool    `json:"noisy,omitempty"`
}

// A visit has the figures of one run of the load command. A figure is 0 if it is not known.
type visit struct {
	requests, perSecond, cpu, p50, p99, memory float64
	failed                                     float64 // requests without an answer, or whose status is not 2xx or 3xx
}

// serverRounds is the number of rounds of a server, which takes longer than a benchmark.
const serverRounds = 5

// serve builds the program in both copies and measures it under load.
func (r *runner) serve() (*Server, error) {
	words := strings.Fields(r.o.Command)
	if len(words) == 0 {
		return nil, errors.New("-run names no program")
	}
	s := &Server{Program: r.o.Command, Load: r.o.Load, Control: 1}
	r.o.Migrate.Progress("building %s in both copies", words[0])
	for _, x := range r.sides {
		if _, err := r.change.Go(x.dir, "build", "-o", filepath.Join(x.bin, "server.exe"), words[0]); err != nil {
			return nil, err
		}
	}
	var runs [3][]visit
	start := time.Now()
rounds:
	for n := range serverRounds {
		r.o.Migrate.Progress("loading the old program, the new one and the old one again, round %d of %d", n+1, serverRounds)
		for _, slot := range orders[n%len(orders)] {
			v, err := r.visit(r.sides[slot%2], words[1:])
			if err != nil && r.limited() {
				break rounds
			}
			if err != nil {
				return nil, fmt.Errorf("%s the change: %w", [2]string{"before", "after"}[slot%2], err)
			}
			runs[slot] = append(runs[slot], v)
		}
		if s.Rounds = n + 1; r.late(start, n+1) {
			break
		}
	}
	known := true
	for _, list := range runs {
		for _, v := range list {
			known = known && v.requests > 0
		}
	}
	s.PerRun = !known
	cpu := func(v visit) float64 {
		if known {
			return v.cpu / v.requests
		}
		return v.cpu
	}
	s.CPU = compareVisits(runs[0], runs[1], cpu)
	s.Control = compareVisits(runs[0], runs[2], cpu).Ratio()
	noise, change := math.Abs(math.Log(s.Control)), math.Abs(math.Log(s.CPU.Ratio()))
	s.Noisy = noise > math.Log1p(maxNoise) && change < decisive*noise
	s.CPU.Differs = s.CPU.Differs && change > noise
	s.Requests = compareVisits(runs[0], runs[1], func(v visit) float64 { return v.perSecond })
	s.P50 = compareVisits(runs[0], runs[1], func(v visit) float64 { return v.p50 })
	s.P99 = compareVisits(runs[0], runs[1], func(v visit) float64 { return v.p99 })
	s.Memory = compareVisits(runs[0], runs[1], func(v visit) float64 { return v.memory })
	return s, nil
}

// compareVisits compares a figure of two lists of visits. The quantity has no samples if a visit lacks it.
func compareVisits(before, after []visit, figure func(visit) float64) Quantity {
	list := func(visits []visit) (values []float64) {
		for _, v := range visits {
			x := figure(v)
			if x <= 0 {
				return nil
			}
			values = append(values, x)
		}
		return values
	}
	return quantity(list(before), list(after))
}

// visit starts the program, loads it once, and stops it.
func (r *runner) visit(x side, args []string) (v visit, err error) {
	ctx, cancel := context.WithTimeoutCause(r.ctx, 5*time.Minute, errors.New("the load command takes more than 5 minutes"))
	defer cancel()
	var log keptOutput
	server := process.Command(ctx, filepath.Join(x.bin, "server.exe"), args...)
	server.Dir = x.dir
	server.Stdout, server.Stderr = &log, &log
	address, known := loadAddress(r.o.Load)
	if known {
		if c, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			c.Close()
			return v, fmt.Errorf("another program listens at %s", address)
		}
	}
	if err := server.Start(); err != nil {
		return v, err
	}
	ended := make(chan struct{})
	go func() {
		_ = server.Wait() // an interrupt ends most servers with an error
		close(ended)
	}()
	stop := func() {
		interrupted := server.Interrupt() == nil
		if interrupted {
			select {
			case <-ended:
			case <-time.After(5 * time.Second):
			}
		}
		_ = server.Kill() // what does not stop on an interrupt; usually no process is left
		<-ended
	}
	if err := ready(ctx, address, known, ended); err != nil {
		stop()
		return v, fmt.Errorf("%s: %w: %s", r.o.Command, err, lastLine(log.bytes(), errors.New("no output")))
	}
	load := process.Command(ctx, shell[0], shell[1], r.o.Load)
	out, err := load.CombinedOutput()
	memory := largestMemory(server.Process.Pid)
	early := false
	select {
	case <-ended:
		early = true
	default:
	}
	stop()
	switch {
	case ctx.Err() != nil:
		return v, context.Cause(ctx)
	case early:
		return v, fmt.Errorf("%s: the program has ended during the load: %s", r.o.Command, lastLine(log.bytes(), errors.New("no output")))
	case err != nil:
		return v, fmt.Errorf("%s: %s", r.o.Load, lastLine(out, err))
	}
	v = readLoad(string(out))
	if v.failed > 0 {
		return v, fmt.Errorf("%s: %.0f requests failed, or their status is not 2xx or 3xx: their cost says nothing", r.o.Load, v.failed)
	}
	v.cpu = (server.ProcessState.UserTime() + server.ProcessState.SystemTime()).Seconds()
	v.memory = memory
	return v, nil
}

var peak = regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`)

// largestMemory returns the largest resident set of a running process, in bytes. It is 0 on systems other than Linux.
// The usage of an ended process is of no use: the kernel counts the memory of the parent at the start as the child's.
func largestMemory(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	m := peak.FindSubmatch(status)
	if m == nil {
		return 0
	}
	kb, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		return 0
	}
	return kb * 1024
}

// ready waits until the server accepts connections.
func ready(ctx context.Context, address string, known bool, ended <-chan struct{}) error {
	for start := time.Now(); time.Since(start) < 30*time.Second; {
		select {
		case <-ended:
			return errors.New("the program has ended before the load")
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
		if !known {
			if time.Since(start) > 2*time.Second {
				return nil
			}
			continue
		}
		if c, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			return c.Close()
		}
	}
	return fmt.Errorf("nothing listens at %s after 30 seconds", address)
}

var link = regexp.MustCompile(`https?://[^\s'"]+`)

// loadAddress returns the address of the first URL in a command.
func loadAddress(command string) (address string, known bool) {
	u, err := url.Parse(link.FindString(command))
	if err != nil || u.Host == "" {
		return "", false
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port), true
}

// figures match lines in the output of wrk, hey, oha and ab.
var figures = []struct {
	match *regexp.Regexp
	set   func(v *visit, x float64)
}{
	{regexp.MustCompile(`(?m)^\s*(\d+) requests in `), func(v *visit, x float64) { v.requests = x }},            // wrk
	{regexp.MustCompile(`(?m)^Complete requests:\s+(\d+)`), func(v *visit, x float64) { v.requests = x }},       // ab
	{regexp.MustCompile(`(?mi)^\s*Requests/sec:\s+([\d.]+)`), func(v *visit, x float64) { v.perSecond = x }},    // wrk, hey, oha
	{regexp.MustCompile(`(?m)^Requests per second:\s+([\d.]+)`), func(v *visit, x float64) { v.perSecond = x }}, // ab
	{regexp.MustCompile(`(?m)^\s*\[\d+\]\s+(\d+) responses`), func(v *visit, x float64) { v.requests += x }},    // hey, oha

	{regexp.MustCompile(`(?m)^\s*\[[^23]\d*\]\s+(\d+) responses`), func(v *visit, x float64) { v.failed += x }},        // hey, oha
	{regexp.MustCompile(`(?m)^\s*Non-2xx or 3xx responses: (\d+)`), func(v *visit, x float64) { v.failed += x }},       // wrk
	{regexp.MustCompile(`(?m)^\s*Socket errors: connect (\d+)`), func(v *visit, x float64) { v.failed += x }},          // wrk
	{regexp.MustCompile(`(?m)^\s*Socket errors:.* read (\d+)`), func(v *visit, x float64) { v.failed += x }},           // wrk
	{regexp.MustCompile(`(?m)^\s*Socket errors:.* write (\d+)`), func(v *visit, x float64) { v.failed += x }},          // wrk
	{regexp.MustCompile(`(?m)^\s*Socket errors:.* timeout (\d+)`), func(v *visit, x float64) { v.failed += x }},        // wrk
	{regexp.MustCompile(`(?m)^Non-2xx responses:\s+(\d+)`), func(v *visit, x float64) { v.failed += x }},               // ab
	{regexp.MustCompile(`(?m)^Failed requests:.*\n\s+\(Connect: (\d+)`), func(v *visit, x float64) { v.failed += x }},  // ab
	{regexp.MustCompile(`(?m)^Failed requests:.*\n.* Receive: (\d+)`), func(v *visit, x float64) { v.failed += x }},    // ab
	{regexp.MustCompile(`(?m)^Failed requests:.*\n.* Exceptions: (\d+)`), func(v *visit, x float64) { v.failed += x }}, // ab; other lengths are no failures
}

// unanswered matches a line of the errors that hey and oha list by their number, such as "[3] connection refused".
var unanswered = regexp.MustCompile(`(?m)^\s*\[(\d+)\]\s+(.+)$`)

// percentile matches a line such as "50%  1.20ms" (wrk), "50%% in 0.0012 secs" (hey), "50.00% in 0.0012 sec" or
// "50.00% in 1.20 ms" (oha), and "50%     12" in milliseconds (ab).
var percentile = regexp.MustCompile(`(?m)^\s*(50|99)(?:\.0+)?%+\s+(?:in\s+)?([\d.]+)\s*(us|ms|s|secs?|m)?\s*$`)

// readLoad reads the figures that a load command prints.
func readLoad(out string) (v visit) {
	for _, f := range figures {
		for _, m := range f.match.FindAllStringSubmatch(out, -1) {
			if x, err := strconv.ParseFloat(m[1], 64); err == nil {
				f.set(&v, x)
			}
		}
	}
	for _, m := range percentile.FindAllStringSubmatch(out, -1) {
		x, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			continue
		}
		x *= map[string]float64{"us": 1e-6, "ms": 1e-3, "": 1e-3, "s": 1, "sec": 1, "secs": 1, "m": 60}[m[3]]
		if m[1] == "50" {
			v.p50 = x
		} else {
			v.p99 = x
		}
	}
	_, list, _ := strings.Cut(out, "Error distribution:")
	for _, m := range unanswered.FindAllStringSubmatch(list, -1) {
		if x, err := strconv.ParseFloat(m[1], 64); err == nil && m[2] != "aborted due to deadline" { // oha stops at its deadline
			v.failed += x
		}
	}
	return v
}

// print prints the comparison of the server.
func (s *Server) print(p *printer) {
	each := "CPU of a request"
	if s.PerRun {
		each = "CPU of a run"
	}
	p.line("gains", "%s under %s, %s", s.Program, short(s.Load, 60), count(s.Rounds, "round"))
	for _, x := range []struct {
		name  string
		q     Quantity
		scale float64
		unit  string
	}{
		{"requests per second", s.Requests, 1, ""}, {each, s.CPU, 1e6, " µs"}, {"p50", s.P50, 1e3, " ms"}, {"p99", s.P99, 1e3, " ms"},
		{"memory", s.Memory, 1e-6, " MB"},
	} {
		switch {
		case x.q.N == 0 && x.name == "memory":
			p.line("gains", "%-20s not known: this system does not tell it", x.name)
		case x.q.N == 0:
			p.line("gains", "%-20s not known: hone does not find it in the output of the load command", x.name)
		case s.Noisy && x.q != s.Memory:
			p.line("gains", "%-20s too noisy: the old program differs from itself by %.0f %%", x.name, 100*max(s.Control-1, 1/s.Control-1))
		case !x.q.Differs:
			p.line("gains", "%-20s %.4g%s before, no difference (p=%.3f n=%d)", x.name, x.q.Before*x.scale, x.unit, x.q.P, x.q.N)
		default:
			p.line("gains", "%-20s %.4g%s before, %.4g%s after (%s, p=%.3f n=%d)", x.name, x.q.Before*x.scale, x.unit, x.q.After*x.scale, x.unit, change(x.q), x.q.P, x.q.N)
		}
	}
}

// judge returns the verdict, which follows the CPU time.
func (s *Server) judge() (verdict, summary string) {
	switch ratio := s.CPU.Ratio(); {
	case s.Rounds < fewestRounds:
		return "unmeasured", tooLate(s.Rounds)
	case s.CPU.N == 0:
		return "unmeasured", "The CPU time of the program is not known."
	case s.Noisy:
		return "noisy", "The machine is too noisy: the old program differs from itself. Close other programs and try again."
	case !s.CPU.Differs:
		return "nothing", "You would gain nothing under this load: the CPU time does not differ."
	case ratio < 1:
		return "gain", fmt.Sprintf("You would gain: a request takes %.0f %% less CPU time.", 100*(1-ratio))
	default:
		return "loss", fmt.Sprintf("You would lose: a request takes %.0f %% more CPU time.", 100*(ratio-1))
	}
}
