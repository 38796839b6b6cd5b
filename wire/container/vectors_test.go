package container

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/hone-go/hone/wire/schema"
)

// A vector is a container, and everything that a reader finds in it. Numbers of bytes are in hexadecimal.
type vector struct {
	Name        string `json:"name"`
	Bytes       string `json:"bytes"`
	Fingerprint string `json:"fingerprint"`
	Compression string `json:"compression,omitempty"`
	// Writing has the options of a Writer that produces the bytes, or is nil if no Writer does.
	Writing *writing `json:"writing,omitempty"`
	// Events are the records and the losses in order.
	Events []vectorEvent `json:"events"`
	Closed bool          `json:"closed"`
}

// A writing has the options of a writer, other than the fingerprint.
type writing struct {
	Marker    string `json:"marker"`
	Schema    string `json:"schema,omitempty"` // the text in the header
	BlockSize int    `json:"blockSize"`
}

// A vectorEvent is a record, or a loss.
type vectorEvent struct {
	Record  *string `json:"record,omitempty"`
	Cause   string  `json:"cause,omitempty"`
	Offset  int64   `json:"offset,omitempty"`
	Bytes   int64   `json:"bytes,omitempty"`
	Blocks  int64   `json:"blocks,omitempty"`
	Records int64   `json:"records,omitempty"`
}

// causes maps the cause of a loss to its name in the file of vectors.
var causes = map[error]string{
	ErrChecksum: "checksum", ErrMissing: "missing", ErrOrder: "order", ErrMalformed: "malformed", ErrLimit: "limit", errCopy: "header",
	io.ErrUnexpectedEOF: "truncated",
}

func vectorOf(t *testing.T, name string, data []byte, w *writing) vector {
	t.Helper()
	r, err := NewRecords(bytes.NewReader(data), ReaderOptions{Compressions: []Compression{Gzip(gzip.BestSpeed)}})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	h := r.Header()
	v := vector{Name: name, Bytes: hex.EncodeToString(data), Fingerprint: h.Fingerprint.String(), Compression: h.Compression, Writing: w}
	for {
		record, err := r.Next()
		if err == io.EOF {
			v.Closed = r.Totals().Closed
			return v
		}
		var lost *LossError
		switch {
		case errors.As(err, &lost):
			word := causes[lost.Err]
			if word == "" {
				word = "compression"
			}
			v.Events = append(v.Events, vectorEvent{Cause: word, Offset: lost.Offset, Bytes: lost.Bytes, Blocks: lost.Blocks, Records: lost.Records})
		case err != nil:
			t.Fatalf("%s: %v", name, err)
		default:
			text := hex.EncodeToString(record)
			v.Events = append(v.Events, vectorEvent{Record: &text})
		}
	}
}

