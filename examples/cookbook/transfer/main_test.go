package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// torn is a body that ends with an error, as if the connection broke.
type torn struct{ io.Reader }

func (t torn) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	if err == io.EOF {
		err = errors.New("the connection broke")
	}
	return n, err
}

func Test(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	h := handler(root)
	send := func(method, path string, body io.Reader, header ...string) (int, string) {
		r := httptest.NewRequest(method, path, body)
		r.Header.Set("Content-Type", "application/octet-stream")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, strings.TrimSpace(w.Body.String())
	}
	big := bytes.Repeat([]byte("0123456789"), 1<<20) // larger than the default limit for bodies
	if status, body := send("PUT", "/v1/files/a.bin", bytes.NewReader(big)); status != 200 || body != `{"bytes":10485760}` {
		t.Fatalf("upload: %d %s", status, body)
	}
	if status, body := send("GET", "/v1/files/a.bin", nil); status != 200 || body != string(big) {
		t.Errorf("download: %d, %d bytes", status, len(body))
	}
	if status, body := send("GET", "/v1/files/a.bin", nil, "Range", "bytes=5-8"); status != http.StatusPartialContent || body != "5678" {
		t.Errorf("range: %d %s", status, body)
	}
	for path, want := range map[string]int{"/v1/files/b.bin": 404, "/v1/files/..": 422, "/v1/files/.a": 422, "/v1/files/..%2Fa": 422} {
		if status, body := send("GET", path, nil); status != want {
			t.Errorf("%s: %d %.80s, want %d", path, status, body, want)
		}
	}
	if status, _ := send("PUT", "/v1/files/a.bin", torn{strings.NewReader("new")}); status < 400 {
		t.Errorf("torn upload: %d", status)
	}
	if data, err := os.ReadFile(dir + "/a.bin"); err != nil || !bytes.Equal(data, big) {
		t.Errorf("a torn upload changed the file: %d bytes, %v", len(data), err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("files: %v, %v", entries, err)
	}
}
