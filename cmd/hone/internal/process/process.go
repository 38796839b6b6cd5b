// Package process starts commands that end with all their children.
package process

import (
	"context"
	"os/exec"
	"time"
)

// Command is a command in a process group of its own. When the context ends, the whole group is interrupted, for
// example go test and the test that it runs. Five seconds later the command is killed.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = 5 * time.Second
	group(cmd)
	return cmd
}
