package report

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/hone-go/hone/bench/suite/results"
)

// TestRooms checks that the rooms of a suite, which are folders, contain all packages of Hone that
// the suite links. If a room were missing, the suite's figures would not become outdated by a
// change in it.
func TestRooms(t *testing.T) {
	for _, c := range []struct {
		suite    string
		packages string
	}{
		{suite: "mo", packages: "mo mo/option mo/result mo/either"},
		{suite: "wire", packages: "wire wire/layout wire/schema"},
		{suite: "json", packages: "json"},
		{suite: "corpora", packages: "json"},
		{suite: "router", packages: "web"},
		{suite: "bind", packages: "web bind"},
		{suite: "middleware", packages: "web web/middleware"},
		{suite: "service", packages: "web web/middleware json"},
		{suite: "typed", packages: "web api"},
		{suite: "growth", packages: "mo json wire web api"},
	} {
		t.Run(c.suite, func(t *testing.T) {
			const module = "github.com/hone-go/hone/"
			args := []string{"list", "-deps"}
			for _, p := range strings.Fields(c.packages) {
				args = append(args, module+p)
			}
			cmd := exec.Command("go", args...)
			cmd.Env = append(cmd.Environ(), "GOWORK=off")
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range strings.Fields(string(out)) {
				if name, ours := strings.CutPrefix(path, module); ours && !within(name, suiteOf(c.suite).rooms) {
					t.Errorf("%s links %s, which is in none of its rooms", c.packages, name)
				}
			}
			for _, room := range suiteOf(c.suite).rooms {
				if !within(room, results.Rooms) {
					t.Errorf("results.Rooms does not have %s", room)
				}
			}
		})
	}
}

// within reports whether a package is one of the folders or below one of them.
func within(name string, rooms []string) bool {
	for _, room := range rooms {
		if name == room || strings.HasPrefix(name, room+"/") {
			return true
		}
	}
	return false
}
