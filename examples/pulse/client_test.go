package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

// clientScript uses the client as a front end does, and prints the
// results.
const clientScript = `
import { ApiError, type Batch, Client } from "./client.js";
const api = new Client(process.argv[2]);
const now = new Date().toISOString();
const batch: Batch = { readings: [{ host: "from-node", at: now, load1: 0.5, cores: null, disks: null, networks: null, temperatures: null }] };
const posted = await api.postV1Readings({}, batch);
const again = await api.postV1Readings({}, batch);
const page = await api.getV1Readings({ host: "from-node", limit: 5 });
const latest = await api.getV1HostsHost({ host: "from-node" });
const health = await api.getHealthz();
const page1 = new AbortController();
let live = "";
for await (const event of api.getV1Live({ host: "live" }, { signal: page1.signal, headers: { "X-Any": "header" } })) {
  const data: unknown = event.data;
  live = event.id + " " + JSON.stringify(typeof data === "string" ? JSON.parse(data).load1 : (data as { load1: number }).load1);
  page1.abort();
}
let missing: unknown;
try {
  await api.getV1HostsHost({ host: "nobody" });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  missing = [error.status, error.message.includes("nobody")];
}
console.log(JSON.stringify({ stored: posted.stored, repeated: again.repeated, readings: page.readings?.length, host: latest.host, health: health.status, missing, live: live.endsWith(" 0.75") }));
`

// TestTypeScriptClient makes a client from the document that pulse serves, compiles it strictly,
// and calls pulse with it.
func TestTypeScriptClient(t *testing.T) {
	node := testkit.Tool(t, "node")
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent")
	dir := compileClient(t, p.url, clientScript)
	posted := make(chan error, 1)
	defer func() { t.Log("posting ended:", <-posted) }()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { posted <- postUntil(ctx, p.url, "live") }()
	run := exec.CommandContext(t.Context(), node, "main.js", p.url)
	run.Dir = dir
	out, err := run.CombinedOutput()
	want := `{"stored":1,"repeated":1,"readings":1,"host":"from-node","health":"ok","missing":[404,true],"live":true}` + "\n"
	if err != nil || string(out) != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, out, want)
	}
}

// postUntil posts readings of a host, until ctx is done.
func postUntil(ctx context.Context, url, host string) error {
	for at := time.Now().Add(-time.Hour); ; {
		reading := readingsFrom(host, at, 1)
		reading[0].Load1 = mo.Some(0.75)
		if _, err := post(url, reading...); err == nil { // an error means that pulse is still starting
			at = at.Add(time.Second)
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil
		}
	}
}

// compileClient makes a client from the document that pulse serves, and compiles it
// strictly, with a module that uses it. It returns the folder with client.js and main.js.
func compileClient(t *testing.T, address, script string) (dir string) {
	t.Helper()
	tsc := testkit.Tool(t, "tsc")
	resp, err := http.Get(address + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var document openapi.Document
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	client, err := document.TypeScript()
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for name, data := range map[string][]byte{"client.ts": client, "main.ts": []byte(script), "package.json": []byte(`{"type":"module"}`)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// This declaration replaces a package with the types of Node.js.
	declared := []byte("declare const process: { argv: [string, string, string] };\n")
	if err := os.WriteFile(filepath.Join(dir, "node.d.ts"), declared, 0o600); err != nil {
		t.Fatal(err)
	}
	compile := exec.CommandContext(t.Context(), tsc, "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes",
		"--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "main.ts", "node.d.ts")
	compile.Dir = dir
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("tsc: %v\n%s\n%s", err, out, client)
	}
	return dir
}

// browserScript follows readings with the client, as a page of another program would.
const browserScript = `
import { Client } from "./client.js";
const api = new Client("", { headers: { "X-Any": "header" } });
const seen: string[] = [];
let lost = 0;
for await (const event of api.getV1Live({ host: "live" }, { onLost: () => lost++, maxWait: 300 })) {
  seen.push(event.id);
  document.body.dataset["seen"] = String(seen.length);
  document.body.dataset["lost"] = String(lost);
  document.body.dataset["twice"] = String(seen.length - new Set(seen).size);
}
`

// TestTypeScriptClientInBrowser follows live readings in a browser, over a restart of pulse.
func TestTypeScriptClientInBrowser(t *testing.T) {
	needSignals(t)
	tab, complaints := browser(t)
	db := filepath.Join(t.TempDir(), "pulse.db")
	p := start(t, "127.0.0.1:0", db, "-no-agent")
	files := http.FileServer(http.Dir(compileClient(t, p.url, browserScript)))
	target, err := url.Parse(p.url)
	if err != nil {
		t.Fatal(err)
	}
	pulse := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, ErrorLog: log.New(io.Discard, "", 0)}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, ".js"):
			files.ServeHTTP(w, r)
		case r.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, `<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="main.js"></script>`)
		default:
			pulse.ServeHTTP(w, r)
		}
	}))
	defer site.CloseClientConnections()
	posted := make(chan error, 1)
	defer func() { t.Log("posting ended:", <-posted) }()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { posted <- postUntil(ctx, p.url, "live") }()
	if err := chromedp.Do(tab, chromedp.Navigate(site.URL)); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, tab, `Number(document.body.dataset.seen) >= 3`)
	if err := p.interrupt(t); err != nil {
		t.Fatalf("with a stream open: %v\n%s", err, p.log)
	}
	before := evaluate[string](t, tab, `document.body.dataset.seen`)
	start(t, target.Host, db, "-no-agent")
	waitUntil(t, tab, `Number(document.body.dataset.seen) >= `+before+` + 3 && Number(document.body.dataset.lost) > 0`)
	if twice := evaluate[string](t, tab, `document.body.dataset.twice`); twice != "0" {
		t.Errorf("%s readings came twice", twice)
	}
	for _, c := range complaints() {
		if !strings.Contains(c, "502") && !strings.Contains(c, "ERR_INCOMPLETE_CHUNKED_ENCODING") {
			t.Errorf("the page complains: %s", c)
		}
	}
}
