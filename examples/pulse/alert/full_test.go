//go:build linux

package alert

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// TestFullDisk fills a real file system. While the database cannot store anything, alerts begin and end and are
// reported, each once, and one more alert says that the disk is full. A report that waits when the disk
// becomes full is sent. After the disk has space again, nothing is reported a second time.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no file system can be made here, which root can on Linux: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		db, err := store.Open(t.Context(), filepath.Join(dir, "pulse.db"), store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		m, spare := &memory{}, &Spare{}
		w := testWatcher(t, db, "one", rules(t, "critical cpu > 90", "critical silent for 1m"), Receiver{Target: m, Repeat: time.Hour})
		w.Name, w.Spare = "server", spare
		t.Cleanup(func() { spare.close() })
		writer := spare.Writer(db)
		cpu := map[string]float64{"a": 1, "b": 1, "c": 1, "d": 1}
		full := 0
		post := func(time.Duration) {
			for host, percent := range cpu {
				_, err := writer.Write(t.Context(), [][]telemetry.Reading{{{Host: host, At: time.Now().UTC(), CPU: mo.Some(percent)}}})
				if errors.Is(err, store.ErrFull) {
					full++
				} else if err != nil {
					t.Error(err)
				}
			}
		}
		run(t, time.Minute, 5*time.Second, post, w)
		expectReports(t, "before", m)

		cpu["a"] = 99 // its report waits when the disk becomes full
		run(t, 5*time.Second, 5*time.Second, post, w)
		var disk syscall.Statfs_t
		if err := syscall.Statfs(dir, &disk); err != nil {
			t.Fatal(err)
		}
		ballast := filepath.Join(dir, "ballast")
		if err := os.WriteFile(ballast, make([]byte, disk.Bavail*uint64(disk.Bsize)), 0o600); err != nil {
			t.Fatal(err)
		}
		for i := 0; full == 0; i++ { // the rest of the log
			if i > 100_000 {
				t.Fatal("the disk does not become full")
			}
			var batch []telemetry.Reading
			for n := range 100 {
				batch = append(batch, telemetry.Reading{Host: "filler", At: time.Now().Add(-time.Duration(100*i+n) * time.Millisecond).UTC()})
			}
			if _, err := writer.Write(t.Context(), [][]telemetry.Reading{batch}); errors.Is(err, store.ErrFull) {
				full++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		texts := func() (texts []string) {
			for _, r := range m.reports {
				texts = append(texts, fmt.Sprintf("%s %s: %s", strings.Join(r.Hosts, " "), r.State, r.Rule))
				if r.Repeat {
					t.Errorf("a report was sent again: %+v", r)
				}
			}
			m.reports = nil
			slices.Sort(texts)
			return texts
		}
		expect := func(when string, want ...string) {
			t.Helper()
			if got := texts(); !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", when, got, want)
			}
		}
		cpu["filler"] = 1 // it is not silent
		run(t, time.Minute, 5*time.Second, post, w)
		expect("full", "a firing: critical cpu > 90", "server firing: "+fullRule)
		cpu["b"] = 99
		delete(cpu, "c")
		run(t, 2*time.Minute, 5*time.Second, post, w)
		expect("two more alerts", "b firing: critical cpu > 90", "c firing: critical silent for 1m")
		cpu["a"], cpu["c"] = 1, 1
		run(t, 10*time.Minute, 5*time.Second, post, w)
		expect("two alerts are over", "a over: critical cpu > 90", "c over: critical silent for 1m")
		if full < 500 {
			t.Errorf("%d batches were refused", full)
		}

		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("mount", "-o", "remount,size=32m", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		full = 0
		run(t, 2*time.Minute, 5*time.Second, post, w)
		expect("space again", "server over: "+fullRule)
		if full > 0 {
			t.Errorf("%d batches were refused", full)
		}
		changes, err := db.AlertChanges(t.Context(), 100)
		if err != nil || len(changes) != 7 {
			t.Errorf("%d changes are stored (%v), want 7: %+v", len(changes), err, changes)
		}
		run(t, time.Hour, time.Minute, post, w)
		expect("an hour", "b firing: critical cpu > 90") // its repeat
		cpu["b"] = 1
		run(t, 10*time.Minute, time.Minute, post, w)
		expect("the end", "b over: critical cpu > 90")
	})
}
