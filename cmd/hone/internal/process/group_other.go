//go:build !unix

package process

import (
	"os"
	"os/exec"
)

func group(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
}
