package load

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// tick is the unit of /proc/stat, which is the same on every architecture that
// Go supports.
const tick = time.Second / 100

// Read returns the work of the processors until now.
func Read() (Reading, error) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return Reading{}, errors.Join(errors.ErrUnsupported, err)
	}
	r := Reading{At: time.Now()}
	if r.Total, err = total(stat); err != nil {
		return Reading{}, errors.Join(errors.ErrUnsupported, err)
	}
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var use unix.Rusage
		if err := unix.Getrusage(who, &use); err != nil {
			return Reading{}, fmt.Errorf("getrusage: %w", err)
		}
		r.Own += time.Duration(use.Utime.Nano() + use.Stime.Nano())
	}
	return r, nil
}

// total returns the processor time of all programs from the first line of /proc/stat, "cpu
// user nice system idle iowait irq softirq steal guest …". See proc_stat(5). The sum includes
// the time that a hypervisor gave to other machines (steal). It does not include interrupts,
// since a run's own packets cause most of them. The time of guests is already part of user.
func total(stat []byte) (time.Duration, error) {
	line, _, _ := bytes.Cut(stat, []byte("\n"))
	fields := bytes.Fields(line)
	if len(fields) < 9 || string(fields[0]) != "cpu" {
		return 0, fmt.Errorf("/proc/stat begins with %q", line)
	}
	sum := time.Duration(0)
	for _, i := range []int{1, 2, 3, 8} {
		n, err := strconv.ParseInt(string(fields[i]), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("/proc/stat: %w", err)
		}
		sum += time.Duration(n) * tick
	}
	return sum, nil
}

// Average returns the load averages in the system's format, such as "1.41 1.26 0.79" for 1, 5
// and 15 minutes, or "" if the system does not have them.
func Average() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	fields := bytes.Fields(data)
	return string(bytes.Join(fields[:min(3, len(fields))], []byte(" ")))
}
