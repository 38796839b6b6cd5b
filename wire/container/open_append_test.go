package container

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestOpenAppend cuts a container at every byte and appends records to the part before the cut. A
// reader must get the records of all whole blocks and the new records.
func TestOpenAppend(t *testing.T) {
	o := Options{BlockSize: 100}
	s := entries(t, 60, o)
	for size := 0; size <= len(s.data); size++ {
		name := fmt.Sprintf("the first %d bytes", size)
		f := &memoryFile{data: bytes.Clone(s.data[:size])}
		w, cut, err := OpenAppend[entry](f, nil, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		keep := 0
		for _, at := range s.blocks[:len(s.blocks)-1] {
			if at <= size {
				keep = at
			}
		}
		if want := size - keep; size < len(s.data) && cut != int64(want) || size == len(s.data) && cut != 0 {
			t.Fatalf("%s: %d bytes are cut; want %d", name, cut, want)
		}
		for i := range uint32(10) {
			v := entryOf(1000 + i)
			if err := w.Write(&v); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got := read(t, name, bytes.NewReader(f.data), s.options)
		if len(got.losses) > 0 || !got.totals.Closed || len(got.numbers) < 10 || got.numbers[len(got.numbers)-10] != 1000 || size == len(s.data) && len(got.numbers) != 70 {
			t.Fatalf("%s: %d records, %v, %+v", name, len(got.numbers), got.losses, got.totals)
		}
	}
}

// TestOpenAppendFile appends a record to a file on disk, three times. Once it leaves a part of a
// block at the end, which the next call must cut off.
func TestOpenAppendFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	for run := range 3 {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		w, cut, err := OpenAppend[entry](f, nil, Options{})
		if err != nil || cut != int64(run/2*3) {
			t.Fatalf("run %d: %d bytes are cut, %v", run, cut, err)
		}
		v := entryOf(uint32(run))
		if err := w.Write(&v); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if run == 1 { // as if the program had stopped within a block
			if _, err := f.Write([]byte("a m")); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, "three runs", bytes.NewReader(data), ReaderOptions{}); len(got.numbers) != 3 || got.losses != nil || got.totals.Closed {
		t.Errorf("%+v", got)
	}
}

// TestOpenAppendDamaged appends to a container with damage before the last whole block. The damage
// must stay in the file. OpenAppend must refuse files that it cannot append to, and leave them
// unchanged.
func TestOpenAppendDamaged(t *testing.T) {
	o := Options{BlockSize: 100}
	s := entries(t, 60, o)
	data := bytes.Clone(s.data)
	data[s.blocks[1]+60] ^= 1
	f := &memoryFile{data: data}
	w, cut, err := OpenAppend[entry](f, nil, o)
	if err != nil || cut != 0 {
		t.Fatalf("%d, %v", cut, err)
	}
	v := entryOf(99)
	if err := w.Write(&v); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := read(t, "damaged", bytes.NewReader(f.data), s.options)
	if len(got.losses) != 1 || got.numbers[len(got.numbers)-1] != 99 || int64(len(got.numbers))+got.totals.Lost != 61 {
		t.Errorf("%+v", got)
	}
	zipped := entries(t, 3, Options{Compression: Gzip(1)})
	for name, test := range map[string]struct {
		data   []byte
		append func(f *memoryFile) error
	}{
		"another schema": {s.data, func(f *memoryFile) error { _, _, err := OpenAppend[string](f, nil, o); return err }},
		"a compression":  {zipped.data, func(f *memoryFile) error { _, _, err := OpenAppend[entry](f, nil, o); return err }},
		"a text":         {[]byte("text"), func(f *memoryFile) error { _, _, err := OpenAppend[entry](f, nil, o); return err }},
		"a long text":    {bytes.Repeat([]byte("text"), 1000), func(f *memoryFile) error { _, _, err := OpenAppend[entry](f, nil, o); return err }},
	} {
		f := &memoryFile{data: bytes.Clone(test.data)}
		err := test.append(f)
		var se *SchemaError
		if err == nil || !bytes.Equal(f.data, test.data) || errors.As(err, &se) != (name == "another schema") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for failing := range 12 {
		f := &memoryFile{data: bytes.Clone(s.data[:len(s.data)-70]), failAt: failing}
		if _, _, err := OpenAppend[entry](f, nil, o); err != nil && err != io.ErrClosedPipe {
			t.Errorf("call %d of the file fails: %v", failing, err)
		}
	}
}

// A memoryFile is a file in memory. If failAt is n, the n-th call of a method returns an error.
type memoryFile struct {
	data   []byte
	pos    int64
	failAt int
}

func (f *memoryFile) fail() error {
	if f.failAt--; f.failAt == 0 {
		return io.ErrClosedPipe
	}
	return nil
}

func (f *memoryFile) Read(b []byte) (int, error) {
	if err := f.fail(); err != nil {
		return 0, err
	}
	if f.pos >= int64(len(f.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.data[f.pos:])
	f.pos += int64(n)
	return n, nil
}

func (f *memoryFile) Write(b []byte) (int, error) {
	f.data = append(f.data[:f.pos], b...)
	f.pos += int64(len(b))
	return len(b), f.fail()
}

func (f *memoryFile) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		offset += int64(len(f.data))
	}
	f.pos = offset
	return offset, f.fail()
}

func (f *memoryFile) Truncate(size int64) error {
	f.data = f.data[:size]
	return f.fail()
}
