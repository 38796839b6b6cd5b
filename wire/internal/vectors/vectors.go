// Package vectors keeps test vectors in files for implementations in other languages. A vector
// has a schema, bytes and the JSON of their value, so a file can be read without this module.
package vectors

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/hone-go/hone/wire/schema"
)

// A Value is a valid encoding and its schema.
type Value struct {
	Name   string
	Schema *schema.Schema
	Bytes  []byte
}

// An Invalid is an encoding that a reader of the schema refuses with Err, or with any error if Err is
// nil. Cause is the word for the reason in the file.
type Invalid struct {
	Name   string
	Schema *schema.Schema
	Bytes  []byte
	Cause  string
	Err    error
}

// A line is a vector in the file. It has exactly one of JSON and Cause.
type line struct {
	Name        string          `json:"name"`
	Schema      json.RawMessage `json:"schema"`
	Fingerprint string          `json:"fingerprint"`
	Bytes       string          `json:"bytes"`
	JSON        json.RawMessage `json:"json,omitempty"`
	Cause       string          `json:"cause,omitempty"`
}

// A file is the content of a file with vectors.
type file struct {
	Version int    `json:"version"`
	Values  []line `json:"values"`
	Invalid []line `json:"invalid"`
}

// Check compares values and invalid encodings with the vectors in the file called name. A vector in
// the file never changes. With HONE_UPDATE set, Check appends the vectors that the file does not
// have.
func Check(t *testing.T, name string, values []Value, invalid []Invalid) {
	t.Helper()
	update := os.Getenv("HONE_UPDATE") != ""
	frozen := file{Version: 1}
	if data, err := os.ReadFile(name); err == nil {
		if err := json.Unmarshal(data, &frozen); err != nil {
			t.Fatal(err)
		}
	} else if !update {
		t.Fatal(err)
	}
	var made file
	for _, v := range values {
		made.Values = append(made.Values, value(t, v))
	}
	for _, v := range invalid {
		made.Invalid = append(made.Invalid, refused(t, v))
	}
	frozen.Values = compare(t, frozen.Values, made.Values, update)
	frozen.Invalid = compare(t, frozen.Invalid, made.Invalid, update)
	if update {
		write(t, name, frozen)
	}
}

// describe returns a line that has only the schema and the bytes.
func describe(t *testing.T, name string, s *schema.Schema, data []byte) line {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return line{Name: name, Schema: text, Fingerprint: s.Fingerprint().String(), Bytes: hex.EncodeToString(data)}
}

// value returns the line of a valid encoding. It checks that the JSON is encoded to the same
// bytes.
func value(t *testing.T, v Value) line {
	t.Helper()
	out := describe(t, v.Name, v.Schema, v.Bytes)
	text, err := v.Schema.AppendJSON(nil, v.Bytes)
	if err != nil {
		t.Errorf("%s: %v", v.Name, err)
	}
	if back, err := v.Schema.EncodeJSON(nil, text); err != nil || !bytes.Equal(back, v.Bytes) {
		t.Errorf("%s: %s is %x, %v; want %x", v.Name, text, back, err, v.Bytes)
	}
	out.JSON = text
	return out
}

// refused returns the line of an invalid encoding. It checks that the schema refuses the bytes.
func refused(t *testing.T, v Invalid) line {
	t.Helper()
	if _, err := v.Schema.Decode(v.Bytes); err == nil || v.Err != nil && !errors.Is(err, v.Err) {
		t.Errorf("%s: %v; want %v", v.Name, err, v.Err)
	}
	out := describe(t, v.Name, v.Schema, v.Bytes)
	out.Cause = v.Cause
	return out
}

// compare compares each line that the test made with the frozen line of the same name. It returns
// the frozen lines, followed by the new ones if update is set.
func compare(t *testing.T, frozen, made []line, update bool) []line {
	t.Helper()
	known := map[string]line{}
	for _, l := range frozen {
		known[l.Name] = l
	}
	seen := map[string]bool{}
	for _, l := range made {
		if seen[l.Name] {
			t.Errorf("%s: two vectors have this name", l.Name)
		}
		seen[l.Name] = true
		old, ok := known[l.Name]
		switch {
		case !ok && update:
			frozen = append(frozen, l)
		case !ok:
			t.Errorf("%s: no vector", l.Name)
		case text(t, old) != text(t, l):
			t.Errorf("%s has changed:\nfrozen %s\nis     %s", l.Name, text(t, old), text(t, l))
		}
	}
	for name := range known {
		if !seen[name] {
			t.Errorf("the file has a vector %s, but the test has no value of that name", name)
		}
	}
	return frozen
}

// text returns a line as it is in the file. The JSON of a value is not changed.
func text(t *testing.T, l line) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

// write writes each vector on one line, so that a diff shows which one changes.
func write(t *testing.T, name string, f file) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("{\n\"version\": 1,\n")
	for i, part := range []struct {
		name  string
		lines []line
	}{{"values", f.Values}, {"invalid", f.Invalid}} {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString("\"" + part.name + "\": [")
		for j, l := range part.lines {
			if j > 0 {
				b.WriteString(",")
			}
			b.WriteString("\n" + text(t, l))
		}
		b.WriteString("\n]")
	}
	b.WriteString("\n}\n")
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
