package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// TestMain runs pulse instead of the tests if a test has started this test binary. So tests can run
// pulse in another process, and kill it.
func TestMain(m *testing.M) {
	if os.Getenv("PULSE_TEST_AS_PROGRAM") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A process is a pulse that runs in a separate process.
type process struct {
	*exec.Cmd
	url    string // "" for an agent alone
	exited chan error
	log    *output
}

// An output collects a process's output. The output may be read while the process runs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

var printedURL = regexp.MustCompile(`https?://(localhost|[0-9.]+):[0-9]+`)

// start runs pulse with db and addr, and waits until it has printed its address.
func start(t *testing.T, addr, db string, args ...string) *process {
	t.Helper()
	return started(t, launch(t, append([]string{"-addr", addr, "-db", db}, args...)...))
}

// started waits until a pulse has printed its address.
func started(t *testing.T, p *process) *process {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); p.url == ""; time.Sleep(5 * time.Millisecond) {
		p.url = printedURL.FindString(p.log.String())
		if time.Now().After(deadline) {
			t.Fatalf("pulse has not printed its address:\n%s", p.log)
		}
	}
	return p
}

func launch(t *testing.T, args ...string) *process {
	t.Helper()
	return launchBy(t, exec.Command(os.Args[0], args...))
}

// launchBy starts pulse by another command.
func launchBy(t *testing.T, command *exec.Cmd) *process {
	t.Helper()
	p := &process{Cmd: command, exited: make(chan error, 1), log: &output{}}
	p.Env = append(os.Environ(), "PULSE_TEST_AS_PROGRAM=1")
	p.Stdout, p.Stderr = p.log, p.log
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.exited <- p.Wait() }()
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// interrupt interrupts the program like Ctrl-C, and returns its error.
func (p *process) interrupt(t *testing.T) error {
	t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	return p.end(t)
}

// end waits for the program's end. If the program does not end, it prints its goroutines.
func (p *process) end(t *testing.T) error {
	t.Helper()
	select {
	case err := <-p.exited:
		return err
	case <-time.After(30 * time.Second):
		_ = p.Process.Signal(syscall.SIGQUIT) // makes Go print every goroutine
		time.Sleep(time.Second)
		t.Fatalf("pulse has not ended after 30 seconds:\n%s", p.log)
		return nil
	}
}

func needSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs signals between processes")
	}
}

// client has a timeout, so that the test fails with the name of a request that hangs.
var client = &http.Client{Timeout: 30 * time.Second}

// get decodes the JSON at a URL into v and returns the status.
func get(t *testing.T, url string, v any) int {
	t.Helper()
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && v != nil {
		err = json.Unmarshal(body, v)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%.200s", url, err, body)
	}
	return response.StatusCode
}

type readingsPage struct {
	Readings []telemetry.Reading
	Next     mo.Option[string]
}

// allReadings follows the cursors to the end.
func allReadings(t *testing.T, url string) (all []telemetry.Reading) {
	t.Helper()
	next := ""
	for {
		var page readingsPage
		if status := get(t, url+"/v1/readings?limit=1000"+next, &page); status != http.StatusOK {
			t.Fatalf("status %d", status)
		}
		all = append(all, page.Readings...)
		cursor, more := page.Next.Get()
		if !more {
			return all
		}
		next = "&cursor=" + cursor
	}
}

// follow opens the live stream and returns its readings as they come. The
// channel is closed when the stream ends.
func follow(t *testing.T, url string) <-chan telemetry.Reading {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || kind != "text/event-stream" {
		t.Fatalf("live stream: %s, %s", response.Status, kind)
	}
	readings := make(chan telemetry.Reading, 1000)
	go func() {
		defer close(readings)
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				var r telemetry.Reading
				if err := json.Unmarshal([]byte(data), &r); err != nil {
					t.Errorf("event: %v\n%s", err, data)
				}
				readings <- r
			}
		}
	}()
	return readings
}

