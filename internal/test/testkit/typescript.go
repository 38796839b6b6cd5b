package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// RunTypeScript compiles the program main, which imports client.js, together with a client, with the
// strictest options of tsc. It runs the program under node with the argument arg, as
// process.argv[2], and returns its output. Without node or tsc the test is skipped or
// fails; see [Tool].
func RunTypeScript(t *testing.T, client, main, arg string) string {
	t.Helper()
	node, tsc := Tool(t, "node"), Tool(t, "tsc")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"client.ts": client, "main.ts": main, "package.json": `{"type":"module"}`,
		"node.d.ts": "declare const process: { argv: [string, string, string] };\n", // the types of node would otherwise need a package
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	compile := exec.CommandContext(t.Context(), tsc, "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes",
		"--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "main.ts", "node.d.ts")
	compile.Dir = dir
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("tsc: %v\n%s\n%s", err, out, client)
	}
	run := exec.CommandContext(t.Context(), node, "main.js", arg)
	run.Dir = dir
	out, err := run.CombinedOutput()
	if err != nil {
		t.Errorf("node: %v", err)
	}
	return string(out)
}
