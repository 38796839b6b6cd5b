package openapi_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/web"
)

const streamScript = `
import { Client, ApiError } from "./client.js";

const api = new Client(process.argv[2]);
const numbers: number[] = [];
for await (const one of api.getNumbers({ n: 2500 })) numbers.push(one.n);
let first = -1;
for await (const one of api.getNumbers({ n: 1000000000 })) { first = one.n; break; }
let cut = "whole", refused = 0;
try {
  for await (const one of api.getNumbers({ n: 5, fail: true })) void one;
} catch { cut = "cut off"; }
try {
  for await (const one of api.getNumbers({ n: 0, fail: true })) void one;
} catch (error) {
  if (error instanceof ApiError) refused = error.status;
}
const sum = await api.postSum(numbers.map((n) => ({ n, text: "é" })));
const echoed = await api.putEcho("hello", "text/plain");
console.log(JSON.stringify([numbers.length, numbers[2499], first, cut, refused, sum.n, echoed.headers.get("Content-Type"), await echoed.text()]));
`

type number struct {
	N    int    `json:"n"`
	Text string `json:"text,omitempty"`
}

// TestTypeScriptStreams compiles a client strictly and has it read and send
// streams.
func TestTypeScriptStreams(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on PATH: the TypeScript client is not run")
	}
	tsc, err := exec.LookPath("tsc")
	if err != nil {
		t.Skip("no tsc on PATH: the TypeScript client is not compiled")
	}
	router := web.New()
	e := api.New(router)
	api.Handle(e, "GET /numbers", func(_ context.Context, in *struct {
		N    int  `query:"n"`
		Fail bool `query:"fail"`
	}) (*api.Elements[number], error) {
		return api.ElementsOf(func(yield func(number, error) bool) {
			for i := range in.N {
				if !yield(number{N: i, Text: "é"}, nil) {
					return
				}
			}
			if in.Fail {
				yield(number{}, api.NewProblem(http.StatusConflict, ""))
			}
		}), nil
	})
	api.Handle(e, "POST /sum", func(_ context.Context, in *api.Elements[number]) (*number, error) {
		var sum number
		for v, err := range *in {
			if err != nil {
				return nil, err
			}
			sum.N += v.N
		}
		return &sum, nil
	})
	api.Handle(e, "PUT /echo", func(_ context.Context, in *struct {
		Body io.Reader `body:""`
	}) (*api.Content, error) {
		return &api.Content{Body: in.Body}, nil
	}, api.Operation{ContentType: "text/x-echo"})
	server := httptest.NewServer(router)
	defer server.Close()
	client, err := openapi.Describe(e, openapi.Config{}).TypeScript()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"client.ts": string(client), "main.ts": streamScript, "package.json": `{"type":"module"}`,
		"node.d.ts": "declare const process: { argv: [string, string, string] };\n", // what node is, the compiler would learn from a package
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
	run := exec.CommandContext(t.Context(), node, "main.js", server.URL)
	run.Dir = dir
	out, err := run.CombinedOutput()
	const want = `[2500,2499,0,"cut off",409,3123750,"text/x-echo","hello"]` + "\n"
	if err != nil || string(out) != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, out, want)
	}
}
