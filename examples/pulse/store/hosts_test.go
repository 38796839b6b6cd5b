package store

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// TestRenameAndRemove renames a host while its agent reports under the old name, renames it again,
// and removes it.
func TestRenameAndRemove(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{Hosts: 2})
		admit := func(host string) {
			t.Helper()
			if err := s.Admit(t.Context(), 1, []string{host}); err != nil {
				t.Error(err)
			}
		}
		admit("old")
		admit("other")
		write(t, s, reading("old", 0), reading("other", 0))
		if err := s.Describe(t.Context(), []Agent{{Host: "old", ID: "a", Since: t0, Seen: t0}}); err != nil {
			t.Fatal(err)
		}
		const batches = 60
		var group sync.WaitGroup
		group.Go(func() {
			for i := 1; i <= batches; i++ {
				if _, err := s.Write(t.Context(), [][]telemetry.Reading{{reading("old", i)}}); err != nil {
					t.Error(err)
				}
			}
		})
		for from, to := "old", 1; to <= 5; to++ {
			name := fmt.Sprint("new ", to)
			if err := s.RenameHost(t.Context(), from, name, "tester"); err != nil {
				t.Fatal(err)
			}
			from = name
			time.Sleep(5 * time.Millisecond)
		}
		group.Wait()
		names := func(want ...string) []Host {
			t.Helper()
			hosts, _, err := s.Hosts(t.Context(), HostQuery{Limit: 10})
			if err != nil || len(hosts) != len(want) {
				t.Fatal(hosts, err)
			}
			for i := range hosts {
				if hosts[i].Name != want[i] || hosts[i].Reading.Host != want[i] {
					t.Errorf("host %q with the reading of %q, want %q", hosts[i].Name, hosts[i].Reading.Host, want[i])
				}
			}
			return hosts
		}
		if hosts := names("new 5", "other"); hosts[0].Agents != 1 {
			t.Errorf("the agent is lost: %+v", hosts[0])
		}
		all, _, err := s.Readings(t.Context(), Query{Limit: 1000})
		if err != nil || len(all) != batches+2 {
			t.Errorf("%d readings (%v), want %d", len(all), err, batches+2)
		}
		if n := write(t, s, reading("old", batches)); n != 0 {
			t.Error("a repeat under the old name is stored twice")
		}
		admit("old") // the old name does not count as a host
		compareSums(t, stored(t, s, Minutes, "", t0, t0.Add(time.Hour)), twin([][]telemetry.Reading{all}, time.Minute))

		for _, test := range []struct {
			from, to string
			want     error
		}{{"nobody", "x", ErrUnknownHost}, {"old", "x", ErrUnknownHost}, {"new 5", "other", ErrHostExists}} {
			if err := s.RenameHost(t.Context(), test.from, test.to, "tester"); !errors.Is(err, test.want) {
				t.Errorf("%s to %s: %v, want %v", test.from, test.to, err, test.want)
			}
		}
		if err := s.RenameHost(t.Context(), "new 5", "old", "tester"); err != nil { // rename it back
			t.Error(err)
		}
		write(t, s, reading("old", 200))
		names("old", "other")
		for _, want := range []error{nil, ErrUnknownHost} {
			if err := s.RemoveHost(t.Context(), "old", "remover"); !errors.Is(err, want) {
				t.Errorf("removing: %v, want %v", err, want)
			}
		}
		names("other")
		if all, _, err := s.Readings(t.Context(), Query{Limit: 1000}); err != nil || len(all) != 1 {
			t.Errorf("%d readings are left (%v)", len(all), err)
		}
		write(t, s, reading("old", 300))
		names("old", "other")
		changes, err := s.Changes(t.Context(), 2)
		if err != nil || len(changes) != 2 || changes[0].Change != `removed "old"` || changes[0].Who != "remover" || changes[1].Change != `renamed "new 5" to "old"` || time.Since(changes[0].At) > time.Minute {
			t.Errorf("changes %+v (%v)", changes, err)
		}
	})
}
