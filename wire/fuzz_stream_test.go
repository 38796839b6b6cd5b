package wire

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/testkit"
)

// pieces hands out its bytes a few at a time: as many as the next of sizes says,
// over and over.
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

// FuzzStream reads records from a stream that comes in pieces. They are those
// that are framed in the whole of it.
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
			size, n := uvarint(data, at)
			switch {
			case at == len(data):
				if err != io.EOF {
					t.Fatalf("at the end of %x: %v", data, err)
				}
				return
			case n == 0:
				if err == nil || err == io.EOF {
					t.Fatalf("%x at %d is no length: %v", data, at, err)
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

// FuzzModels reads values of several types from a stream that comes in pieces.
// They are those that the whole of it begins with, one after the other.
func FuzzModels(f *testing.F) {
	f.Add([]byte("\xff\xff\x02\x01a\x00\x00\x01\x03\x00rex\x05\x00\x07"), []byte{0})
	f.Add([]byte("\x00\x09\x01\x02\x03\x01k\x04\x04\x02\x0a\x00\x01\x01"), []byte{1, 0, 7})
	f.Add([]byte("\xff\xff\xff\xff\xff"), []byte{200})
	m := zoo(f)
	types := shapes(f)
	type mix struct {
		Evolved config3
		M       map[string]int8
		Any     any
		Tree    *tree
	}
	for _, err := range []error{
		RegisterModel(m, 9, Must(NewCodec[mix](Options{Types: types}))), RegisterModel(m, 10, accountLayout()),
		RegisterModel(m, 11, Must(NewCodec[everything](Options{}))),
	} {
		if err != nil {
			f.Fatal(err)
		}
	}
	full := full(f)
	acc := account{Name: "a", Tags: []string{"b"}}
	for _, v := range []any{&full, &acc, &mix{Evolved: config3{Name: "n"}, Any: square{1}, Tree: &tree{V: 5}}} {
		data, err := m.Append(nil, v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, []byte{2, 0, 100})
	}
	testkit.AddCorpus(f)
	f.Fuzz(func(t *testing.T, data, sizes []byte) {
		d := m.NewDecoder(&pieces{data: bytes.Clone(data), sizes: sizes}, 0)
		for rest := data; ; {
			id, v, err := d.Decode()
			if len(rest) == 0 {
				if err != io.EOF {
					t.Fatalf("at the end of %x: %v", data, err)
				}
				return
			}
			wantID, want, next, wanted := m.Decode(rest)
			if wanted != nil {
				// A value's memory is budgeted by what is there of it, so what is cut
				// short may be over the limit in part. What is too short for what it
				// announces may have another fault before its end. And the stream reads
				// on to the end of a value before it looks at it, so it may come upon a
				// fault behind the one that the whole of it has first.
				alike := errors.Is(err, errors.Unwrap(wanted)) || err != nil && err.Error() == wanted.Error() || errors.Is(err, ErrLimit) || errors.Is(wanted, ErrLimit) || errors.Is(wanted, errTruncated)
				var later, first *DecodeError
				if errors.As(err, &later) && errors.As(wanted, &first) {
					alike = alike || later.Offset-int64(len(data)-len(rest)) > first.Offset
				}
				if err == nil || !alike {
					t.Fatalf("%x at %d: %v, want %v", data, len(data)-len(rest), err, wanted)
				}
				return
			}
			if err != nil {
				if errors.Is(err, ErrLimit) {
					return
				}
				t.Fatalf("%x at %d: %v", data, len(data)-len(rest), err)
			}
			a, errA := m.AppendAs(nil, id, v)
			b, errB := m.AppendAs(nil, wantID, want)
			if id != wantID || errA != nil || errB != nil || len(a) != len(b) {
				t.Fatalf("%x at %d: %v %v, want %v %v", data, len(data)-len(rest), id, v, wantID, want)
			}
			rest = next
		}
	})
}
