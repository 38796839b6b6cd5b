package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/internal/test/testkit"
)

// TestJudged passes documents to third-party tools: a validator, a linter with its recommended rules,
// and a generator of types, which have to compile.
func TestJudged(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	t.Parallel()
	if testing.Short() {
		t.Skip("runs tools of other projects")
	}
	documents := [][]string{
		{"./internal/bigapi.Document"}, {"-openapi", "3.0", "./internal/bigapi.Document"}, {"-openapi", "3.2", "./internal/bigapi.Document"}, {"./internal/unionapi.Document"}, {"-openapi", "3.0", "./internal/unionapi.Document"}, {"-openapi", "3.2", "./internal/unionapi.Document"}, {"./internal/smallapi.Routes"}, {"../../examples/pulse/server.Document"},
	}
	for _, args := range documents {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "openapi.json")
			var out, errs bytes.Buffer
			if code := run(append([]string{"openapi", "export", "-o", file}, args...), nil, &out, &errs); code != 0 {
				t.Fatalf("code %d: %s", code, &errs)
			}
			t.Run("validator", func(t *testing.T) { judge(t, dir, "validate-api", file) })
			t.Run("linter", func(t *testing.T) { judge(t, dir, "redocly", "lint", "--extends=recommended", file) })
			t.Run("types", func(t *testing.T) {
				judge(t, dir, "openapi-typescript", file, "-o", "types.ts")
				judge(t, dir, "tsc", "--strict", "--noEmit", "types.ts")
			})
			if slices.Contains(args, "3.0") {
				return // hone client accepts only OpenAPI 3.1 and 3.2
			}
			t.Run("client", func(t *testing.T) {
				if code := run([]string{"client", "-ts", "-o", filepath.Join(dir, "client.ts"), file}, nil, &out, &errs); code != 0 {
					t.Fatalf("code %d: %s", code, &errs)
				}
				judge(t, dir, "tsc", "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--noEmit", "--target", "es2022", "--lib", "es2022,dom", "client.ts")
			})
		})
	}
}

// judge runs a tool that .ci/run installs.
func judge(t *testing.T, dir, tool string, args ...string) {
	t.Helper()
	path := testkit.Tool(t, tool) // .ci/run tools installs it
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true", "CI=true")
	out, err := cmd.CombinedOutput()
	if err != nil || tool == "validate-api" && !strings.Contains(string(out), `"valid": true`) {
		t.Errorf("%s: %v\n%s", tool, err, out[max(0, len(out)-4000):])
	}
}

