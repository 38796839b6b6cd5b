package contest

import (
	"fmt"
	"runtime"
	"time"
)

// prepare makes a contestant ready for sampling. Its New or Measure checks the output before
// anything is timed. A panic is returned as an error, so that the report lists the contestant as
// failing. Contests on one core are sampled while y finds the core quiet.
func prepare(c Contest, who Contestant, y *yardstick) (sample func(time.Duration) (Sample, error), err error) {
	defer recovered(&err)
	if who.Measure != nil {
		return who.Measure()
	}
	if who.Prepare != nil {
		m, err := newDocumentMeter(c.Documents, who, y)
		if err != nil {
			return nil, err
		}
		return m.sample, nil
	}
	run, err := who.New()
	if err != nil {
		return nil, err
	}
	switch c.Way {
	case Cold:
		return func(time.Duration) (s Sample, err error) {
			defer recovered(&err)
			runtime.GC()
			quiet := y.quiet()
			s, _ = once(run, 1)
			s.Slowed = !quiet || !y.quiet() || y.factor == 0
			return s, nil
		}, nil
	case Looped:
		return (&meter{run: run, yardstick: y}).sample, nil
	}
	return (&meter{run: run}).sample, nil
}

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("panic: %v", r)
	}
}
