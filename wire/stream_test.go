package wire

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/wire/schema"
)

type (
	point struct{ X, Y int32 }
	pet   struct {
		Name string
		Legs uint8
	}
)

func TestStream(t *testing.T) {
	var out bytes.Buffer
	e := NewEncoder(&out)
	print := Must(SchemaOf[point]()).Fingerprint()
	if err := e.Fingerprint(print); err != nil {
		t.Fatal(err)
	}
	pets := Must(For[pet]())
	for _, err := range []error{e.Encode(&point{1, -2}), EncodeWith(e, pets, &pet{"dog", 3}), e.Encode(ptr("text"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := string(print[:]) + "\x02\x02\x03" + "\x05\x03dog\x03" + "\x05\x04text"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	// A value that cannot be encoded leaves no bytes in the stream.
	if err := e.Encode(5); err == nil {
		t.Error("a value that is not a pointer is encoded")
	}
	if err := e.Encode(new(chan int)); err == nil || out.String() != want {
		t.Errorf("a channel: %v, %q", err, out.String())
	}

	d := NewDecoder(iotest.HalfReader(bytes.NewReader(out.Bytes())), 0)
	var at point
	var p pet
	var s string
	for _, err := range []error{d.Fingerprint(print), d.Decode(&at), DecodeWith(d, pets, &p), d.Decode(&s)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if at != (point{1, -2}) || p != (pet{"dog", 3}) || s != "text" {
		t.Errorf("%v, %v, %q", at, p, s)
	}
	if err := d.Decode(&s); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}

	// The error for another fingerprint contains both fingerprints. A stream that is too short for
	// a fingerprint is truncated input.
	var fe *FingerprintError
	if err := NewDecoder(bytes.NewReader(make([]byte, 8)), 0).Fingerprint(print); !errors.As(err, &fe) || fe.Want != print || fe.Got != (schema.Fingerprint{}) {
		t.Errorf("another schema: %v", err)
	}
	if err := NewDecoder(bytes.NewReader(make([]byte, 7)), 0).Fingerprint(print); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half a fingerprint: %v", err)
	}

	// The decoder continues after a malformed record, but a truncated record ends the stream.
	d = NewDecoder(bytes.NewReader([]byte("\x02\x05x\x02\x01y\x03\x02z")), 0)
	var de *DecodeError
	if err := d.Decode(&s); !errors.As(err, &de) || de.Offset != 3 {
		t.Errorf("a malformed record: %v", err)
	}
	if err := d.Decode(&s); err != nil || s != "y" {
		t.Errorf("the record after it: %q, %v", s, err)
	}
	if err := d.Decode(&s); !errors.As(err, &de) || de.Err != io.ErrUnexpectedEOF {
		t.Errorf("a cut record: %v", err)
	}
}

// TestStreamErrors checks that the error of the writer is permanent: a part of a record may have
// been written.
func TestStreamErrors(t *testing.T) {
	e := NewEncoder(iotest.TruncateWriter(io.Discard, 0))
	if err := e.Encode(ptr(1)); err != nil {
		t.Fatal(err)
	}
	broken := NewEncoder(failingWriter{})
	for range 2 {
		if err := broken.Encode(ptr(1)); err != io.ErrClosedPipe {
			t.Errorf("%v", err)
		}
	}
	if err := broken.Fingerprint(schema.Fingerprint{}); err != io.ErrClosedPipe {
		t.Errorf("%v", err)
	}
	d := NewDecoder(iotest.ErrReader(io.ErrNoProgress), 0)
	if err := d.Decode(ptr(1)); err != io.ErrNoProgress {
		t.Errorf("%v", err)
	}
	d = NewDecoder(bytes.NewReader([]byte("\x81\x01")), 128)
	if err := d.Decode(ptr(1)); !errors.Is(err, ErrLimit) {
		t.Errorf("a record of 129 bytes: %v", err)
	}
	d = NewDecoder(bytes.NewReader([]byte("\x03\x02ab")), 0)
	d.Limits.Bytes = 1
	if err := d.Decode(new([]*int)); !errors.Is(err, ErrLimit) {
		t.Errorf("more memory than the limit: %v", err)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
