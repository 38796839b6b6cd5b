package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/examples/pulse/watch"
	"github.com/hone-go/hone/mo"
)

func open(t *testing.T) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pulse.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func rules(t *testing.T, texts ...string) *watch.Rules {
	t.Helper()
	set, err := watch.Read(strings.NewReader(strings.Join(texts, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return watch.FixedRules(set)
}

// report stores a reading. By the clock of the host it is ten minutes later than the one before, so
// that it is the only reading of the window that ends an alert.
func report(t *testing.T, s store.Store, host string, cpu float64) {
	t.Helper()
	at := time.Now().Add(-12 * time.Hour)
	if last, err := s.Latest(t.Context(), host); err == nil {
		at = last.At.Add(10 * time.Minute)
	}
	if _, err := s.Write(t.Context(), [][]telemetry.Reading{{{Host: host, At: at.Truncate(time.Millisecond), CPU: mo.Some(cpu)}}}); err != nil {
		t.Fatal(err)
	}
}

// memory is a target that keeps reports. It refuses them while fail is set.
type memory struct {
	mu      sync.Mutex
	reports []Report
	fail    error
}

func (m *memory) Name() string { return "memory" }

func (m *memory) Send(_ context.Context, r *Report) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reports = append(m.reports, *r)
	return m.fail
}

func (m *memory) take() (texts []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.reports {
		text := fmt.Sprintf("%s %s: %s", strings.Join(r.Hosts, " "), r.State, r.Rule)
		if r.Repeat {
			text += " (repeat)"
		}
		texts = append(texts, text)
	}
	m.reports = nil
	slices.Sort(texts)
	return texts
}

func testWatcher(t *testing.T, s store.Store, holder string, r *watch.Rules, targets ...Target) *watcher {
	o := Options{Store: s, Rules: r, Log: slog.New(slog.NewTextHandler(t.Output(), nil))}
	for _, target := range targets {
		r, ok := target.(Receiver)
		if !ok {
			r = Receiver{Target: target}
		}
		o.Targets = append(o.Targets, r)
	}
	return newWatcher(o, holder)
}

// look judges all hosts.
func (w *watcher) look(t *testing.T) {
	t.Helper()
	w.next = time.Time{}
	if err := w.judge(t.Context()); err != nil {
		t.Error(err)
	}
}

// send delivers the reports that are due.
func (w *watcher) send(t *testing.T) {
	t.Helper()
	for name := range w.targets {
		if err := w.deliver(t.Context(), name); err != nil {
			t.Error(err)
		}
	}
}

// step judges all hosts, lets the time pass after which beginnings are reported, and delivers the reports.
func (w *watcher) step(t *testing.T) {
	t.Helper()
	w.look(t)
	for range 3 {
		time.Sleep(judgeEvery)
		w.look(t)
	}
	w.send(t)
}

func expect(t *testing.T, m *memory, want ...string) {
	t.Helper()
	if got := m.take(); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestChanges: the beginning and the end of an alert are reported once, even with a second server or
// after a restart. If a rule or a host is removed, its alerts end.
func TestChanges(t *testing.T) { synctest.Test(t, testChanges) }

func testChanges(t *testing.T) {
	s, m := open(t), &memory{}
	all := rules(t, "high cpu > 80", "critical cpu > 95 on a")
	one, two := testWatcher(t, s, "one", all, m, m), testWatcher(t, s, "two", all, m) // a target that is given twice is one target
	report(t, s, "a", 99)
	report(t, s, "b", 85)
	report(t, s, "c", 10)
	one.step(t)
	expect(t, m, "a b firing: high cpu > 80", "a firing: critical cpu > 95 on a")
	one.step(t)
	two.step(t)
	expect(t, m)
	if err := s.ReleaseAlerts(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	two.step(t)
	expect(t, m)
	report(t, s, "a", 85)
	report(t, s, "b", 20)
	one.look(t)
	one.send(t)
	expect(t, m)
	two.step(t)
	expect(t, m, "a over: critical cpu > 95 on a")
	if err := s.RenameHost(t.Context(), "a", "d", "test"); err != nil {
		t.Fatal(err)
	}
	two.step(t)
	expect(t, m)
	if err := s.RemoveHost(t.Context(), "d", "test"); err != nil {
		t.Fatal(err)
	}
	two.step(t)
	expect(t, m, "d b over: high cpu > 80")
	report(t, s, "c", 99)
	two.step(t)
	expect(t, m, "c firing: high cpu > 80")
	two.Rules = watch.FixedRules(watch.Set{})
	two.step(t)
	expect(t, m, "c over: high cpu > 80")
	changes, err := s.AlertChanges(t.Context(), 2)
	if err != nil || len(changes) != 2 || changes[0].Host != "c" || changes[0].Firing || !changes[1].Firing || changes[0].ID <= changes[1].ID {
		t.Errorf("%+v %v", changes, err)
	}
}

// TestSilence: a server that has just begun to judge, or whose clock has been set, does not know how long
// a host has been silent.
func TestSilence(t *testing.T) { synctest.Test(t, testSilence) }

func testSilence(t *testing.T) {
	s, m := open(t), &memory{}
	w := testWatcher(t, s, "one", rules(t, "critical silent"), m)
	host := []store.Host{{Name: "a", Heard: time.Now().Add(-time.Hour)}}
	old := time.Now().Add(-time.Hour)
	if _, err := s.Write(t.Context(), [][]telemetry.Reading{{{Host: "a", At: old.Truncate(time.Millisecond)}}}); err != nil {
		t.Fatal(err)
	}
	w.Store = aged{s, host}
	expectAlerts := func(want int) {
		t.Helper()
		if alerts, err := s.Alerts(t.Context()); err != nil || len(alerts) != want {
			t.Errorf("%+v (%v), want %d alerts", alerts, err, want)
		}
	}
	w.look(t)
	expectAlerts(0)
	time.Sleep(11 * time.Second)
	w.step(t)
	expect(t, m, "a firing: critical silent")
	// Another server takes over. It does not repeat the alert, and does not end it.
	if err := s.ReleaseAlerts(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	other := testWatcher(t, w.Store, "two", w.Rules, m)
	other.step(t)
	expect(t, m)
	expectAlerts(1)
	host[0].Heard = time.Now()
	other.look(t)
	other.send(t)
	expect(t, m, "a over: critical silent")
	// The clock has been set an hour ahead since the last look: the host seems silent for an hour.
	host[0].Heard = time.Now().Add(-time.Hour)
	other.watching = mo.Some(time.Now().Add(-2 * time.Hour))
	other.wall = other.wall.Add(-time.Hour)
	other.look(t)
	expectAlerts(0)
}

// aged is a store whose method Hosts returns list.
type aged struct {
	store.Store
	list []store.Host
}

func (a aged) Hosts(context.Context, store.HostQuery) ([]store.Host, mo.Option[string], error) {
	return a.list, mo.None[string](), nil
}

// TestIncident: the reports of an incident have one key, also after a rename, and the values that they
// are about.
func TestIncident(t *testing.T) { synctest.Test(t, testIncident) }

func testIncident(t *testing.T) {
	s, m := open(t), &memory{}
	w := testWatcher(t, s, "one", rules(t, "high disk:/srv > 80"), m)
	w.Page = "https://monitor.example"
	full := func(host string, percent uint64, at time.Time) {
		t.Helper()
		disk := telemetry.Disk{Mount: "/srv", Device: "a", Used: mo.Some(percent), Total: mo.Some[uint64](200), Available: mo.Some(100 - percent)}
		if _, err := s.Write(t.Context(), [][]telemetry.Reading{{{Host: host, At: at.Truncate(time.Millisecond), Disks: []telemetry.Disk{disk}}}}); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Now().Add(-time.Hour)
	full("a b", 93, at)
	w.step(t)
	if err := s.RenameHost(t.Context(), "a b", "c", "test"); err != nil {
		t.Fatal(err)
	}
	for minute := range 7 {
		full("c", 50, at.Add(time.Duration(minute+1)*time.Minute))
		w.step(t)
	}
	if len(m.reports) != 2 {
		t.Fatalf("%d reports: %+v", len(m.reports), m.reports)
	}
	first, last := m.reports[0], m.reports[1]
	if first.State != "firing" || last.State != "over" || first.Key != last.Key || first.ID() == last.ID() || !last.Since.Equal(first.Since) || first.Since.After(first.At) {
		t.Errorf("%+v\n%+v", first, last)
	}
	if first.Measured() != "/srv: 93.0 %" || last.Measured() != "/srv: 50.0 %" || first.Link != "https://monitor.example/?host=a+b" || last.Host != "c" {
		t.Errorf("%q %q %q %q", first.Measured(), last.Measured(), first.Link, last.Host)
	}
	full("c", 95, at.Add(20*time.Minute))
	w.step(t)
	if again := m.reports[len(m.reports)-1]; again.Key == first.Key || again.State != "firing" {
		t.Errorf("the next incident has the key of the first: %+v", again)
	}
}

// TestOlderIncidents: the reports about alerts that an older server has stored without an id have one key.
func TestOlderIncidents(t *testing.T) {
	w := testWatcher(t, open(t), "one", rules(t))
	report := func(id, host string, firing bool) *Report {
		return w.report(&store.Delivery{Incident: store.Incident{ID: id, Rule: "high cpu > 80"}, Firing: firing, Alerts: []store.Alert{{Host: host, Rule: "high cpu > 80"}}})
	}
	first, last, other := report("old-3", "a", true), report("old-4", "a", false), report("old-4", "b", false)
	if first.Key != last.Key || first.ID() == last.ID() || other.Key == last.Key {
		t.Errorf("%+v\n%+v\n%+v", first, last, other)
	}
}

// TestSilences: a silenced alert is stored and not reported. If it holds at the end of the silence, it is
// reported then. An alert that was reported before the silence is reported as over within it.
func TestSilences(t *testing.T) { synctest.Test(t, testSilences) }

func testSilences(t *testing.T) {
	s, m := open(t), &memory{}
	w := testWatcher(t, s, "one", rules(t, "high cpu > 80"), m)
	silence := func(id, hosts, tag, rule string) {
		t.Helper()
		now := time.Now()
		if err := s.AddSilence(t.Context(), store.Silence{ID: id, Hosts: hosts, Tag: tag, Rule: rule, Until: now.Add(time.Hour), Reason: "r", Who: "w", Created: now}); err != nil {
			t.Fatal(err)
		}
	}
	report(t, s, "reported", 99)
	w.step(t)
	expect(t, m, "reported firing: high cpu > 80")
	time.Sleep(store.JoinFor)
	silence("by-host", "r*", "", "")
	silence("by-rule", "a", "", "cpu")
	silence("by-tag", "*", "role=db", "high cpu > 80")
	silence("other", "*", "", "memory")
	for _, host := range []string{"r2", "a", "tagged", "b"} {
		report(t, s, host, 99)
	}
	if err := s.Describe(t.Context(), []store.Agent{{Host: "tagged", ID: "x", Every: time.Second, Tags: []string{"x", "role=db"}, Since: time.Now(), Seen: time.Now()}}); err != nil {
		t.Fatal(err)
	}
	w.step(t)
	expect(t, m, "b firing: high cpu > 80")
	alerts, err := s.Alerts(t.Context())
	silenced := 0
	for _, a := range alerts {
		if a.Silenced {
			silenced++
		}
	}
	if err != nil || len(alerts) != 5 || silenced != 4 { // also the one that was reported before
		t.Errorf("%d alerts, %d silenced: %v", len(alerts), silenced, err)
	}
	report(t, s, "reported", 1)
	report(t, s, "tagged", 1) // begins and ends within a silence
	w.step(t)
	expect(t, m, "reported over: high cpu > 80")
	time.Sleep(store.JoinFor)
	if err := s.EndSilence(t.Context(), "by-host"); err != nil {
		t.Fatal(err)
	}
	w.step(t)
	expect(t, m, "r2 firing: high cpu > 80")
	report(t, s, "r2", 1)
	w.step(t)
	w.step(t)
	expect(t, m, "r2 over: high cpu > 80")
	if err := s.EndSilence(t.Context(), "by-host"); !errors.Is(err, store.ErrUnknownSilence) {
		t.Errorf("a silence ends twice: %v", err)
	}
}

// TestMaintenance: alerts that begin within a maintenance window are not reported before its end.
func TestMaintenance(t *testing.T) { synctest.Test(t, testMaintenance) }

func testMaintenance(t *testing.T) {
	s, m := open(t), &memory{}
	w := testWatcher(t, s, "one", rules(t, "high cpu > 80", "maintenance daily 00:00-24:00 on db-* because the disks are replaced"), m)
	report(t, s, "db-1", 99)
	report(t, s, "web-1", 99)
	w.step(t)
	expect(t, m, "web-1 firing: high cpu > 80")
	w.Rules = rules(t, "high cpu > 80")
	time.Sleep(store.JoinFor)
	w.step(t)
	expect(t, m, "db-1 firing: high cpu > 80")
}

// TestRefused: a report that was refused is sent again with the same key, marked as a repeat. Later
// reports about the alert are sent after it.
func TestRefused(t *testing.T) { synctest.Test(t, testRefused) }

func testRefused(t *testing.T) {
	s, m := open(t), &memory{fail: errors.New("no")}
	w := testWatcher(t, s, "one", rules(t, "high cpu > 80"), m)
	var attempts []error
	w.Delivered = func(_ string, err error) { attempts = append(attempts, err) }
	report(t, s, "a", 99)
	w.step(t)
	key := m.reports[0].Key
	if attempts[0] == nil || len(attempts) != 1 {
		t.Errorf("attempts: %v", attempts)
	}
	expect(t, m, "a firing: high cpu > 80")
	report(t, s, "a", 1)
	w.look(t)
	w.send(t)
	expect(t, m)
	m.fail = nil
	time.Sleep(firstWait)
	w.send(t)
	if m.reports[0].Key != key || m.reports[0].At.IsZero() {
		t.Errorf("the repeat is %+v, want key %s", m.reports[0], key)
	}
	expect(t, m, "a firing: high cpu > 80 (repeat)", "a over: high cpu > 80")
	w.step(t)
	expect(t, m)
}

func TestWaits(t *testing.T) {
	for tries, want := range []time.Duration{firstWait, 2 * firstWait, 4 * firstWait} {
		if got := waitAfter(tries); got != want {
			t.Errorf("after %d: %s, want %s", tries, got, want)
		}
	}
	if got := waitAfter(1 << 30); got != lastWait {
		t.Error(got)
	}
}

// TestWebhook: answers other than 2xx are errors, redirects are not followed, and no error has the
// URL, which may contain a secret.
func TestWebhook(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice the end of the connection
		switch r.URL.Path {
		case "/secret/ok":
		case "/secret/moved":
			http.Redirect(w, r, "/secret/ok", http.StatusTemporaryRedirect)
		case "/secret/hangs":
			<-r.Context().Done()
		default:
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	defer s.Close()
	defer s.CloseClientConnections()
	for path, ok := range map[string]bool{"ok": true, "moved": false, "hangs": false, "broken": false} {
		w, err := NewWebhook("", s.URL+"/secret/"+path)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		err = w.Send(ctx, &Report{Key: "k"})
		cancel()
		if (err == nil) != ok || err != nil && strings.Contains(err.Error(), "secret") || strings.Contains(w.Name(), "secret") {
			t.Errorf("%s: %v (%s)", path, err, w.Name())
		}
	}
	for _, bad := range []string{"", "ftp://secret@a/", "http://", "secret", "http://[secret"} {
		if _, err := NewWebhook("", bad); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	a, _ := NewWebhook("", "http://a/1")
	b, _ := NewWebhook("", "http://a/2")
	if a.Name() == b.Name() {
		t.Errorf("two webhooks are called %s", a.Name())
	}
	c, _ := NewWebhook("slack", "http://a/1")
	d, _ := NewWebhook("discord", "http://a/1")
	if c.Name() == d.Name() || c.Name() == a.Name() {
		t.Errorf("two of the webhooks %s, %s and %s have one name", a.Name(), c.Name(), d.Name())
	}
}

// TestCommand: a program gets the report on its standard input and in its environment.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "notify")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ncat >"+dir+"/in\necho \"$PULSE_STATE $PULSE_HOST $PULSE_RULE $PULSE_REPEAT$PULSE_SMTP_PASSWORD\" >"+dir+"/env\necho sorry\nexit ${CODE:-0}\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PULSE_SMTP_PASSWORD", "hunter2") // the program does not get it
	c := &Command{Path: script}
	r := &Report{Key: "k", State: "firing", Host: "a'; $(x)", Rule: "high cpu > 80", Repeat: true}
	if err := c.Send(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	var got Report
	text, err := os.ReadFile(filepath.Join(dir, "in"))
	if err != nil || json.Unmarshal(text, &got) != nil || !reflect.DeepEqual(&got, r) {
		t.Errorf("%s %v", text, err)
	}
	if env, err := os.ReadFile(filepath.Join(dir, "env")); err != nil || string(env) != "firing a'; $(x) high cpu > 80 true\n" {
		t.Errorf("%q %v", env, err)
	}
	t.Setenv("CODE", "3")
	if err := c.Send(t.Context(), r); err == nil || !strings.Contains(err.Error(), "sorry") {
		t.Error(err)
	}
}

// TestEmail sends a message to a small SMTP server, which supports only the commands that the test needs.
func TestEmail(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	messages := make(chan string, 4)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go receive(conn, messages)
		}
	}()
	e, err := NewEmail("smtp://"+listener.Addr().String(), "", "pulse@monitor.example", []string{"ops@monitor.example", "night@monitor.example"})
	if err != nil {
		t.Fatal(err)
	}
	r := &Report{Key: "pulse-7-1", State: "firing", Host: "büro 2", Rule: "high cpu > 80", At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Repeat: true}
	if err := e.Send(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	got := <-messages
	for _, part := range []string{"From: <pulse@monitor.example>", "ops@monitor.example", "night@monitor.example", "<pulse-7-1-firing@monitor.example>", "Rule: high cpu > 80", "2026-01-02 03:04:05 UTC", "may be a repeat"} {
		if !strings.Contains(got, part) {
			t.Errorf("the message has no %q:\n%s", part, got)
		}
	}
	for server, want := range map[string]string{"http://a": "such as", "smtp://": "such as", "smtp://u:hunter2@a": "PULSE_SMTP_PASSWORD"} {
		if _, err := NewEmail(server, "", "a@b.example", []string{"c@d.example"}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", server, err)
		}
	}
	if _, err := NewEmail("smtp://a", "", "nobody", []string{"c@d.example"}); err == nil {
		t.Error("the sender nobody is accepted")
	}
}

func receive(conn net.Conn, messages chan<- string) {
	defer conn.Close()
	buf, said := make([]byte, 64<<10), ""
	reply := func(text string) { _, _ = io.WriteString(conn, text+"\r\n") }
	reply("220 mail.example ESMTP")
	data := false
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return
		}
		said += string(buf[:n])
		for {
			end := "\r\n"
			if data {
				end = "\r\n.\r\n"
			}
			line, rest, ok := strings.Cut(said, end)
			if !ok {
				break
			}
			said = rest
			switch {
			case data:
				messages <- line
				data = false
				reply("250 kept")
			case strings.HasPrefix(line, "DATA"):
				data = true
				reply("354 go on")
			case strings.HasPrefix(line, "QUIT"):
				reply("221 bye")
			default:
				reply("250 mail.example")
			}
		}
	}
}

// TestTemplates posts the beginning and the end of an incident by each template to a receiver, which
// checks the members that the services require.
func TestTemplates(t *testing.T) {
	type request struct {
		path, mediaType string
		body            map[string]any
		text            string
	}
	var got []request
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		q := request{path: r.URL.String(), mediaType: r.Header.Get("Content-Type"), text: string(text)}
		_ = json.Unmarshal(text, &q.body)
		got = append(got, q)
	}))
	defer s.Close()
	own := filepath.Join(t.TempDir(), "own")
	if err := os.WriteFile(own, []byte(`{{.Level}} {{.Host}} {{.Measured}}{{"\n"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	odd := Sample("pulse-1", "firing", time.Unix(1e9, 0).UTC(), "https://monitor.example/?host=a")
	odd.Rule, odd.Host = `high disk:/a"b > 80`, "büro\\ 2<!channel>&"
	over := *odd
	over.State, over.Since = "over", over.At.Add(-90*time.Second)
	for form, want := range map[string]struct{ fragment, member, text string }{
		"slack": {"", "text", "büro\\ 2&lt;!channel&gt;&amp;: high"}, "discord": {"", "content", "/srv: 81.5 %"}, "telegram": {"chat_id=-12", "chat_id", "-12"},
		"ntfy": {"topic=ops", "topic", "ops"}, "pagerduty": {"routing_key=abc", "dedup_key", "pulse-1"}, "teams": {"", "type", "message"}, own: {"", "", "high büro\\ 2<!channel>& /srv: 81.5 %"},
	} {
		got = nil
		w, err := NewWebhook(form, s.URL+"/hook#"+want.fragment)
		if err != nil {
			t.Fatal(form, err)
		}
		for _, r := range []*Report{odd, &over} {
			if err := w.Send(t.Context(), r); err != nil {
				t.Fatal(form, err)
			}
		}
		value, _ := got[0].body[want.member].(string)
		if want.member == "" {
			value = got[0].text
		}
		if len(got) != 2 || got[0].path != "/hook" || !strings.Contains(value, want.text) || (got[0].mediaType == "application/json") != (form != own) {
			t.Errorf("%s: %+v", form, got)
		}
		if form == "pagerduty" && (got[0].body["event_action"] != "trigger" || got[1].body["event_action"] != "resolve" || got[1].body["dedup_key"] != "pulse-1") {
			t.Errorf("%s: %+v", form, got)
		}
		if form == "slack" && !strings.Contains(got[1].text, "after 1m30s") {
			t.Errorf("%s: %s", form, got[1].text)
		}
	}
	if len(Templates()) != 6 {
		t.Errorf("%q", Templates())
	}
	broken := filepath.Join(t.TempDir(), "broken")
	for text, want := range map[string]string{`{"a": {{.Rule}}}`: "is not JSON", `{"a": "{{.Host}}"}`: "is not JSON", `{"a": "{{.Part}}"}`: "is not JSON", "{{.Nothing}}": "Nothing", "{{": "broken"} {
		if err := os.WriteFile(broken, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := NewWebhook(broken, "http://a/secret"); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for form, want := range map[string]string{"telegram": "#chat_id=", "pagerduty": "#routing_key=", "irc": "neither a template (discord, ntfy"} {
		if _, err := NewWebhook(form, "http://a/secret"); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", form, err, want)
		}
	}
}
