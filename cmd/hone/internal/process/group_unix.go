//go:build unix

package process

import "syscall"

func (c *Cmd) group() { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Interrupt interrupts all processes of the started command's group.
func (c *Cmd) Interrupt() error { return syscall.Kill(-c.Process.Pid, syscall.SIGINT) }

// Kill kills all processes of the started command's group.
func (c *Cmd) Kill() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
