//go:build !unix

package try

import "os"

// shell is the command that runs a command line.
var shell = [2]string{"cmd", "/C"}

// largestMemory returns 0: this system does not tell the memory of an ended process.
func largestMemory(*os.ProcessState) float64 { return 0 }
