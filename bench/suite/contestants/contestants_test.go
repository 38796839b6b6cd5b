package contestants_test

import (
	"testing"

	"github.com/hone-go/hone/bench/suite/contestants"
)

// TestContestants prepares every contestant, which checks its output, and runs
// it once.
func TestContestants(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range contestants.All() {
		if c.Contestants[0].Name != "hone" {
			t.Errorf("%s: Hone must come first, the others are ratios to it", c.Name)
		}
		for _, who := range c.Contestants {
			name := c.Name + "/" + who.Name
			if seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
			run, err := who.New()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			run(2)
		}
	}
}
