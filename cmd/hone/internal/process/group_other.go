//go:build !unix

package process

import "os"

func (c *Cmd) group() {}

// Interrupt interrupts the started command.
func (c *Cmd) Interrupt() error { return c.Process.Signal(os.Interrupt) }

// Kill kills the started command.
func (c *Cmd) Kill() error { return c.Process.Kill() }
