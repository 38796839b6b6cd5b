//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/alert"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

// A receiver counts the reports of alerts. It refuses some of them.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	reports map[string][]alert.Report // the attempts of each report, in order, by the ID of the report
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{reports: map[string][]alert.Report{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		var got alert.Report
		if err := json.NewDecoder(request.Body).Decode(&got); err != nil || got.Key == "" || request.Header.Get("Idempotency-Key") != got.ID() {
			t.Errorf("%v: key %q, header %q", err, got.Key, request.Header.Get("Idempotency-Key"))
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.reports[got.ID()] = append(r.reports[got.ID()], got)
		if n := len(r.reports); n%97 == 0 && !got.Repeat {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// count returns the number of hosts that were reported with a state.
func (r *receiver) count(state string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	hosts := map[string]bool{}
	for _, attempts := range r.reports {
		for _, host := range attempts[0].Hosts {
			if attempts[0].State == state {
				hosts[host] = true
			}
		}
	}
	return len(hosts)
}

// TestAlertsOfACluster counts the reports of 100 incidents of ten hosts each by three servers. One server is
// killed in the middle. Each host is reported once, and each repeat is marked.
func TestAlertsOfACluster(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	testkit.SkipInVariant(t)
	t.Parallel() // it mostly waits
	const hosts = 500
	r, database := newReceiver(t), newPostgres(t)
	file := filepath.Join(t.TempDir(), "webhooks")
	if err := os.WriteFile(file, []byte(r.URL+"/secret-path\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rules := filepath.Join(t.TempDir(), "rules")
	text := "# a rule for ten hosts each\n"
	for i := range hosts / 10 {
		text += fmt.Sprintf("critical cpu > 90 on host-%02d?\n", i)
	}
	if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var servers [3]*process
	for i := range servers {
		servers[i] = start(t, "127.0.0.1:0", database.Database("127.0.0.1"), "-no-agent", "-rules", rules, "-alert-webhook-file", file)
	}
	post := func(cpu float64, age time.Duration) {
		t.Helper()
		now := time.Now().Add(-age).UTC().Truncate(time.Millisecond)
		for first := 0; first < hosts; first += 100 {
			var batch []telemetry.Reading
			for i := range 100 {
				batch = append(batch, telemetry.Reading{Host: fmt.Sprintf("host-%03d", first+i), At: now, CPU: mo.Some(cpu)})
			}
			body, err := json.Marshal(telemetry.Batch{Readings: batch})
			if err != nil {
				t.Fatal(err)
			}
			response, err := client.Post(servers[2].url+"/v1/readings", "application/json", bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != http.StatusOK {
				t.Fatal(response.Status)
			}
		}
	}
	wait := func(state string, n int) {
		t.Helper()
		for deadline := time.Now().Add(90 * time.Second); r.count(state) < n; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d hosts were reported as %s, want %d\n%s\n%s", r.count(state), state, n, servers[1].log, servers[2].log)
			}
		}
	}
	post(99, 10*time.Minute) // so that no reading of the last five minutes is beyond the threshold after the next post
	wait("firing", hosts/3)
	_ = servers[0].Process.Kill()
	_ = servers[0].end(t)
	wait("firing", hosts)
	var alerts struct {
		Firing  []struct{ Host string }
		Changes []struct{ Firing bool }
	}
	if status := get(t, servers[1].url+"/v1/alerts", &alerts); status != http.StatusOK || len(alerts.Firing) != hosts || len(alerts.Changes) != 100 || !alerts.Changes[0].Firing {
		t.Errorf("%d: %d alerts, %d changes", status, len(alerts.Firing), len(alerts.Changes))
	}
	post(1, 0)
	wait("over", hosts)
	// After an orderly end no report is repeated or lost: the next server reports nothing.
	for _, s := range servers[1:] {
		if err := s.interrupt(t); err != nil || strings.Contains(s.log.String(), "secret-path") {
			t.Errorf("%v\n%s", err, s.log)
		}
	}
	again := start(t, "127.0.0.1:0", database.Database("127.0.0.1"), "-no-agent", "-rules", rules, "-alert-webhook-file", file)
	time.Sleep(8 * time.Second)
	if err := again.interrupt(t); err != nil {
		t.Error(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	repeats, keys := 0, map[string]string{}
	for id, attempts := range r.reports {
		for i, report := range attempts {
			if i > 0 {
				repeats++
			}
			if i > 0 && !report.Repeat || !strings.HasPrefix(report.Rule, "critical cpu > 90 on ") || report.Level != "critical" || report.Count != len(report.Hosts) {
				t.Errorf("%s: attempt %d is %+v", id, i+1, report)
			}
		}
		for _, host := range attempts[0].Hosts {
			if key := keys[host]; key != "" && key != attempts[0].Key {
				t.Errorf("%s is in two incidents", host)
			}
			keys[host] = attempts[0].Key
		}
	}
	t.Logf("%d reports, %d repeats", len(r.reports), repeats)
}

// TestAlertFlags: wrong flags are refused with the flag's name and without secrets.
func TestAlertFlags(t *testing.T) {
	t.Setenv("PULSE_SMTP_PASSWORD", "hunter2")
	file := filepath.Join(t.TempDir(), "webhooks")
	if err := os.WriteFile(file, []byte("http://a/x\na.example/hunter2\nhttp://a/y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"-rule hot>1":                                                           "must have a form such as",
		"-alert-webhook ftp://hunter2@a":                                        "-alert-webhook: not a URL",
		"-alert-webhook-file " + file:                                           "-alert-webhook-file: not a URL",
		"-alert-webhook a.example/hunter2|http://a":                             "-alert-webhook: the word before the URL is neither",
		"-alert-webhook a|b|http://hunter2":                                     "-alert-webhook: more than a template",
		"-alert-webhook-file missing":                                           "-alert-webhook-file: open missing",
		"-alert-webhook after|soon|http://hunter2":                              "-alert-webhook: after must be followed by a duration",
		"-alert-command repeat|10s|true":                                        "-alert-command: repeat must be followed by a duration",
		"-alert-email after|0|a@b.example -alert-from a@b.example -smtp smtp:a": "-alert-email: after must be followed by a duration",
		"-alert-command /no/such/program":                                       "-alert-command: ",
		"-alert-email a@b.example":                                              "must be set together",
		"-smtp smtp://a -alert-from a@b.example":                                "must be set together",
		"-agent-only -server http://a -smtp smtp:a":                             "alerts are for servers",
		"-alert-email a@b.example -alert-from a@b.example -smtp http://hunter2": "-smtp, -alert-from or -alert-email",
		"-rule maintenance|daily|2-3|because|x":                                 "must have a form such as",
		"-rules missing":                                                        "-rules: open missing",
		"-alert-webhook irc|http://hunter2/x":                                   "-alert-webhook: \"irc\" is neither a template",
		"-alert-webhook telegram|http://hunter2/x":                              "-alert-webhook: template telegram: the URL must end in #chat_id=",
		"-alert-link monitor.example":                                           "-alert-link is not a URL",
		"-alert-email nobody -alert-from a@b.example -smtp smtp://a":            "-smtp, -alert-from or -alert-email",
	} {
		var text strings.Builder
		words := strings.Fields(args)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "|", " ")
		}
		_, err := parseFlags(words, &text)
		line, _, _ := strings.Cut(text.String(), "\n")
		if err == nil || !strings.Contains(text.String(), want) || strings.Contains(line, "hunter2") && !strings.Contains(line, "invalid value") {
			t.Errorf("%s: %v %q, want %q", args, err, line, want)
		}
	}
	f, err := parseFlags(strings.Fields("-alert-webhook http://a/x -alert-webhook http://a/y -alert-command true -alert-email a@b.example -alert-email c@d.example -alert-from p@b.example -smtp smtps://u@a:465"), io.Discard)
	if err != nil || len(f.targets) != 4 || f.targets[3].Name() != "email a@b.example,c@d.example" {
		t.Errorf("%v %v", f, err)
	}
	f, err = parseFlags([]string{
		"-alert-webhook", "repeat 4h after 30m slack http://a/x", "-alert-command", "repeat 0 true", "-alert-email", "after 1h c@d.example", "-alert-email", "a@b.example",
		"-alert-email", "after 1h e@f.example", "-alert-from", "p@b.example", "-smtp", "smtps://u@a:465",
	}, io.Discard)
	if err != nil || len(f.targets) != 4 {
		t.Fatalf("%v %v", f, err)
	}
	var times []string
	for _, r := range f.targets {
		times = append(times, fmt.Sprint(r.After, " ", r.Repeat))
	}
	if got := strings.Join(times, ", "); got != "30m0s 4h0m0s, 0s 0s, 1h0m0s 24h0m0s, 0s 24h0m0s" || f.targets[2].Name() != "email c@d.example,e@f.example" {
		t.Errorf("%s, %s", got, f.targets[2].Name())
	}
}

// TestReloadRules: after a SIGHUP the server has the rules of the file, unless the file has a mistake.
func TestReloadRules(t *testing.T) {
	testkit.SkipInVariant(t)
	file := filepath.Join(t.TempDir(), "rules")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("high cpu > 80\n")
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent", "-rules", file, "-rule", "critical silent for 2m")
	rules := func() string {
		var got struct{ Rules []string }
		if status := get(t, p.url+"/v1/rules", &got); status != http.StatusOK {
			t.Fatal(status)
		}
		return strings.Join(got.Rules, "; ")
	}
	reload := func(wait string) {
		t.Helper()
		if err := p.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(30 * time.Second); !strings.Contains(p.log.String(), wait); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("the log never has %q:\n%s", wait, p.log)
			}
		}
	}
	write("# nothing yet\n")
	reload("holds no rules")
	write("high cpu > 80\nhigh humour > 3\n")
	reload("line 2")
	if got := rules(); got != "high cpu > 80; critical silent for 2m" || !strings.Contains(p.log.String(), "line 2") {
		t.Errorf("after a mistake: %s\n%s", got, p.log)
	}
	write("critical cpu > 95\nmaintenance weekly someday 02:00-03:00 because x\n")
	reload("not a day")
	if got := rules(); got != "high cpu > 80; critical silent for 2m" {
		t.Errorf("after a mistake in a maintenance window: %s", got)
	}
	write("critical disk:/srv > 95 for 5m on db-*\n")
	reload("the rules were read again")
	if got := rules(); got != "critical disk:/srv > 95 for 5m on db-*; critical silent for 2m" {
		t.Errorf("after a reload: %s", got)
	}
	if err := p.interrupt(t); err != nil {
		t.Error(err)
	}
}

// TestAlertTest: pulse alert test sends the beginning and the end of an incident to the targets that
// the name selects.
func TestAlertTest(t *testing.T) {
	r, refusing := newReceiver(t), httptest.NewServer(http.NotFoundHandler())
	defer refusing.Close()
	test := func(args ...string) (stdout, stderr string, err error) {
		var out, diagnostics strings.Builder
		err = run(t.Context(), append([]string{"alert", "test", "-alert-webhook", r.URL, "-alert-webhook", refusing.URL + "/secret"}, args...), &out, &diagnostics)
		return out.String(), diagnostics.String(), err
	}
	stdout, stderr, err := test(strings.TrimPrefix(r.URL, "http://"))
	if err != nil || stderr != "" || !strings.Contains(stdout, "has accepted") || r.count("firing") != 1 || r.count("over") != 1 {
		t.Errorf("%q %q %v", stdout, stderr, err)
	}
	if stdout, _, err := test("all"); err == nil || !strings.Contains(err.Error(), "404") || strings.Contains(err.Error(), "secret") || !strings.Contains(stdout, "has accepted") {
		t.Errorf("%q %v", stdout, err)
	}
	if _, stderr, err := test("irc"); err == nil || !strings.Contains(stderr, "no target has") || strings.Contains(stderr, "secret") {
		t.Errorf("%q %v", stderr, err)
	}
	if _, stderr, err := test(); err == nil || !strings.Contains(stderr, "the name of a target") {
		t.Errorf("%q %v", stderr, err)
	}
}

// TestSilenceCommand adds, lists and ends a silence.
func TestSilenceCommand(t *testing.T) {
	db := filepath.Join(t.TempDir(), "pulse.db")
	p := start(t, "127.0.0.1:0", db, "-no-agent")
	silence := func(args ...string) (stdout, stderr string, err error) {
		var out, diagnostics strings.Builder
		err = run(t.Context(), append([]string{"silence", args[0], "-db", db}, args[1:]...), &out, &diagnostics)
		return out.String(), diagnostics.String(), err
	}
	for args, want := range map[string]string{"add -reason x": "-for must be set", "add -for 2h": "-reason must be set", "add -for 2h -reason x -host [": "patterns", "add -for 2h -reason x -rule dsk": "or one of cpu", "end": "want 1 arguments", "mute": "unknown command"} {
		if _, stderr, err := silence(strings.Fields(args)...); err == nil || !strings.Contains(stderr, want) {
			t.Errorf("%s: %q %v, want %q", args, stderr, err, want)
		}
	}
	id, stderr, err := silence("add", "-for", "2h", "-host", "db-*", "-rule", "disk", "-reason", "new disks")
	if err != nil {
		t.Fatal(stderr, err)
	}
	var got struct{ Silences []struct{ ID, Reason string } }
	if status := get(t, p.url+"/v1/silences", &got); status != http.StatusOK || len(got.Silences) != 1 || got.Silences[0].Reason != "new disks" {
		t.Errorf("%d %+v", status, got)
	}
	if stdout, _, err := silence("list"); err != nil || !strings.Contains(stdout, "new disks") || !strings.HasPrefix(stdout, strings.TrimSpace(id)) {
		t.Errorf("%q %v", stdout, err)
	}
	if _, _, err := silence("end", strings.TrimSpace(id)); err != nil {
		t.Error(err)
	}
	if stdout, _, err := silence("list"); err != nil || stdout != "" {
		t.Errorf("%q %v", stdout, err)
	}
	if err := p.interrupt(t); err != nil {
		t.Error(err)
	}
}
