package contest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"
)

// A process is a contestant that waits, in a process of its own, to be asked
// for samples.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

type reply struct {
	Sample Sample
	Error  string
}

// Serve is the other end of a process: it prepares the contestant, says how
// that went, and answers each line of r, a number of nanoseconds, with a
// sample that took about so long.
func Serve(who Contestant, r io.Reader, w io.Writer) error {
	// The collector may use the second core; the work itself stays on one.
	runtime.LockOSThread()
	out := json.NewEncoder(w)
	run, err := prepare(who)
	if err != nil {
		return out.Encode(reply{Error: err.Error()})
	}
	if err := out.Encode(reply{}); err != nil {
		return err
	}
	for lines := bufio.NewScanner(r); lines.Scan(); {
		d, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err != nil {
			return err
		}
		if err := out.Encode(reply{Sample: measure(run, time.Duration(d))}); err != nil {
			return err
		}
	}
	return nil
}

func prepare(who Contestant) (run func(n int), err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return who.New()
}

// start runs this program again as the contestant's process.
func start(contest string, who Contestant) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "-serve", contest+"|"+who.Name)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, in: in, out: bufio.NewScanner(out)}
	if _, err := p.read(); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

func (p *process) read() (Sample, error) {
	if !p.out.Scan() {
		return Sample{}, fmt.Errorf("the contestant's process ended: %w", orEOF(p.out.Err()))
	}
	var r reply
	if err := json.Unmarshal(p.out.Bytes(), &r); err != nil {
		return Sample{}, err
	}
	if r.Error != "" {
		return Sample{}, fmt.Errorf("%s", r.Error)
	}
	return r.Sample, nil
}

func orEOF(err error) error {
	if err == nil {
		return io.EOF
	}
	return err
}

func (p *process) sample(d time.Duration) (Sample, error) {
	if _, err := fmt.Fprintln(p.in, int64(d)); err != nil {
		return Sample{}, err
	}
	return p.read()
}

func (p *process) stop() {
	p.in.Close()
	_ = p.cmd.Wait() // killed by a signal or not, it is gone
}
