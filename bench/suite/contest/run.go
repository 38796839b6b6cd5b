package contest

import (
	"cmp"
	"context"
	"os"
	"time"
)

// Options determine the effort of a run.
type Options struct {
	Count    int           // samples of each contestant
	Duration time.Duration // the duration of a sample
	// Again is the maximum number of times that contests with wide intervals are measured again,
	// after all contests. Each repetition takes twice as many samples as the measurement before it.
	// In total the repetitions take no longer than the expected time of the run.
	Again int
	// Progress is called before each contest. Its arguments are the name of the contest, the expected time of the
	// contests before it, and the expected time of the contest and the contests after it.
	Progress func(contest string, behind, ahead time.Duration)
	// Done is called with the outcome of each contest, after the processes of the contest have ended.
	Done func(Outcome)
}

// An Outcome is the result of one contest.
type Outcome struct {
	Name  string
	Unit  Unit  `json:",omitempty"`
	Way   Way   `json:",omitempty"`
	Curve Curve `json:",omitzero"`
	// Promises is the behaviour for which the contestants were probed, "" if none.
	Promises string `json:",omitempty"`
	Again    int    `json:",omitempty"` // the number of repetitions because of wide intervals
	// Documents has the names of the documents of a contest with several.
	Documents []string `json:",omitempty"`
	Results   []Result
}

// A Result is the measurement of one contestant.
type Result struct {
	Contestant string
	Notes      []string  `json:",omitempty"`
	Source     string    // "path:line" of the benchmark, from the repository's root
	Samples    []float64 `json:",omitempty"` // in the contest's unit, in the order they were taken
	Center     float64   // the median of the samples
	Low, High  float64   // the confidence interval of the median
	Slowed     int       `json:",omitempty"` // the number of samples taken on a slowed core
	Allocs     float64   // the medians of allocations and bytes
	Bytes      float64
	More       map[string]float64 `json:",omitempty"`
	Error      string             `json:",omitempty"` // why it was not timed
	Fewer      []string           `json:",omitempty"` // promises of the original that it breaks

	Documents []float64         `json:",omitempty"` // the median time of each document, 0 for a document that fails
	Failed    map[string]string `json:",omitempty"` // why documents were not timed, by their names
}

// Run measures the contests in order, and then repeats contests with wide intervals; see [Again]. If
// ctx is done it returns the outcomes so far, without the interrupted contest.
func Run(ctx context.Context, contests []Contest, o Options) []Outcome {
	r := newRunner()
	r.ahead = Expected(contests, o)
	var outcomes []Outcome
	for _, c := range contests {
		outcome, ok := r.measure(ctx, c, o)
		if !ok {
			return outcomes
		}
		outcomes = append(outcomes, outcome)
	}
	return r.again(ctx, contests, outcomes, o)
}

// Again repeats contests if their outcomes have wide intervals. outcomes are from an earlier Run with
// o. o limits the number of repetitions, and the expected time of the earlier run limits their time.
// Again changes outcomes and returns them.
func Again(ctx context.Context, contests []Contest, outcomes []Outcome, o Options) []Outcome {
	return newRunner().again(ctx, contests, outcomes, o)
}

func (r *runner) again(ctx context.Context, contests []Contest, outcomes []Outcome, o Options) []Outcome {
	left := Expected(contests, o)
	for range o.Again {
		var chosen []int
		r.ahead = 0
		o.Count *= 2 // the width of an interval is proportional to the square root of 1/Count
		for i, c := range contests {
			if took := c.expected(o); outcomes[i].Wide() > 0 && took <= left {
				chosen, left, r.ahead = append(chosen, i), left-took, r.ahead+took
			}
		}
		for _, i := range chosen {
			outcome, ok := r.measure(ctx, contests[i], o)
			if !ok {
				return outcomes
			}
			outcomes[i].takeAgain(outcome)
		}
	}
	return outcomes
}

// takeAgain replaces o by another measurement of the contest if that has fewer wide intervals and
// no new failures. The measured values do not influence the choice.
func (o *Outcome) takeAgain(other Outcome) {
	o.Again++
	other.Again = o.Again
	for i, r := range other.Results {
		if r.Error != "" && o.Results[i].Error == "" {
			return
		}
	}
	if other.Wide() < o.Wide() {
		*o = other
	}
}

// A runner measures contests, one at a time.
type runner struct {
	program       string // the program that runs the contestants
	err           error  // the reason why program is ""
	prober        Prober
	behind, ahead time.Duration
}

func newRunner() *runner {
	program, err := os.Executable()
	return &runner{program: program, err: err, prober: Prober{Program: program}}
}

