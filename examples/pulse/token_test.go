package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// postAs posts a reading of a host with a token and returns the status.
func postAs(t *testing.T, url, token, host string) int {
	t.Helper()
	body := `{"readings":[{"host":"` + host + `","at":"` + time.Now().Format(time.RFC3339Nano) + `"}]}`
	request, err := http.NewRequestWithContext(t.Context(), "POST", url+"/v1/readings", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token}}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// command runs a command of pulse and returns its output.
func command(t *testing.T, args ...string) string {
	t.Helper()
	p := launch(t, args...)
	if err := p.end(t); err != nil {
		t.Fatalf("pulse %q: %v\n%s", args, err, p.log)
	}
	return strings.TrimSpace(p.log.String())
}

// TestTokensOfAgents adds tokens for hosts and removes one while a server is running.
func TestTokensOfAgents(t *testing.T) {
	db := filepath.Join(t.TempDir(), "pulse.db")
	if err := start(t, "127.0.0.1:0", db, "-no-agent").interrupt(t); err != nil {
		t.Fatal(err)
	}
	web := command(t, "token", "add", "-db", db, "-host", "web-*,db-1", "web")
	all := command(t, "token", "add", "-db", db, "all")
	reader := command(t, "token", "add", "-db", db, "-right", "read", "reader")
	if list := command(t, "token", "list", "-db", db); strings.Count(list, "\n") != 2 || !strings.Contains(list, "web-*,db-1") || strings.Contains(list, web) {
		t.Errorf("the list of tokens:\n%s", list)
	}
	p := start(t, "127.0.0.1:0", db, "-host", "own", "-interval", "100ms", "-write-token", "old") // the agent of the process posts too
	for _, test := range []struct {
		token, host string
		status      int
	}{
		{web, "web-7", 200}, {web, "db-1", 200}, {web, "db-2", 403}, {all, "db-2", 200}, {"old", "any", 200},
		{reader, "web-1", 401}, {"", "web-1", 401}, {web + "x", "web-1", 401},
	} {
		if status := postAs(t, p.url, test.token, test.host); status != test.status {
			t.Errorf("token %.5s for %s: %d, want %d", test.token, test.host, status, test.status)
		}
	}
	read := func(path, token string) int {
		request, err := http.NewRequestWithContext(t.Context(), "GET", p.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	for _, path := range []string{"/metrics", "/v1/overview", "/v1/hosts/web-7"} {
		if with, without := read(path, reader), read(path, web); with != 200 || without != 401 {
			t.Errorf("%s: %d with a token for reading, %d with another", path, with, without)
		}
	}
	waitFor(t, func() bool { return read("/v1/hosts/own", reader) == 200 })
	command(t, "token", "remove", "-db", db, "web")
	if status := postAs(t, p.url, web, "web-7"); status != 401 {
		t.Errorf("a removed token is answered with %d", status)
	}
	if strings.Contains(p.log.String(), all) {
		t.Error("the log has a token")
	}

	// The agent in the server's process still posts, although no flag has a token.
	if err := p.interrupt(t); err != nil {
		t.Fatal(err)
	}
	p = start(t, "127.0.0.1:0", db, "-host", "own-2", "-interval", "100ms")
	waitFor(t, func() bool { return read("/v1/hosts/own-2", reader) == 200 })
}

// TestHostsCommand renames and removes hosts while a server is running: by the command, and through
// the server's API.
func TestHostsCommand(t *testing.T) {
	db := filepath.Join(t.TempDir(), "pulse.db")
	p := start(t, "127.0.0.1:0", db, "-no-agent")
	agent := launch(t, "-agent-only", "-server", p.url, "-host", "old", "-interval", "100ms", "-report", "0")
	if status := postAs(t, p.url, "", "silent"); status != 200 {
		t.Fatal(status)
	}
	waitFor(t, func() bool { return get(t, p.url+"/v1/hosts/old", nil) == 200 })
	command(t, "hosts", "rename", "-db", db, "old", "new")
	before := len(allReadings(t, p.url))
	waitFor(t, func() bool { return len(allReadings(t, p.url)) > before+5 })
	if get(t, p.url+"/v1/hosts/old", nil) != 404 || get(t, p.url+"/v1/hosts/new", nil) != 200 {
		t.Error("the agent still reports under the old name")
	}
	command(t, "hosts", "remove", "-db", db, "silent")
	if list := command(t, "hosts", "list", "-db", db); !strings.HasPrefix(list, "new ") || strings.Contains(list, "\n") {
		t.Errorf("the list of hosts:\n%s", list)
	}
	admin, poster := command(t, "token", "add", "-db", db, "-right", "admin", "boss"), command(t, "token", "add", "-db", db, "agent")
	ask := func(method, path, token, body string) int {
		request, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token}}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	for _, test := range []struct {
		method, path, token, body string
		status                    int
	}{
		{"PATCH", "/v1/hosts/new", poster, `{"host":"newer"}`, 401}, {"DELETE", "/v1/hosts/new", "", "", 401},
		{"PATCH", "/v1/hosts/new", admin, `{"host":"a/b"}`, 422}, {"PATCH", "/v1/hosts/nobody", admin, `{"host":"b"}`, 404},
		{"PATCH", "/v1/hosts/new", admin, `{"host":"new"}`, 409}, {"PATCH", "/v1/hosts/new", admin, `{"host":"newer"}`, 204},
		{"DELETE", "/v1/hosts/nobody", admin, "", 404},
	} {
		if status := ask(test.method, test.path, test.token, test.body); status != test.status {
			t.Errorf("%s %s %s: %d, want %d", test.method, test.path, test.body, status, test.status)
		}
	}
	waitFor(t, func() bool { return get(t, p.url+"/v1/hosts/newer", nil) == 200 })
	if err := agent.interrupt(t); err != nil {
		t.Error(err, agent.log)
	}
	if status := ask("DELETE", "/v1/hosts/newer", admin, ""); status != 204 || get(t, p.url+"/v1/hosts/newer", nil) != 404 {
		t.Errorf("removed by the API: %d", status)
	}
	if list := command(t, "hosts", "changes", "-db", db); strings.Count(list, "\n") != 3 || !strings.Contains(list, "token boss") {
		t.Errorf("the changes:\n%s", list)
	}
}
