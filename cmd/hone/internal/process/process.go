// Package process starts commands that end with all their children.
package process

import (
	"bytes"
	"context"
	"os/exec"
	"time"
)

// A Cmd is a command in a process group of its own.
type Cmd struct {
	*exec.Cmd
	ctx context.Context
}

// Command returns a command in a process group of its own. When the context ends, the whole group is interrupted, for
// example go test and the test that it runs. Five seconds later the command is killed. When it has ended, Wait kills
// the rest of the group.
func Command(ctx context.Context, name string, args ...string) *Cmd {
	c := &Cmd{exec.CommandContext(ctx, name, args...), ctx}
	c.WaitDelay = 5 * time.Second
	c.group()
	c.Cancel = c.Interrupt
	return c
}

// Wait waits for the command to end, as exec.Cmd.Wait.
func (c *Cmd) Wait() error {
	err := c.Cmd.Wait()
	if c.ctx.Err() != nil {
		_ = c.Kill() // usually no process is left
	}
	return err
}

// Run starts the command and waits for it.
func (c *Cmd) Run() error {
	if err := c.Start(); err != nil {
		return err
	}
	return c.Wait()
}

// Output runs the command and returns its standard output.
func (c *Cmd) Output() ([]byte, error) {
	var out bytes.Buffer
	c.Stdout = &out
	err := c.Run()
	return out.Bytes(), err
}

// CombinedOutput runs the command and returns its standard output and standard error.
func (c *Cmd) CombinedOutput() ([]byte, error) {
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	return out.Bytes(), err
}
