package arch

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// timeouts lists the tests that measure a timeout or a shutdown, by their files. The bound is far above the time that
// is configured, and far below the time that the fault would take.
var timeouts = map[string]bool{
	"bench/suite/contest/yardstick_test.go": true,
	"cmd/hone/migrate_test.go":              true,
	"examples/pulse/agent/agent_test.go":    true,
	"examples/pulse/cluster_test.go":        true,
	"examples/pulse/connection_test.go":     true,
	"examples/pulse/queue/queue_test.go":    true,
	"integrations/redis/limiter_test.go":    true,
	"web/serve_safety_test.go":              true,
	"web/serve_test.go":                     true,
}

var clockBound = regexp.MustCompile(`time\.Since\(\w+\)(; \w+)? >|\b(took|elapsed) > [\w.]*\*?time\.`)

// TestClock fails if a test compares the cost of something with a fixed time. Such a test fails on a busy machine, and
// passes for a quadratic algorithm on a fast one. testkit.Grows compares with the cost of a smaller input instead.
func TestClock(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	found := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		for i, line := range strings.Split(read(t, path), "\n") {
			if !clockBound.MatchString(line) {
				continue
			}
			if found[name] = true; !timeouts[name] {
				t.Errorf("%s:%d compares a duration with a fixed time: %s", name, i+1, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range timeouts {
		if !found[name] {
			t.Errorf("%s is listed, and compares no duration with a fixed time", name)
		}
	}
}