// post returns the status of the answer.
func post(url string, readings ...telemetry.Reading) (status int, err error) {
	body, err := json.Marshal(telemetry.Batch{Readings: readings})
	if err != nil {
		return 0, err
	}
	response, err := client.Post(url+"/v1/readings", "application/json", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// TestFromStartToCtrlC starts pulse and interrupts it. The page has readings of this machine
// within two seconds, and all readings are stored at the end.
func TestFromStartToCtrlC(t *testing.T) {
	needSignals(t)
	db := filepath.Join(t.TempDir(), "pulse.db")
	p := start(t, "127.0.0.1:0", db, "-host", "here", "-interval", "100ms")
	began := time.Now()
	live := follow(t, p.url+"/v1/live?host=here")
	var seen []telemetry.Reading
	for len(seen) < 5 {
		select {
		case r := <-live:
			seen = append(seen, r)
		case <-time.After(20 * time.Second):
			t.Fatalf("%d readings, then none for 20 seconds\n%s", len(seen), p.log)
		}
		if len(seen) == 1 {
			t.Logf("first reading after %v", time.Since(began))
		}
	}
	if !seen[4].CPU.IsPresent() || !seen[4].MemoryTotal.IsPresent() {
		t.Fatalf("live readings: %+v\n%s", seen, p.log)
	}
	var latest telemetry.Reading
	if status := get(t, p.url+"/v1/hosts/here", &latest); status != http.StatusOK || latest.At.Before(seen[4].At) {
		t.Errorf("latest: %d %v", status, latest)
	}
	if status := get(t, p.url+"/healthz", nil); status != http.StatusOK {
		t.Errorf("healthz: %d", status)
	}

	if err := p.interrupt(t); err != nil {
		t.Fatalf("after Ctrl-C: %v\n%s", err, p.log)
	}
	for r := range live { // readings until the server ended the stream
		seen = append(seen, r)
	}
	if strings.Contains(p.log.String(), "lost") || strings.Contains(p.log.String(), "level=ERROR") {
		t.Errorf("log:\n%s", p.log)
	}

	p = start(t, "127.0.0.1:0", db, "-no-agent")
	stored := map[time.Time]bool{}
	for _, r := range allReadings(t, p.url) {
		stored[r.At] = true
	}
	for _, r := range seen {
		if !stored[r.At] {
			t.Errorf("the reading of %v was shown, but is not stored", r.At)
		}
	}
	if err := p.interrupt(t); err != nil {
		t.Errorf("without an agent: %v\n%s", err, p.log)
	}
}

// TestAgentOutlivesServer: a server that is stopped for a while gets all readings later.
func TestAgentOutlivesServer(t *testing.T) {
	needSignals(t)
	db := filepath.Join(t.TempDir(), "pulse.db")
	server := start(t, "127.0.0.1:0", db, "-no-agent")
	addr := strings.TrimPrefix(server.url, "http://")
	agent := launch(t, "-agent-only", "-server", server.url, "-host", "far", "-interval", "100ms", "-report", "0", "-v")
	count := func(url string) int {
		var page readingsPage
		get(t, url+"/v1/readings?host=far&limit=1000", &page)
		return len(page.Readings)
	}
	waitFor(t, func() bool { return count(server.url) >= 3 })
	if err := server.interrupt(t); err != nil {
		t.Fatalf("server: %v\n%s", err, server.log)
	}
	waitFor(t, func() bool { return strings.Contains(agent.log.String(), "cannot deliver") })
	taken := sampled(agent)
	waitFor(t, func() bool { return sampled(agent) > taken+5 }) // readings that wait for the server
	server = start(t, addr, db, "-no-agent")
	waitFor(t, func() bool { return strings.Contains(agent.log.String(), "server answers again") })
	before := count(server.url)
	waitFor(t, func() bool { return count(server.url) >= before+3 })
	if err := agent.interrupt(t); err != nil {
		t.Errorf("agent: %v\n%s", err, agent.log)
	}
	stored := map[string]bool{}
	for _, r := range allReadings(t, server.url) {
		stored[r.At.Format("15:04:05.000")] = true
	}
	times := sampledAt.FindAllStringSubmatch(agent.log.String(), -1)
	for _, at := range times {
		if !stored[at[1]] {
			t.Errorf("the reading of %s is not stored", at[1])
		}
	}
	if len(times) != len(stored) {
		t.Errorf("%d readings taken, %d stored", len(times), len(stored))
	}
	if err := server.interrupt(t); err != nil {
		t.Errorf("server: %v\n%s", err, server.log)
	}
}

// sampledAt finds the samples in an agent's log.
var sampledAt = regexp.MustCompile(`msg=sampled at=[0-9-]+T([0-9:.]+)Z`)

func sampled(agent *process) int { return len(sampledAt.FindAllString(agent.log.String(), -1)) }

func waitFor(t *testing.T, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !condition(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing happened within a minute")
		}
	}
}

func TestBadCommandLines(t *testing.T) {
	busy := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent")
	taken := strings.TrimPrefix(busy.url, "http://")
	for _, test := range []struct {
		args string
		want string
		code int
	}{
		{"-addr " + taken + " -db " + filepath.Join(t.TempDir(), "a.db"), "-addr 127.0.0.1:0", 1},
		{"-addr 127.0.0.1:0 -db " + filepath.Join(t.TempDir(), "no", "a.db"), "there is no directory", 1},
		{"-agent-only", "needs -server", 2},
		{"-agent-only -server ,", "needs -server", 2},
		{"-agent-only -server monitor:8080", "want one like http://", 1},
		{"-agent-only -server http://monitor:8080,other:8080", "want one like http://", 1},
		{"-server http://monitor:8080", "is for -agent-only", 2},
		{"-interval 1ms", "too short", 2},
		{"-report -1s", "must not be negative", 2},
		{"-commit-wait 1m", "between 0 and 5s", 2},
		{"-rules no.txt", "no.txt", 2},
		{"-tag a,b", "without spaces and commas", 2},
		{"-retention -1h", "must not be negative", 2},
		{"-max-hosts -1", "must not be negative", 2},
		{"-max-hosts-per-token -1", "must not be negative", 2},
		{"-db mysql://u:secret@h/x", "begins with postgres://", 2},
		{"-db postgres://u:secret@h:port/x", "-db is not a URL", 2},
		{"-db postgres://u:secret@h", "-db is not a URL", 2},
		{"-nats nats://h:4222", "-db postgres://", 2},
		{"-nats nats://u:secret@h:port -db postgres://u:secret@h/x", "-nats is not a URL", 2},
		{"-host a/b", `-host "a/b" has a slash`, 2},
		{"-host .. -agent-only -server http://monitor:8080", "another meaning", 2},
		{"-allow-host monitor:8080", "is not a host name", 2},
		{"-tls-cert a.pem", "must be set together", 2},
		{"-addr 127.0.0.1:0 -tls-cert no.pem -tls-key no.pem", "no.pem", 1},
		{"-agent-only -server https://monitor:8080 -tls-ca no.pem", "no.pem", 1},
		{"-read-token-file no.txt", "no.txt", 2},
		{"-write-token a -write-token-file b", "only one of", 2},
		{"-read-token ä", "not allowed in a header", 2},
		{"-no-such-flag", "not defined", 2},
		{"extra", `unexpected argument "extra"`, 2},
		{"-help", "-agent-only", 0},
	} {
		p := launch(t, strings.Fields(test.args)...)
		err := p.end(t)
		if code := p.ProcessState.ExitCode(); code != test.code || !strings.Contains(p.log.String(), test.want) {
			t.Errorf("pulse %s: %v, want exit code %d; want output with %q:\n%s", test.args, err, test.code, test.want, p.log)
		}
		if strings.Contains(p.log.String(), "secret") {
			t.Errorf("pulse %s prints the password:\n%s", test.args, p.log)
		}
	}
}

// readingsFrom makes n readings, a second apart.
func readingsFrom(host string, at time.Time, n int) (readings []telemetry.Reading) {
	for i := range n {
		readings = append(readings, telemetry.Reading{
			Host: host, At: at.UTC().Truncate(time.Millisecond).Add(time.Duration(i) * time.Second), CPU: mo.Some(1.5),
		})
	}
	return readings
}

func key(r telemetry.Reading) string { return fmt.Sprintf("%s %d", r.Host, r.At.UnixMilli()) }
