package testkit

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// AddCorpus adds to a fuzz test the inputs that fuzzing has found earlier: the lines of
// testdata/corpus/NAME.txt. A line has the arguments of one run, separated by tabs, in the form
// of Go's own corpus files. The program in the folder corpus writes such files.
func AddCorpus(f *testing.F) {
	f.Helper()
	name := filepath.Join("testdata", "corpus", f.Name()+".txt")
	text, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var args []any
		for arg := range strings.SplitSeq(strings.TrimSuffix(line, "\n"), "\t") {
			v, err := argument(arg)
			if err != nil {
				f.Fatalf("%s: %s: %v", name, arg, err)
			}
			args = append(args, v)
		}
		f.Add(args...)
	}
}

// argument parses an argument such as []byte("text") or uint64(1).
func argument(s string) (any, error) {
	kind, value, ok := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	switch {
	case ok && kind == "[]byte":
		text, err := strconv.Unquote(value)
		return []byte(text), err
	case ok && kind == "uint64":
		return strconv.ParseUint(value, 10, 64)
	}
	return nil, strconv.ErrSyntax
}
