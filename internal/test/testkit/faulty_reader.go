package testkit

import (
	"errors"
	"fmt"
	"io"
	"iter"
)

// A faultyReader returns its parts, one in each call, and then io.EOF.
type faultyReader struct{ parts []readPart }

// A readPart is the result of one call of Read.
type readPart struct {
	text string
	err  error
}

func (r *faultyReader) Read(b []byte) (int, error) {
	if len(r.parts) == 0 {
		return 0, io.EOF
	}
	part := &r.parts[0]
	n := copy(b, part.text)
	if part.text = part.text[n:]; part.text != "" {
		return n, nil
	}
	r.parts = r.parts[1:]
	return n, part.err
}

var errTimeout = errors.New("timeout")

// readFaults are the results of the calls of Read between two parts of a text. The first result
// comes with the bytes of the first part.
var readFaults = []struct {
	name   string
	faults []error
}{
	{"nothing", []error{nil, nil}},
	{"timeout with bytes", []error{errTimeout}},
	{"timeout without bytes", []error{nil, errTimeout}},
	{"two timeouts", []error{errTimeout, errTimeout}},
	{"EOF with bytes", []error{io.EOF}},
	{"EOF without bytes", []error{nil, io.EOF}},
	{"EOF with bytes and without", []error{io.EOF, io.EOF}},
	{"ErrUnexpectedEOF with bytes", []error{io.ErrUnexpectedEOF}},
	{"ErrUnexpectedEOF without bytes", []error{nil, io.ErrUnexpectedEOF}},
}

// FaultyReader returns a reader of text that fails after the first at bytes, with the given number
// of a fault. Both numbers are taken modulo the number of choices.
func FaultyReader(text string, at, fault int) io.Reader {
	at %= len(text) + 1
	r := &faultyReader{[]readPart{{text[:at], nil}}}
	for i, err := range readFaults[fault%len(readFaults)].faults {
		if i == 0 {
			r.parts[0].err = err
		} else {
			r.parts = append(r.parts, readPart{"", err})
		}
	}
	r.parts = append(r.parts, readPart{text[at:], nil})
	return r
}

// FaultyReaders returns descriptions of all readers of text that fail once, and functions that
// create them.
func FaultyReaders(text string) iter.Seq2[string, func() io.Reader] {
	return func(yield func(string, func() io.Reader) bool) {
		for at := range len(text) + 1 {
			for i, f := range readFaults {
				if !yield(fmt.Sprintf("%s at %d", f.name, at), func() io.Reader { return FaultyReader(text, at, i) }) {
					return
				}
			}
		}
	}
}
