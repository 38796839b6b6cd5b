package store

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// refused admits hosts, and returns the refused hosts and the limit.
func refused(t *testing.T, s Store, owner Owner, hosts ...string) (list []string, limit int, perToken bool) {
	t.Helper()
	err := s.Admit(t.Context(), owner, hosts)
	if exceeded := (*HostLimitError)(nil); errors.As(err, &exceeded) {
		return exceeded.Hosts, exceeded.Limit, exceeded.PerToken
	}
	if err != nil {
		t.Fatal(err)
	}
	return nil, 0, false
}

// TestAdmit fills both limits. Admitted hosts stay admitted.
func TestAdmit(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{Hosts: 8, HostsPerToken: 3})
		write(t, s, reading("imported", 0))
		for i, test := range []struct {
			owner    Owner
			hosts    []string
			refused  []string
			limit    int
			perToken bool
		}{
			{1, []string{"b", "a", "b"}, nil, 0, false},
			{1, []string{"a", "z", "imported", "y", "x", "b"}, []string{"y", "x"}, 3, true},
			{1, []string{"y"}, []string{"y"}, 3, true},
			{2, []string{"z", "y", "é 1", "2"}, nil, 0, false},
			{3, []string{"3", "4", "5"}, []string{"4", "5"}, 8, false}, // one place is left
			{3, []string{"3", "a", "imported"}, nil, 0, false},
			{4, []string{"4"}, []string{"4"}, 8, false},
			{2, []string{"4"}, []string{"4"}, 8, false},
			{4, nil, nil, 0, false},
		} {
			hosts, limit, perToken := refused(t, s, test.owner, test.hosts...)
			if !slices.Equal(hosts, test.refused) || limit != test.limit || perToken != test.perToken {
				t.Errorf("%d: refused %q by the limit %d (for each token: %v)", i, hosts, limit, perToken)
			}
		}
	})
}

// TestAdmitWithoutDatabase: without limits nothing is refused or counted, and a store that is closed
// admits only hosts that it knows.
func TestAdmitWithoutDatabase(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		free, s := openNew(t, Options{}), openNew(t, Options{HostsPerToken: 1})
		write(t, s, reading("a", 0))
		if hosts, _, _ := refused(t, s, 1, "a", "b", "c"); !slices.Equal(hosts, []string{"c"}) {
			t.Errorf("refused %q", hosts)
		}
		for _, s := range []Store{free, s} {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(free.Admit(t.Context(), 1, []string{"x"}), s.Admit(t.Context(), 1, []string{"a", "a"})); err != nil {
			t.Error(err)
		}
		if err := s.Admit(t.Context(), 1, []string{"a", "d"}); err == nil {
			t.Error("a new host was admitted without a database")
		}
	})
}

// TestAdmitConcurrently: two servers with one database admit new hosts at once, several for
// each token. Exactly as many as the limits allow are admitted, and all of their readings are stored.
func TestAdmitConcurrently(t *testing.T) {
	const limit, perToken = 40, 15
	options := Options{Hosts: limit, HostsPerToken: perToken}
	t.Run("SQLite", func(t *testing.T) {
		s := backends["SQLite"](t, options)
		admitConcurrently(t, options, s, s)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		url := newDatabase(t)
		admitConcurrently(t, options, openPostgres(t, url, options), openPostgres(t, url, options))
	})
}

func admitConcurrently(t *testing.T, o Options, servers ...Store) {
	var mu sync.Mutex
	owned, admitted := map[Owner]int{}, map[string]bool{}
	var group sync.WaitGroup
	for client := range 12 {
		group.Go(func() {
			owner := Owner(1 + client%4)
			for n := range 8 {
				hosts := []string{fmt.Sprint("shared ", owner, n), fmt.Sprint("own ", client, n)}
				if n%2 == 1 {
					slices.Reverse(hosts)
				}
				s := servers[(client/4+n)%len(servers)]
				err := s.Admit(t.Context(), owner, hosts)
				if exceeded := (*HostLimitError)(nil); errors.As(err, &exceeded) {
					hosts = slices.DeleteFunc(hosts, func(host string) bool { return slices.Contains(exceeded.Hosts, host) })
				} else if err != nil {
					t.Error(err)
					return
				}
				for _, host := range hosts {
					if _, err := s.Write(t.Context(), [][]telemetry.Reading{{reading(host, n)}}); err != nil {
						t.Error(err)
					}
				}
				mu.Lock()
				for _, host := range hosts {
					if !admitted[host] {
						admitted[host] = true
						owned[owner]++
					}
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	hosts, _, err := servers[0].Hosts(t.Context(), HostQuery{Limit: 1000})
	if err != nil || len(hosts) != o.Hosts || len(admitted) != o.Hosts {
		t.Errorf("%d hosts are stored and %d admitted, want %d (%v)", len(hosts), len(admitted), o.Hosts, err)
	}
	for owner, n := range owned {
		if n > o.HostsPerToken {
			t.Errorf("the token %d has %d hosts, want at most %d", owner, n, o.HostsPerToken)
		}
	}
}

// TestAbandonedPlaces: Prune frees the place of a host that has no readings a day after it was
// admitted, and of a deleted host.
func TestAbandonedPlaces(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{Retention: time.Hour, Hosts: 3})
		write(t, s, reading("stored", 0))
		refused(t, s, 1, "abandoned", "new")
		db := databaseOf(s)
		if _, err := db.ExecContext(t.Context(), "UPDATE admitted SET at = 0 WHERE host IN ('stored', 'abandoned')"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Prune(t.Context()); err != nil {
			t.Fatal(err)
		}
		if hosts, _, _ := refused(t, s, 1, "stored", "new", "next", "last"); !slices.Equal(hosts, []string{"last"}) {
			t.Errorf("refused %q after a place was abandoned", hosts)
		}
		if _, err := db.ExecContext(t.Context(), "DELETE FROM hosts WHERE host = 'stored'"); err != nil {
			t.Fatal(err)
		}
		if hosts, _, _ := refused(t, s, 1, "last"); hosts != nil {
			t.Errorf("refused %q after a host was deleted", hosts)
		}
	})
}

func databaseOf(s Store) *sql.DB {
	switch s := s.(type) {
	case *SQLite:
		return s.write
	case *Postgres:
		return s.read
	}
	return nil
}

// TestHostPages reads the hosts page by page. Hosts with large readings have smaller pages.
func TestHostPages(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		s := openNew(t, Options{})
		var want []string
		for i := range 25 {
			host := fmt.Sprintf("h%02d é", i)
			r := reading(host, 0)
			if i >= 20 {
				r.Disks = []telemetry.Disk{{Mount: strings.Repeat("m", 5<<20)}}
			}
			write(t, s, r)
			want = append(want, host)
		}
		for _, limit := range []int{1, 4, 1000} {
			var got []string
			q, pages := HostQuery{Limit: limit}, 0
			for {
				hosts, next, err := s.Hosts(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				for _, h := range hosts {
					got = append(got, h.Name)
				}
				pages++
				if q.Cursor = next; next.IsNone() {
					break
				}
			}
			if least := cmp.Or(min(25/limit, 25), 2); !slices.Equal(got, want) || pages < least {
				t.Errorf("limit %d: %q on %d pages", limit, got, pages)
			}
		}
		if _, _, err := s.Hosts(t.Context(), HostQuery{Limit: 1, Cursor: mo.Some("no cursor")}); !errors.Is(err, ErrBadCursor) {
			t.Errorf("a bad cursor: %v", err)
		}
	})
}
