package main

import (
	"net/http/httptest"
	"os"
	"testing"

	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/internal/test/testkit"
)

// TestClient compares the client in this folder with the handlers.
func TestClient(t *testing.T) {
	_, a := handler()
	want, err := openapi.Describe(a, openapi.Config{Title: "Tasks", Version: "1"}).TypeScript()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("client.ts"); err != nil || string(got) != string(want) {
		t.Errorf("client.ts is old: run go generate (%v)", err)
	}
}

// TestApp compiles the program in TypeScript and runs it.
func TestApp(t *testing.T) {
	client, err := os.ReadFile("client.ts")
	if err != nil {
		t.Fatal(err)
	}
	app, err := os.ReadFile("app.ts")
	if err != nil {
		t.Fatal(err)
	}
	e, _ := handler()
	server := httptest.NewServer(e)
	defer server.Close()
	if got, want := testkit.RunTypeScript(t, string(client), string(app), server.URL), "small 2\npaint the house\n404\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
