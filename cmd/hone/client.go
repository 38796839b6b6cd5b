package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/hone-go/hone/api/openapi"
)

const clientHelp = `Prints a TypeScript client of the API that an OpenAPI 3.1 or 3.2 document describes. The
client is one module with a type for each schema and a method for each operation. It
imports nothing, and compiles with tsc --strict.

SOURCE is a document in JSON or YAML: a file, the URL of a running service, or - for
the standard input.

  hone client -ts -o src/api.ts http://127.0.0.1:8080/openapi.json
`

// downloadTime is the maximum time for the download of a document.
const downloadTime = 30 * time.Second

func makeClient(c *call) action {
	ts := c.flags.Bool("ts", false, "generate TypeScript, the only supported language")
	out := c.flags.String("o", "", "write to this `file` rather than to the standard output")
	return func(args []string) error {
		if !*ts {
			return fmt.Errorf("-ts is required; TypeScript is the only language: %w", errUsage)
		}
		v, err := c.document(args[0])
		if err != nil {
			return err
		}
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		var document openapi.Document
		if err := json.Unmarshal(data, &document); err != nil {
			return fmt.Errorf("%s is not an OpenAPI document: %w", args[0], err)
		}
		if !strings.HasPrefix(document.OpenAPI, "3.1") && !strings.HasPrefix(document.OpenAPI, "3.2.") {
			return fmt.Errorf("%s is not an OpenAPI 3.1 or 3.2 document (openapi: %q)", args[0], document.OpenAPI)
		}
		client, err := document.TypeScript()
		if err != nil {
			return err
		}
		if *out != "" {
			return os.WriteFile(*out, client, 0o644)
		}
		_, err = c.stdout.Write(client)
		return err
	}
}

// fetch reads a file or a URL.
func (c *call) fetch(name string) ([]byte, error) {
	if !strings.HasPrefix(name, "http://") && !strings.HasPrefix(name, "https://") {
		return c.read(name)
	}
	ctx, cancel := context.WithTimeout(context.Background(), downloadTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, name, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", name, resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxInput+1))
	if err == nil && len(data) > maxInput {
		err = errors.New(name + " is longer than 1 GiB")
	}
	return data, err
}
