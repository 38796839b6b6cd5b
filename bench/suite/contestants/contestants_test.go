package contestants_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants"
)

// failing are the peers that are known to fail a check. The report shows them.
var failing = map[string]string{}

// TestContestants prepares every contestant and runs it once. The preparation checks the contestant's output.
func TestContestants(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range contestants.All() {
		if !c.Contestants[0].Hone() {
			t.Errorf("%s: Hone must come first, the others are ratios to it", c.Name)
		}
		if _, _, err := contest.Find(contestants.Suite(c.Name), c.Name, c.Contestants[0].Name); err != nil {
			t.Errorf("its own suite lacks it: %v", err)
		}
		for _, who := range c.Contestants {
			name := c.Name + "/" + who.Name
			if seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
			if c.Way == contest.Exact && testing.Short() {
				continue // this contest builds programs, which takes a long time
			}
			switch err := try(c, who); {
			case err != nil && failing[name] != "":
				t.Logf("%s fails, as is known: %v", name, err)
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case failing[name] != "":
				t.Errorf("%s does not fail any more: strike it from the list", name)
			}
		}
	}
}

func try(c contest.Contest, who contest.Contestant) error {
	for i, name := range c.Documents {
		run, err := who.Prepare(i)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		run(1)
	}
	if c.Documents != nil {
		return nil
	}
	if who.Measure != nil {
		sample, err := who.Measure()
		if err == nil {
			_, err = sample(time.Millisecond)
		}
		return err
	}
	run, err := who.New()
	if err == nil {
		run(1)
	}
	return err
}
