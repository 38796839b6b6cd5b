package jsontext

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// recorded is the file with the results for the documents. Tests on Go 1.27 compare this package
// with the standard library and write the file.
const recorded = "testdata/recorded.txt"

// TestRecorded reads and writes all documents with each option. The results must be the recorded
// ones.
func TestRecorded(t *testing.T) {
	sets := []uint32{0, 1 << 16, 1 << 17}
	for i := range flags {
		sets = append(sets, 1<<i)
	}
	var lines []string
	for _, bits := range sets {
		for _, document := range documents {
			digest := fnv.New64a()
			outcome := outcomeOf(document, bits)
			_, _ = io.WriteString(digest, outcome)
			line := fmt.Sprintf("%b %q %x", bits, document, digest.Sum64())
			if lines = append(lines, line); os.Getenv("HONE_OUTCOMES") == line[:strings.LastIndexByte(line, ' ')] {
				t.Log(outcome)
			}
		}
	}
	if os.Getenv("HONE_UPDATE") != "" {
		if err := os.WriteFile(recorded, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, err := os.Open(recorded)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for scanner := bufio.NewScanner(f); scanner.Scan(); n++ {
		if n < len(lines) && scanner.Text() != lines[n] {
			t.Errorf("got %s, want %s; run with HONE_OUTCOMES set to this line without its digest to log the outcome", lines[n], scanner.Text())
		}
	}
	if n != len(lines) {
		t.Errorf("the file has %d outcomes, want %d", n, len(lines))
	}
}

// outcomeOf describes the results of reading a document in several ways: at once and byte by byte,
// as tokens and as values. It also describes the document after writing it again.
func outcomeOf(document string, bits uint32) string {
	var b strings.Builder
	for _, pieces := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader} {
		from := NewDecoder(pieces(strings.NewReader(document)), optionsOf(bits)...)
		var out bytes.Buffer
		to := NewEncoder(&out, optionsOf(bits)...)
		for {
			token, err := from.ReadToken()
			if err != nil {
				fmt.Fprintln(&b, say(err))
				break
			}
			fmt.Fprintln(&b, token.Kind(), token, from.InputOffset(), from.StackDepth(), from.StackPointer(), say(to.WriteToken(token)))
		}
		fmt.Fprintf(&b, "%s %d\n", out.Bytes(), to.OutputOffset())

		from = NewDecoder(pieces(strings.NewReader(document)), optionsOf(bits)...)
		out.Reset()
		to = NewEncoder(&out, optionsOf(bits)...)
		for {
			kind := from.PeekKind()
			value, err := from.ReadValue()
			fmt.Fprintln(&b, kind, string(value), say(err))
			if err != nil {
				break
			}
			fmt.Fprintln(&b, say(to.WriteValue(value)))
		}
		fmt.Fprintf(&b, "%s\n", out.Bytes())
	}
	fmt.Fprintln(&b, say(NewEncoder(io.Discard, optionsOf(bits)...).WriteValue(Value(document))))
	value := Value(document)
	fmt.Fprintln(&b, say(value.Canonicalize()), string(value))
	text, err := AppendFormat(nil, []byte(document), optionsOf(bits)...)
	fmt.Fprintln(&b, string(text), say(err))
	text, err = AppendUnquote(nil, document)
	fmt.Fprintln(&b, string(text), say(err))
	text, err = AppendQuote(nil, document)
	fmt.Fprintln(&b, string(text), say(err))
	return b.String()
}
