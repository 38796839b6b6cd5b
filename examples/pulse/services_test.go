//go:build linux

package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/hone-go/hone/examples/pulse/internal/services"
	"github.com/hone-go/hone/internal/test/testkit"
)

// skipOrFail skips a test, or fails it if HONE_REQUIRE_SERVICES is set.
func skipOrFail(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("HONE_REQUIRE_SERVICES") != "" {
		t.Fatalf("%s, and HONE_REQUIRE_SERVICES is set", what)
	}
	t.Skip(what)
}

// requireService returns s and closes it at the end of the test. If err is services.ErrMissing, it
// calls skipOrFail; any other error fails the test.
func requireService(t *testing.T, s *services.Service, err error) *services.Service {
	t.Helper()
	if errors.Is(err, services.ErrMissing) {
		skipOrFail(t, err.Error())
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func newPostgres(t *testing.T) *services.Service {
	t.Helper()
	s, err := services.Postgres()
	return requireService(t, s, err)
}

func newNATS(t *testing.T, room int) *services.Service {
	t.Helper()
	s, err := services.NATS(room, true)
	return requireService(t, s, err)
}

func restart(t *testing.T, s *services.Service) {
	t.Helper()
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
}

// A network is a network namespace with two virtual cables: one to the clients and one to the
// services.
type network struct {
	name    string
	inside  string // the address of a process in the namespace
	outside string // the address at the end of the cable to the services
}

// newNetwork creates a network, or returns nil if this machine does not allow it.
func newNetwork(t *testing.T) *network {
	t.Helper()
	n := &network{name: fmt.Sprintf("pulse%d", os.Getpid()%10_000), inside: "10.213.0.2", outside: "10.213.1.1"}
	t.Cleanup(func() {
		_ = exec.Command("ip", "link", "del", n.name+"a").Run()
		_ = exec.Command("ip", "link", "del", n.name+"b").Run()
		_ = exec.Command("ip", "netns", "del", n.name).Run()
	})
	for _, line := range []string{
		"netns add N",
		"link add Na type veth peer name a netns N", "addr add 10.213.0.1/30 dev Na", "link set dev Na up", "-n N addr add 10.213.0.2/30 dev a", "-n N link set dev a up",
		"link add Nb type veth peer name b netns N", "addr add 10.213.1.1/30 dev Nb", "link set dev Nb up", "-n N addr add 10.213.1.2/30 dev b", "-n N link set dev b up",
	} {
		if out, err := exec.Command("ip", strings.Fields(strings.ReplaceAll(line, "N", n.name))...).CombinedOutput(); err != nil {
			t.Logf("no network of its own: ip %s: %v %s", line, err, out)
			return nil
		}
	}
	return n
}

// cut disconnects the cable to the services, or connects it again.
func (n *network) cut(t *testing.T, cut bool) {
	t.Helper()
	state := "up"
	if cut {
		state = "down"
	}
	if out, err := exec.Command("ip", "link", "set", "dev", n.name+"b", state).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
}

// TestPageWalkOnServers is TestPageWalk for a pulse on PostgreSQL and NATS.
func TestPageWalkOnServers(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	testkit.SkipInVariant(t)
	walkPage(t, "-db", newPostgres(t).Database("127.0.0.1"), "-nats", newNATS(t, 64<<20).Broker("127.0.0.1"))
}

// TestServerStartsBeforeItsDatabase: the first of an agent's two servers waits for its database, and
// the second is not running. The agent delivers its readings when the database is reachable.
func TestServerStartsBeforeItsDatabase(t *testing.T) {
	testkit.SkipInVariant(t)
	postgres := newPostgres(t)
	postgres.Stop(syscall.SIGQUIT)
	p := launch(t, "-addr", "127.0.0.1:0", "-no-agent", "-db", postgres.Database("127.0.0.1"))
	waitFor(t, func() bool { return strings.Contains(p.log.String(), "waiting for the database") })
	url := printedURL.FindString(p.log.String())
	agent := launch(t, "-agent-only", "-server", "http://127.0.0.1:1,"+url, "-host", "far", "-interval", "100ms")
	waitFor(t, func() bool { return strings.Contains(agent.log.String(), "cannot deliver") })
	restart(t, postgres)
	waitFor(t, func() bool { return get(t, url+"/v1/hosts/far", nil) == http.StatusOK })
	for _, p := range []*process{agent, p} {
		if err := p.interrupt(t); err != nil || strings.Contains(p.log.String(), "lost") {
			t.Errorf("%v\n%s", err, p.log)
		}
	}
}
