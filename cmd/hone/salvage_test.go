package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/hone-go/hone/cmd/hone/internal/sample"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/container"
)

// lines returns the JSON of the lines with the numbers from ≤ n < to.
func lines(from, to int) (text string) {
	for i := from; i < to; i++ {
		text += fmt.Sprintf("{\"Item\":%d,\"Count\":%d}\n", i, -i)
	}
	return text
}

// contained returns a container with six lines in blocks of two, and the offsets of the blocks.
func contained(t *testing.T, o container.Options) (data []byte, blocks []int) {
	t.Helper()
	var out bytes.Buffer
	w, err := container.NewWriter[sample.Line](&out, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		if i%2 == 0 {
			blocks = append(blocks, out.Len())
		}
		if err := w.Write(&sample.Line{Item: i, Count: -i}); err != nil {
			t.Fatal(err)
		}
		if i%2 == 1 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	blocks = append(blocks, out.Len())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), blocks
}

func TestDecodeContainer(t *testing.T) {
	s := schemaFile(t, wire.Must(wire.SchemaOf[sample.Line]()))
	other := schemaFile(t, wire.Must(wire.SchemaOf[sample.Config]()))
	data, blocks := contained(t, container.Options{})
	small, _ := contained(t, container.Options{Compression: container.Gzip(gzip.BestSpeed)})
	bare, _ := contained(t, container.Options{OmitSchema: true})
	damaged := bytes.Clone(data)
	damaged[blocks[1]+50] ^= 1
	first := bytes.Clone(data)
	first[3] ^= 1
	for _, test := range []struct {
		name           string
		data           []byte
		args           []string
		code           int
		stdout, stderr string
	}{
		{"whole", data, nil, 0, lines(0, 6), ""},
		{"whole, salvaged", data, []string{"-salvage"}, 0, lines(0, 6), "read 6 records; nothing was lost\n"},
		{"compressed", small, nil, 0, lines(0, 6), ""},
		{"a schema of one's own", data, []string{"-schema", s}, 0, lines(0, 6), ""},
		{"no schema", bare, nil, 2, "", "has no schema in its header; use -schema to name the file"},
		{"a schema in place of the header's", bare, []string{"-schema", s}, 0, lines(0, 6), ""},
		{"another schema", bare, []string{"-schema", other}, 1, "", "the fingerprint of -schema is"},
		{"damaged", damaged, nil, 1, "", fmt.Sprintf("lost 58 bytes at byte %d, 1 block, 2 records: the checksum of a block does not match; hone decode -salvage", blocks[1])},
		{"damaged, salvaged", damaged, []string{"-salvage"}, 1, lines(0, 2) + lines(4, 6), fmt.Sprintf("lost 58 bytes at byte %d, 1 block, 2 records: the checksum of a block does not match\nread 4 records; lost 2 records, in 1 block and 58 bytes\n", blocks[1])},
		{"a damaged header, salvaged", first, []string{"-salvage"}, 1, lines(0, 6), "a copy of the header is damaged\nread 6 records; lost 0 records, in "},
		{"not closed", data[:blocks[3]], nil, 0, lines(0, 6), "was not closed"},
		{"torn", data[:blocks[2]+9], []string{"-salvage"}, 1, lines(0, 4), "lost at least 0 records, in 1 block and 9 bytes\n"},
		{"not a container", []byte("text"), []string{"-salvage"}, 2, "", "not a container; use -schema to name the file"},
		{"a value", []byte("\x02\x03"), []string{"-salvage", "-schema", s}, 2, "", "-salvage requires -stream, or a container"},
	} {
		out, stderr, code := callHone(t, string(test.data), append([]string{"decode"}, test.args...)...)
		if code != test.code || out != test.stdout || !strings.Contains(stderr, test.stderr) || test.stderr == "" && stderr != "" {
			t.Errorf("%s: exit %d\n%s\n%s", test.name, code, stderr, out)
		}
	}
}

func TestSalvageStream(t *testing.T) {
	s := wire.Must(wire.SchemaOf[sample.Line]())
	file := schemaFile(t, s)
	var b bytes.Buffer
	e := wire.NewEncoder(&b)
	for i := range 4 {
		if err := e.Encode(&sample.Line{Item: i, Count: -i}); err != nil {
			t.Fatal(err)
		}
	}
	whole := b.String()
	print := s.Fingerprint()
	for _, test := range []struct {
		name, data string
		args       []string
		code       int
		stdout     string
		stderr     string
	}{
		{"whole", whole, []string{"-stream"}, 0, lines(0, 4), "read 4 records; nothing was lost\n"},
		{"after a fingerprint", string(print[:]) + whole, []string{"-fingerprint"}, 0, lines(0, 4), "read 4 records; nothing was lost\n"},
		{"torn", whole[:len(whole)-1], []string{"-stream"}, 1, lines(0, 3), "lost 2 bytes at byte 9, 1 record: the stream ends within the record, or its length is damaged\nread 3 records; lost 1 record, in 2 bytes\n"},
		{"a bad record", "\x02\x80\x00" + whole, []string{"-stream"}, 1, lines(0, 4), "lost 3 bytes at byte 0, 1 record: byte "},
		{"a bad length", whole + "\x83\x00" + whole, []string{"-stream"}, 1, lines(0, 4), "lost 14 bytes at byte 12, an unknown number of records: malformed length, so the start of the next record is unknown\nread 4 records; lost at least 0 records, in 14 bytes\n"},
	} {
		out, stderr, code := callHone(t, test.data, append([]string{"decode", "-salvage", "-schema", file}, test.args...)...)
		if code != test.code || out != test.stdout || !strings.Contains(stderr, test.stderr) {
			t.Errorf("%s: exit %d\n%s\n%s", test.name, code, stderr, out)
		}
	}
}
