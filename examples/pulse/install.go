package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/template"
)

//go:embed pulse-agent.service
var unitText string

var unitTemplate = template.Must(template.New("unit").Parse(unitText))

// runInstall handles "pulse agent install".
func runInstall(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 || args[0] != "install" {
		fmt.Fprint(stderr, helpText("install"))
		return errUsage
	}
	args = append([]string{"-agent-only"}, args[1:]...)
	f, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	etc := os.Getenv("PULSE_ETC")
	activate := etc == ""
	if activate {
		etc = "/etc"
	}
	unit, env := filepath.Join(etc, "systemd", "system", "pulse-agent.service"), filepath.Join(etc, "pulse", "agent.env")
	text, err := agentUnit(program, withoutToken(args), env)
	if err != nil {
		return err
	}
	// The file with the token is written first, and only root may read it.
	if err := errors.Join(
		os.MkdirAll(filepath.Dir(env), 0o755), writeSecret(env, "PULSE_WRITE_TOKEN="+f.write+"\n"),
		os.MkdirAll(filepath.Dir(unit), 0o755), os.WriteFile(unit, text, 0o644),
	); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s is written.\n", unit)
	if !activate {
		return nil
	}
	for _, command := range [][]string{{"daemon-reload"}, {"enable", "pulse-agent"}, {"restart", "pulse-agent"}} {
		if out, err := exec.CommandContext(ctx, "systemctl", command...).CombinedOutput(); err != nil {
			return fmt.Errorf("systemctl %s: %w: %s", strings.Join(command, " "), err, bytes.TrimSpace(out))
		}
	}
	fmt.Fprintln(stdout, "The agent runs: systemctl status pulse-agent")
	return nil
}

// writeSecret writes a file that only its owner may read. An existing file is removed first, since other
// users may have permission to read it.
func writeSecret(path, text string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

// withoutToken removes the flags for the token, because the unit reads the token from a file.
func withoutToken(args []string) (rest []string) {
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if strings.HasPrefix(args[i], "-") && (name == "write-token" || name == "write-token-file") {
			if !joined {
				i++
			}
			continue
		}
		rest = append(rest, args[i])
	}
	return rest
}

// agentUnit returns the text of the systemd unit that runs a program with arguments. env is the file
// with its environment.
func agentUnit(program string, args []string, env string) ([]byte, error) {
	command := []string{unitQuote(program)}
	for _, arg := range args {
		command = append(command, unitQuote(arg))
	}
	var b bytes.Buffer
	err := unitTemplate.Execute(&b, struct{ Command, Env string }{strings.Join(command, " "), env})
	return b.Bytes(), err
}

// unitQuote quotes an argument of ExecStart; see "Command lines" in systemd.service(5).
func unitQuote(arg string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$", "\n", `\n`).Replace(arg) + `"`
}
