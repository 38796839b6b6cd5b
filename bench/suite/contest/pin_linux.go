package contest

import (
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"
)

// cpus is the number of cores that a CPUSet can represent.
const cpus = 1024

// core returns the last core that this process may use, since the first cores handle more
// interrupts. It returns an error if the process cannot be pinned.
var core = sync.OnceValues(func() (int, error) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		return 0, fmt.Errorf("sched_getaffinity: %w", err)
	}
	last := -1
	for i := range cpus {
		if all.IsSet(i) {
			last = i
		}
	}
	refused := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this goroutine
		refused <- unix.SchedSetaffinity(0, only(last))
	}()
	if err := <-refused; err != nil {
		return 0, fmt.Errorf("sched_setaffinity: %w", err)
	}
	return last, nil
})

func only(core int) *unix.CPUSet {
	var set unix.CPUSet
	set.Set(core)
	return &set
}

// pinned calls the function start on a thread that may run on one core only, and returns its error.
// A process that the thread starts inherits the restriction: its Go runtime sees one processor, and
// the scheduler never moves the process to another core. If the process cannot be pinned, the
// function is called as usual.
func pinned(start func() error) error {
	core, err := core()
	if err != nil {
		return start()
	}
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked
		_ = unix.SchedSetaffinity(0, only(core))
		result <- start()
	}()
	return <-result
}

// Pinning describes the core to which processes are pinned, or the reason why they are not pinned.
func Pinning() string {
	core, err := core()
	if err != nil {
		return "not pinned: " + err.Error()
	}
	return fmt.Sprintf("each on core %d", core)
}