// measure returns the outcome of one contest. It reports false if ctx was done before the end.
func (r *runner) measure(ctx context.Context, c Contest, o Options) (Outcome, bool) {
	if o.Progress != nil {
		o.Progress(c.Name, r.behind, r.ahead)
	}
	entrants := make([]Entrant, len(c.Contestants))
	for i, who := range c.Contestants {
		entrants[i] = Entrant{r.program, c, who.Name}
	}
	samples, errs := Interleave(ctx, entrants, o)
	if ctx.Err() != nil {
		return Outcome{}, false
	}
	outcome := Outcome{Name: c.Name, Unit: c.Unit, Way: c.Way, Curve: c.Curve, Promises: c.Promises, Documents: c.Documents}
	for i, who := range c.Contestants {
		res := Result{Contestant: who.Name, Notes: who.Notes, Source: who.Source()}
		if err := cmp.Or(r.err, errs[i]); err != nil {
			res.Error = err.Error()
		} else {
			res.summarize(samples[i])
		}
		if fewer, err := r.prober.Probed(ctx, c, who); err != nil {
			res.Error = cmp.Or(res.Error, err.Error())
		} else {
			res.Fewer = fewer
		}
		outcome.Results = append(outcome.Results, res)
	}
	if ctx.Err() != nil {
		return Outcome{}, false
	}
	if o.Done != nil {
		o.Done(outcome)
	}
	took := c.expected(o)
	r.behind, r.ahead = r.behind+took, r.ahead-took
	return outcome, true
}

// An Entrant is a contestant in one build of the suite.
type Entrant struct {
	Program string // the executable of the build
	Contest Contest
	Who     string
}

// Interleave takes one sample of each entrant in turn, Count times, so that disturbances of the
// machine affect all entrants. An entrant has either samples or an error. A sample of a slowed core
// is repeated a few times. If there are enough samples of a quiet core, samples of a slowed core do
// not count.
func Interleave(ctx context.Context, entrants []Entrant, o Options) ([][]Sample, []error) {
	samples, errs := make([][]Sample, len(entrants)), make([]error, len(entrants))
	processes := make([]*process, len(entrants))
	defer func() {
		for _, p := range processes {
			if p != nil {
				p.stop()
			}
		}
	}()
	y := yardstick{shortest: calibrate(), factor: slowed}
	take := func(i int) (Sample, error) {
		e := entrants[i]
		if e.Contest.Way == Cold && processes[i] != nil {
			processes[i].stop()
			processes[i] = nil
		}
		if processes[i] == nil {
			p, err := start(e.Program, e.Contest, e.Who)
			if err != nil {
				return Sample{}, err
			}
			processes[i] = p
		}
		return processes[i].sample(e.Contest.duration(o), &y)
	}
	end := time.Now()
	for _, e := range entrants {
		end = end.Add(mostRun * e.Contest.each(o))
	}
	late := make([][]Sample, len(entrants)) // samples taken on a slowed core
	// The first round warms up.
	for round := range moreRounds*o.Count + 1 {
		for i, e := range entrants {
			if time.Now().After(end) {
				y.factor = 0
			}
			exact := e.Contest.Way == Exact
			if n := len(samples[i]); errs[i] != nil || ctx.Err() != nil || exact && n > 0 || n == o.Count || y.factor == 0 && n+len(late[i]) >= o.Count {
				continue
			}
			s, err := take(i)
			switch {
			case err != nil:
				errs[i] = err
			case s.Slowed && round > 0:
				late[i] = append(late[i], s)
			case round > 0 || exact:
				samples[i] = append(samples[i], s)
			}
		}
	}
	for i := range samples {
		if n := len(samples[i]); errs[i] == nil && n < enough(o.Count) {
			samples[i] = append(samples[i], late[i][:min(o.Count-n, len(late[i]))]...)
		}
	}
	return samples, errs
}

// enough returns the number of samples of a quiet core that is sufficient if count samples were requested. With
// fewer, samples of a slowed core count too. It is half of count, but at least the number that an interval needs.
func enough(count int) int { return min(count, max(leastSamples, (count+1)/2)) }

// These are the estimated times to start a process, and to build a program.
const (
	startTime     = 40 * time.Millisecond
	documentsTime = 400 * time.Millisecond // to start a process and to check its documents
	buildTime     = 3 * time.Second
)

// documentsFactor is the length of a sample of many documents, divided by the length of other samples.
const documentsFactor = 4

// Expected returns the approximate time of Run.
func Expected(contests []Contest, o Options) time.Duration {
	total := time.Duration(0)
	for _, c := range contests {
		total += c.expected(o)
	}
	return total
}

func (c Contest) expected(o Options) time.Duration {
	return time.Duration(len(c.Contestants)) * c.each(o)
}

// each returns the approximate time for measuring one contestant.
func (c Contest) each(o Options) time.Duration {
	switch c.Way {
	case Cold:
		return time.Duration(o.Count+1) * startTime
	case Exact:
		return buildTime
	}
	start := startTime
	if c.Documents != nil {
		start = documentsTime
	}
	return start + time.Duration(o.Count+2)*c.duration(o) // two samples warm up
}

// duration returns the duration of a sample. Samples of many documents are longer.
func (c Contest) duration(o Options) time.Duration {
	if c.Documents != nil {
		return documentsFactor * o.Duration
	}
	return o.Duration
}

// Fit returns o with a sample duration for which the contests take about the duration total. The
// duration is not shorter than a useful sample.
func Fit(contests []Contest, o Options, total time.Duration) Options {
	const shortest, longest = 5 * time.Millisecond, 200 * time.Millisecond
	timed := 0
	for _, c := range contests {
		if c.Way == Looped || c.Way == Parallel {
			timed += len(c.Contestants) * int(c.duration(Options{Duration: 1}))
		}
	}
	o.Duration = 0
	rest := total - Expected(contests, o)
	o.Duration = longest
	if timed > 0 {
		o.Duration = min(longest, max(shortest, rest/time.Duration(timed*(o.Count+2)))).Truncate(time.Millisecond)
	}
	return o
}