// TestOpenAPI runs the commands openapi export and openapi diff.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := func(file string) string { return filepath.Join(dir, file) }
	for file, text := range map[string]string{
		"old.yaml": "openapi: 3.0.3\ninfo: {title: a, version: '1'}\npaths:\n  /a:\n    get:\n      responses:\n        200: {description: ok}\n",
		"new.json": `{"openapi":"3.1.0","paths":{"/a":{"get":{"parameters":[{"name":"q","in":"query","required":true}],"responses":{"200":{},"404":{}}}}}}`,
		"none":     "a: [",
	} {
		if err := os.WriteFile(name(file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args   string
		code   int
		stdout string
		stderr string
	}{
		{"openapi diff DIR/old.yaml DIR/old.yaml", 0, "no change breaks clients", ""},
		{"openapi diff DIR/old.yaml DIR/new.json", 1, "GET /a\n  breaks: the query parameter q is new and required\n1 change breaks clients\n", ""},
		{"openapi diff -all DIR/old.yaml DIR/new.json", 1, "  there is now an answer of status 404\n", ""},
		{"openapi diff DIR/new.json DIR/old.yaml", 1, "the query parameter q was removed", ""},
		{"openapi diff DIR/old.yaml DIR/none", 2, "", "neither JSON nor YAML"},
		{"openapi diff DIR/old.yaml DIR/missing", 2, "", "no such file"},
		{"openapi diff DIR/old.yaml", 2, "", "too few"},
		{"openapi diff DIR/old.yaml main.go", 2, "", "main.go"},
		{"openapi export -yaml ./internal/smallapi.API", 0, "openapi: \"3.1.1\"\n", ""},
		{"openapi export -title Mine -version 7 ./internal/smallapi.Routes", 0, `"title": "Mine",`, ""},
		{"openapi export ./internal/smallapi.Described", 0, `"title": "Small \u0026 more",`, ""},
		{"openapi export -openapi 3.2 ./internal/smallapi.API", 0, "\"openapi\": \"3.2.0\"", ""},
		{"openapi export ./internal/bigapi.Document", 0, "\"x-additional-operations\": {", "QUERY /search: only OpenAPI 3.2 has a place for this method"},
		{"openapi export -openapi 3.2 ./internal/bigapi.Document", 0, "\"query\": {", ""},
		{"openapi export -openapi 3.1 ./internal/smallapi.Newer", 1, "", "has version 3.2.0 of OpenAPI, which cannot be converted to 3.1"},
		{"openapi export ./internal/smallapi.Newer", 0, "\"openapi\": \"3.2.0\"", ""},
		{"openapi export -openapi 2.0 ./internal/smallapi.API", 1, "", "must be 3.0, 3.1 or 3.2"},
		{"openapi export ./internal/smallapi.Broken", 1, "", "a value of type int does not provide an API"},
		{"openapi export ./internal/smallapi.Fails", 1, "", "no API today"},
		{"openapi export ./internal/smallapi.Panics", 1, "", "no API here"},
		{"openapi export ./internal/smallapi.Nothing", 1, "", "has no variable or function Nothing"},
		{"openapi export ./internal/smallapi.Out", 1, "", "Out is a type"},
		{"openapi export Nothing", 2, "", "does not have the form PACKAGE.NAME"},
		{"help openapi export", 0, "func(api.Router)", ""},
		{"help openapi diff", 0, "2 if a document", ""},
	} {
		var out, errs bytes.Buffer
		code := run(strings.Fields(strings.ReplaceAll(test.args, "DIR", dir)), strings.NewReader(""), &out, &errs)
		if code != test.code || !strings.Contains(out.String(), test.stdout) || !strings.Contains(errs.String(), test.stderr) {
			t.Errorf("hone %s: code %d\n%.500s\n%s", test.args, code, &out, &errs)
		}
	}
}

// openapiDocument returns a document that contains s as a value, as a name and in a list.
func openapiDocument(s string) *openapi.Document {
	return &openapi.Document{
		OpenAPI: "3.1.1", Info: openapi.Info{Title: s, Version: "1", Description: s + "\n" + s},
		Servers:    []openapi.Server{{URL: s}},
		Components: openapi.Components{Schemas: map[string]*openapi.Schema{s: {Description: s, Enum: []any{s, nil, 1.5, true}, Required: []string{}}}},
	}
}

// TestYAML parses the YAML of package openapi with another parser.
func TestYAML(t *testing.T) {
	for _, s := range []string{
		"", "a", "a b", "a: b", "a #b", "- a", "yes", "No", "null", "~", "1", "1.5", "0x1f", "2026-01-02", ".inf", "inf", "NaN", "true", "@a", "*a", "&a", "{a}", "[a]",
		"a\nb", "a\n", "\na", "a\n\nb\n", "a\n b", " a", "a ", "a\t", "\ta\nb", "a\n\tb", "a\nb \nc", "a\nb\n\n", "a\r\nb", "\x00\x1f\x7f\u0085\u2028\ufeff", "é\U0001F600", `"q" \`,
		"a:", "a: ", ":", "?", "? a", "!a", "%a", "|", ">", "'a'", "/v1/{id}", "#/a", "a,b", "=", "<<", "0o7", "1e5", "_", "a#b", "y", "-", "--- a", "...", "a\n---\nb",
	} {
		document := openapiDocument(s)
		text, err := document.YAML()
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeDocument(text)
		if err != nil {
			t.Errorf("%q: %v\n%s", s, err, text)
			continue
		}
		data, err := document.JSON()
		if err != nil {
			t.Fatal(err)
		}
		var want any
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as another document:\n%s", s, text)
		}
	}
}
