package alert

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/json"
)

// A Command is a program that gets each report as JSON on its standard input. It also gets the parts
// of the report in its environment: PULSE_STATE, PULSE_HOST, PULSE_RULE, PULSE_LEVEL, PULSE_KEY,
// PULSE_REPEAT, PULSE_MEASURED such as "/srv: 93.1 %", PULSE_LINK, PULSE_NUMBER, PULSE_COUNT, and
// PULSE_HOSTS with a name on each line. No shell is involved. An exit code other than 0 means that the
// report was not accepted.
type Command struct {
	Path string
}

// Name returns a name with the path of the program.
func (c *Command) Name() string { return "command " + c.Path }

// Send runs the program. If the program fails, the error contains the first 200 bytes that the
// program has written.
func (c *Command) Send(ctx context.Context, r *Report) error {
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	run := exec.CommandContext(ctx, c.Path)
	run.WaitDelay = time.Second // processes that the program has started may keep the output open
	run.Stdin = bytes.NewReader(body)
	run.Env = append(withoutSecrets(os.Environ()), "PULSE_STATE="+r.State, "PULSE_HOST="+r.Host, "PULSE_RULE="+r.Rule, "PULSE_LEVEL="+r.Level, "PULSE_KEY="+r.Key, fmt.Sprintf("PULSE_REPEAT=%t", r.Repeat), "PULSE_MEASURED="+r.Measured(), "PULSE_LINK="+r.Link,
		fmt.Sprintf("PULSE_NUMBER=%d", r.Number), fmt.Sprintf("PULSE_COUNT=%d", r.Count), "PULSE_HOSTS="+strings.Join(r.Hosts, "\n"))
	var output head
	run.Stdout, run.Stderr = &output, &output
	if err := run.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(output))
	}
	return nil
}

// withoutSecrets returns an environment without the variables of pulse, which have tokens and a
// password.
func withoutSecrets(environment []string) []string {
	return slices.DeleteFunc(environment, func(variable string) bool { return strings.HasPrefix(variable, "PULSE_") })
}

// A head keeps the first bytes that are written to it.
type head []byte

func (h *head) Write(b []byte) (int, error) {
	*h = append(*h, b[:min(len(b), 200-len(*h))]...)
	return len(b), nil
}
