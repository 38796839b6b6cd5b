//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// verifyUnit checks a unit with systemd.
func verifyUnit(t *testing.T, path string) {
	t.Helper()
	if out, err := exec.Command(testkit.Tool(t, "systemd-analyze"), "verify", "--man=no", path).CombinedOutput(); err != nil || strings.Contains(string(out), filepath.Base(path)) {
		t.Errorf("systemd-analyze: %v\n%s", err, out)
	}
}

// TestInstall installs the agent in a temporary folder instead of /etc. The unit is valid, and only
// root may read the token.
func TestInstall(t *testing.T) {
	etc := t.TempDir()
	t.Setenv("PULSE_ETC", etc)
	unit, env := filepath.Join(etc, "systemd/system/pulse-agent.service"), filepath.Join(etc, "pulse/agent.env")
	// The token's file exists already, and others may read it.
	if err := errors.Join(os.MkdirAll(filepath.Dir(env), 0o755), os.WriteFile(env, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	p := launch(t, "agent", "install", "-server", "https://one.example:8443,https://two.example", "-write-token", "secret", "-host", `a "b" 100%$HOME\`, "-tag=role=db")
	if err := p.end(t); err != nil {
		t.Fatal(err, p.log)
	}
	text, err := os.ReadFile(unit)
	if err != nil {
		t.Fatal(err)
	}
	want := `"-agent-only" "-server" "https://one.example:8443,https://two.example" "-host" "a \"b\" 100%%$$HOME\\" "-tag=role=db"` + "\n"
	if !strings.Contains(string(text), want) || strings.Contains(string(text)+p.log.String(), "secret") {
		t.Errorf("the unit lacks %s, or has the token:\n%s\n%s", want, text, p.log)
	}
	verifyUnit(t, unit)
	token, err := os.ReadFile(env)
	info, e := os.Stat(env)
	if err != nil || e != nil || string(token) != "PULSE_WRITE_TOKEN=secret\n" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q, %v (%v, %v)", token, info, err, e)
	}

	server, err := os.ReadFile("pulse.service")
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(etc, "pulse.service")
	if err := os.WriteFile(copied, []byte(strings.ReplaceAll(string(server), "/usr/local/bin/pulse", os.Args[0])), 0o600); err != nil {
		t.Fatal(err)
	}
	verifyUnit(t, copied)
}

func TestVersion(t *testing.T) {
	p := launch(t, "-version")
	if err := p.end(t); err != nil || !strings.HasPrefix(p.log.String(), "pulse ") || !strings.Contains(p.log.String(), "go1.") {
		t.Errorf("%v %s", err, p.log)
	}
}
