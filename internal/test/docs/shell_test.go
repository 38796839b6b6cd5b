package docs

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// prepared is for pages whose blocks have no HTML comments. It maps the first words of a block to the
// lines that run before the block, or to the reason why the block is not run.
var prepared = map[string]map[string]string{
	"examples/pulse/README.md": {
		"go run ./examples/pulse\n":        "not run: it serves until it is stopped",
		"pulse -addr 0.0.0.0:8080":         "not run: both serve until they are stopped",
		"pulse -rule":                      "not run: it serves until it is stopped, and needs a mail server",
		"export PULSE_READ_TOKEN":          "not run: it serves until it is stopped",
		"go test ./examples/pulse/server ": "not run: it changes files",
		"pulse -alert-webhook":             "not run: it needs an account of the service",
		"pulse silence add": pulse + `
pulse() {
	if [ "$2" = end ]; then command pulse silence end -db pulse.db "$id"; else id=$(command pulse "$@"); fi
}
`,
		"pulse token add": pulse,
		"pulse export":    pulse + "ssh() { shift; \"$@\"; }\n",
		"pulse hosts rename": pulse + post("old-name") + `
pulse() { # the lines of the block are alternatives
	[ "$2" != remove ] || set -- "${@/old-name/new-name}"
	command pulse "$@"
}
`,
		"curl 'http": pulse + post("kitchen") + `
export PULSE_READ_TOKEN=none
curl() { # a stream of events has no end
	command curl --silent --fail --max-time 2 "${@/127.0.0.1:8080/$address}" || test $? = 28
}
`,
		"curl http": pulse + `curl() { command curl --silent --fail "${@/127.0.0.1:8080/$address}"; }` + "\n",
	},
}

// pulse starts a server.
const pulse = `needs curl
pulse -addr "$FREE" -db pulse.db >log 2>&1 &
trap "kill $!" EXIT
address=$FREE
for i in $(seq 100); do curl --silent --fail "http://$address/healthz" && break; sleep 0.1; done
`

// post returns a line that posts a reading of a host.
func post(host string) string {
	return `command curl --silent --fail "http://$address/v1/readings" -H 'Content-Type: application/json' -d '{"readings":[{"host":"` + host + `","at":"'$(date -u +%FT%TZ)'"}]}'` + "\n"
}

// prepare adds lines of prepared to a block.
func prepare(t *testing.T, b *Block) {
	t.Helper()
	lines, ok := prepared[b.Page]
	if !ok {
		return
	}
	for first, setup := range lines {
		if strings.HasPrefix(b.Text, first) {
			if reason, ok := strings.CutPrefix(setup, "not run: "); ok {
				b.Omitted = reason
			}
			b.Contexts = []Text{{Text: setup}}
			return
		}
	}
	t.Errorf("%s:%d: no lines are prepared for the block", b.Page, b.Line)
}

// prelude is shell code that runs before each block.
const prelude = `set -euo pipefail
module() { # makes a module that requires this tree
	go mod init "$1"
	go mod edit -go=1.26.0 -require=github.com/hone-go/hone@v0.1.0
	export GOFLAGS="$GOFLAGS -mod=mod" # adds the lines of go.sum
}
in_new_module() { # makes a module that imports an integration
	mkdir service && cd service
	go mod init example.org/service
	printf 'package service\n\nimport _ "github.com/hone-go/hone/integrations/%s"\n' "$1" >service.go
}
next_to_clone() { # makes such a module next to this tree
	ln -s "$HONE" hone
	in_new_module "$1"
}
needs() { # ends the test if a program is not there
	command -v "$1" >/dev/null || exit 77
}
`

