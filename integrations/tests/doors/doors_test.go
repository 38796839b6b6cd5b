package doors

import (
	"bytes"
	"encoding/json"
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

	"github.com/hone-go/hone/internal/test/docs"

	// The programs on the pages import these packages.
	_ "github.com/bytedance/sonic"
	_ "github.com/danielgtaylor/huma/v2/adapters/humago"
	_ "github.com/gin-gonic/gin"
	_ "github.com/go-chi/chi/v5/middleware"
	_ "github.com/goccy/go-json"
	_ "github.com/gofiber/fiber/v3"
	_ "github.com/hone-go/hone/api"
	_ "github.com/hone-go/hone/integrations/routers"
	_ "github.com/json-iterator/go"
)

var root = filepath.Join("..", "..", "..")

// programs returns the whole programs of a page.
func programs(t *testing.T, page string) (texts []string) {
	t.Helper()
	blocks, err := docs.Read(root, "docs/migrating/"+page)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if b.Language == "go" && strings.Contains(b.Text, "\npackage main\n") {
			texts = append(texts, b.Text)
		}
	}
	if len(texts) != 2 {
		t.Fatalf("%s has %d programs, want one before and one after", page, len(texts))
	}
	return texts
}

// build builds a program with the dependencies of this module.
func build(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// start runs a server until the test ends, and returns its address.
func start(t *testing.T, program string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "ADDRESS="+address, "API_KEY=secret")
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("the program's log:\n%s", &log)
		}
	})
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			return address
		}
		if time.Now().After(deadline) {
			t.Fatal("the server does not listen")
		}
	}
}

// A request is sent to both programs.
type request struct {
	method, path, key, body string
	status                  int
	after                   int    // the status of the program after the change, if it differs
	json                    string // the body of a success
}

func requests() []request {
	return []request{
		{method: "GET", path: "/v1/hosts/a/readings", status: 401},
		{method: "GET", path: "/v1/hosts/a/readings", key: "wrong", status: 401},
		{method: "GET", path: "/v1/hosts/a/readings", key: "secret", status: 200, json: `[]`},
		{method: "POST", path: "/v1/hosts/a/readings", key: "secret", body: `{"celsius":21.5}`, status: 201, json: `{"host":"a","celsius":21.5}`},
		{method: "POST", path: "/v1/hosts/a/readings", key: "secret", body: `{"celsius":22}`, status: 201, json: `{"host":"a","celsius":22}`},
		{method: "POST", path: "/v1/hosts/a/readings", key: "secret", body: `{"celsius":-300}`, status: 422},
		{method: "POST", path: "/v1/hosts/a/readings", key: "secret", body: `{"celsius":`, status: 400},
		{method: "GET", path: "/v1/hosts/a/readings", key: "secret", status: 200, json: `[{"host":"a","celsius":21.5},{"host":"a","celsius":22}]`},
		{method: "GET", path: "/v1/hosts/a/readings?limit=1", key: "secret", status: 200, json: `[{"host":"a","celsius":22}]`},
		{method: "GET", path: "/v1/hosts/a/readings?limit=many", key: "secret", status: 400},
		{method: "GET", path: "/v2", key: "secret", status: 404},
	}
}

func ask(t *testing.T, address string, r request) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), r.method, "http://"+address+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	if r.key != "" {
		req.Header.Set("Authorization", "Bearer "+r.key)
	}
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// TestServices sends the same requests to the program before and to the program after.
func TestServices(t *testing.T) {
	for page, change := range map[string]func([]request){
		"fiber.md":    nil,
		"net-http.md": nil,
		"gin.md":      func(all []request) { all[5].status, all[5].after = 400, 422 },
		"huma.md":     func(all []request) { all[9].status, all[9].after = 422, 400 },
	} {
		t.Run(page, func(t *testing.T) {
			all := requests()
			if change != nil {
				change(all)
			}
			for i, source := range programs(t, page) {
				when := [...]string{"before", "after"}[i]
				address := start(t, build(t, source))
				for _, r := range all {
					if i == 1 && r.after != 0 {
						r.status = r.after
					}
					status, body := ask(t, address, r)
					if status != r.status || r.json != "" && !sameJSON(t, body, r.json) {
						t.Errorf("%s: %s %s with key %q and %s: %d %s, want %d %s", when, r.method, r.path, r.key, r.body, status, body, r.status, r.json)
					}
				}
			}
		})
	}
}

