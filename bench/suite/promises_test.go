package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestPromises probes all contestants with the built program. The originals and Hone keep every
// promise. Some peers are known to break some, which shows that the probes work.
func TestPromises(t *testing.T) {
	args := []string{"promises"}
	if testing.Short() {
		args = append(args, "-run", "^(json|router|respond|typed)/")
	}
	out, err := exec.Command(build(t), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		kind, rest, _ := strings.Cut(line, ": ")
		who, fewer, ok := strings.Cut(rest, ": ")
		if !ok {
			t.Fatalf("what is %q?", line)
		}
		original := map[string]bool{"encoding/json": strings.HasPrefix(kind, "JSON"), "encoding/json Marshal": true, "echo v5": true}[who]
		// Hone's v2 has the promises of encoding/json/v2, and package json has no promises of
		// routes.
		if hone := strings.HasPrefix(who, "hone") && who != "hone v2" && who != "hone json.MarshalWrite"; (hone || original) && fewer != "keeps all" {
			t.Errorf("%s, %s: %s", kind, who, fewer)
		}
	}
	for _, known := range []string{
		"JSON encode: sonic ConfigDefault: does not sort the keys of maps;", "JSON encode: goccy/go-json: keeps all\n",
		"JSON decode: sonic ConfigStd: changes the target although it reports a syntax error;", "JSON text, valid: segmentio/encoding: does not limit nesting\n",
		"routing: httprouter: does not support a static path", "routing: chi: keeps all\n", "answers by itself: gin: does not answer 404 as JSON",
		"answers by itself: hone json.MarshalWrite: has no routes",
	} {
		if !strings.Contains(string(out), known) {
			t.Errorf("the output lacks %q", known)
		}
	}
}
