package container

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/internal/test/testkit"
)

// An entry is a record of the tests of damage. All entries are different.
type entry struct {
	Number uint32
	Check  uint32 `wire:",fixed"`
}

func entryOf(i uint32) entry { return entry{i, i * 2654435761} }

// A sample is a container of entries with its blocks.
type sample struct {
	data    []byte
	options ReaderOptions
	blocks  []int // the offsets of the blocks, and of the end
	most    int   // largest number of records in a block
}

// entries returns a container of n entries.
func entries(t testing.TB, n int, o Options) sample {
	t.Helper()
	var out bytes.Buffer
	w := newWriter[entry](t, &out, o)
	s := sample{blocks: []int{out.Len()}, options: ReaderOptions{Compressions: []Compression{Gzip(gzip.BestSpeed)}}}
	count := 0
	for i := range n {
		v := entryOf(uint32(i))
		if err := w.Write(&v); err != nil {
			t.Fatal(err)
		}
		count++
		if at := out.Len(); at > s.blocks[len(s.blocks)-1] {
			s.blocks = append(s.blocks, at)
			s.most = max(s.most, count)
			count = 0
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if at := out.Len(); at > s.blocks[len(s.blocks)-1] {
		s.blocks = append(s.blocks, at)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s.blocks = append(s.blocks, out.Len())
	s.data = out.Bytes()
	return s
}

// A result is the result of a loop over a damaged container.
type result struct {
	numbers []uint32 // numbers of the entries that were read
	losses  []*LossError
	totals  Totals
}

// read reads a damaged container of entries. It fails the test if a value is wrong or out of order,
// if the loop does not end, or if the totals are not the sum of the losses.
func read(t testing.TB, name string, in io.Reader, o ReaderOptions) (out result) {
	t.Helper()
	r, err := NewReader[entry](in, nil, o)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var sum Totals
	last := -1
	for calls := 0; ; calls++ {
		var v entry
		err := r.Read(&v)
		var lost *LossError
		switch {
		case err == io.EOF:
			out.totals = r.Totals()
			sum.Records, sum.Closed = int64(len(out.numbers)), out.totals.Closed
			if sum != out.totals {
				t.Fatalf("%s: totals of %+v; the errors sum up to %+v", name, out.totals, sum)
			}
			return out
		case errors.As(err, &lost):
			out.losses = append(out.losses, lost)
			sum.Lost += max(0, lost.Records)
			sum.LostBytes += lost.Bytes
			sum.LostBlocks += lost.Blocks
			sum.Unknown = sum.Unknown || lost.Records < 0
		case err != nil:
			t.Fatalf("%s: %v", name, err)
		case v != entryOf(v.Number) || int(v.Number) <= last:
			t.Fatalf("%s: the wrong value %+v after %d", name, v, last)
		default:
			last = int(v.Number)
			out.numbers = append(out.numbers, v.Number)
		}
		if calls > 100_000 {
			t.Fatalf("%s: the loop does not end", name)
		}
	}
}

// check reads data, the damaged form of s, and fails the test if the damage is not fully reported. n
// is the number of records in s, and blocks is the maximum number of blocks that may be lost.
func (s *sample) check(t *testing.T, name string, data []byte, n, blocks int) result {
	t.Helper()
	got := read(t, name, bytes.NewReader(data), s.options)
	lost := n - len(got.numbers)
	switch {
	case len(got.losses) == 0:
		t.Fatalf("%s: the damage is not reported", name)
	case lost > blocks*s.most:
		t.Fatalf("%s: %d records are lost; a block has at most %d", name, lost, s.most)
	case got.totals.LostBlocks > int64(blocks):
		t.Fatalf("%s: %d blocks are lost: %v", name, got.totals.LostBlocks, got.losses)
	case !got.totals.Unknown && got.totals.Lost != int64(lost):
		t.Fatalf("%s: %d records are lost, and %d are reported", name, lost, got.totals.Lost)
	}
	return got
}

// TestChangedBytes damages a container of 1,000 records at every byte: by each of two changes, a
// deletion and an insertion. No value is wrong, at most one block is lost, and every loss is
// reported.
func TestChangedBytes(t *testing.T) {
	testkit.SkipInVariant(t)
	for n, o := range map[int]Options{1000: {BlockSize: 500, OmitSchema: true}, 100: {BlockSize: 100}, 400: {BlockSize: 500, Compression: Gzip(gzip.BestSpeed), OmitSchema: true}} {
		s := entries(t, n, o)
		if len(s.blocks) < 7 {
			t.Fatalf("%d blocks", len(s.blocks))
		}
		for i := range s.data {
			for _, flip := range []byte{0xff, 1 << (i % 8)} {
				data := bytes.Clone(s.data)
				data[i] ^= flip
				s.check(t, fmt.Sprintf("byte %d changed by %#x", i, flip), data, n, 1)
			}
			s.check(t, fmt.Sprintf("byte %d removed", i), append(bytes.Clone(s.data[:i]), s.data[i+1:]...), n, 1)
			s.check(t, fmt.Sprintf("a byte inserted at %d", i), append(append(bytes.Clone(s.data[:i]), byte(i)), s.data[i:]...), n, 1)
		}
		for i := 1; i < len(s.data); i++ { // a change at a boundary may damage two blocks
			data := bytes.Clone(s.data)
			data[i-1], data[i] = ^data[i-1], ^data[i]
			s.check(t, fmt.Sprintf("bytes %d and %d changed", i-1, i), data, n, 2)
		}
	}
}

// TestMovedBlocks removes, repeats and swaps whole blocks. Each change must be reported with the
// right cause.
func TestMovedBlocks(t *testing.T) {
	const n = 1000
	s := entries(t, n, Options{BlockSize: 500})
	part := func(i int) []byte { return s.data[s.blocks[i]:s.blocks[i+1]] }
	for i := range len(s.blocks) - 2 { // the last block has no records
		before, after := s.data[:s.blocks[i]], s.data[s.blocks[i+1]:]
		got := s.check(t, fmt.Sprintf("block %d removed", i), append(bytes.Clone(before), after...), n, 1)
		if err := got.losses[0]; err.Err != ErrMissing || err.Bytes != 0 || err.Blocks != 1 {
			t.Errorf("block %d removed: %v", i, err)
		}
		got = s.check(t, fmt.Sprintf("block %d twice", i), bytes.Join([][]byte{before, part(i), part(i), after}, nil), n, 0)
		if err := got.losses[0]; err.Err != ErrOrder || err.Bytes != int64(len(part(i))) || err.Records != 0 {
			t.Errorf("block %d twice: %v", i, err)
		}
		for j := i + 1; j < len(s.blocks)-2; j++ {
			swapped := bytes.Join([][]byte{before, part(j), s.data[s.blocks[i+1]:s.blocks[j]], part(i), s.data[s.blocks[j+1]:]}, nil)
			got := read(t, fmt.Sprintf("blocks %d and %d swapped", i, j), bytes.NewReader(swapped), s.options)
			if lost := n - len(got.numbers); got.totals.Lost != int64(lost) || len(got.losses) == 0 || j == i+1 && lost > s.most {
				t.Errorf("blocks %d and %d swapped: %d records are lost: %v", i, j, lost, got.losses)
			}
		}
	}
	// A block of another container has another marker.
	other := entries(t, n, Options{BlockSize: 500})
	foreign := bytes.ReplaceAll(other.data, []byte("a marker of 16 b"), []byte("another  16 byte"))
	i := 3
	s.check(t, "a block of another container", bytes.Join([][]byte{s.data[:s.blocks[i]], foreign[s.blocks[i]:s.blocks[i+1]], s.data[s.blocks[i+1]:]}, nil), n, 1)
	// Replace the records of a block by the records of the next block, if both have the same
	// length.
	for i := range len(s.blocks) - 3 {
		a, b := part(i), part(i+1)
		if len(a) != len(b) {
			continue
		}
		data := bytes.Clone(s.data)
		copy(data[s.blocks[i]+blockHead:s.blocks[i+1]], b[blockHead:])
		s.check(t, fmt.Sprintf("block %d with the records of the next", i), data, n, 1)
	}
}

// TestCutContainer cuts a container at every byte. The records before the cut are read; a part of a
// block yields io.ErrUnexpectedEOF, and a container that ends between two blocks is not reported as
// closed.
func TestCutContainer(t *testing.T) {
	s := entries(t, 300, Options{BlockSize: 500})
	for end := range s.data {
		name := fmt.Sprintf("the first %d bytes", end)
		r, err := NewReader[entry](bytes.NewReader(s.data[:end]), nil, s.options)
		copies := (s.blocks[0] - separatorSize) / 2
		if end < copies {
			if err == nil || end > 0 && !errors.Is(err, io.ErrUnexpectedEOF) || end == 0 && !errors.Is(err, ErrNotContainer) {
				t.Fatalf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v, %v", name, r, err)
		}
		got := read(t, name, bytes.NewReader(s.data[:end]), s.options)
		whole := false // whether the end is between two blocks
		for _, at := range s.blocks {
			whole = whole || at == end
		}
		if whole != (len(got.losses) == 0) || !whole && (len(got.losses) > 1 || !errors.Is(got.losses[0], io.ErrUnexpectedEOF)) || got.totals.Closed {
			t.Fatalf("%s: %v, %+v", name, got.losses, got.totals)
		}
	}
}

// TestReaderFailures uses readers that fail permanently, whose error must be returned once, and
// readers that time out, after which no record may be lost.
func TestReaderFailures(t *testing.T) {
	s := entries(t, 300, Options{BlockSize: 500})
	for _, at := range []int{s.blocks[0], s.blocks[1] + 7, s.blocks[2] + blockHead + 9, len(s.data)} {
		r, err := NewReader[entry](io.MultiReader(bytes.NewReader(s.data[:at]), iotest.ErrReader(io.ErrClosedPipe)), nil, s.options)
		if err != nil {
			t.Fatal(err)
		}
		failed := 0
		for {
			err := r.Read(new(entry))
			if err == io.EOF {
				break
			}
			if err == io.ErrClosedPipe {
				failed++
			} else if err != nil {
				t.Errorf("%d bytes: %v", at, err)
			}
		}
		if failed != 1 {
			t.Errorf("%d bytes: the error is returned %d times", at, failed)
		}
	}
	// The loss before the failure is reported too.
	damaged := bytes.Clone(s.data[:s.blocks[3]-1])
	damaged[s.blocks[2]] ^= 1
	r, err := NewReader[entry](io.MultiReader(bytes.NewReader(damaged), iotest.ErrReader(io.ErrClosedPipe)), nil, s.options)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for {
		err := r.Read(new(entry))
		if err == io.EOF {
			break
		}
		if err != nil {
			all = append(all, err.Error())
		}
	}
	if len(all) != 2 || all[0] != io.ErrClosedPipe.Error() || !strings.Contains(all[1], ErrChecksum.Error()) {
		t.Errorf("%q", all)
	}
	// A timeout before each byte loses nothing, even in a damaged container.
	damaged = bytes.Clone(s.data)
	damaged[s.blocks[2]+60] ^= 1
	want := read(t, "without timeouts", bytes.NewReader(damaged), s.options)
	slow := &stutter{r: iotest.OneByteReader(bytes.NewReader(damaged)), prefix: s.blocks[0]}
	if r, err = NewReader[entry](slow, nil, s.options); err != nil {
		t.Fatal(err)
	}
	var got result
	timeouts := 0
	for {
		var v entry
		err := r.Read(&v)
		if err == io.EOF {
			break
		}
		var lost *LossError
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			timeouts++
		case errors.As(err, &lost):
			got.losses = append(got.losses, lost)
		case err != nil:
			t.Fatal(err)
		default:
			got.numbers = append(got.numbers, v.Number)
		}
	}
	if timeouts < 1000 || len(got.numbers) != len(want.numbers) || len(got.losses) != 1 || *got.losses[0] != *want.losses[0] {
		t.Errorf("%d timeouts, %d records, %v; want %d, %v", timeouts, len(got.numbers), got.losses, len(want.numbers), want.losses)
	}
}

// A stutter is a reader. It first delivers a prefix of prefix bytes, and then times out before
// every second Read.
type stutter struct {
	r      io.Reader
	prefix int
	late   bool
}

func (s *stutter) Read(b []byte) (int, error) {
	if s.prefix > 0 {
		n, err := s.r.Read(b)
		s.prefix -= n
		return n, err
	}
	if s.late = !s.late; s.late {
		return 0, os.ErrDeadlineExceeded
	}
	return s.r.Read(b)
}

// forge returns a block with correct checksums.
func forge(b block, records []byte) []byte {
	var marker [markerSize]byte
	copy(marker[:], "a marker of 16 b")
	out := make([]byte, blockHead, blockHead+len(records)+blockTail)
	b.put(out, &marker)
	out = append(out, records...)
	return binary.LittleEndian.AppendUint32(out, sum(out, len(records)))
}

// TestForgedBlocks reads blocks with correct checksums that no Writer makes. Each must be reported
// as a loss with the expected cause.
func TestForgedBlocks(t *testing.T) {
	zip := Gzip(gzip.BestSpeed)
	pack := func(n int) []byte {
		out, err := zip.Compress(nil, make([]byte, n))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	bomb := pack(10 << 20)
	small := pack(100)
	s := entries(t, 0, Options{Compression: zip})
	header := s.data[:s.blocks[0]]
	for _, test := range []struct {
		name    string
		block   block
		records []byte
		cause   error
	}{
		{"a malformed length", block{count: 1, size: 2, length: 2}, []byte("\x80\x00"), ErrMalformed},
		{"a record that is too long", block{count: 1, size: 2, length: 2}, []byte("\x02a"), ErrMalformed},
		{"bytes after the last record", block{count: 1, size: 3, length: 3}, []byte("\x00\x00\x00"), ErrMalformed},
		{"too few records", block{count: 9, size: 2, length: 2}, []byte("\x00\x00"), ErrMalformed},
		{"records over the limit", block{count: 1, size: 1 << 31, length: 4}, []byte("\x00\x00\x00\x00"), ErrLimit},
		{"no records with bytes", block{size: 3, length: 3}, []byte("\x00\x00\x00"), ErrChecksum},
		{"records without bytes", block{count: 3}, nil, ErrChecksum},
		{"more bytes than records", block{count: 1, size: 3, length: 4}, []byte("\x00\x00\x00\x00"), ErrChecksum},
		{"a number that overflows", block{number: 1 << 63, count: 1, size: 1, length: 1}, []byte("\x00"), ErrChecksum},
		{"a compression bomb", block{count: 1, size: uint32(len(bomb)) + 1, length: uint32(len(bomb))}, bomb, ErrMalformed},
		{"less than its size", block{count: 1, size: 101, length: uint32(len(small))}, small, ErrMalformed},
		{"not compressed", block{count: 1, size: 100, length: 3}, []byte("abc"), nil},
	} {
		data := append(bytes.Clone(header), forge(test.block, test.records)...)
		r, err := NewRecords(bytes.NewReader(data), s.options)
		if err != nil {
			t.Fatal(err)
		}
		var lost *LossError
		for {
			record, err := r.Next()
			if err == io.EOF {
				break
			}
			if err == nil && test.cause == ErrMalformed && len(record) < 5 {
				continue // a record before the fault
			}
			if !errors.As(err, &lost) || test.cause != nil && lost.Err != test.cause {
				t.Errorf("%s: %q, %v", test.name, record, err)
			}
		}
		if lost == nil {
			t.Errorf("%s is read", test.name)
		}
	}
	// The schema of the header is checked.
	for name, change := range map[string]func([]byte) []byte{
		"a schema that is not JSON":   func(b []byte) []byte { b[headerFixed] = '['; return b },
		"another fingerprint":         func(b []byte) []byte { b[32]++; return b },
		"an unknown flag":             func(b []byte) []byte { b[9] |= 2; return b },
		"a length over the limit":     func(b []byte) []byte { b[15] = 0xff; return b },
		"a schema without its flag":   func(b []byte) []byte { b[9] = 0; return b },
		"a version of a later format": func(b []byte) []byte { b[8] = 2; return b },
	} {
		s := entries(t, 3, Options{})
		one := change(bytes.Clone(s.data[:(s.blocks[0]-separatorSize)/2-4]))
		one = binary.LittleEndian.AppendUint32(one, checksum(one))
		data := bytes.Join([][]byte{one, one, s.data[s.blocks[0]:]}, nil)
		if r, err := NewRecords(bytes.NewReader(data), ReaderOptions{}); err == nil {
			t.Errorf("%s: %v", name, r.Header())
		}
	}
	if _, err := NewRecords(bytes.NewReader(header[:0]), ReaderOptions{}); !errors.Is(err, ErrNotContainer) {
		t.Errorf("%v", err)
	}
	if _, err := NewRecords(strings.NewReader(strings.Repeat("text ", 1<<20)), ReaderOptions{}); !errors.Is(err, ErrNotContainer) {
		t.Errorf("%v", err)
	}
	if _, err := NewRecords(bytes.NewReader(header), ReaderOptions{}); err == nil || !strings.Contains(err.Error(), `"gzip"`) {
		t.Errorf("%v", err)
	}
}

// TestClaimedRecords reads the heads of many blocks, each of which claims the rest of the stream as
// the records of its block. The Reader must not compute a checksum over the rest for each head.
func TestClaimedRecords(t *testing.T) {
	s := entries(t, 0, Options{OmitSchema: true})
	data := bytes.Clone(s.data[:s.blocks[0]])
	const blocks = 20_000
	for i := range uint32(blocks) {
		rest := (blocks-i)*blockHead - blockHead
		data = append(data, forge(block{number: 1, count: 1, size: rest + 1, length: rest + 1}, nil)[:blockHead]...)
	}
	data = append(data, make([]byte, 100)...)
	r, err := NewRecords(bytes.NewReader(data), ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := r.Next(); err == io.EOF {
			break
		}
	}
	if r.scanner.spent > 8*int64(len(data)) {
		t.Errorf("%d bytes are summed for a stream of %d", r.scanner.spent, len(data))
	}
}
