package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/hone-go/hone/bench/suite/results"
)

// TestAgain continues a run of two contests. One of them was changed to have a wide interval.
func TestAgain(t *testing.T) {
	bin, dir := build(t), t.TempDir()
	command := func(args ...string) (string, error) {
		out, err := exec.Command(bin, args...).CombinedOutput()
		return string(out), err
	}
	if out, err := command("-run", "^router/(static|param) route$", "-peers", "echo v5", "-count", "6", "-duration", "1ms", "-again", "0", "-out", dir); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	read := func() *results.Results {
		t.Helper()
		r, err := results.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	changed := func(change func(r *results.Results)) {
		t.Helper()
		r := read()
		change(r)
		if err := r.Write(dir); err != nil {
			t.Fatal(err)
		}
	}
	narrow := func(r *results.Results) {
		for i := range r.Contests {
			for j := range r.Contests[i].Results {
				res := &r.Contests[i].Results[j]
				res.Low, res.High = res.Center, res.Center
			}
		}
	}

	changed(narrow)
	out, err := command("again", "-from", dir)
	if err != nil || !strings.Contains(out, "so none is repeated") {
		t.Errorf("a run without wide intervals: %v\n%s", err, out)
	}
	// A run that was interrupted after its last contest is whole: only repetitions are missing.
	changed(func(r *results.Results) { r.Contests[1].Results[1].High *= 1.5; r.Conditions.Interrupted = true })
	before := read()
	if out, err := command("again", "-from", dir, "-again", "1"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	after := read()
	if o := after.Contests[0]; o.Again != 0 || len(o.Results[0].Samples) != 6 {
		t.Errorf("a contest with a narrow interval was repeated: %+v", o)
	}
	// On a busy machine the interval may be wide again. Then the first measurement is kept.
	if o := after.Contests[1]; o.Again != 1 || len(o.Results) != 2 || o.Wide() == 0 && len(o.Results[1].Samples) <= 6 {
		t.Errorf("a contest with a wide interval was not repeated: %+v", o)
	}
	if after.Conditions.Took < before.Conditions.Took || after.Date != before.Date || after.Conditions.Count != 6 {
		t.Errorf("conditions %+v, before %+v", after.Conditions, before.Conditions)
	}

	if after.Conditions.Interrupted {
		t.Error("a run with all contests counts as interrupted")
	}
	kept := read()
	changed(func(r *results.Results) {
		r.Contests = r.Contests[1:]
		r.Contests[0].Results[1].High = 2 * r.Contests[0].Results[1].Center
	})
	if out, err := command("again", "-from", dir, "-again", "1"); err != nil || !read().Conditions.Interrupted {
		t.Errorf("a run without the first contest counts as whole: %v\n%s", err, out)
	}
	if err := kept.Write(dir); err != nil {
		t.Fatal(err)
	}

	for _, c := range []struct {
		name   string
		change func(r *results.Results)
		want   string
	}{
		{"other code", func(r *results.Results) { r.Sources["json"] = "another" }, "the code of json has changed since the run"},
		{"other release", func(r *results.Results) { r.Machine.Go = "go1.1" }, "the run used go1.1"},
		{"other machine", func(r *results.Results) { r.Machine.Cores++ }, "the run was on another machine"},
		{"other peers", func(r *results.Results) { r.Modules["github.com/labstack/echo/v5"] = "v5.0.0" }, "the versions of the peers have changed"},
		{"other contest", func(r *results.Results) { r.Contests[0].Name = "router/none" }, "the contest router/none or its contestants have changed"},
		{"other contestants", func(r *results.Results) { r.Contests[0].Results = r.Contests[0].Results[:1] }, "have changed since the run"},
	} {
		kept := read()
		changed(c.change)
		if out, err := command("again", "-from", dir); err == nil || !strings.Contains(out, c.want) {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
		if err := kept.Write(dir); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := command("again", "-from", t.TempDir()); err == nil || !strings.Contains(out, "results.json.gz") {
		t.Errorf("no run: %v\n%s", err, out)
	}
}
