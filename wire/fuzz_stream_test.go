package wire

import (
	"cmp"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// A pieces is a reader of data in small pieces. The lengths of the pieces are in sizes; after the
// last length it starts again with the first.
type pieces struct {
	data, sizes []byte
	next        int
	failure     error // the error at the end, instead of io.EOF
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, cmp.Or(p.failure, io.EOF)
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

// An outcome is the result of one call of Decode: a value, or the kind of the error.
type outcome struct {
	value   []string
	skipped bool   // a RecordError
	tooLong uint64 // the length in a LengthError
	torn    bool   // io.ErrUnexpectedEOF
	failed  bool   // another error
}

// slowStream returns the outcomes of a loop over a stream that continues after errors.
func slowStream(data []byte, limit uint64) (all []outcome) {
	for at := 0; at < len(data); {
		size, n := scalar.Uvarint(data, at)
		if n == 0 {
			_, cause := scalar.UvarintFault(data, at)
			return append(all, outcome{torn: cause == io.ErrUnexpectedEOF, failed: cause != io.ErrUnexpectedEOF})
		}
		if size > limit {
			all = append(all, outcome{skipped: true, tooLong: size})
		}
		if size > uint64(len(data)-n) {
			return append(all, outcome{torn: true})
		}
		at = n + int(size)
		if size > limit {
			continue
		}
		var v []string
		err := Unmarshal(data[n:at], &v)
		if err != nil {
			v = nil
		}
		all = append(all, outcome{value: v, skipped: err != nil})
	}
	return all
}

// FuzzStream reads records from a stream that arrives in pieces, with a loop that continues after
// errors. The loop must end, and its outcomes must be equal to the outcomes of slowStream, which gets
// the complete input. If the reader fails permanently, its error must be returned once.
func FuzzStream(f *testing.F) {
	f.Add([]byte("\x03\x01\x01a\x01\x00\x05\x02\x01a\x01b"), []byte{0})
	f.Add([]byte("\x03\x01\x02a\x01\x00\x80\x00"), []byte{3, 1})
	f.Add([]byte("\xff\xff\xff\xff\x0f"), []byte{})
	f.Add([]byte("\x41"+strings.Repeat("x", 65)+"\x03\x01\x01b\x02\x01"), []byte{7})
	testkit.AddCorpus(f)
	f.Fuzz(func(t *testing.T, data, sizes []byte) {
		const limit = 1 << 6
		want := slowStream(data, limit)
		for _, failure := range []error{nil, io.ErrClosedPipe} {
			d := NewDecoder(&pieces{data: data, sizes: sizes, failure: failure}, limit)
			var got []outcome
			failures := 0
			for {
				var v []string
				err := d.Decode(&v)
				if err == io.EOF {
					break
				}
				if err == io.ErrClosedPipe {
					failures++
					continue
				}
				got = append(got, outcomeOf(t, v, err))
				if len(got) > len(data)+2 {
					t.Fatalf("%x: the loop does not end", data)
				}
			}
			if failure != nil {
				// The stream ends where the reader fails, unless it has ended before.
				ended := len(want) > 0 && want[len(want)-1].failed
				if n := len(want); n > 0 && want[n-1].torn {
					want = want[:n-1]
				}
				if (failures == 1) == ended {
					t.Fatalf("%x: the error of the reader is returned %d times", data, failures)
				}
			}
			if !slices.EqualFunc(got, want, func(a, b outcome) bool { return reflect.DeepEqual(a, b) }) {
				t.Fatalf("%x: %+v\nwant %+v", data, got, want)
			}
		}
	})
}

// outcomeOf describes the result of Decode.
func outcomeOf(t *testing.T, v []string, err error) outcome {
	var re *RecordError
	var le *LengthError
	if err == nil {
		return outcome{value: v}
	}
	o := outcome{skipped: errors.As(err, &re), torn: errors.Is(err, io.ErrUnexpectedEOF)}
	if errors.As(err, &le) {
		o.tooLong = le.Length
		if !errors.Is(err, ErrLimit) || le.Length != re.Length {
			t.Fatalf("%v", err)
		}
	}
	var de *DecodeError
	if errors.As(err, &de) == (o.tooLong > 0) {
		t.Fatalf("%v", err)
	}
	if o.skipped && de != nil && (de.Offset < re.Offset || de.Offset > re.Offset+10+int64(re.Length)) {
		t.Fatalf("%v", err)
	}
	o.failed = !o.skipped && !o.torn
	return o
}
