package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hone-go/hone/api/openapi"
)

// clientScript is what a front end does with the client, and prints what came of
// it.
const clientScript = `
import { ApiError, type Batch, Client } from "./client.js";
const api = new Client(process.argv[2]);
const now = new Date().toISOString();
const batch: Batch = { readings: [{ host: "from-node", at: now, load1: 0.5, cores: null, disks: null, networks: null, temperatures: null }] };
const posted = await api.postV1Readings(batch);
const again = await api.postV1Readings(batch);
const page = await api.getV1Readings({ host: "from-node", limit: 5 });
const latest = await api.getV1HostsHost({ host: "from-node" });
const health = await api.getHealthz();
let missing: unknown;
try {
  await api.getV1HostsHost({ host: "nobody" });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  missing = [error.status, error.message.includes("nobody")];
}
console.log(JSON.stringify({ stored: posted.stored, repeated: again.repeated, readings: page.readings?.length, host: latest.host, health: health.status, missing }));
`

// TestTypeScriptClient makes a client from the document that pulse serves,
// compiles it strictly, and lets it talk to pulse.
func TestTypeScriptClient(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on PATH: the TypeScript client is not run")
	}
	tsc, err := exec.LookPath("tsc")
	if err != nil {
		t.Skip("no tsc on PATH: the TypeScript client is not compiled")
	}
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent")
	resp, err := http.Get(p.url + "/openapi.json")
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
	dir := t.TempDir()
	for name, data := range map[string][]byte{"client.ts": client, "main.ts": []byte(clientScript), "package.json": []byte(`{"type":"module"}`)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// What node is, the compiler would learn from a package of types.
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
	run := exec.CommandContext(t.Context(), node, "main.js", p.url)
	run.Dir = dir
	out, err := run.CombinedOutput()
	want := `{"stored":1,"repeated":1,"readings":1,"host":"from-node","health":"ok","missing":[404,true]}` + "\n"
	if err != nil || string(out) != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, out, want)
	}
}
