// The generator writes the Go types of the public documents and of the small messages.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hone-go/hone/bench/suite/contestants/corpus"
)

func main() {
	if err := generate("types"); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(folder string) error {
	documents, err := corpus.PublicSources()
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name, variable, origin string
		documents              []corpus.Source
	}{
		{"public.go", "Public", "the test data of github.com/minio/simdjson-go", documents},
		{"messages.go", "Messages", "messages.txt", corpus.MessageSources()},
	} {
		source, err := corpus.Generate(f.variable, f.origin, f.documents)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, f.name), source, 0o644); err != nil {
			return err
		}
	}
	return nil
}
