package web_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

const migration = "testdata/migration"

// TestMigrationPage builds the two programs that docs/migrating/echo.md shows, and checks that
// only their imports differ.
func TestMigrationPage(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/migrating/echo.md")
	if err != nil {
		t.Fatal(err)
	}
	before, imports, rest := program(t, "before")
	if !bytes.Contains(page, []byte("```go\n"+before+"```\n")) {
		t.Error("the page does not show before/main.go as it is")
	}
	_, newImports, newRest := program(t, "after")
	if newRest != rest {
		t.Error("the programs differ in more than their imports")
	}
	if imports == newImports || !bytes.Contains(page, []byte("```go\n"+newImports+"```\n")) {
		t.Errorf("the page does not show the imports of after/main.go as they are:\n%s", newImports)
	}
}

// program returns a program, its imports, and the rest of its text.
func program(t *testing.T, name string) (all, imports, rest string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(migration, name, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	all = string(text)
	start := strings.Index(all, "import (\n")
	end := strings.Index(all, "\n)\n") + len("\n)\n")
	if start < 0 || end < start {
		t.Fatalf("%s has no import declaration in parentheses", name)
	}
	return all, all[start:end], all[:start] + all[end:]
}

// TestMigration runs both programs, and sends the same requests to both.
func TestMigration(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	before, after := runProgram(t, "before"), runProgram(t, "after")
	for _, ask := range []struct {
		method, target, body string
		header               []string
		status               int
	}{
		{method: "GET", target: "/", status: 200},
		{method: "GET", target: "/index.html", status: 200},
		{method: "HEAD", target: "/", status: 405},
		{method: "GET", target: "/nothing.txt", status: 404},
		{method: "GET", target: "/../main.go", status: 404},
		{method: "GET", target: "/v1/hosts/a", status: 401},
		{method: "GET", target: "/v1/hosts/a", header: []string{"Authorization", "Bearer wrong"}, status: 401},
		{method: "GET", target: "/v1/hosts/a", header: authorized(), status: 200},
		{method: "GET", target: "/v1/nothing", status: 401},
		{method: "GET", target: "/v1/nothing", header: authorized(), status: 404},
		{method: "DELETE", target: "/v1/hosts/a", header: authorized(), status: 404},
		{method: "POST", target: "/v1/hosts/a/readings", body: `{"celsius":20.5}`, header: authorized("Content-Type", "application/json"), status: 201},
		{method: "POST", target: "/v1/hosts/a/readings", body: `{"celsius":1e2,"host":"forged"}`, header: authorized("Content-Type", "application/json; charset=utf-8"), status: 201},
		{method: "POST", target: "/v1/hosts/a%2Fb/readings", body: `{"celsius":-4}`, header: authorized("Content-Type", "application/json"), status: 201},
		{method: "POST", target: "/v1/hosts/a/readings", body: `{"celsius":-300}`, header: authorized("Content-Type", "application/json"), status: 422},
		{method: "POST", target: "/v1/hosts/a/readings", body: `{"celsius":"warm"}`, header: authorized("Content-Type", "application/json"), status: 400},
		{method: "POST", target: "/v1/hosts/a/readings", body: `{"celsius":`, header: authorized("Content-Type", "application/json"), status: 400},
		{method: "POST", target: "/v1/hosts/a/readings", body: "celsius=1", header: authorized("Content-Type", "text/plain"), status: 415},
		{method: "POST", target: "/v1/hosts/a/readings", header: authorized(), status: 201},
		{method: "GET", target: "/v1/hosts/a", header: authorized(), status: 200},
		{method: "GET", target: "/v1/hosts/a?limit=1", header: authorized(), status: 200},
		{method: "GET", target: "/v1/hosts/a?limit=ten", header: authorized(), status: 400},
		{method: "GET", target: "/v1/hosts/%C3%A9", header: authorized(), status: 200},
		{method: "GET", target: "/v1/hosts/a", header: authorized("Accept-Encoding", "gzip"), status: 200},
		{method: "GET", target: "/v1/hosts/a", header: authorized("Accept-Encoding", "br"), status: 200},
	} {
		theirs, ours := before(ask.method, ask.target, ask.body, ask.header), after(ask.method, ask.target, ask.body, ask.header)
		if theirs.status != ask.status || !reflect.DeepEqual(theirs, ours) {
			t.Errorf("%s %s %s %q, want %d\nbefore: %d %v %q\nafter:  %d %v %q", ask.method, ask.target, ask.body, ask.header, ask.status,
				theirs.status, theirs.header, theirs.body, ours.status, ours.header, ours.body)
		}
	}
}

func authorized(more ...string) []string {
	return append([]string{"Authorization", "Bearer sesame"}, more...)
}

type migrated struct {
	status int
	header http.Header // except for values that change each time
	body   string
}

// runProgram builds and starts a program, which ends with the test.
func runProgram(t *testing.T, name string) func(method, target, body string, header []string) migrated {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	build := exec.Command("go", "build", "-o", file, "./"+migration+"/"+name)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close() // free the port for the program
	ctx, cancel := context.WithCancel(context.Background())
	run := exec.CommandContext(ctx, file)
	run.Dir = migration
	run.Env = append(os.Environ(), "ADDRESS="+address, "API_KEY=sesame")
	var output bytes.Buffer
	run.Stdout, run.Stderr = &output, &output
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = run.Wait()
		if t.Failed() {
			t.Logf("%s said\n%s", name, &output)
		}
	})
	client := &http.Client{
		Transport:     &http.Transport{DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       time.Minute,
	}
	t.Cleanup(client.CloseIdleConnections)
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not listen: %v", name, err)
		}
	}
	return func(method, target, body string, header []string) migrated {
		r, err := http.NewRequest(method, fmt.Sprintf("http://%s%s", address, target), strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if len(resp.Header.Get("X-Request-Id")) != 32 {
			t.Errorf("%s: request ID %q", name, resp.Header.Get("X-Request-Id"))
		}
		// The first three differ in each run. As the guide says, only Hone sends X-Content-Type-Options
		// with JSON.
		for _, key := range []string{"Date", "X-Request-Id", "Last-Modified", "X-Content-Type-Options"} {
			resp.Header.Del(key)
		}
		if resp.Header.Get("Content-Encoding") == "gzip" {
			text = []byte("compressed")
			resp.Header.Del("Content-Length") // the two compressors produce different lengths
		}
		return migrated{resp.StatusCode, resp.Header, string(text)}
	}
}
