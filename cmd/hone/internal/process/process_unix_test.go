//go:build unix

package process

import (
	"context"
	"os"
	"testing"
)

// TestCommand interrupts a command whose child ignores interrupts. The child keeps a pipe open until it ends.
func TestCommand(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := Command(ctx, "sh", "-c", "(trap '' INT; echo >&3; exec sleep 600) & wait")
	c.ExtraFiles = []*os.File{w}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	buffer := make([]byte, 1)
	if _, err := r.Read(buffer); err != nil { // the child ignores interrupts now
		t.Fatal(err)
	}
	cancel()
	if err := c.Wait(); err == nil {
		t.Error("the interrupted command succeeds")
	}
	if _, err := r.Read(buffer); err == nil {
		t.Error("the child writes after its end")
	}
}
