package container

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire"
)

// A reading is a record of the tests.
type reading struct {
	Host  string
	At    uint32
	Value []float64
}

// newWriter returns a Writer with a marker that is always the same.
func newWriter[T any](t testing.TB, out io.Writer, o Options) *Writer[T] {
	t.Helper()
	w, h, err := prepare[T](out, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	copy(h.marker[:], "a marker of 16 b")
	if err := w.start(h); err != nil {
		t.Fatal(err)
	}
	return w
}

// readings returns n records, and a container with them.
func readings(t testing.TB, n int, o Options) (all []reading, data []byte) {
	t.Helper()
	var out bytes.Buffer
	w := newWriter[reading](t, &out, o)
	for i := range n {
		r := reading{Host: fmt.Sprintf("host-%d", i%7), At: uint32(i * i), Value: make([]float64, i%3)}
		all = append(all, r)
		if err := w.Write(&r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return all, out.Bytes()
}

// readAll reads a container by a loop that continues after errors.
func readAll[T any](t testing.TB, in io.Reader, o ReaderOptions) (all []T, losses []*LossError, totals Totals) {
	t.Helper()
	r, err := NewReader[T](in, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	for {
		var v T
		err := r.Read(&v)
		var lost *LossError
		switch {
		case err == io.EOF:
			return all, losses, r.Totals()
		case errors.As(err, &lost):
			losses = append(losses, lost)
		case err != nil:
			t.Fatal(err)
		default:
			all = append(all, v)
		}
	}
}

// TestContainer writes containers with several block sizes, with and without compression. A reader
// must get all records and no loss.
func TestContainer(t *testing.T) {
	zip := Gzip(gzip.BestSpeed)
	for _, o := range []Options{{}, {BlockSize: 1}, {BlockSize: 100}, {BlockSize: 1000, Compression: zip}, {Compression: zip, OmitSchema: true}} {
		for _, n := range []int{0, 1, 2, 300, 5000} {
			want, data := readings(t, n, o)
			for _, in := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
				got, losses, totals := readAll[reading](t, in, ReaderOptions{Compressions: []Compression{zip}})
				if len(losses) > 0 || !reflect.DeepEqual(got, normal(want)) || totals != (Totals{Records: int64(n), Closed: true}) {
					t.Fatalf("%d records in blocks of %d bytes: %d are read, lost %v, %+v", n, o.BlockSize, len(got), losses, totals)
				}
			}
		}
	}
}

// normal returns records as they are read: an empty slice is nil.
func normal(all []reading) (out []reading) {
	for _, r := range all {
		if len(r.Value) == 0 {
			r.Value = nil
		}
		out = append(out, r)
	}
	return out
}

// TestBytes compares a container with bytes that the test builds from the specification.
func TestBytes(t *testing.T) {
	var out bytes.Buffer
	w := newWriter[string](t, &out, Options{OmitSchema: true})
	text := "a"
	if err := w.Write(&text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	table := crc32.MakeTable(crc32.Castagnoli)
	crc := func(s string) string {
		return string(binary.LittleEndian.AppendUint32(nil, crc32.Checksum([]byte(s), table)))
	}
	const marker = "a marker of 16 b"
	print := wire.Must(wire.SchemaOf[string]()).Fingerprint()
	head := "\x89HWC\r\n\x1a\n" + "\x01\x00" + "\x00\x00" + "\x00\x00\x00\x00" + marker + string(print[:])
	want := head + crc(head) + strings.Repeat("\x00", 8) + head + crc(head)
	for _, b := range []struct{ head, records string }{
		{marker + "\x00\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00" + "\x01\x00\x00\x00" + "\x03\x00\x00\x00" + "\x03\x00\x00\x00", "\x02\x01a"},
		{marker + "\x01\x00\x00\x00\x00\x00\x00\x00" + "\x01\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00", ""},
	} {
		want += b.head + crc(b.head) + b.records + crc(b.head+b.records)
	}
	if out.String() != want {
		t.Errorf("%q\nwant %q", out.String(), want)
	}
	// The check value of CRC-32C.
	if got := checksum([]byte("123456789")); got != 0xe3069283 {
		t.Errorf("%#x", got)
	}
}

// TestBlocks checks which records share a block.
func TestBlocks(t *testing.T) {
	for _, test := range []struct {
		sizes []int // sizes of the records, including the length prefix; 0 stands for a call of Flush
		want  []int // sizes of the blocks
	}{
		{[]int{40, 40, 40}, []int{80, 40}},
		{[]int{50, 50, 2}, []int{100, 2}},
		{[]int{100, 98, 2}, []int{100, 100}},
		{[]int{10, 300, 10}, []int{10, 300, 10}},
		{[]int{300, 300}, []int{300, 300}},
		{[]int{10, 0, 0, 20}, []int{10, 20}},
	} {
		var out bytes.Buffer
		w := newWriter[[]byte](t, &out, Options{BlockSize: 100, OmitSchema: true})
		header := out.Len()
		for _, n := range test.sizes {
			if n == 0 {
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				continue
			}
			// n includes the length of the slice and the length prefix of the record.
			v := make([]byte, max(0, n-2))
			if n > 130 {
				v = make([]byte, n-4)
			}
			if err := w.Write(&v); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var got []int
		for data := out.Bytes()[header:]; len(data) > 0; {
			var b block
			if !b.parse(data) {
				t.Fatalf("%v: no block", test.sizes)
			}
			got = append(got, int(b.size))
			data = data[b.total():]
		}
		if !reflect.DeepEqual(got, append(test.want, 0)) {
			t.Errorf("%v: blocks of %v; want %v", test.sizes, got, test.want)
		}
	}
}

// TestWriterErrors writes values that the Writer must refuse, and uses io.Writers that fail.
func TestWriterErrors(t *testing.T) {
	var out bytes.Buffer
	w := newWriter[map[string][]byte](t, &out, Options{Limit: 1000, BlockSize: 500})
	record := map[string][]byte{"a": []byte("b")}
	long := map[string][]byte{"a": make([]byte, 1000)}
	for range 3 {
		if err := w.Write(&record); err != nil {
			t.Fatal(err)
		}
		var le *LengthError
		if err := w.Write(&long); !errors.As(err, &le) || le.Length != 1005 || le.Limit != 1000 {
			t.Errorf("%v", err)
		}
		if err := w.Write(nil); err == nil {
			t.Error("nil is written")
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&record); err != ErrClosed {
		t.Errorf("%v", err)
	}
	if err := w.Flush(); err != ErrClosed {
		t.Errorf("%v", err)
	}
	if err := w.Close(); err != ErrClosed {
		t.Errorf("%v", err)
	}
	if got, losses, _ := readAll[map[string][]byte](t, &out, ReaderOptions{}); len(got) != 3 || losses != nil {
		t.Errorf("%v, %v", got, losses)
	}
	failing := newWriter[string](t, &shortWriter{room: 400}, Options{BlockSize: 10})
	text := "longer than a block"
	var err error
	for range 20 {
		if err = failing.Write(&text); err != nil {
			break
		}
	}
	if err != io.ErrShortWrite || failing.Write(&text) != err || failing.Flush() != err || failing.Close() != err {
		t.Errorf("the error of the writer is not permanent: %v", err)
	}
	for name, o := range map[string]Options{
		"a name without a function": {Compression: Compression{Name: "x"}},
		"a function without a name": {Compression: Compression{Compress: Gzip(1).Compress}},
		"a block over the limit":    {BlockSize: 100, Limit: 99},
		"a long name":               {Compression: Compression{Name: strings.Repeat("x", 256), Compress: Gzip(1).Compress}},
	} {
		if _, err := NewWriter[string](io.Discard, nil, o); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if _, err := NewWriter[chan int](io.Discard, nil, Options{}); !errors.As(err, new(*wire.TypeError)) {
		t.Errorf("%v", err)
	}
	if _, err := NewWriter(io.Discard, new(wire.Codec[int]), Options{}); !errors.Is(err, wire.ErrNoCodec) {
		t.Errorf("%v", err)
	}
	broken := newWriter[string](t, io.Discard, Options{Compression: Compression{Name: "x", Compress: func(dst, _ []byte) ([]byte, error) { return dst, io.ErrNoProgress }}})
	if err := broken.Write(&text); err != nil {
		t.Fatal(err)
	}
	if err := broken.Close(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("%v", err)
	}
}

// A shortWriter writes only as many bytes as it has room for, and returns no error.
type shortWriter struct{ room int }

func (w *shortWriter) Write(b []byte) (int, error) {
	n := min(len(b), w.room)
	w.room -= n
	return n, nil
}

// TestSchemas reads a container with newer and with unrelated types. A newer version of the type
// reads the records, and another type yields a SchemaError. Without a schema in the header only the
// same type is accepted.
func TestSchemas(t *testing.T) {
	type first struct {
		_    wire.Evolving
		Name string
	}
	type second struct {
		_    wire.Evolving
		Name string
		Port uint16
	}
	type other struct{ X, Y float64 }
	var with, without bytes.Buffer
	for out, o := range map[*bytes.Buffer]Options{&with: {}, &without: {OmitSchema: true}} {
		w := newWriter[first](t, out, o)
		if err := w.Write(&first{Name: "db"}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	got, losses, _ := readAll[second](t, bytes.NewReader(with.Bytes()), ReaderOptions{})
	if !reflect.DeepEqual(got, []second{{Name: "db"}}) || losses != nil {
		t.Errorf("%v, %v", got, losses)
	}
	var se *SchemaError
	if _, err := NewReader[other](bytes.NewReader(with.Bytes()), nil, ReaderOptions{}); !errors.As(err, &se) || len(se.Problems) == 0 || !strings.Contains(err.Error(), "evolving struct") {
		t.Errorf("%v", err)
	}
	if _, err := NewReader[second](bytes.NewReader(without.Bytes()), nil, ReaderOptions{}); !errors.As(err, &se) || se.Problems != nil || !strings.HasSuffix(err.Error(), "the header contains no schema, so the records may differ") {
		t.Errorf("%v", err)
	}
	if got, _, _ := readAll[first](t, bytes.NewReader(without.Bytes()), ReaderOptions{}); len(got) != 1 {
		t.Errorf("%v", got)
	}
	// The schema reads the records without the Go type.
	r, err := NewRecords(bytes.NewReader(with.Bytes()), ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	record, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := r.Header().Schema.AppendJSON(nil, record); err != nil || string(text) != `{"Name":"db"}` {
		t.Errorf("%s, %v", text, err)
	}
}

// TestRecordErrors reads an intact block that contains a record which the codec refuses. Read must
// return a RecordError for this record, and then the next record.
func TestRecordErrors(t *testing.T) {
	type flags struct{ A, B bool }
	var out bytes.Buffer
	// The records of this container are bytes, and its reader decodes each byte as a bool, so the
	// byte 7 is refused.
	w := newWriter[[2]uint8](t, &out, Options{OmitSchema: true})
	for _, v := range [][2]uint8{{0, 1}, {0, 7}, {1, 1}} {
		if err := w.Write(&v); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	records, err := NewRecords(&out, ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := &Reader[flags]{wire.Must(wire.For[flags]()), records}
	var re *wire.RecordError
	var v flags
	if err := r.Read(&v); err != nil || v != (flags{false, true}) {
		t.Errorf("%v, %v", v, err)
	}
	if err := r.Read(&v); !errors.As(err, &re) || re.Length != 2 || re.Offset != 44+8+44+blockHead+3 {
		t.Errorf("%+v, %v", re, err)
	}
	if err := r.Read(&v); err != nil || v != (flags{true, true}) {
		t.Errorf("%v, %v", v, err)
	}
	if err := r.Read(&v); err != io.EOF {
		t.Errorf("%v", err)
	}
}

// TestAllocs checks that writing and reading a record allocates nothing.
func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	for name, o := range map[string]Options{"plain": {}, "small blocks": {BlockSize: 200}} {
		w := newWriter[reading](t, io.Discard, o)
		record := reading{Host: "db-1", At: 5}
		if n := testing.AllocsPerRun(20_000, func() {
			if err := w.Write(&record); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: Write: %v allocations; the budget is 0", name, n)
		}
		var out bytes.Buffer
		numbers := newWriter[uint64](t, &out, o)
		for i := range uint64(40_000) {
			if err := numbers.Write(&i); err != nil {
				t.Fatal(err)
			}
		}
		if err := numbers.Flush(); err != nil {
			t.Fatal(err)
		}
		r, err := NewReader[uint64](&out, nil, ReaderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var v uint64
		for range 10_000 { // the window reaches its size
			if err := r.Read(&v); err != nil {
				t.Fatal(err)
			}
		}
		if n := testing.AllocsPerRun(20_000, func() {
			if err := r.Read(&v); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: Read: %v allocations; the budget is 0", name, n)
		}
	}
}
