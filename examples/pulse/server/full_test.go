package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/store"
)

// TestFullDisk fills a real file system. Batches are refused with 507 and Retry-After, the log
// has one line about it, /healthz reports the problem, and stored readings can still be read.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	mount := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", dir)
	if out, err := mount.CombinedOutput(); err != nil {
		t.Skipf("no file system can be made here, which root can on Linux: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	db, err := store.Open(context.Background(), filepath.Join(dir, "pulse.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	batches := queue.NewLocal(db, queue.Options{})
	defer batches.Close()
	var log bytes.Buffer
	server := httptest.NewServer(New(Options{Store: db, Queue: batches, Live: NewLive(), Log: slog.New(slog.NewTextHandler(&log, nil))}))
	defer server.Close()
	post := func(i int) (status int, retryAfter string) {
		t.Helper()
		body := fmt.Sprintf(`{"readings":[{"host":"%s","at":"2026-01-01T00:00:%02d.%03dZ","cores":[],"disks":[],"networks":[],"temperatures":[]}]}`,
			strings.Repeat("h", 200), i/1000, i%1000)
		r, err := http.Post(server.URL+"/v1/readings", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, r.Body)
		r.Body.Close()
		return r.StatusCode, r.Header.Get("Retry-After")
	}
	stored := 0
	for ; stored < 20_000; stored++ {
		if status, _ := post(stored); status == http.StatusInsufficientStorage {
			break
		} else if status != http.StatusOK {
			t.Fatal(status)
		}
	}
	for i := range 200 {
		if status, after := post(20_000 + i); status != http.StatusInsufficientStorage || after == "" {
			t.Fatalf("%d, Retry-After %q", status, after)
		}
	}
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 {
		t.Errorf("%d lines in the log for 201 refusals:\n%.2000s", n, &log)
	}
	for path, want := range map[string]int{"/healthz": http.StatusInsufficientStorage, "/v1/readings?limit=1": http.StatusOK, "/v1/hosts": http.StatusOK} {
		r, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("GET %s: %s, want %d", path, r.Status, want)
		}
	}
	// The disk gets free space.
	if out, err := exec.Command("mount", "-o", "remount,size=8m", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if status, _ := post(30_000); status != http.StatusOK {
		t.Errorf("after the disk got free space: %d", status)
	}
}
