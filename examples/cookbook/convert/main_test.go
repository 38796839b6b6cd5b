package main

import (
	"bytes"
	"encoding/gob"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vmihailenco/msgpack/v5"
)

var orders = []Order{
	{ID: 1, Placed: time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC), Lines: []string{"pen", "ink"}},
	{ID: 2, Placed: time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC), Labels: map[string]string{"gift": "yes"}},
	{},
}

func encode(t *testing.T, format string, values []Order) []byte {
	t.Helper()
	var b bytes.Buffer
	write := gob.NewEncoder(&b).Encode
	if format == "msgpack" {
		write = msgpack.NewEncoder(&b).Encode
	}
	for _, v := range values {
		if err := write(v); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func Test(t *testing.T) {
	gobs, packs := encode(t, "gob", orders), encode(t, "msgpack", orders[:2])
	for _, test := range []struct {
		what, format string
		old          []byte
		n            int
		err          string
	}{
		{"gob", "gob", gobs, 3, ""},
		{"msgpack", "msgpack", packs, 2, ""},
		{"no values", "gob", nil, 0, ""},
		{"gob that ends within a value", "gob", gobs[:len(gobs)-1], 2, "value 2 of the old file: unexpected EOF"},
		{"an empty slice that is not nil", "msgpack", encode(t, "msgpack", []Order{{Placed: orders[0].Placed, Lines: []string{}}}), 1, "value 0 differs"},
		{"another format", "xml", gobs, 0, "unknown format"},
	} {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "old"), filepath.Join(dir, "new")
		if err := os.WriteFile(from, test.old, 0o600); err != nil {
			t.Fatal(err)
		}
		n, err := run(test.format, from, to)
		if n != test.n || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %d values, %v; want %d, %s", test.what, n, err, test.n, test.err)
		}
		if _, err := run(test.format, from, to); err == nil {
			t.Errorf("%s: the new file was overwritten", test.what)
		}
	}
}

// TestCompare compares an old file with the container of other values.
func TestCompare(t *testing.T) {
	for what, other := range map[string][]Order{"a value differs": {orders[1]}, "a value is missing": {}, "a value more": orders[:2]} {
		var b bytes.Buffer
		next, err := open("gob", bytes.NewReader(encode(t, "gob", other)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := convert(next, &b); err != nil {
			t.Fatal(err)
		}
		if next, err = open("gob", bytes.NewReader(encode(t, "gob", orders[:1]))); err != nil {
			t.Fatal(err)
		}
		if err := compare(next, &b); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
