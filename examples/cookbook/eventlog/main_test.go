package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func Test(t *testing.T) {
	name := filepath.Join(t.TempDir(), "accounts.hwc")
	call := func(line string) (string, error) {
		var out bytes.Buffer
		err := run(name, strings.Fields(line), &out)
		return out.String(), err
	}
	for _, test := range []struct{ line, want, err string }{
		{"deposit ann 50", "", ""},
		{"deposit bob 7", "", ""},
		{"withdraw ann 20", "", ""},
		{"withdraw bob 8", "", "bob has only 7"},
		{"deposit bob -1", "", "invalid syntax"},
		{"steal bob 1", "", "usage"},
		{"balance", "map[ann:30 bob:7]\n", ""},
	} {
		got, err := call(test.line)
		if got != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %q, %v; want %q, %s", test.line, got, err, test.want, test.err)
		}
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	// A crash leaves an incomplete last record. The next event overwrites this record.
	if err := os.WriteFile(name, whole[:bytes.LastIndex(whole, []byte("ann"))+2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := call("balance"); err == nil {
		t.Error("a log that is cut off: no error")
	}
	if _, err := call("deposit ann 1"); err != nil {
		t.Error(err)
	}
	if got, err := call("balance"); got != "map[ann:51 bob:7]\n" || err != nil {
		t.Errorf("after a crash: %q, %v", got, err)
	}
	// A changed byte is reported, and the other events are read.
	whole[bytes.Index(whole, []byte("bob"))] ^= 1
	if err := os.WriteFile(name, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := call("balance"); got != "map[ann:30]\n" || err == nil {
		t.Errorf("after a changed byte: %q, %v", got, err)
	}
}