// TestEcho runs the program on the page about Echo v5, as it is and with the imports that the page
// changes.
func TestEcho(t *testing.T) {
	blocks, err := docs.Read(root, "docs/migrating/echo.md")
	if err != nil {
		t.Fatal(err)
	}
	var before, imports string
	for _, b := range blocks {
		switch {
		case b.Language == "go" && strings.Contains(b.Text, "\npackage main\n"):
			before = b.Text
		case b.Language == "go" && strings.HasPrefix(b.Text, "import ("):
			imports = b.Text
		}
	}
	from, end := strings.Index(before, "import ("), strings.Index(before, "\n)\n")
	if from < 0 || end < from || !strings.Contains(imports, "hone/web") {
		t.Fatal("the page has no program, or no imports of Hone")
	}
	for when, source := range map[string]string{"before": before, "after": before[:from] + imports + before[end+len("\n)\n"):]} {
		address := start(t, build(t, source))
		for _, r := range []request{
			{method: "GET", path: "/v1/hosts/a", status: 401},
			{method: "GET", path: "/v1/hosts/a", key: "secret", status: 200, json: `[]`},
			{method: "POST", path: "/v1/hosts/a/readings", key: "secret", body: `{"celsius":21.5}`, status: 201, json: `{"host":"a","celsius":21.5}`},
			{method: "POST", path: "/v1/hosts/a/readings", key: "secret", body: `{"celsius":-300}`, status: 422},
			{method: "POST", path: "/v1/hosts/a/readings", key: "secret", body: `{"celsius":`, status: 400},
			{method: "GET", path: "/v1/hosts/a?limit=1", key: "secret", status: 200, json: `[{"host":"a","celsius":21.5}]`},
			{method: "GET", path: "/v1/hosts/a?limit=many", key: "secret", status: 400},
			{method: "GET", path: "/v2", key: "secret", status: 404},
		} {
			status, body := ask(t, address, r)
			if status != r.status || r.json != "" && !sameJSON(t, body, r.json) {
				t.Errorf("%s: %s %s: %d %s, want %d %s", when, r.method, r.path, status, body, r.status, r.json)
			}
		}
	}
}

// sameJSON reports whether two texts are the same JSON.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal([]byte(a), &x); err != nil {
		return false
	}
	if err := json.Unmarshal([]byte(b), &y); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}

// TestLibraries runs the program on the page about libraries for JSON with each of the libraries, and compares the
// outputs.
func TestLibraries(t *testing.T) {
	const input = `{"id":"1","at":"2026-01-02T03:04:05Z","items":[{"name":"ink","price":2.5},{"name":"pen & paper","price":1e2}]}
		{"id":"2","at":"2026-01-02T03:04:05.5+02:00","items":null,"notes":{"b":"ü","a":"<"}}`
	all := programs(t, "json-libraries.md")
	before := all[0]
	const load, variable = "\tjsoniter \"github.com/json-iterator/go\"\n", "var json = jsoniter.ConfigCompatibleWithStandardLibrary\n"
	if strings.Count(before, load) != 1 || strings.Count(before, variable) != 1 {
		t.Fatal("the program before has another import")
	}
	outputs := map[string]string{}
	for name, source := range map[string]string{
		"jsoniter": before,
		"sonic":    strings.NewReplacer(load, "\t\"github.com/bytedance/sonic\"\n", variable, "var json = sonic.ConfigStd\n").Replace(before),
		"goccy":    strings.NewReplacer(load, "\tjson \"github.com/goccy/go-json\"\n", variable, "").Replace(before),
		"Hone":     all[1],
	} {
		cmd := exec.Command(build(t, source))
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		outputs[name] = string(out)
	}
	if !strings.Contains(outputs["Hone"], `"pen \u0026 paper":100`) {
		t.Errorf("Hone: %s", outputs["Hone"])
	}
	for name, out := range outputs {
		if out != outputs["Hone"] {
			t.Errorf("%s: %s\nHone: %s", name, out, outputs["Hone"])
		}
	}
}
