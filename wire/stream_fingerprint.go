package wire

import (
	"fmt"
	"reflect"

	"github.com/hone-go/hone/wire/schema"
)

// Fingerprint writes the 8 bytes of f. The reader calls [Decoder.Fingerprint] at the same point of
// the stream, usually at its start.
func (e *Encoder) Fingerprint(f schema.Fingerprint) error {
	if e.err != nil {
		return e.err
	}
	return e.write(f[:])
}

// Fingerprint reads 8 bytes and compares them with f. The error is a [*FingerprintError] if they
// differ.
func (d *Decoder) Fingerprint(f schema.Fingerprint) error {
	t := reflect.TypeFor[schema.Fingerprint]()
	if err := d.settle(t); err != nil {
		return err
	}
	for len(d.window.Data()) < len(f) {
		if err := d.readMore(t); err != nil {
			return err
		}
	}
	got := schema.Fingerprint(d.window.Data()[:len(f)])
	d.window.Take(len(f))
	if got != f {
		return &FingerprintError{Got: got, Want: f}
	}
	return nil
}

// A FingerprintError reports a stream or a value with another schema than the reader's.
type FingerprintError struct {
	Got, Want schema.Fingerprint
	Type      reflect.Type // the type of the value; nil for a stream
	Plain     error        // the error of decoding the value without a fingerprint, if [Fingerprints.Plain] is set
}

func (e *FingerprintError) Error() string {
	if e.Type == nil {
		return fmt.Sprintf("wire: the stream begins with the fingerprint %v, and this program's schema has %v: another version of the type has written the stream (hone schema check compares versions), or the stream does not begin with a fingerprint", e.Got, e.Want)
	}
	text := fmt.Sprintf("wire: the value begins with %v, which is not an accepted fingerprint of %v (its own is %v): it has another type or version, or no fingerprint", e.Got, e.Type, e.Want)
	if e.Plain != nil {
		text += fmt.Sprintf("; without a fingerprint: %v", e.Plain)
	}
	return text
}

// Unwrap returns Plain.
func (e *FingerprintError) Unwrap() error { return e.Plain }
