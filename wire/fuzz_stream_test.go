package wire

import (
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// pieces returns its bytes a few at a time. The numbers are in sizes, in a cycle.
type pieces struct {
	data, sizes []byte
	next        int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(p.sizes) > 0 {
		size = 1 + int(p.sizes[p.next%len(p.sizes)])
		p.next++
	}
	n := copy(b, p.data[:min(size, len(p.data))])
	p.data = p.data[n:]
	return n, nil
}

// FuzzStream reads records from a stream that arrives in pieces. They are the same records as in
// the complete input.
func FuzzStream(f *testing.F) {
	f.Add([]byte("\x03\x01\x01a\x01\x00\x05\x02\x01a\x01b"), []byte{0})
	f.Add([]byte("\x03\x01\x02a\x01\x00\x80\x00"), []byte{3, 1})
	f.Add([]byte("\xff\xff\xff\xff\x0f"), []byte{})
	testkit.AddCorpus(f)
	f.Fuzz(func(t *testing.T, data, sizes []byte) {
		const limit = 1 << 12
		d := NewDecoder(&pieces{data: data, sizes: sizes}, limit)
		for at := 0; ; {
			var got, want []string
			err := d.Decode(&got)
			size, n := scalar.Uvarint(data, at)
			switch {
			case at == len(data):
				if err != io.EOF {
					t.Fatalf("at the end of %x: %v", data, err)
				}
				return
			case n == 0:
				if err == nil || err == io.EOF {
					t.Fatalf("%x at %d is not a length: %v", data, at, err)
				}
				return
			case size > limit:
				if !errors.Is(err, ErrLimit) {
					t.Fatalf("%x at %d is too long: %v", data, at, err)
				}
				return
			case size > uint64(len(data)-n):
				if !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Fatalf("%x at %d is cut short: %v", data, at, err)
				}
				return
			}
			at = n + int(size)
			wanted := Unmarshal(data[n:at], &want)
			if (wanted == nil) != (err == nil) || err == nil && !reflect.DeepEqual(got, want) {
				t.Fatalf("%x, the record up to %d: %q, %v, want %q, %v", data, at, got, err, want, wanted)
			}
			var de *DecodeError
			if err != nil && (!errors.As(err, &de) || de.Offset < int64(n) || de.Offset > int64(at)) {
				t.Fatalf("%x, the record from %d to %d: %v", data, n, at, err)
			}
		}
	})
}
