package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestClient(t *testing.T) {
	document, err := os.ReadFile("../../api/openapi/testdata/service.json")
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/openapi.json" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(document)
	}))
	defer s.Close()
	file := filepath.Join(t.TempDir(), "api.ts")
	for _, test := range []struct {
		args   string
		stdin  string
		code   int
		stdout string
		stderr string
	}{
		{"client -ts -", string(document), 0, "export class Client {", ""},
		{"client -ts ../../api/openapi/testdata/service.json", "", 0, "async getPerson(", ""},
		{"client -ts " + s.URL + "/openapi.json", "", 0, "async getPerson(", ""},
		{"client -ts -o " + file + " " + s.URL + "/openapi.json", "", 0, "", ""},
		{"client -ts " + s.URL + "/nothing", "", 1, "", "404"},
		{"client -ts -", "{}", 1, "", "not an OpenAPI 3.1 or 3.2 document"},
		{"client -ts -", "x", 1, "", "not an OpenAPI document"},
		{"client -", "{}", 2, "", "-ts"},
		{"client -ts", "", 2, "", "too few"},
		{"client -ts /does/not/exist", "", 2, "", "no such file"},
		{"help client", "", 0, "tsc --strict", ""},
	} {
		var out, errs bytes.Buffer
		code := run(strings.Fields(test.args), strings.NewReader(test.stdin), &out, &errs)
		if code != test.code || !strings.Contains(out.String(), test.stdout) || !strings.Contains(errs.String(), test.stderr) {
			t.Errorf("hone %s: code %d\n%.300s\n%s", test.args, code, &out, &errs)
		}
	}
	if text, err := os.ReadFile(file); err != nil || !bytes.Contains(text, []byte("export class Client {")) {
		t.Errorf("%.100s, %v", text, err)
	}
}
