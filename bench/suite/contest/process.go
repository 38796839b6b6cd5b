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

// ServeFlag is the flag for starting a measuring program as the process of one contestant. Its
// value is CONTEST|CONTESTANT, and the program must call Serve.
const ServeFlag = "-serve"

// A process is the running process of a contestant, which takes samples on request.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// A reply is one line of a process's output.
type reply struct {
	Sample   Sample
	Shortest time.Duration // the shortest time of the yardstick
	Error    string        `json:",omitempty"`
}

// Serve runs in the process of a contestant. It prepares the contestant, reports the result, and
// responds to each line of r with a sample. A line has the duration of the sample and the shortest
// time of the yardstick, both in nanoseconds, and the factor by which the yardstick may exceed this
// time.
func Serve(c Contest, who Contestant, r io.Reader, w io.Writer) error {
	signal.Ignore(os.Interrupt) // the parent handles interrupts; this process ends when the parent closes r
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

// start runs program as the contestant's process. If the contest uses one core and the system
// allows it, the process is pinned to the core.
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

// sample requests a sample. If the process has measured a shorter time of the yardstick than y has,
// sample stores this time in y.
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
	_ = p.cmd.Wait() // the process has ended, perhaps by a signal
}