// vectors returns whole and damaged containers.
func vectors(t *testing.T) (all []vector) {
	add := func(name string, data []byte) { all = append(all, vectorOf(t, name, data, nil)) }
	written := func(name string, n int, o Options) sample {
		s := entries(t, n, o)
		r, err := NewRecords(bytes.NewReader(s.data), s.options)
		if err != nil {
			t.Fatal(err)
		}
		w := &writing{Marker: hex.EncodeToString([]byte("a marker of 16 b")), BlockSize: o.BlockSize}
		if h := r.Header(); h.Schema != nil {
			text, err := json.Marshal(h.Schema)
			if err != nil {
				t.Fatal(err)
			}
			w.Schema = string(text)
		}
		if o.Compression.Name != "" {
			w = nil // other versions of compress/gzip may produce other bytes
		}
		all = append(all, vectorOf(t, name, s.data, w))
		return s
	}
	written("empty", 0, Options{OmitSchema: true, BlockSize: 100})
	written("with a schema", 30, Options{BlockSize: 100})
	written("a record of a block", 5, Options{OmitSchema: true, BlockSize: 1})
	written("compressed", 60, Options{OmitSchema: true, BlockSize: 100, Compression: Gzip(gzip.BestCompression)})
	s := written("without a schema", 40, Options{OmitSchema: true, BlockSize: 64})
	at := s.blocks
	change := func(name string, places ...int) {
		data := bytes.Clone(s.data)
		for _, i := range places {
			data[i] ^= 0x40
		}
		add(name, data)
	}
	change("a changed first header", 20)
	change("a changed second header", at[0]-5)
	change("a changed marker", at[2]+3)
	change("a changed head", at[2]+33)
	change("changed records", at[2]+blockHead+5)
	change("a changed checksum", at[3]-1)
	change("two changed blocks", at[1]+50, at[2]+50)
	change("a changed last block of records", at[len(at)-2]-9)
	change("a changed last block", at[len(at)-1]-1)
	add("a removed block", append(bytes.Clone(s.data[:at[1]]), s.data[at[2]:]...))
	add("a removed byte", append(bytes.Clone(s.data[:at[1]+60]), s.data[at[1]+61:]...))
	add("an inserted byte", append(append(bytes.Clone(s.data[:at[1]+60]), 'x'), s.data[at[1]+60:]...))
	add("a repeated block", append(bytes.Clone(s.data[:at[2]]), s.data[at[1]:]...))
	add("swapped blocks", bytes.Join([][]byte{s.data[:at[1]], s.data[at[2]:at[3]], s.data[at[1]:at[2]], s.data[at[3]:]}, nil))
	add("not closed", s.data[:at[len(at)-2]])
	add("cut within a block", s.data[:at[2]+60])
	add("cut within a head", s.data[:at[2]+20])
	add("cut within a marker", s.data[:at[2]+7])
	add("cut within the second header", s.data[:at[0]-9])
	add("bytes after the end", append(bytes.Clone(s.data), "more"...))
	for name, b := range map[string]block{"malformed records": {count: 2, size: 3, length: 3}, "a block over the limit": {count: 1, size: 1 << 30, length: 3}} {
		add(name, append(bytes.Clone(s.data[:at[0]]), forge(b, []byte("\x02a\x00"))...))
	}
	return all
}

// TestVectors makes containers and compares them with the file of vectors, which other languages
// read too. A vector in the file never changes; HONE_UPDATE=1 appends new ones.
func TestVectors(t *testing.T) {
	name := filepath.Join("..", "testdata", "containers", "v1.json")
	var frozen struct {
		Version    int      `json:"version"`
		Containers []vector `json:"containers"`
	}
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &frozen)
	}
	update := os.Getenv("HONE_UPDATE") != ""
	if err != nil && !update {
		t.Fatal(err)
	}
	known := map[string]vector{}
	for _, v := range frozen.Containers {
		known[v.Name] = v
	}
	for _, made := range vectors(t) {
		v, ok := known[made.Name]
		switch {
		case !ok && update:
			frozen.Containers = append(frozen.Containers, made)
			continue
		case !ok:
			t.Errorf("%s: no vector", made.Name)
			continue
		case made.Writing != nil && v.Bytes != made.Bytes:
			t.Errorf("%s is written as %s; the vector is %s", made.Name, made.Bytes, v.Bytes)
		}
		frozenBytes, err := hex.DecodeString(v.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if got := vectorOf(t, v.Name, frozenBytes, v.Writing); !reflect.DeepEqual(got, v) {
			t.Errorf("%s is read as %+v; the vector is %+v", v.Name, got, v)
		}
	}
	if !update {
		return
	}
	frozen.Version = 1
	text, err := json.MarshalIndent(frozen, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestVectorsDecode decodes the records of each vector by the schema in its header. All of them
// must be valid.
func TestVectorsDecode(t *testing.T) {
	for _, v := range vectors(t) {
		if v.Writing == nil || v.Writing.Schema == "" {
			continue
		}
		s := new(schema.Schema)
		if err := json.Unmarshal([]byte(v.Writing.Schema), s); err != nil {
			t.Fatal(err)
		}
		for i, e := range v.Events {
			record, err := hex.DecodeString(*e.Record)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Decode(record); err != nil {
				t.Errorf("%s: record %d: %v", v.Name, i, err)
			}
		}
	}
}
