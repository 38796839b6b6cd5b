package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/alert"
)

// runAlert handles "pulse alert".
func runAlert(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c := newCommandLine("pulse alert", "", stderr)
	var f alertFlags
	f.add(c.FlagSet)
	inner, err := c.parseInner(args)
	if err != nil {
		return err
	}
	if inner != "test" || c.NArg() != 1 {
		return c.wrong("want pulse alert test, flags, and the name of a target")
	}
	if wrong := f.check(); wrong != "" {
		return c.wrong("%s", wrong)
	}
	var names []string
	var failed error
	tested := 0
	for _, target := range f.targets {
		names = append(names, target.Name())
		if c.Arg(0) != "all" && !strings.Contains(target.Name(), c.Arg(0)) {
			continue
		}
		tested++
		if err := sendSample(ctx, target, f.page); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", target.Name(), err))
			continue
		}
		if _, err := fmt.Fprintf(stdout, "%s has accepted the beginning and the end of a test.\n", target.Name()); err != nil {
			return err
		}
	}
	switch {
	case len(names) == 0:
		return c.wrong("no target: add -alert-webhook, -alert-command or -alert-email")
	case tested == 0:
		return c.wrong("no target has %q in its name; the targets are %s", c.Arg(0), strings.Join(names, ", "))
	}
	return failed
}

// sendSample sends the two reports of an incident.
func sendSample(ctx context.Context, target alert.Target, link string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	key, now := "pulse-test-"+rand.Text(), time.Now().UTC()
	for _, state := range []string{"firing", "over"} {
		if err := target.Send(ctx, alert.Sample(key, state, now, link)); err != nil {
			return err
		}
	}
	return nil
}