// TestShell runs the shell lines of all pages, each block in a separate folder. They must succeed.
// The release that they install is this tree.
func TestShell(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	testkit.SkipInVariant(t)
	if runtime.GOOS != "linux" {
		t.Skip("the pages have commands of GNU")
	}
	bash := testkit.Tool(t, "bash")
	abs := clone(t)
	shared := t.TempDir()
	env := environment(t, abs, shared)
	for _, program := range []string{"cmd/hone", "examples/pulse"} {
		build := exec.Command("go", "build", "-o", filepath.Join(shared, "bin", filepath.Base(program)), "./"+program)
		build.Dir = abs
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go build ./%s: %v\n%s", program, err, out)
		}
	}
	ran := 0
	for _, b := range blocks(t) {
		if b.Language == "sh" {
			prepare(t, &b)
		}
		if b.Language != "sh" || b.Omitted != "" {
			continue
		}
		ran++
		t.Run(fmt.Sprintf("%s:%d", b.Page, b.Line), func(t *testing.T) {
			var script strings.Builder
			script.WriteString(prelude)
			for _, c := range b.Contexts {
				script.WriteString(c.Text + "\n")
			}
			script.WriteString("set -x\n" + b.Text)
			cmd := exec.Command(bash, "-c", script.String())
			cmd.Dir = t.TempDir()
			cmd.Env = append(append(os.Environ(), env...), "FREE="+free(t))
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			switch {
			case errors.As(err, &exit) && exit.ExitCode() == 77 && os.Getenv("HONE_REQUIRE_SERVICES") == "":
				t.Skip("a program is not installed")
			case err != nil:
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	if ran < 20 {
		t.Errorf("the pages have only %d blocks of shell lines that run", ran)
	}
}

// integrations returns the names of the modules in the folder integrations that programs require.
func integrations(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "integrations", "*", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := filepath.Base(filepath.Dir(file)); name != "tests" {
			names = append(names, name)
		}
	}
	if len(names) < 10 {
		t.Errorf("only %d integrations: %q", len(names), names)
	}
	return names
}

// TestIntegrations looks for the lines that add each integration to a module. TestShell runs them.
func TestIntegrations(t *testing.T) {
	list, err := Read(root, "docs/integrations.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range integrations(t) {
		path := "github.com/hone-go/hone/integrations/" + name
		for _, want := range []string{
			"go get " + path + "\n",
			"go mod edit -replace=github.com/hone-go/hone=../hone\ngo mod edit -replace=" + path + "=../hone/integrations/" + name + "\ngo mod tidy\n",
		} {
			if !slices.ContainsFunc(list, func(b Block) bool { return b.Language == "sh" && b.Text == want && b.Omitted == "" }) {
				t.Errorf("the page lacks the block\n%s", want)
			}
		}
	}
}

// clone returns the absolute path of the repository. It skips the test if the root is not a clone.
func clone(t *testing.T) string {
	t.Helper()
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("git", "-C", abs, "rev-parse").Run(); err != nil {
		t.Skip("not a clone of the repository")
	}
	return abs
}

// free returns an address at which a server can listen.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// environment returns the variables for shell lines, with a module proxy that has this tree as the
// release v0.1.0.
func environment(t *testing.T, root, dir string) []string {
	t.Helper()
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := exec.Command("go", "env", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := filepath.Join(dir, "proxy")
	release(t, root, "", files)
	release(t, root, "cmd/hone", files)
	for _, name := range integrations(t) {
		release(t, root, "integrations/"+name, files)
	}
	return []string{
		"HONE=" + root,
		"PATH=" + filepath.Join(dir, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"GOBIN=" + filepath.Join(dir, "gobin"),
		"GOMODCACHE=" + filepath.Join(dir, "mod"),
		"GOPROXY=file://" + files + ",file://" + filepath.Join(strings.TrimSpace(string(cache)), "cache", "download") + "," + strings.TrimSpace(string(proxy)),
		"GONOSUMDB=github.com/hone-go/hone,github.com/hone-go/hone/*",
		"GOFLAGS=-modcacherw -trimpath", // objects of the module cache's packages are the same in each run
		"GOWORK=",
		// A clone is made from this repository.
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url." + root + "/.insteadOf", "GIT_CONFIG_VALUE_0=https://github.com/hone-go/hone",
	}
}

// release writes the release v0.1.0 of a module for a proxy.
func release(t *testing.T, root, folder, proxy string) {
	t.Helper()
	module := strings.TrimSuffix("github.com/hone-go/hone/"+folder, "/")
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "-C", filepath.Join(root, folder), "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Fatal(err)
	}
	var nested []string // the folders of other modules
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for _, name := range names {
		if sub, ok := strings.CutSuffix(name, "/go.mod"); ok {
			nested = append(nested, sub+"/")
		}
	}
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
next:
	for _, name := range names {
		for _, sub := range nested {
			if strings.HasPrefix(name, sub) {
				continue next
			}
		}
		f, err := os.Open(filepath.Join(root, folder, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // it was removed from the working tree
		}
		if err != nil {
			t.Fatal(err)
		}
		part, err := w.Create(module + "@v0.1.0/" + name)
		if err == nil {
			_, err = io.Copy(part, f)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, folder, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"list": []byte("v0.1.0\n"), "v0.1.0.info": []byte(`{"Version":"v0.1.0"}`), "v0.1.0.mod": mod, "v0.1.0.zip": archive.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
