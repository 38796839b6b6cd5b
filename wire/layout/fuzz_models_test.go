package layout

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// A pieces is a reader of data in small pieces. The lengths of the pieces are in sizes; after the
// last length it starts again with the first.
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

type (
	evolved struct {
		_    wire.Evolving
		Name string
		Port uint16
		At   point
		Tags []string
	}
	node struct {
		V     int
		Left  *node
		Kids  []node
		Named map[string]*node
	}
	mix struct {
		Evolved evolved
		M       map[string]int8
		Any     any
		Tree    *node
	}
	variety struct {
		Bytes  []byte
		Phase  complex128
		Deep   [][][]int16
		Pairs  [3]point
		By     map[[2]bool]point
		At     time.Time
		Some   mo.Option[mo.Option[string]]
		Addr   netip.Addr
		State  mo.Nullable[int]
		Failed mo.Result[int]
		Voids  []struct{}
	}
)

// FuzzModels reads values of several types from a stream that arrives in pieces. The ids, the
// values and the errors must agree with a decode of the complete input.
func FuzzModels(f *testing.F) {
	f.Add([]byte("\xff\xff\x02\x01a\x00\x00\x01\x03\x00rex\x05\x00\x07"), []byte{0})
	f.Add([]byte("\x00\x09\x01\x02\x03\x01k\x04\x04\x02\x0a\x00\x01\x01"), []byte{1, 0, 7})
	f.Add([]byte("\xff\xff\xff\xff\xff"), []byte{200})
	m := zoo(f)
	types := new(wire.Types)
	for _, err := range []error{
		wire.RegisterType[float64](types, 1), wire.RegisterType[*point](types, 300), wire.RegisterType[string](types, 2), wire.RegisterType[[]int](types, 3),
	} {
		if err != nil {
			f.Fatal(err)
		}
	}
	for _, err := range []error{
		RegisterModel(m, 9, wire.Must(wire.For[mix](wire.Options{Types: types}))), RegisterModel(m, 10, accountLayout()),
		RegisterModel(m, 11, wire.Must(wire.For[variety]())),
	} {
		if err != nil {
			f.Fatal(err)
		}
	}
	full := variety{
		Bytes: []byte("ab"), Phase: 1 - 2i, Deep: [][][]int16{{{1}, {}}}, Pairs: [3]point{{1, 2}}, By: map[[2]bool]point{{true}: {3, 4}},
		At: time.Unix(1, 2).In(time.FixedZone("here", 60)), Some: mo.Some(mo.Some("x")), Addr: netip.MustParseAddr("::1"), State: mo.Value(5),
		Failed: mo.Err[int](io.ErrClosedPipe), Voids: make([]struct{}, 3),
	}
	acc := account{Name: "a", Tags: []string{"b"}}
	for _, v := range []any{&full, &acc, &mix{Evolved: evolved{Name: "n"}, Any: 1.5, Tree: &node{V: 5}}} {
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
				// Three differences are allowed. The memory of a value depends on the bytes that
				// are present, so a truncated value may exceed the limit. Input that is too short
				// for a length may have another fault before its end. And the stream reads to the
				// end of a value before it decodes the value, so it may find a fault after the
				// first fault of the complete input.
				alike := errors.Is(err, errors.Unwrap(wanted)) || err != nil && err.Error() == wanted.Error() || errors.Is(err, wire.ErrLimit) || errors.Is(wanted, wire.ErrLimit) || errors.Is(wanted, io.ErrUnexpectedEOF)
				var later, first *wire.DecodeError
				if errors.As(err, &later) && errors.As(wanted, &first) {
					alike = alike || later.Offset-int64(len(data)-len(rest)) > first.Offset
				}
				if err == nil || !alike {
					t.Fatalf("%x at %d: %v, want %v", data, len(data)-len(rest), err, wanted)
				}
				return
			}
			if err != nil {
				if errors.Is(err, wire.ErrLimit) {
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
