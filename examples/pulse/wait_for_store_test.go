package main

import (
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestServerWaitsForItsDatabase: if the database is unreachable, the server waits for it and
// answers requests with 503. Ctrl-C ends the wait.
func TestServerWaitsForItsDatabase(t *testing.T) {
	needSignals(t)
	p := launch(t, "-addr", "127.0.0.1:0", "-no-agent", "-db", "postgres://u:secret@127.0.0.1:1/x?sslmode=disable")
	waitFor(t, func() bool { return strings.Contains(p.log.String(), "waiting for the database") })
	url := printedURL.FindString(p.log.String())
	for _, path := range []string{"/healthz", "/v1/hosts", "/"} {
		response, err := client.Get(url + path)
		if err != nil {
			t.Fatalf("%v\n%s", err, p.log)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %s, Retry-After %q", path, response.Status, response.Header.Get("Retry-After"))
		}
	}
	if err := p.interrupt(t); err != nil || strings.Contains(p.log.String(), "secret") || strings.Count(p.log.String(), "waiting") != 1 {
		t.Errorf("%v\n%s", err, p.log)
	}
}

// TestServerRefusedByItsDatabase: the server does not wait if the password is wrong or the
// database does not exist.
func TestServerRefusedByItsDatabase(t *testing.T) {
	for code, want := range map[string]string{"28P01": "password", "3D000": "does not exist"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go refuseAll(l, code, want)
		p := launch(t, "-addr", "127.0.0.1:0", "-no-agent", "-db", "postgres://u:secret@"+l.Addr().String()+"/x?sslmode=disable")
		if err := p.end(t); err == nil || !strings.Contains(p.log.String(), want) || strings.Contains(p.log.String(), "secret") {
			t.Errorf("%s: %v\n%s", code, err, p.log)
		}
	}
}

// refuseAll answers like a PostgreSQL server that refuses all clients.
func refuseAll(l net.Listener, code, message string) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = c.Read(make([]byte, 4096)) // the client's startup message
		fields := "SFATAL\x00VFATAL\x00C" + code + "\x00M" + message + "\x00\x00"
		_, _ = c.Write(append([]byte{'E', 0, 0, 0, byte(len(fields) + 4)}, fields...))
		c.Close()
	}
}
