package main

import (
	"io"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	yaml "github.com/oasdiff/yaml3"
)

// TestCompose checks the compose file: the flags of every pulse are valid, and the files and
// services in these flags exist.
func TestCompose(t *testing.T) {
	text, err := os.ReadFile("compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	variable := regexp.MustCompile(`\$\{([A-Z_]+)(:\?[^}]*)?\}`)
	for _, v := range variable.FindAllSubmatch(text, -1) {
		if !regexp.MustCompile(`(?m)^#.*\b` + string(v[1]) + `=`).Match(text) {
			t.Errorf("no comment explains how to set %s", v[1])
		}
	}
	type service struct {
		Image       string
		Command     []string
		Environment map[string]string
		Ports       []string
	}
	var file struct{ Services map[string]service }
	if err := yaml.Unmarshal(variable.ReplaceAll(text, []byte("secret")), &file); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PULSE_READ_TOKEN", "")
	t.Setenv("PULSE_WRITE_TOKEN", "")
	known := func(where, address string) {
		u, err := url.Parse(address)
		if _, found := file.Services[u.Hostname()]; err != nil || !found {
			t.Errorf("%s: %s is not in the file", where, address)
		}
	}
	servers, agents := 0, 0
	for name, s := range file.Services {
		for _, p := range s.Ports {
			if !strings.HasPrefix(p, "127.0.0.1:") {
				t.Errorf("%s: port %s is published to all interfaces", name, p)
			}
		}
		if s.Image != "pulse" {
			if !strings.Contains(s.Image, ":") {
				t.Errorf("%s: image %s without a version", name, s.Image)
			}
			continue
		}
		f, err := parseFlags(s.Command, io.Discard)
		if err != nil {
			t.Errorf("%s: %v: %v", name, s.Command, err)
			continue
		}
		if s.Environment["PULSE_WRITE_TOKEN"] == "" {
			t.Errorf("%s has no token for posting", name)
		}
		if f.agentOnly {
			agents++
			for _, server := range f.servers() {
				known(name, server)
			}
			continue
		}
		servers++
		known(name, f.db)
		known(name, f.nats)
		if s.Environment["PULSE_READ_TOKEN"] == "" || !slices.Contains(f.access(nil).Hosts, name) {
			t.Errorf("%s: tokens or names are missing", name)
		}
	}
	if servers != 3 || agents != 1 {
		t.Errorf("%d servers and %d agents", servers, agents)
	}
}
