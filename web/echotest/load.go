package echotest

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

type loadBytesOpts func([]byte) []byte

// LoadBytes returns the content of a file, whose name is relative to the folder
// of the test that calls it.
func LoadBytes(t *testing.T, name string, opts ...loadBytesOpts) []byte {
	t.Helper()
	_, caller, _, _ := runtime.Caller(1)
	content, err := os.ReadFile(filepath.Join(filepath.Dir(caller), name))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range opts {
		content = o(content)
	}
	return content
}

// TrimNewlineEnd is an option of LoadBytes that removes one line break from the
// end.
func TrimNewlineEnd(content []byte) []byte { return bytes.TrimSuffix(content, []byte("\n")) }
