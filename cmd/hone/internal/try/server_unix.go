//go:build unix

package try

import (
	"os"
	"runtime"
	"syscall"
)

// shell is the command that runs a command line.
var shell = [2]string{"sh", "-c"}

// largestMemory returns the largest resident set of an ended process, in bytes.
func largestMemory(s *os.ProcessState) float64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return float64(usage.Maxrss)
	}
	return float64(usage.Maxrss) * 1024
}
