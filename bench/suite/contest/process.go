package contest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"time"
)

// ServeFlag is the flag by which a program that measures contests is started
// as the process of one contestant: its value is CONTEST|CONTESTANT, and the
// program is to call Serve.
const ServeFlag = "-serve"

// A process is a contestant that waits, in a process of its own, to be asked
// for samples.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// A reply is one line of a process's output.
type reply struct {
	Sample   Sample
	Shortest time.Duration // that the yardstick took
	Error    string        `json:",omitempty"`
}

// Serve is the other end of a process: it prepares the contestant, says how
// that went, and answers each line of r with a sample. A line has two numbers of
// nanoseconds, how long the sample is to take and how long the yardstick takes at its best,
// and how many times that it may take.
func Serve(c Contest, who Contestant, r io.Reader, w io.Writer) error {
	signal.Ignore(os.Interrupt) // it is for the one that asks; this ends with r
	if c.Way != Parallel {
		runtime.LockOSThread()
	}
	out := json.NewEncoder(w)
	var y yardstick
	sample, err := prepare(c, who, &y)
	if err != nil {
		return out.Encode(reply{Error: err.Error()})
	}
	if err := out.Encode(reply{}); err != nil {
		return err
	}
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var d time.Duration
		if _, err := fmt.Sscan(lines.Text(), (*int64)(&d), (*int64)(&y.shortest), &y.factor); err != nil {
			return err
		}
		s, err := sample(d)
		if err != nil {
			return out.Encode(reply{Error: err.Error()})
		}
		if err := out.Encode(reply{Sample: s, Shortest: y.shortest}); err != nil {
			return err
		}
	}
	return nil
}

// start runs program as the contestant's process, on one core if the contest
// is about one and the system lets it.
func start(program string, c Contest, who string) (*process, error) {
	cmd := exec.Command(program, ServeFlag, c.Name+"|"+who)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	run := cmd.Start
	if c.Way == Looped || c.Way == Cold {
		run = func() error { return pinned(cmd.Start) }
	}
	if err := run(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, in: in, out: bufio.NewReader(out)}
	if _, _, err := p.read(); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

func (p *process) read() (Sample, time.Duration, error) {
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return Sample{}, 0, fmt.Errorf("the contestant's process ended: %w", err)
	}
	var r reply
	if err := json.Unmarshal(line, &r); err != nil {
		return Sample{}, 0, err
	}
	if r.Error != "" {
		return Sample{}, 0, errors.New(r.Error)
	}
	return r.Sample, r.Shortest, nil
}

// sample asks for a sample, and tells y of a shorter time.
func (p *process) sample(d time.Duration, y *yardstick) (Sample, error) {
	if _, err := fmt.Fprintln(p.in, int64(d), int64(y.shortest), y.factor); err != nil {
		return Sample{}, err
	}
	s, shortest, err := p.read()
	if shortest > 0 {
		y.shortest = min(y.shortest, shortest)
	}
	return s, err
}

func (p *process) stop() {
	p.in.Close()
	_ = p.cmd.Wait() // killed by a signal or not, it is gone
}
